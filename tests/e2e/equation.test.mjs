// The equation: AllReduce beside ReduceScatter and AllGather over one clock, in Chromium.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { click, notices, RUN, verified, visiting } from "./journey.mjs";

const { visit: visitPage } = visiting();
/** Both sides are there. */
const shown = () => document.querySelectorAll(".pane .stage .card").length > 0;
const visit = (fragment, check, options) => visitPage(fragment, check, { shown, ...options });

/** The step that each side's slider stands on. */
const steps = () => [...document.querySelectorAll(".track")].map((track) => track.ariaValueNow);
/** What each side's cards say. */
const spoken = () => [...document.querySelectorAll(".pane")].map((pane) =>
  [...pane.querySelectorAll(".stage .card")].map((card) => card.getAttribute("aria-label")));
/** What was compared, and what came out. */
const compared = () => [...document.querySelectorAll(".compared")].map((line) =>
  [line.className.split(" ").pop(), line.textContent]);
/** The bill, row by row. */
const bill = () => [...document.querySelectorAll(".bill tr")].map((row) =>
  [...row.children].map((cell) => cell.textContent.trim()));

async function at(page, step) {
  await page.waitFor((step) => document.querySelectorAll(".track").length > 0 &&
    [...document.querySelectorAll(".track")].every((track) => track.ariaValueNow === step),
    3_000, String(step));
}

