// The service worker that isolates the page: what it must not do, and how it is worked. Chromium.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { clean } from "./axe.mjs";
import { launch } from "./harness.mjs";
import { cards, complaints, ended, click, onPage, open, run, RUN } from "./journey.mjs";
import { serveBelow } from "./servers.mjs";
import { isolation, offered, OFFER, pressOffer } from "./suite-isolate.mjs";

const SCENARIO = "#/allreduce?n=2&lang=en";
const PHONE = { width: 390, height: 844 };
let browser, site;
before(async () => {
  browser = await launch("chromium");
  site = await serveBelow("a/b");
});
after(async () => {
  await browser?.close();
  await site?.close();
});
/** A page that has been told that it can be isolated. */
const visit = (check, { fragment = SCENARIO, size } = {}) =>
  onPage(browser, async (page) => {
    await open(page, site.url, fragment);
    await run(page);
    await check(page);
  }, size);

test("a new build is seen at once", () =>
  visit(async (page) => {
    await pressOffer(page, "added");
    const file = join(site.dir, "index.html");
    const old = await readFile(file, "utf8");
    await writeFile(file, old.replace("<body>", '<body data-build="new">'));
    await page.raw.reload();
    assert.equal(await page.eval(() => document.body.dataset.build), "new");
    assert.equal((await page.eval(isolation)).isolated, true);
    await writeFile(file, old);
  }));

test("what else lies beside the page is left alone", () =>
  visit(async (page) => {
    await writeFile(join(site.dir, "other.html"), "<!doctype html><title>Other</title>");
    await pressOffer(page, "added");
    await page.goto(`${site.url}other.html`);
    assert.equal(await page.eval(() => self.crossOriginIsolated), false);
    await page.goto(`${site.url}index.html`);
    assert.equal(await page.eval(() => self.crossOriginIsolated), true);
  }));

test("without its file the page says so in both languages, and works on", async () => {
  const file = join(site.dir, "isolate.js");
  const kept = await readFile(file);
  await rm(file);
  for (const [lang, said] of [["en", /^The service worker could not be switched on or off \(.+404/],
    ["zh", /^无法开启或关闭 service worker（.+404/]]) {
    await visit(async (page) => {
      await page.click(OFFER);
      await page.waitFor(() => document.querySelector(".notice"), 5_000);
      assert.match((await complaints(page)).join(), said);
      await click(page, ".notice .text-button");
      await run(page);
    }, { fragment: `#/allreduce?n=2&lang=${lang}` });
  }
  await writeFile(file, kept);
});

test("it is not offered where the connection is not secure", () =>
  onPage(browser, async (page) => {
    const origin = "http://ringscope.test/";
    await page.raw.context().route(`${origin}**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(origin, site.url) });
      await route.fulfill({ response });
    });
    await open(page, origin, SCENARIO);
    assert.equal(await page.eval(() => self.isSecureContext), false);
    await click(page, RUN);
    await ended(page);
    assert.equal(await page.eval(offered), undefined);
  }));

test("it is reached and pressed by keyboard", () =>
  visit(async (page) => {
    const reached = (offer) => document.activeElement?.matches(offer);
    for (let i = 0; i < 200 && !(await page.eval(reached, OFFER)); i += 1) await page.press("Tab");
    assert.ok(await page.eval(reached, OFFER));
    await page.press("Enter");
    await page.waitFor(() => self.crossOriginIsolated, 10_000);
    await page.waitFor(cards, 10_000);
  }));

for (const [theme, lang, size] of [["light", "zh", PHONE], ["dark", "en", PHONE]]) {
  test(`axe finds nothing, and a phone is wide enough: ${theme}, ${lang}`, () =>
    visit(async (page) => {
      const fits = async () => {
        await click(page, ".sheet-toggle");
        const shown = (offer) => document.querySelector(offer)?.checkVisibility();
        await page.waitFor(shown, 5_000, OFFER);
        await clean(page, theme);
        assert.ok(await page.eval(() => document.documentElement.scrollWidth) <= PHONE.width);
      };
      await fits();
      await pressOffer(page, "added");
      await fits();
    }, { fragment: `#/allreduce?n=2&lang=${lang}&theme=${theme}`, size }));
}
