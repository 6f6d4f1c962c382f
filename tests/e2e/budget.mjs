// The player's budgets, measured in Chromium while nothing else runs. Printed always; asserted on
// an optimised build only, by the best of at most six: a busy machine adds to a measurement and
// never takes away from it. Frames have a second limit, for cores that are slow just now: see SLOW.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./harness.mjs";
import { serve } from "./servers.mjs";
import { click, onPage, open, REPEAT, repetitions, run, STOP } from "./journey.mjs";

const RUNS = 6;
const table = [];
let server, plain, browser;
before(async () => {
  [server, plain] = await Promise.all([serve(), serve({ plain: true })]);
  browser = await launch("chromium");
});
after(async () => {
  await browser?.close();
  server?.close();
  plain?.close();
  const line = ([what, values, limit]) => {
    const all = values.map(({ value, beats = 1 }) =>
      value.toFixed(1).padStart(7) + (beats > 1 ? " slow" : "")).join("");
    return `${what.padEnd(60)} ${limit.toString().padStart(5)} ms  ${all}`;
  };
  console.log(["budget".padEnd(62) + "limit      measured", ...table.map(line)].join("\n"));
});

/** Measures on fresh pages until all limits are kept, notes every value, and judges the best. */
async function keeps(rows, measure) {
  const all = rows.map(() => []);
  const holds = (row, limit) => all[row].some(({ value, beats = 1 }) => value <= limit * beats);
  let optimised;
  const kept = () => rows.every(([, limit], row) => holds(row, limit));
  for (let i = 0; i < RUNS && !kept(); i += 1) {
    await onPage(browser, async (page) => {
      (await measure(page)).forEach((value, row) => all[row].push(value));
      optimised = await page.eval(() =>
        document.querySelector('meta[name="ringscope-build"]').content !== "dev");
    }, { width: 1440, height: 900 });
  }
  rows.forEach(([what, limit], row) => table.push([what, all[row], limit]));
  if (!optimised) return;
  rows.forEach(([what, limit], row) => {
    const values = all[row].map(({ value }) => value.toFixed(1));
    assert.ok(holds(row, limit), `${what}: ${values.join(", ")} ms, the limit is ${limit} ms`);
  });
}

test("the first picture is there within a second, with nothing cached", () =>
  keeps([["first picture, cold cache", 1_000]], async (page) => {
    await page.raw.addInitScript(() => {
      const look = () => {
        if (document.querySelector(".stage .card") === null) return requestAnimationFrame(look);
        // Drawn with this frame, seen with the next.
        requestAnimationFrame(() => {
          window.firstPicture = performance.now();
        });
      };
      requestAnimationFrame(look);
    });
    await page.goto(server.url);
    return [{ value: await page.waitFor(() => window.firstPicture, 20_000) }];
  }));

test("eight ranks are ready in time", () =>
  keeps([["8 ranks ready, from the press of Run", 600]], async (page) => {
    await open(page, server.url, "#/barrier?n=8");
    const value = await page.eval(async () => {
      const status = () => document.querySelector(".topbar .status").textContent;
      const start = performance.now();
      document.querySelector(".params-end .is-primary").click();
      while (!/^8 workers/.test(status())) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return performance.now() - start;
    });
    return [{ value }];
  }));

test("repeating tells its count at least four times a second", () =>
  keeps([["between two readings of a repeated run, mean", 250]], async (page) => {
    await open(page, server.url, "#/allreduce?size=64KiB");
    await click(page, REPEAT);
    await page.waitFor(repetitions, 20_000);
    const value = await page.eval(async () => {
      const values = new Set();
      const start = performance.now();
      while (performance.now() < start + 2_000) {
        values.add(document.querySelector(".throughput td.number").textContent);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return (performance.now() - start) / (values.size - 1);
    });
    return [{ value }];
  }));

/** Runs in the page: how long a fixed computation takes, in milliseconds. */
function computing() {
  const once = () => {
    const begun = performance.now();
    let mixed = 1;
    for (let i = 0; i < 3e6; i += 1) mixed = Math.imul(mixed ^ i, 2654435761);
    window.mixed = mixed;
    return performance.now() - begun;
  };
  return Array.from({ length: 15 }, once).sort((a, b) => a - b)[7];
}

/**
 * It takes 4 ms on the cores that the budgets are meant for. Where it takes a quarter longer, a
 * picture may stand for two beats of the screen instead of one.
 */
const SLOW = 5;

/** How many beats of the screen a picture may stand, on a page where nothing runs yet. */
const allowed = async (page) => (await page.eval(computing) > SLOW ? 2 : 1);

/** The frames of 5 s of playing, in whole milliseconds: three of 60 a second are 50. */
async function frames() {
  const gaps = [];
  const start = performance.now();
  let last = start;
  document.querySelector(".transport-play").click();
  while (last - start < 5_000) {
    const now = await new Promise(requestAnimationFrame);
    gaps.push(Math.round(now - last));
    last = now;
  }
  // The first ones belong to the press.
  return gaps.slice(5).sort((a, b) => a - b);
}

/**
 * Plays, and tells frames' 95th percentile, the longest frame, both with the beats they may last,
 * and the page's own work for one.
 */
async function playing(page, beats) {
  const client = await page.raw.context().newCDPSession(page.raw);
  // In time that the main thread had a core for: what a busy machine takes away is not in it.
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  };
  const before = await worked();
  const sorted = await page.eval(frames);
  const own = (await worked()) - before;
  const percentile = sorted[Math.floor(sorted.length * 0.95)];
  return [{ value: percentile, beats }, { value: sorted.at(-1), beats },
    { value: own / sorted.length }];
}

const rows = (what) => [
  [`${what}: frame p95`, 20],
  [`${what}: longest frame`, 50],
  [`${what}: own work, mean`, 12],
];

test("16 ranks and 16 chunks move smoothly", () =>
  keeps(rows("16 ranks, 16 chunks"), async (page) => {
    await open(page, server.url, "#/allreduce?n=16&loop=1-30");
    const beats = await allowed(page);
    await run(page);
    return playing(page, beats);
  }));

/** Measures while four ranks, which a server's headers let share memory or not, repeat a run. */
const whileRunning = (how, where) =>
  keeps(rows(`16 ranks, 16 chunks, 4 run ${how}`), async (page) => {
    await open(page, where.url, "#/allreduce?n=4&size=64KiB");
    const beats = await allowed(page);
    await click(page, REPEAT);
    await page.waitFor(() => document.querySelector(".throughput") !== null, 20_000);
    // The run of the four goes on while another scenario is shown.
    await page.eval(() => {
      location.hash = "#/allreduce?n=16&loop=1-30";
    });
    await page.waitFor(() => document.querySelectorAll(".stage .card").length === 16, 5_000);
    const measured = await playing(page, beats);
    await click(page, STOP);
    await page.waitFor(() => document.querySelector(".params-end .is-primary") !== null, 10_000);
    return measured;
  });

test("16 ranks and 16 chunks move smoothly while 4 ranks run over ports", () =>
  whileRunning("over ports", plain));

test("16 ranks and 16 chunks move smoothly while 4 ranks share memory", () =>
  whileRunning("in shared memory", server));
