// What stands where: many ranks on a desk, and everything on a phone. Chromium.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cards, REPEAT, repetitions, spoken, step, visiting } from "./journey.mjs";

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 360, height: 640 };

const { visit: visitPage } = visiting();
const visit = (at, size, check) => visitPage(at, check, { size });

/** The words of the magnified card: title, names and values, what is sent and received. */
const lens = () =>
  [...document.querySelectorAll(".lens text")].map((text) => text.textContent.trim());
/** How many elements there are. */
const count = (selector) => document.querySelectorAll(selector).length;
/** Where an element is on the screen. */
const place = (selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return { left, top, right, bottom };
};

describe("a card says all that its rank sends", () => {
  for (const [at, says] of [["alltoall?algo=direct&n=5", /^rank 0, sends to 4 ranks;/],
    ["allreduce?algo=rabenseifner&n=8&step=1", /^rank 0, sends c\d–c\d → rank \d;/]]) {
    test(at, () =>
      visit(`#/${at}&lang=en`, DESK, async (page) => {
        assert.match((await page.eval(spoken))[0], says);
      }));
  }
});

describe("many ranks", () => {
  test("the selected one is magnified, with the messages it sends and receives", () =>
    visit("#/allreduce?n=16&step=1&lang=en", DESK, async (page) => {
      assert.equal(await page.eval(cards), 16);
      const words = await page.eval(lens);
      assert.equal(words[0], "rank 0");
      assert.deepEqual(words.filter((word) => /^c\d+$/.test(word)).length, 16);
      assert.deepEqual(words.slice(-4),
        ["→ rank 1", "c14 · 11 · partial 2/16", "← rank 15", "c13 · 8 · partial 2/16"]);
      await page.raw.focus(".stage .card >> nth=7");
      await page.press("Enter");
      const seven = () => document.querySelector(".lens text").textContent === "rank 7";
      await page.waitFor(seven, 2_000);
      assert.match((await page.eval(lens)).at(-1), /^c4 · \d+ · partial 2\/16$/);
    }));

  test("where all send to all, only the selected rank's links are distinct", () =>
    visit("#/alltoall?n=16", DESK, async (page) => {
      assert.deepEqual(await page.eval(count, ".link:not(.is-faint)"), 15);
      assert.equal(await page.eval(count, ".link.is-faint"), 1);
      assert.equal(await page.eval(count, ".arrow"), 30);
      await page.raw.focus(".track");
      await page.press(".");
      await page.waitFor(() => document.querySelectorAll(".is-quiet circle").length === 210, 2_000);
      assert.equal(await page.eval(count, ".packets:not(.is-quiet) circle"), 30);
    }));

  test("few ranks need no magnifier", () =>
    visit("#/allreduce?n=4", DESK, async (page) => {
      assert.equal(await page.eval(count, ".lens"), 0);
    }));
});

describe("the first screen holds verb, stage, play bar and the beginning of the track", () => {
  const at = "#/allreduce?n=16&chunks=2&lang=en";
  for (const size of [PHONE, { width: 390, height: 664 }, SMALL_PHONE, DESK]) {
    test(`${size.width} × ${size.height}`, () =>
      visit(at, size, async (page) => {
        const bar = await page.eval(place, ".transport");
        const stage = await page.eval(place, ".stage");
        const band = await page.eval(place, ".phase-band");
        const verb = await page.eval(place, ".verb[aria-pressed=true]");
        assert.ok(verb.top >= 0 && verb.bottom < stage.top, "the verb is above the stage");
        assert.ok(stage.bottom <= band.top && stage.bottom - stage.top >= 236, "the stage");
        const covered = size.width < 721 ? bar.top : size.height;
        assert.ok(band.bottom <= covered, `the phases end at ${band.bottom}`);
        assert.ok(size !== DESK || bar.bottom <= size.height, `the bar ends at ${bar.bottom}`);
      }));
  }
});

