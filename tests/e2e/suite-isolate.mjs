// Where the host sends no headers, a service worker isolates the page if the reader wants it to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cards, onPage, open, remarks, run, status } from "./journey.mjs";

/** The button that the page offers, if it does. */
export const OFFER = ".notes .button";
export const offered = () => document.querySelector(".notes .button")?.textContent;
/** What is known of the page's isolation, and how its workers exchange messages. */
export const isolation = () => ({
  known: document.documentElement.dataset.isolation,
  isolated: self.crossOriginIsolated,
  at: location.hash,
});

/** Presses the offer and waits for the page that comes of it. */
export async function pressOffer(page, known) {
  await page.click(OFFER);
  await page.waitFor((known) => document.documentElement.dataset.isolation === known, 20_000,
    known);
  await page.waitFor(cards, 20_000);
}

/** The service worker in `place.browser`. */
export function isolates(place) {
  // WebKitGTK has no memory that can be shared, isolated or not.
  const helps = () => place.browser.name !== "webkit";

  test("is offered where it helps, shares memory, and goes again", () =>
    onPage(place.browser, async (page) => {
      await open(page, place.below.url, "#/allreduce?n=3&op=max&step=2&lang=en");
      assert.equal(await page.eval(offered), undefined);
      await run(page);
      assert.match(await page.eval(remarks), /Messages went over ports: /);
      if (!helps()) return assert.equal(await page.eval(offered), undefined);
      assert.equal(await page.eval(offered), "Add them and reload");
      const { at } = await page.eval(isolation);
      assert.match(at, /n=3.*op=max|op=max.*n=3/);

      await pressOffer(page, "added");
      assert.deepEqual(await page.eval(isolation), { known: "added", isolated: true, at });
      await run(page);
      assert.match(await page.eval(status), /3 workers · shared memory/);
      assert.match(await page.eval(remarks), /A service worker adds the headers/);
      assert.doesNotMatch(await page.eval(remarks), /Messages went over ports/);

      assert.equal(await page.eval(offered), "Switch it off and reload");
      await pressOffer(page, "possible");
      assert.deepEqual(await page.eval(isolation), { known: "possible", isolated: false, at });
      await run(page);
      assert.match(await page.eval(status), /3 workers · message ports/);
      assert.deepEqual(page.messages, []);
    }));

  test("is not offered where the host isolates the page, or another one shows it", () =>
    onPage(place.browser, async (page) => {
      const { isolating, plain, host } = place;
      const at = "#/allreduce?n=2&lang=en";
      for (const [address, frame] of [[isolating.url + at], [host.page(plain.url + at), "iframe"],
        [host.page(isolating.url + at, { sandbox: "allow-scripts" }), "iframe"]]) {
        await page.goto("about:blank");
        await page.goto(address);
        const shown = frame ? page.frame(frame) : page;
        await shown.waitFor(cards, 20_000);
        await run(shown);
        assert.equal(await shown.eval(offered), undefined, address);
      }
    }));
}
