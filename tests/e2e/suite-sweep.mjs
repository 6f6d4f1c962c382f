// The app's own self-check on real workers: every result bit for bit what the simulator computes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, onPage } from "./journey.mjs";

/** What the self-check runs by itself: every algorithm that workers can run. */
const ALL_SIZES = {};
const FEW_SIZES = { sizes: [2, 3] };
/** Clocks are coarse on a plain server, and timing a reduction takes ten ticks. */
const ONE_SIZE = { sizes: [3] };

/** Runs in the page: the self-check is a part of it that nothing else loads. */
async function selfCheck(spec) {
  const check = await window.ringscopePart("check");
  return check.self_check(spec);
}

/** `asked` is how messages shall go, and `used` how they do. */
async function sweep(browser, server, spec, [asked, used], what) {
  await onPage(browser, async (page) => {
    await open(page, server.url);
    const start = performance.now();
    const answer = await page.eval(selfCheck, { ...spec, via: asked });
    const { cases, verified, failures, via } = answer;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`sweep ${what}: ${cases} cases, ${verified} verified, ${seconds} s`);
    assert.deepEqual(failures, []);
    assert.equal(via, used);
    assert.ok(cases > 100 && verified === cases, `${verified} of ${cases} verified`);
  });
}

/** The self-check in `place.browser`. */
export function sweeps(place) {
  test("on an isolating server", () => {
    const { name } = place.browser;
    const spec = name === "chromium" ? ALL_SIZES : FEW_SIZES;
    // WebKitGTK shares no memory.
    const ways = ["shared", name === "webkit" ? "ports" : "shared"];
    return sweep(place.browser, place.isolating, spec, ways, name);
  });

  test("over ports on an isolating server", () => {
    const { name } = place.browser;
    // WebKitGTK has just done that.
    const spec = name === "webkit" ? ONE_SIZE : FEW_SIZES;
    return sweep(place.browser, place.isolating, spec, ["ports", "ports"], `${name}, ports`);
  });

  test("on a server without headers", () => {
    const what = `${place.browser.name}, plain server`;
    return sweep(place.browser, place.plain, ONE_SIZE, ["shared", "ports"], what);
  });

  test("of nothing that can be run says why", () =>
    onPage(place.browser, async (page) => {
      await open(page, place.plain.url);
      for (const sizes of [[0], ["2"], [65], 3, [2.5]]) {
        const answer = page.eval(selfCheck, { sizes });
        await assert.rejects(answer, /sizes: an array of whole numbers/, JSON.stringify(sizes));
      }
    }));
}
