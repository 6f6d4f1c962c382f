// The page is for everybody: axe finds nothing, everything is reached, seen and worked by keyboard,
// in both languages and themes, on a desk and on a phone. Chromium, where axe runs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clean, violations } from "./axe.mjs";
import { cards, click, content, run, RUN, SHARE, still, verified, visiting } from "./journey.mjs";

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const { visit: visitPage } = visiting();
const visit = (at, check, size = DESK) =>
  visitPage(at, check, { size, prepare: still, shown: content });

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

  // Every theme in every language, and each of both on either device.
  for (const [device, theme, lang] of [["desk", "light", "en"], ["desk", "dark", "zh"],
    ["phone", "light", "zh"], ["phone", "dark", "en"]]) {
    const where = `${device}, ${theme}, ${lang}`;
    const size = device === "phone" ? PHONE : DESK;
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
        await page.press("Escape");
        await click(page, SHARE);
        await page.waitFor(() => document.querySelector("dialog[open] img"), 20_000);
        await clean(page, `${where}, share`, "dialog[open]");
        // The browser's own button for files would speak the browser's language.
        const seen = () => document.querySelector("dialog input[type=file]").offsetWidth;
        assert.ok(await page.eval(seen) <= 1);
      }, size));
    for (const at of ["equation?show=halves", "equation?show=reverse&of=broadcast&turned=yes",
      "compare?n=x"]) {
      test(`${at} on a ${where}`, () =>
        visit(`#/${at}&step=2&lang=${lang}&theme=${theme}`, async (page) => {
          await page.waitFor(cards, 10_000);
          await page.eval(unfold);
          await clean(page, where);
        }, size));
    }
    test(`reference on a ${where}`, () =>
      visit(`#/reference?lang=${lang}&theme=${theme}`, (page) => clean(page, where), size));
    test(`bench on a ${where}`, () =>
      visit(`#/bench?n=2&algo=ring,direct&to=2KiB&lang=${lang}&theme=${theme}`, async (page) => {
        await page.click(".bench-run .button");
        await page.waitFor(() => document.querySelector(".bench-offers") &&
          !document.querySelector(".bench-run progress"), 20_000);
        await page.eval(unfold);
        await clean(page, where);
      }, size));
  }
});

describe("a phone's width is enough", () => {
  for (const at of ["#/allreduce?n=16&chunks=16", "#/alltoall?n=8", "#/barrier", "#/reference",
    "#/bench",
    "#/equation?n=16", "#/compare?a=alltoall?n=16",
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

test("a phone shows every page's name, large enough to hit, and the track above the play bar", () =>
  visit("#/allreduce", async (page) => {
    const bar = async () => {
      // Another width is known to the stylesheet with the next frame.
      for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
      const targets = [...document.querySelectorAll(".topbar :is(a, button)")];
      const boxes = targets.map((target) => target.getBoundingClientRect());
      const nav = document.querySelector(".nav");
      return {
        hidden: Math.max(nav.scrollWidth - nav.clientWidth, boxes.at(-1).right - innerWidth, 0),
        small: targets.filter((_, i) => Math.min(boxes[i].width, boxes[i].height) < 24)
          .map((target) => target.textContent),
      };
    };
    for (const lang of ["en", "zh"]) {
      await page.eval((lang) => {
        location.hash = `#/allreduce?lang=${lang}`;
      }, lang);
      await page.waitFor((lang) => document.documentElement.lang.startsWith(lang), 5_000, lang);
      for (const width of [PHONE.width, 360]) {
        await page.raw.setViewportSize({ ...PHONE, width });
        await page.waitFor((width) => innerWidth === width, 5_000, width);
        assert.deepEqual(await page.eval(bar), { hidden: 0, small: [] }, `${lang}, ${width} px`);
      }
    }
    await page.raw.setViewportSize(PHONE);
    const [track, transport] = await page.eval(() =>
      [".track .axis", ".transport"].map((name) =>
        document.querySelector(name).getBoundingClientRect().top));
    assert.ok(track < transport, `the axis at ${track} px, the bar at ${transport} px`);
  }, PHONE));

for (const lang of ["en", "zh"]) {
  test(`on a phone the bill is seen whole, in lines of words, in ${lang}`, () =>
    visit(`#/equation?lang=${lang}`, async (page) => {
      const [beyond, lines] = await page.eval(() => {
        const wrap = document.querySelector(".bill .table-wrap");
        const names = [...wrap.querySelectorAll("thead th")];
        const line = (name) => Number.parseFloat(getComputedStyle(name).lineHeight);
        return [wrap.scrollWidth - wrap.clientWidth,
          names.map((name) => Math.floor(name.clientHeight / line(name)))];
      });
      assert.equal(beyond, 0);
      assert.ok(Math.max(...lines) <= 4, `${lines} lines`);
    }, PHONE));
}

describe("on a desk", () => {
  for (const [at, rows] of [["#/reduce?clock=modelled", 1], ["#/equation?clock=modelled", 1],
    ["#/compare?clock=modelled", 4]]) {
    test(`the words of ${at} take little room, and what they open stays on the page`, () =>
      visit(at, async (page) => {
        await page.waitFor(cards, 10_000);
        const tops = await page.eval(() =>
          [...document.querySelectorAll(".params > .param")].map((word) =>
            Math.round(word.getBoundingClientRect().bottom / 12)));
        assert.ok(new Set(tops).size <= rows, `words at ${tops}`);
        const folds = await page.eval(() => document.querySelectorAll("details.param").length);
        assert.ok(folds >= 2);
        for (let i = 0; i < folds; i += 1) {
          await page.click(`details.param >> nth=${i} >> summary`);
          const [left, right, wide] = await page.eval(() => {
            const { left, right } = document.querySelector("details[open] > .pop")
              .getBoundingClientRect();
            return [left, right, document.documentElement.scrollWidth];
          });
          assert.ok(left >= 0 && Math.max(right, wide) <= DESK.width, `${left}, ${right}, ${wide}`);
          await page.press("Escape");
        }
      }));
  }
});

test("on a phone the reference is short, and unfolds", () =>
  visit("#/reference?lang=en", async (page) => {
    assert.ok(await page.eval(() => document.documentElement.scrollHeight) < 3_500);
    await page.click(".entry > summary");
    await page.click(".entry[open] > a");
    await page.waitFor(cards, 10_000);
  }, PHONE));

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
