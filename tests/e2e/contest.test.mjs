// The panel that says which algorithm is fastest from which size, in Chromium: three models side by
// side, in a part that is loaded when the panel is opened.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cards, visiting } from "./journey.mjs";

const { visit } = visiting();
const NODES = "#/allreduce?n=16&links=hopper-4x4";
const FOLD = ".contest-fold > summary";

/** What is said under each model's heading. */
const answers = () =>
  [...document.querySelectorAll(".contest h3")].map((heading) => {
    const said = [];
    let next = heading.nextElementSibling;
    for (; next?.tagName === "P"; next = next.nextElementSibling) said.push(next.textContent);
    return said.join(" ");
  });
const headings = () =>
  [...document.querySelectorAll(".contest h3")].map((heading) => heading.textContent);
const rows = () => document.querySelectorAll(".contest tbody tr").length;

/** Opens the panel as somebody without a mouse does, and waits for its answers. */
async function openPanel(page) {
  await page.waitFor(cards, 20_000);
  await page.raw.focus(FOLD);
  await page.press("Enter");
  await page.waitFor(rows, 30_000);
}

/** What the panel says now that the answer is no longer `old`. */
async function changed(page, old) {
  await page.waitFor((before) => {
    const now = [...document.querySelectorAll(".contest h3 + p")].map((p) => p.textContent);
    return now.length > 1 && now.join() !== before;
  }, 30_000, old);
  return page.eval(answers);
}

describe("which algorithm, from which size", () => {
  test("three models answer, and nothing of it is loaded before", () =>
    visit(NODES, async (page) => {
      const loaded = () =>
        performance.getEntriesByType("resource").filter((entry) => /pages/.test(entry.name)).length;
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(loaded), 0);
      await openPanel(page);
      assert.notEqual(await page.eval(loaded), 0);
      const kinds = (await page.eval(headings)).map((heading) => /modelled: /.test(heading));
      assert.deepEqual(kinds, [true, true, true]);
      const [rounds, events, nccl] = await page.eval(answers);
      // A tree for what is small, a ring for what is large, by every model; and nothing but the
      // ring up to 1 GiB, whose bytes no longer fit into an address.
      const ends = /Of ring and tree: Binomial tree up to [^,]+, Ring from [^,]+ on\.$/;
      assert.match(rounds, ends);
      assert.match(events, ends);
      assert.match(nccl, /^Fastest: Tree up to [^,]+, Ring from [^,]+ on\.$/);
      // Only the simulation knows that rails pay.
      assert.match(events, /Hierarchical from [^,]+ on/);
      assert.doesNotMatch(rounds, /Hierarchical from [^,]+ on/);
      assert.equal(await page.eval(rows), 21);
      const first = () => document.querySelector(".contest tbody tr").textContent;
      assert.match(await page.eval(first), /^1.KiBOne-shot [\d.]+.µs/);
    }));

  test("it follows what is chosen, in both languages, until it is closed", () =>
    visit(NODES, async (page) => {
      await openPanel(page);
      const before = await page.eval(() =>
        [...document.querySelectorAll(".contest h3 + p")].map((p) => p.textContent).join());
      await page.goto(page.raw.url().replace(/#.*/, "#/allreduce?n=8&links=ascend-mesh"));
      const [, , nccl] = await changed(page, before);
      assert.match(nccl, /NCCL does not run on these links/);
      await page.goto(page.raw.url().replace(/#.*/, "#/alltoall?n=8"));
      await page.waitFor(() => /nothing to choose for AllToAll/.test(
        document.querySelector(".contest").textContent), 30_000);
      await page.goto(page.raw.url().replace(/#.*/, "#/alltoall?n=8&lang=zh"));
      await page.waitFor(() => /不为 AllToAll 选择算法/.test(
        document.querySelector(".contest").textContent), 30_000);
      await page.raw.focus(FOLD);
      await page.press("Enter");
      await page.waitFor(() => document.querySelector(".contest") === null);
      await page.press("Enter");
      await page.waitFor(rows, 30_000);
    }));

  test("it is not offered where there is nothing to choose", () =>
    visit("#/barrier", async (page) => {
      const folds = () => document.querySelectorAll(".contest-fold").length;
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(folds), 0);
      await page.goto(page.raw.url().replace(/#.*/, "#/allreduce?n=1"));
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 1, 10_000);
      assert.equal(await page.eval(folds), 0);
      await page.goto(page.raw.url().replace(/#.*/, "#/allreduce"));
      await page.waitFor(folds, 10_000);
    }));

  test("on a phone it fits the sheet", () =>
    visit(NODES, async (page) => {
      await page.waitFor(cards, 20_000);
      await page.click(".sheet-toggle");
      await openPanel(page);
      const wide = () => {
        const sheet = document.querySelector(".sheet");
        return sheet.scrollWidth > sheet.clientWidth;
      };
      assert.equal(await page.eval(wide), false);
    }, { size: { width: 390, height: 844 } }));
});
