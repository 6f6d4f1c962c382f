// Our collectives against what people would otherwise run, on this machine, in one go:
//
//   scripts/bench [quick] [ROUNDS]
//
// Everybody's turn comes in every round, in an order that rotates. Prints all times, ratios, the
// targets and the table for the README, which are in target/bench.md after every round, the samples
// beside it in bench.json. Contestants that cannot be had are named and left out.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { findBrowser, findSums } from "./browsers.mjs";
import { CASES, QUICK_CASES, TARGETS } from "./cases.mjs";
import { findGloo, findOpenMpi, findNative } from "./programs.mjs";
import { Book, caseName, shortTable, targetsTable, timesTable } from "./report.mjs";

const CONTESTANTS = [
  ["Chromium", () => findBrowser("chromium", "Chromium")],
  ["Firefox", () => findBrowser("firefox", "Firefox")],
  ["native code", findNative],
  ["Open MPI", findOpenMpi],
  ["gloo", findGloo],
];
const SUMS = [
  ["Chromium's sums", () => findSums("chromium", "Chromium")],
  ["Firefox's sums", () => findSums("firefox", "Firefox")],
];

const FULL = { cases: CASES, contestants: [...CONTESTANTS, ...SUMS], rounds: 5 };
const QUICK = { cases: QUICK_CASES, contestants: CONTESTANTS, rounds: 2 };

/** Columns of the README's table. */
const COLUMNS = ["Chromium", "Firefox", "threads", "Open MPI", "gloo"];

/** The first line of what an error says, whatever was thrown. */
const reason = (error) => String(error?.message ?? error).split("\n")[0];

const say = (text) => process.stderr.write(`${text}\n`);

/** The contestants that can be had. */
async function gather(named) {
  const all = [];
  for (const [name, find] of named) {
    try {
      const found = await find();
      all.push(...found);
    } catch (error) {
      console.log(`Left out: ${name}: ${reason(error)}`);
    }
  }
  return all;
}

/** Lets everybody do every case, and yields what there is after each round. */
async function* compete(contestants, { cases, rounds }) {
  const failed = new Set();
  const samples = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const of of cases) {
      say(`round ${round + 1} of ${rounds}: ${caseName(of)}`);
      const able = contestants.filter((one) => one.takes(of));
      for (let turn = 0; turn < able.length; turn += 1) {
        const one = able[(turn + round) % able.length];
        const task = `${one.side}${one.way ? `, ${one.way}` : ""}: ${caseName(of)}`;
        if (failed.has(task)) continue;
        try {
          const { seconds, wrong } = await one.sample(of);
          if (wrong > 0) throw new Error(`${wrong} elements are wrong`);
          samples.push({ side: one.side, way: one.way, of, round, seconds });
        } catch (error) {
          failed.add(task);
          console.log(`Left out: ${task}: ${reason(error)}`);
        }
      }
    }
    yield samples;
  }
}

/** What there is to say about these samples. */
function report(where, { cases }, samples) {
  const book = new Book();
  samples.forEach((sample) => book.note(sample));
  const rounds = new Set(samples.map(({ round }) => round)).size;
  return [
    `${where}\nf32 sums; medians of ${rounds} rounds.`,
    timesTable(book, cases, "Open MPI"),
    targetsTable(book, TARGETS),
    shortTable(book, cases.filter(({ n }) => n), COLUMNS),
  ].join("\n\n");
}

/** Where and when: what a figure means nothing without. */
function circumstances(contestants) {
  const gib = Math.round(totalmem() / 2 ** 30);
  const system = readFileSync("/etc/os-release", "utf8").match(/^PRETTY_NAME="(.*)"/m)?.[1];
  const commit = String(execFileSync("git", ["describe", "--always", "--dirty"])).trim();
  const about = contestants.map((one) => one.about).filter(Boolean);
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}`,
    `${availableParallelism()} cores of ${cpus()[0].model.replace(/\(R\)|CPU|@.*/g, "").trim()}`,
    `${gib} GiB, ${system}`,
    ...new Set(about),
  ].join("; ");
}

/** What was asked for. */
function asked(words) {
  const form = words[0] === "quick" ? QUICK : FULL;
  const [rounds = form.rounds, ...more] = form === QUICK ? words.slice(1) : words;
  if (more.length === 0 && Number(rounds) >= 1) return { ...form, rounds: Math.floor(rounds) };
  say("usage: scripts/bench [quick] [ROUNDS]");
  process.exit(2);
}

const form = asked(process.argv.slice(2));
const [load] = loadavg();
if (load > 0.5) console.log(`This machine is not quiet: its load is ${load.toFixed(1)}.`);
const contestants = await gather(form.contestants);
try {
  const where = circumstances(contestants);
  let text = "";
  for await (const samples of compete(contestants, form)) {
    text = report(where, form, samples);
    writeFileSync("target/bench.json", JSON.stringify({ where, samples }));
    writeFileSync("target/bench.md", `${text}\n`);
  }
  console.log(`\n${text}`);
} finally {
  await Promise.all(contestants.map((one) => one.close?.()));
}
