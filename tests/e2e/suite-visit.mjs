// The core of a visit wherever the page may be put: open, run on workers, see it verified, step,
// find the step in the address. Where a page starts workers in another way, everything else is
// visited as well.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cards, click, ended, onPage, REPEAT, run, source, step, STOP } from "./journey.mjs";

async function journey(place) {
  await place.waitFor(cards, 20_000);
  assert.match(await place.eval(source), /simulator/);
  await run(place);
  assert.match(await place.eval(source), /recorded from 5 Web Workers/);
  await click(place, '.transport [aria-label="One step forward"]');
  await place.waitFor(() => document.querySelector(".track").getAttribute("aria-valuenow") === "2",
    5_000);
  await place.waitFor(() => location.hash === "#/allreduce?n=5&step=2&lang=en", 5_000);
}

/** Workers again, and other pages. */
async function rest(place) {
  // Workers are used again, and once more after all of them were ended.
  await run(place);
  await click(place, REPEAT);
  await place.waitFor(() => document.querySelector(".throughput") !== null, 10_000);
  await click(place, STOP);
  await ended(place);
  await run(place);
  assert.equal(await place.eval(step), 2);
  // Other pages are parts of their own; one of them has workers as well.
  await click(place, '.nav a[href="#/equation"]');
  await place.waitFor(() => document.querySelectorAll(".pane .stage .card").length === 8, 20_000);
  await run(place);
  await place.waitFor(() => document.querySelectorAll(".verdict.is-verified").length === 2, 5_000);
  await click(place, '.nav a[href="#/reference"]');
  await place.waitFor(() => document.querySelector("#alltoall .ref-verb") !== null, 10_000);
}

const SCENARIO = "#/allreduce?n=5&step=1&lang=en";
/** Name, address, the frame's selector, and whether the rest is visited. */
const SETTINGS = [
  ["on an isolating server", ({ isolating }) => isolating.url + SCENARIO, null, true],
  ["on a server without headers", ({ plain }) => plain.url + SCENARIO, null, true],
  ["in another site's frame", ({ host, plain }) => host.page(plain.url + SCENARIO), "iframe"],
  ["in another site's frame, from an isolating server",
    ({ host, isolating }) => host.page(isolating.url + SCENARIO), "iframe"],
  ["in an isolated site's frame",
    ({ host, isolating }) => host.page(isolating.url + SCENARIO, { isolated: true }), "iframe"],
  ["in a sandboxed frame",
    ({ host, isolating }) => host.page(isolating.url + SCENARIO, { sandbox: "allow-scripts" }),
    "iframe", true],
];

/** A visit in every setting, in `place.browser`. */
export function visits(place) {
  for (const [where, address, frame, whole] of SETTINGS) {
    test(where, () =>
      onPage(place.browser, async (page) => {
        await page.goto(address(place));
        const inside = frame ? page.frame(frame) : page;
        await journey(inside);
        if (whole) await rest(inside);
        assert.deepEqual(page.messages, []);
      }));
  }
}