describe("the equation", () => {
  test("both sides start with the same input and are stepped by the same keys", () =>
    visit("#/equation?lang=en", async (page) => {
      assert.deepEqual(await page.eval(steps), ["0", "0"]);
      const [one, two] = await page.eval(spoken);
      assert.equal(one.length, 4);
      assert.deepEqual(one, two);
      assert.equal(page.raw.workers().length, 0);
      await page.raw.focus(".pane:last-child .track");
      for (const [key, step] of [["ArrowRight", 1], ["Shift+ArrowRight", 3], ["End", 6],
        ["ArrowLeft", 5], ["Home", 0]]) {
        await page.press(key);
        await at(page, step);
      }
    }));

  test("buffers are compared after each half, and both sides are in the same phase", () =>
    visit("#/equation?lang=en&step=3", async (page) => {
      assert.deepEqual((await page.eval(compared)).map(([tone]) => tone),
        ["is-verified", "is-quiet"]);
      await page.raw.focus(".track >> nth=0");
      await page.press("ArrowRight");
      await at(page, 4);
      const heads = () => [...document.querySelectorAll(".pane .pill")].map((p) => p.textContent);
      assert.deepEqual(await page.eval(heads), ["AllGather 1/3", "AllGather 1/3"]);
      await page.press("End");
      await at(page, 6);
      const found = await page.eval(compared);
      assert.match(found[0][1], /After ReduceScatter: 4 of 4 numbers are equal, bit for bit/);
      assert.match(found[1][1], /all outputs of all ranks, 16 of 16 numbers, are equal/);
    }));

  test("workers run the whole and both halves, and the bill is filled in", () =>
    visit("#/equation?lang=en", async (page) => {
      const before = await page.eval(bill);
      assert.deepEqual(before[0],
        ["Quantity", "AllReduce", "ReduceScatter", "AllGather", "Together",
          "two calls beside one"]);
      assert.deepEqual(before[1].slice(1), ["6", "3", "3", "6", "the same"]);
      assert.deepEqual(before[2].slice(1), ["24 B", "12 B", "12 B", "24 B", "the same"]
        .map((text) => text.replace(" B", "\u00a0B")));
      assert.equal(before[5][1], "not run yet");
      await click(page, RUN);
      await page.waitFor(verified, 30_000);
      assert.equal(page.raw.workers().length, 4);
      const after = await page.eval(bill);
      for (const cell of after[5].slice(1, 5)) assert.match(cell, /^[\d.]+\u00a0(µs|ms|ns)$/);
      assert.match(after[5][5], /^×\u00a0[\d.]+$/);
      const end = (await page.eval(compared));
      assert.equal(end.length, 2);
      // Leaving the page ends its workers.
      await click(page, '.nav a[href="#/reference"]');
      await page.waitFor(() => document.querySelector("#alltoall"), 10_000);
      for (let i = 0; i < 100 && page.raw.workers().length > 0; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal(page.raw.workers().length, 0);
    }));

  test("the address holds everything, and a reload brings it back", () =>
    visit("#/equation?n=5&op=max&lang=en", async (page) => {
      await page.raw.focus(".track >> nth=0");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      await page.waitFor(() => location.hash === "#/equation?n=5&op=max&step=2&lang=en", 3_000);
      const before = await page.eval(spoken);
      await page.raw.reload();
      await page.waitFor(shown, 20_000);
      assert.deepEqual(await page.eval(spoken), before);
    }));

  test("a bad link is told apart and the rest of it kept", () =>
    visit("#/equation?algo=tree&n=5&step=99&show=half&lang=en", async (page) => {
      const said = await page.eval(notices);
      assert.equal(said.length, 3, said.join("\n"));
      assert.match(said[0], /half.*halves, reverse, neutral/);
      assert.match(said[1], /does not serve ReduceScatter; Ring is used/);
      assert.match(said[2], /“99” is outside the range 0 to 8; 8 is used/);
      await at(page, 8);
      await click(page, ".notice .text-button");
      await page.waitFor(() => document.querySelectorAll(".notice").length === 2, 2_000);
    }));
});

describe("what follows", () => {
  /** How many rows a chapter's table has. */
  const rows = (title) => [...document.querySelectorAll(".chapter")]
    .find((section) => section.querySelector("h2").textContent.includes(title))
    .querySelectorAll(".table tbody tr").length;

  test("the ratio is measured here, and may be cancelled", () =>
    visit("#/equation?n=2&lang=en", async (page) => {
      const button = ".chapter .button";
      await click(page, button);
      await page.waitFor(() => document.querySelector("progress")?.value > 0, 30_000);
      assert.equal(await page.eval((at) => document.querySelector(at).textContent, button),
        "Cancel");
      await click(page, button);
      await page.waitFor(() => !document.querySelector("progress"), 10_000);
      await click(page, button);
      await page.waitFor(() => document.querySelector(".chapter .table tbody"), 60_000);
      await page.waitFor(() => !document.querySelector("progress"), 120_000);
      assert.equal(await page.eval(rows, "twice"), 4);
      const said = () => document.querySelector(".chapter p[role=status]").textContent;
      assert.match(await page.eval(said), /At 4\u00a0KiB AllReduce takes [\d.]+ times/);
    }));

  test("the reader adds up what ZeRO sends", () =>
    visit("#/equation?n=4&lang=en", async (page) => {
      const sum = () => document.querySelector(".chapter .sentence").textContent;
      assert.match(await page.eval(sum), /so far: 0 Ψ/);
      const press = (name) => [...document.querySelectorAll(".segment")]
        .find((segment) => segment.textContent.trim() === name).click();
      await page.eval(press, "ZeRO-3, FSDP");
      const boxes = '.chapter input[type="checkbox"]';
      await page.waitFor((at) => document.querySelectorAll(at).length === 3, 2_000, boxes);
      const tick = (at) => document.querySelectorAll('.chapter input[type="checkbox"]')[at].click();
      for (const [at, exact, psi] of [[0, "3/4", "1"], [1, "3/2", "2"], [2, "9/4", "3"]]) {
        await page.eval(tick, at);
        await page.waitFor((text) => document.querySelector(".chapter .sentence").textContent
          .includes(text), 2_000, `so far: ${exact} Ψ; as papers write it, without the factor ` +
          `(n−1)/n: ${psi} Ψ`);
      }
    }));

  test("a wrong concatenation is shown for what it is", () =>
    visit("#/equation?lang=en", async (page) => {
      const misplaced = () => document.querySelectorAll(".is-misplaced").length;
      assert.equal(await page.eval(misplaced), 4);
      const press = (name) => [...document.querySelectorAll(".segment")]
        .find((segment) => segment.textContent.trim() === name).click();
      await page.eval(press, "dimension 0");
      await page.waitFor(() => document.querySelectorAll(".is-misplaced").length === 0, 2_000);
    }));
});

describe("experiments", () => {
  const turn = ".scenario .button[aria-pressed]";
  /** The arrows of the stage, from where to where. */
  const flights = () => {
    document.querySelector(".timeline-table").open = true;
    return new Promise((resolve) => setTimeout(() => resolve(
      [...document.querySelectorAll(".timeline-table tbody tr")].map((row) =>
        [...row.children].slice(1, 3).map((cell) => Number(cell.textContent))))), 100);
  };

  for (const [verb, dual] of [["allgather", "ReduceScatter"], ["scatter", "Gather"],
    ["broadcast", "Reduce"]]) {
    test(`${verb} turned round is ${dual}, arrows and all, and proved`, () =>
      visit(`#/equation?show=reverse&of=${verb}&step=1&lang=en`, async (page) => {
        const forward = await page.eval(flights);
        await click(page, turn);
        await page.waitFor((dual) =>
          document.querySelector(".pane-title").textContent === dual, 3_000, dual);
        const back = await page.eval(flights);
        const sorted = (pairs) => pairs.map(String).sort();
        assert.deepEqual(sorted(back.map(([from, to]) => [to, from])), sorted(forward));
        const [tone, text] = (await page.eval(compared))[0];
        assert.equal(tone, "is-verified");
        assert.match(text, new RegExp(`checker.*4 ranks.*${dual}`));
        assert.match(await page.eval(() => location.hash), /turned=yes&step=2/);
        await click(page, turn);
        await page.waitFor(() => /step=1/.test(location.hash) && !/turned/.test(location.hash));
        await click(page, RUN);
        await page.waitFor(verified, 30_000);
      }));
  }

  test("a Broadcast is the AllReduce whose other ranks hold the neutral element", () =>
    visit("#/equation?show=neutral&op=product&lang=en", async (page) => {
      const [one] = await page.eval(spoken);
      assert.match(one[1], /c0 = 1, 1 of 4; c1 = 1/);
      assert.match(await page.eval(() => document.querySelector(".lede").textContent), /here 1 /);
      await click(page, RUN);
      await page.waitFor(verified, 30_000);
      await page.raw.focus(".track >> nth=0");
      await page.press("End");
      await at(page, 6);
      assert.match((await page.eval(compared))[0][1], /16 of 16 numbers, are equal/);
    }));
});
