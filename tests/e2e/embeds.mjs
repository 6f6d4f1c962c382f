// What ten live embeds cost the page around them, in Chromium on Linux: `node embeds.mjs` prints
// it. Memory and frames are judged on an optimised build only, frames by the best of at most six,
// because a busy machine makes them longer and never shorter.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { FLAGS, program } from "./browser-chromium.mjs";
import { cards } from "./journey.mjs";
import { poll } from "./harness.mjs";
import { hostSite, serve } from "./servers.mjs";

const COUNT = 10;
const MEMORY_MAX_MB = 150;
const FRAME_MAX_MS = 20;
const RUNS = 6;
const SCENARIOS = ["allreduce", "allreduce?algo=tree&n=8", "reduce", "allgather", "gather?n=8",
  "scatter", "broadcast?n=8", "reducescatter", "alltoall", "sendrecv"];

let server, host;
before(async () => {
  server = await serve({ plain: true });
  host = await hostSite();
});
after(() => [server, host].forEach((each) => each?.close()));

/** Text, and after every stretch of it one of the things that `thing` yields. */
function article(thing) {
  const paragraphs = "<p>Here is text, as it stands in an article about collectives.</p>".repeat(8);
  return SCENARIOS.map((scenario) => paragraphs + thing(scenario)).join("");
}
const LIVE = article((scenario) => `<ring-scope scenario="${scenario}"></ring-scope>`);
const BLANK = article(() => '<iframe title="blank" width="100%" height="600"></iframe>');

/** A process and all that it has started, by what Linux tells of them. */
async function family(pid) {
  const parents = new Map();
  for (const name of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]));
  }
  const descends = (of) => of === pid || (parents.has(of) && descends(parents.get(of)));
  return [...parents.keys()].filter(descends);
}

/** The memory of a browser in MB: every page of it counted once, shared ones by their share. */
async function memoryOf(pid) {
  const rollups = (await family(pid)).map((each) =>
    readFile(`/proc/${each}/smaps_rollup`, "utf8").catch(() => ""));
  const share = (text) => Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0);
  return (await Promise.all(rollups)).map(share).reduce((sum, each) => sum + each) / 1024;
}

/** Opens a page with this body in a browser of its own and hands both to `check`. */
async function onArticle(body, check) {
  const browser = await chromium.launchServer({ executablePath: program(), args: FLAGS });
  try {
    const client = await chromium.connect(browser.wsEndpoint());
    const page = await client.newPage({ viewport: { width: 900, height: 900 } });
    await page.addInitScript(() => {
      window.begun = 0;
      const Real = window.Worker;
      window.Worker = class extends Real {
        constructor(...given) {
          super(...given);
          window.begun += 1;
        }
      };
    });
    await page.goto(host.embedding(server.url, body));
    return await check(page, browser.process().pid);
  } finally {
    await browser.close();
  }
}

/** The frames that show a stage, once all of them do. */
async function allShown(page) {
  const height = await page.evaluate(() => document.body.scrollHeight);
  for (let at = 0; at < height + 6_000; at += 600) {
    await page.evaluate((at) => scrollTo(0, at), at);
    await sleep(60);
  }
  await page.evaluate(() => scrollTo(0, 0));
  const frames = () => page.frames().slice(1);
  await poll(async () => {
    const shown = await Promise.all(frames().map((frame) => frame.evaluate(cards)));
    return shown.length === COUNT && shown.every((count) => count > 0);
  }, 60_000, "all stages");
  return frames();
}

/** Whether the page was built by scripts/build. */
const isOptimised = () =>
  document.querySelector('meta[name="ringscope-build"]').content !== "dev";

/** What the browser holds once it has come to rest. */
async function settled(pid) {
  await sleep(5_000);
  return memoryOf(pid);
}

test("memory and workers of ten, idle", async () => {
  const blank = await onArticle(BLANK, (page, pid) => settled(pid));
  const [live, workers, optimised] = await onArticle(LIVE, async (page, pid) => {
    const frames = await allShown(page);
    const memory = await settled(pid);
    const begun = await Promise.all(frames.map((frame) => frame.evaluate(() => window.begun)));
    const optimised = await frames[0].evaluate(isOptimised);
    return [memory, begun.reduce((sum, count) => sum + count), optimised];
  });
  const above = live - blank;
  console.log(`memory, ${COUNT} embeds: ${above.toFixed(0)} MB above ${COUNT} blank frames`,
    `(${live.toFixed(0)} - ${blank.toFixed(0)}), the limit is ${MEMORY_MAX_MB} MB`);
  console.log(`workers alive: ${workers}, the limit is 0`);
  assert.equal(workers, 0);
  if (optimised) assert.ok(above < MEMORY_MAX_MB, `${above} MB`);
});

/** The frames of five seconds of scrolling, shortest first, in milliseconds. */
async function scrollingFrames() {
  const gaps = [];
  const bottom = document.body.scrollHeight - innerHeight;
  let last = await new Promise(requestAnimationFrame);
  for (const start = last; last - start < 5_000;) {
    scrollTo(0, bottom * (1 - Math.abs(((last - start) % 4_000) / 2_000 - 1)));
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
  }
  return gaps.sort((a, b) => a - b);
}

test("scrolling over ten", async () => {
  const all = [];
  const optimised = await onArticle(LIVE, async (page) => {
    const [first] = await allShown(page);
    while (all.length < RUNS && !(Math.min(...all) <= FRAME_MAX_MS)) {
      const gaps = await page.evaluate(scrollingFrames);
      all.push(gaps[Math.floor(gaps.length * 0.95)]);
    }
    return first.evaluate(isOptimised);
  });
  console.log(`frames while scrolling, p95: ${all.map((gap) => gap.toFixed(1)).join(", ")} ms,`,
    `the limit is ${FRAME_MAX_MS} ms`);
  if (optimised) assert.ok(Math.min(...all) <= FRAME_MAX_MS);
});
