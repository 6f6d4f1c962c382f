// A reader who looks at something else for a minute. The page is really hidden: another tab of its
// window is in front, and the browser holds its timers back.
import assert from "node:assert/strict";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { launch } from "./harness.mjs";
import { serve } from "./servers.mjs";
import {
  click, complaints, idle, keepWorkers, onPage, open, REPEAT, repetitions, run, saysAndWorks, STOP,
  verified,
} from "./journey.mjs";

/** Longer than a minute, and much longer than a rank that is watched may be silent. */
const AWAY_MS = 65_000;

// What repeats for a minute would take a core each from the tests that run beside it. The browsers
// inherit this.
setPriority(10);

let server;
before(async () => {
  server = await serve();
});
after(() => server?.close());

/** Starts repeating in a browser of its own, and hands `check` the page and a way to leave it. */
async function repeating(check) {
  const browser = await launch("tabs");
  const hidden = () => document.visibilityState === "hidden";
  try {
    await onPage(browser, async (page) => {
      await page.raw.evaluateOnNewDocument(keepWorkers);
      await open(page, server.url, "#/allreduce?n=2&size=64KiB");
      await click(page, REPEAT);
      await page.waitFor(repetitions, 20_000);
      /** Leaves the page, does `meanwhile` once it is hidden, and comes back after a minute. */
      const leave = async (meanwhile = () => {}) => {
        const other = await browser.page();
        await page.waitFor(hidden, 5_000);
        await page.eval(meanwhile);
        await sleep(AWAY_MS);
        assert.ok(await page.eval(hidden), "it was hidden all the time");
        assert.equal(await page.eval(idle), false, "the run goes on");
        assert.deepEqual(await complaints(page), []);
        await page.raw.bringToFront();
        assert.equal(await page.eval(hidden), false);
        await other.close();
      };
      await check(page, leave);
    });
  } finally {
    await browser.close();
  }
}

describe("a page that is hidden for a minute while a run repeats", { concurrency: true }, () => {
  test("goes on counting, and its result is verified", () =>
    repeating(async (page, leave) => {
      const before = await page.eval(repetitions);
      await leave();
      await page.waitFor(
        (n) => Number(document.querySelector(".throughput td.number").textContent) > n, 15_000,
        before);
      await click(page, STOP);
      await page.waitFor(verified, 30_000);
      assert.deepEqual(await complaints(page), []);
      await run(page);
      assert.deepEqual(page.messages, []);
    }));

  test("does not count that time against a rank that has died, and then names it", () =>
    repeating(async (page, leave) => {
      await leave(() => window.kept[1].terminate());
      await page.waitFor(idle, 30_000);
      await saysAndWorks(page, /Rank 1 stopped answering/);
    }));
});
