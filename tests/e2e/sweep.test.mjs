// The app's own self-check on real workers: every result bit for bit what the simulator computes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BROWSERS, launch } from "./harness.mjs";
import { serve } from "./servers.mjs";
import { open, onPage } from "./journey.mjs";

const ALL_SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];
const FEW_SIZES = [2, 3];
/** Clocks are coarse on a plain server, and timing a reduction takes ten ticks. */
const ONE_SIZE = [3];

/** Runs in the page: the self-check is a part of it that nothing else loads. */
async function selfCheck(sizes) {
  const check = await window.ringscopePart("check");
  return check.self_check({ sizes });
}

let isolating, plain;
before(async () => {
  isolating = await serve();
  plain = await serve({ plain: true });
});
after(() => [isolating, plain].forEach((server) => server?.close()));

async function sweep(browser, server, sizes, what) {
  await onPage(browser, async (page) => {
    await open(page, server.url);
    const start = performance.now();
    const { cases, verified, failures } = await page.eval(selfCheck, sizes);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`sweep ${what}: ${cases} cases, ${verified} verified, ${seconds} s`);
    assert.deepEqual(failures, []);
    assert.ok(cases > 100 && verified === cases, `${verified} of ${cases} verified`);
  });
}

for (const name of BROWSERS) {
  test(`self-check in ${name}`, async () => {
    const browser = await launch(name);
    try {
      const full = name === "chromium" ? ALL_SIZES : FEW_SIZES;
      await sweep(browser, isolating, full, name);
      await sweep(browser, plain, ONE_SIZE, `${name}, plain server`);
    } finally {
      await browser.close();
    }
  });
}

test("a self-check of nothing that can be run says why", async () => {
  const browser = await launch("chromium");
  try {
    await onPage(browser, async (page) => {
      await open(page, plain.url);
      for (const sizes of [[0], ["2"], [65], 3, [2.5]]) {
        const answer = page.eval(selfCheck, sizes);
        await assert.rejects(answer, /sizes: an array of whole numbers/, JSON.stringify(sizes));
      }
    });
  } finally {
    await browser.close();
  }
});
