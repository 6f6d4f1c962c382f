// The core of a visit wherever the page may be put, in three browsers: open, run on workers, see it
// verified, step, and find the step in the address.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BROWSERS, launch } from "./harness.mjs";
import { hostSite, serve } from "./servers.mjs";
import { cards, click, ended, onPage, REPEAT, run, source, step, STOP } from "./journey.mjs";

let isolating, plain, host;
before(async () => {
  isolating = await serve();
  plain = await serve({ plain: true });
  host = await hostSite();
});
after(() => [isolating, plain, host].forEach((server) => server?.close()));

async function journey(place) {
  await place.waitFor(cards, 20_000);
  assert.match(await place.eval(source), /simulator/);
  await run(place);
  assert.match(await place.eval(source), /recorded from 5 Web Workers/);
  await click(place, '.transport [aria-label="One step forward"]');
  await place.waitFor(() => document.querySelector(".track").getAttribute("aria-valuenow") === "2",
    5_000);
  await place.waitFor(() => location.hash === "#/allreduce?n=5&step=2&lang=en", 5_000);
  // Workers are used again, and once more after all of them were ended.
  await run(place);
  await click(place, REPEAT);
  await place.waitFor(() => document.querySelector(".throughput") !== null, 10_000);
  await click(place, STOP);
  await ended(place);
  await run(place);
  assert.equal(await place.eval(step), 2);
}

const SCENARIO = "#/allreduce?n=5&step=1&lang=en";
const SETTINGS = [
  ["on an isolating server", () => isolating.url + SCENARIO],
  ["on a server without headers", () => plain.url + SCENARIO],
  ["in another site's frame", () => host.page(plain.url + SCENARIO), "iframe"],
  ["in another site's frame, from an isolating server",
    () => host.page(isolating.url + SCENARIO), "iframe"],
  ["in an isolated site's frame",
    () => host.page(isolating.url + SCENARIO, { isolated: true }), "iframe"],
  ["in a sandboxed frame",
    () => host.page(isolating.url + SCENARIO, { sandbox: "allow-scripts" }), "iframe"],
];

for (const name of BROWSERS) {
  describe(`a visit in ${name}`, () => {
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    for (const [where, address, frame] of SETTINGS) {
      test(where, () =>
        onPage(browser, async (page) => {
          await page.goto(address());
          await journey(frame ? page.frame(frame) : page);
          assert.deepEqual(page.messages, []);
        }));
    }
  });
}