describe("a phone", () => {
  const isOpen = () => getComputedStyle(document.querySelector(".sheet")).visibility === "visible";
  const within = (selector) => Boolean(document.activeElement.closest(selector));

  test("has its parameters in the sheet, which Escape closes", () =>
    visit("#/allreduce", PHONE, async (page) => {
      for (const opener of [".summary", ".sheet-toggle"]) {
        assert.ok(!(await page.eval(isOpen)));
        await page.raw.focus(opener);
        await page.press("Enter");
        await page.waitFor(isOpen, 2_000);
        await page.waitFor(within, 2_000, ".sheet");
        await page.press("Tab");
        await page.press("Tab");
        assert.ok(await page.eval(within, ".sheet .params"), "the parameters come first");
        await page.press("Escape");
        await page.waitFor(() => getComputedStyle(document.querySelector(".sheet"))
          .visibility === "hidden", 2_000);
        assert.ok(await page.eval(within, opener), `the focus returns to ${opener}`);
      }
    }));

  test("closes what is open in the sheet before the sheet", () =>
    visit("#/allreduce", PHONE, async (page) => {
      await page.click(".summary");
      await page.click(".numbers summary");
      await page.waitFor(() => document.querySelector(".numbers").open, 2_000);
      await page.press("Escape");
      await page.waitFor(() => !document.querySelector(".numbers").open, 2_000);
      assert.ok(await page.eval(isOpen));
      await page.press("Escape");
      await page.waitFor(() => getComputedStyle(document.querySelector(".sheet"))
        .visibility === "hidden", 2_000);
    }));

  test("opens what a word opens from edge to edge", () =>
    visit("#/allreduce", PHONE, async (page) => {
      await page.click(".summary");
      const folds = await page.eval(() => document.querySelectorAll("details.param").length);
      assert.ok(folds >= 2);
      for (let i = 0; i < folds; i += 1) {
        await page.click(`details.param >> nth=${i} >> summary`);
        const { left, right, rest } = await page.eval(() => {
          const pop = document.querySelector("details[open] > .pop");
          const { left, right, bottom } = pop.getBoundingClientRect();
          const end = pop.lastElementChild.getBoundingClientRect().bottom;
          return { left, right, rest: bottom - end };
        });
        assert.deepEqual([left, right], [0, PHONE.width]);
        assert.ok(rest < 30, `${rest} px below what is in it`);
        await page.press("Escape");
      }
    }));

  test("closes the sheet by Escape also while a run repeats", () =>
    visit("#/allreduce?n=2", PHONE, async (page) => {
      await page.click(".summary");
      await page.click(REPEAT);
      await page.waitFor(repetitions, 20_000);
      assert.ok(await page.eval(within, ".params-end"), "the focus stays");
      await page.press("Escape");
      await page.waitFor(() => getComputedStyle(document.querySelector(".sheet"))
        .visibility === "hidden", 2_000);
    }));

  test("goes on playing beside the sheet, and closes it when the reader turns to the stage", () =>
    visit("#/allreduce", PHONE, async (page) => {
      await page.click(".sheet-toggle");
      await page.waitFor(isOpen, 2_000);
      await page.click('.transport [aria-label="One step forward"]');
      await page.waitFor(() => document.querySelector(".track").ariaValueNow === "1", 2_000);
      assert.ok(await page.eval(isOpen));
      await page.raw.focus(".stage .card");
      await page.waitFor(() => getComputedStyle(document.querySelector(".sheet"))
        .visibility === "hidden", 2_000);
      assert.equal(await page.eval(step), 1);
    }));

  test("brings the chosen verb into view", () =>
    visit("#/shift", PHONE, async (page) => {
      const shown = (selector) => {
        const { left, right } = document.querySelector(selector).getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      };
      await page.waitFor(shown, 2_000, ".verb[aria-pressed=true]");
      await page.eval(() => {
        location.hash = "#/allreduce";
      });
      await page.waitFor(() => document.querySelector(".verb").ariaPressed === "true", 2_000);
      await page.waitFor(shown, 2_000, ".verb[aria-pressed=true]");
    }));
});
