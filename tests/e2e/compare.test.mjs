// Two scenarios side by side over one clock, in Chromium.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cards, click, notices, RUN, verified, visiting } from "./journey.mjs";

const { visit: visitPage } = visiting();
/** Both sides are there. */
const shown = () => document.querySelectorAll(".pane .stage .card").length > 0;
const visit = (fragment, check, options) => visitPage(fragment, check, { shown, ...options });
const hash = () => location.hash;
/** How many ranks each side shows. */
const ranks = () => [...document.querySelectorAll(".pane")].map((pane) =>
  pane.querySelectorAll(".stage .card").length);
const titles = () =>
  [...document.querySelectorAll(".pane-title")].map((title) => title.textContent);

const RING_AND_TREE = "#/compare?a=allreduce&b=allreduce?algo=tree%26n=8&lang=en";

describe("compare", () => {
  test("two scenarios have one clock and one difference", () =>
    visit(RING_AND_TREE, async (page) => {
      assert.deepEqual(await page.eval(ranks), [4, 8]);
      assert.deepEqual(await page.eval(titles),
        ["A · AllReduce · Ring", "B · AllReduce · Binomial tree"]);
      const most = () => [...document.querySelectorAll(".track")].map((t) => t.ariaValueMax);
      assert.deepEqual(await page.eval(most), ["6", "6"]);
      await page.raw.focus(".track >> nth=1");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      await page.waitFor(() => [...document.querySelectorAll(".track")]
        .every((track) => track.ariaValueNow === "2"), 3_000);
      const rounds = () =>
        [...document.querySelectorAll(".bill tbody tr")][0].textContent;
      assert.match(await page.eval(rounds), /Rounds\s*66the same/);
      assert.equal(await page.eval(hash), RING_AND_TREE.replace("&lang", "&step=2&lang"));
    }));

  test("each side is changed on its own, the clock for both", () =>
    visit(RING_AND_TREE, async (page) => {
      await page.raw.fill(".pane >> nth=0 >> .param-number >> nth=0", "6");
      await page.press("Enter");
      await page.waitFor(() => location.hash.includes("a=allreduce?n=6&b=allreduce?algo=tree"),
        3_000);
      assert.deepEqual(await page.eval(ranks), [6, 8]);
      await page.raw.selectOption(".pane >> nth=1 >> select >> nth=0", "broadcast");
      await page.waitFor(() => location.hash.includes("b=broadcast?"), 3_000);
      const clock = ".pane >> nth=1 >> select:has(option[value=modelled])";
      await page.raw.selectOption(clock, "modelled");
      await page.waitFor(() => location.hash.includes("clock=modelled"), 3_000);
      const chosen = () => [...document.querySelectorAll("select:has(option[value=modelled])")]
        .map((select) => select.value);
      assert.deepEqual(await page.eval(chosen), ["modelled", "modelled"]);
    }));

  test("workers run both, and measured times are compared", () =>
    visit("#/compare?a=allgather&b=allgather?algo=direct&clock=measured&lang=en", async (page) => {
      assert.match((await page.eval(notices)).join(), /Nothing has been measured yet/);
      await click(page, RUN);
      await page.waitFor(verified, 30_000);
      const last = () => [...document.querySelectorAll(".bill tbody tr")].at(-1).textContent;
      assert.match(await page.eval(last), /measured here.*×\u00a0[\d.]+$/);
      assert.deepEqual(await page.eval(notices), []);
    }));

  test("the player's link compares what it shows with another algorithm", () =>
    visitPage("#/broadcast?n=6&step=2&lang=en", async (page) => {
      await click(page, '.scenario a[href^="#/compare"]');
      await page.waitFor(() => document.querySelectorAll(".pane .card").length === 12, 10_000);
      assert.deepEqual(await page.eval(ranks), [6, 6]);
      assert.match(await page.eval(hash), /a=broadcast\?n=6&b=broadcast\?algo=tree%26n=6/);
      await page.raw.goBack();
      await page.waitFor(() => document.querySelector(".player"), 5_000);
      assert.equal(await page.waitFor(cards, 5_000), 6);
    }));

  test("bad sides are told apart and the rest of the link is kept", () =>
    visit("#/compare?a=allreduce?n=99&b=nothing&n=3&rank=77&lang=en", async (page) => {
      const said = await page.eval(notices);
      assert.equal(said.length, 4, said.join("\n"));
      assert.match(said[0], /field “n” that does not exist/);
      assert.match(said[1], /Selected rank: “77” is outside the range 0 to 15/);
      assert.match(said[2], /^A: Ranks: “99” is outside the range 1 to 16/);
      assert.match(said[3], /^B: There is no page “nothing”/);
      assert.deepEqual(await page.eval(ranks), [16, 4]);
    }));
});
