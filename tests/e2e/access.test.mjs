// The page is for everybody: axe finds nothing, everything is reached, seen and worked by keyboard,
// in both languages and themes, on a desk and on a phone. Chromium, where axe runs.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { launch } from "./harness.mjs";
import { serve } from "./servers.mjs";
import { cards, click, onPage, run, RUN, step, verified } from "./journey.mjs";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch("chromium");
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A page without transitions, so that a style read at once is the style that stays. */
const visit = (at, check, size = DESK) =>
  onPage(browser, async (page) => {
    await page.raw.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(server.url + at);
    await page.waitFor(() => document.querySelector("#content"), 20_000);
    await check(page);
  }, size);

/** What axe finds, one line per rule and element. */
async function violations(page, within = "html") {
  const axe = new AxeBuilder({ page: page.raw }).withTags(RULES).include(within);
  const { violations: found } = await axe.analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}
    ${node.failureSummary.split("\n").slice(1, 3).join(" ").trim()}`));
}

async function clean(page, where, within) {
  const found = await violations(page, within);
  assert.equal(found.length, 0, `${where}:\n  ${found.join("\n  ")}`);
}

/** Opens every fold, so that what is in it is looked at too. */
const unfold = () => document.querySelectorAll("details").forEach((details) => {
  details.open = true;
});

describe("axe finds nothing", () => {
  test("and would find something", () =>
    visit("", async (page) => {
      await page.eval(() => {
        const play = document.querySelector(".transport-play");
        ["aria-label", "title"].forEach((name) => play.removeAttribute(name));
      });
      assert.match((await violations(page)).join(), /button-name/);
    }));

  for (const [device, size] of [["desk", DESK], ["phone", PHONE]]) {
    for (const theme of ["light", "dark"]) {
      for (const lang of ["en", "zh"]) {
        const where = `${device}, ${theme}, ${lang}`;
        test(`player on a ${where}`, () =>
          visit(`#/allreduce?lang=${lang}&theme=${theme}&step=3&n=x`, async (page) => {
            await page.waitFor(cards, 10_000);
            await click(page, RUN);
            await page.waitFor(verified, 20_000);
            if (size === PHONE) await click(page, ".sheet-toggle");
            await page.eval(unfold);
            await click(page, ".transport-loop");
            await page.waitFor(() => document.querySelector(".loop-form"));
            await clean(page, `${where}, all open`);
            await click(page, ".transport-help");
            await page.waitFor(() => document.querySelector("dialog").open);
            await clean(page, `${where}, help`, "dialog");
          }, size));
        test(`reference on a ${where}`, () =>
          visit(`#/reference?lang=${lang}&theme=${theme}`, (page) => clean(page, where), size));
      }
    }
  }
});

describe("a phone's width is enough", () => {
  for (const at of ["#/allreduce?n=16&chunks=16", "#/alltoall?n=8", "#/barrier", "#/reference",
    "#/allreduce?clock=modelled&lang=zh", `#/allreduce?${"x".repeat(300)}=1`]) {
    test(at.slice(0, 40), () =>
      visit(at, async (page) => {
        await page.eval(unfold);
        const wide = () => [...document.querySelectorAll("body *")]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.localName}.${element.getAttribute("class")}`).slice(0, 8);
        const width = await page.eval(() => document.documentElement.scrollWidth);
        assert.ok(width <= PHONE.width, `${width} px: ${await page.eval(wide)}`);
      }, PHONE));
  }
});

describe("motion is reduced on request", () => {
  /** The places of the playhead while it plays. */
  async function places() {
    const seen = new Set();
    const end = performance.now() + 2_000;
    document.querySelector(".transport-play").click();
    while (performance.now() < end) {
      seen.add(document.querySelector(".playhead").getAttribute("x1"));
      await new Promise(requestAnimationFrame);
    }
    return [...seen].map(Number);
  }

  test("time moves by whole steps", () =>
    visit("#/allreduce?speed=2", async (page) => {
      await page.waitFor(cards, 10_000);
      await run(page);
      const allowed = [];
      for (let i = 0; i <= 6; i += 1) {
        await page.eval((at) => {
          location.hash = `#/allreduce?speed=2&step=${at}`;
        }, i);
        await page.waitFor((at) => Number(document.querySelector(".track").ariaValueNow) === at,
          2_000, i);
        allowed.push(await page.eval(() =>
          Number(document.querySelector(".playhead").getAttribute("x1"))));
      }
      const seen = await page.eval(places);
      assert.deepEqual(seen.filter((place) => !allowed.includes(place)), []);
      assert.ok(seen.length > 2, "time moves at all");
    }));
  test("and smoothly without the request", () =>
    visit("#/allreduce?speed=2", async (page) => {
      await page.raw.emulateMedia({ reducedMotion: "no-preference" });
      await page.waitFor(cards, 10_000);
      await run(page);
      const seen = await page.eval(places);
      assert.ok(seen.length > 10, `${seen.length} places`);
    }));
});
