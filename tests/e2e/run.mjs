// Runs the journeys: `node run.mjs [FILE...]`. Three files at a time: one keeps a page hidden for a
// minute, so there is one more than there are cores to speak of. A file that fails among others is
// run once more, alone: what was only a matter of time then passes, which is said, and a fault
// fails again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";

/** They take longest, so nothing waits for them in the end. */
const FIRST = ["in-chromium.test.mjs", "access.test.mjs", "in-webkit.test.mjs", "away.test.mjs"];
const FLAGS = ["--test", "--test-reporter=spec"];
const AT_ONCE = 3;
/** A file that takes longer hangs. */
const FILE_MS = 600_000;

const here = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.mjs"));
const asked = process.argv.slice(2);
const files = asked.length > 0 ? asked : [...new Set([...FIRST, ...here])];

/** Ends a file's process with its servers: as long as these live, they keep the ends of pipes. */
const end = (child) => process.kill(-child.pid, "SIGKILL");
const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    running.forEach(end);
    process.exit(1);
  });
}

/** Runs one file in a process of its own, prints what it said, and tells what came of it. */
async function result(name) {
  const start = Date.now();
  const stdio = ["ignore", "pipe", "inherit"];
  const options = { cwd: import.meta.dirname, stdio, detached: true };
  const child = spawn(process.execPath, [...FLAGS, name], options);
  running.add(child);
  const patience = setTimeout(() => {
    console.log(`${name} takes more than ${FILE_MS / 1000} s, and is ended`);
    end(child);
  }, FILE_MS);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  clearTimeout(patience);
  running.delete(child);
  const number = (what) => Number(said.match(new RegExp(`^ℹ ${what} (\\d+)$`, "m"))?.[1] ?? 0);
  const passed = number("pass");
  const failed = Math.max(number("fail"), code === 0 ? 0 : 1);
  console.log(`\n${name}\n${said.replaceAll(/^ℹ [a-z_]+ [\d.]+\n/gm, "")}`);
  return { name, passed, failed, seconds: (Date.now() - start) / 1000 };
}

/** Runs files, so many at a time. */
async function results(names, atOnce) {
  const left = [...names];
  const all = [];
  const work = async () => {
    for (let name = left.shift(); name; name = left.shift()) all.push(await result(name));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return all;
}

let all = await results(files, AT_ONCE);
const failed = all.filter((file) => file.failed > 0).map((file) => file.name);
if (failed.length > 0) {
  console.log(`failed, and run once more, alone: ${failed.join(", ")}`);
  all = all.filter((file) => file.failed === 0).concat(await results(failed, 1));
}
const longest = all.toSorted((a, b) => b.seconds - a.seconds).slice(0, 8);
const times = longest.map(({ name, seconds }) => `${name.split(".")[0]} ${seconds.toFixed(0)} s`);
const sum = (what) => all.reduce((total, file) => total + file[what], 0);
console.log(`longest: ${times.join(", ")}`);
console.log(`ℹ pass ${sum("passed")}\nℹ fail ${sum("failed")}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
