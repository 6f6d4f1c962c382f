// Everything is reached, seen and worked by keyboard alone, and Chinese is Chinese. Chromium.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cards, click, content, RUN, step, still, verified, visiting } from "./journey.mjs";

const place = visiting();
const visit = (at, check) => place.visit(at, check, { prepare: still, shown: content });

/** Marks every element that a reader can work, with what it looks like without the focus. */
function mark() {
  const WORKED = `a[href], button, input, select, textarea, summary, [tabindex="0"]`;
  const look = (element) => [element, ...element.querySelectorAll("*")].map((part) => {
    const style = getComputedStyle(part);
    return [style.outline, style.boxShadow, style.stroke, style.strokeWidth, style.borderColor,
      style.backgroundColor, style.transform, style.opacity].join();
  }).join(";");
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const all = [...document.querySelectorAll(WORKED)].filter((element) =>
    shown(element) && !element.disabled && element.tabIndex >= 0);
  window.marked = { look, all, looks: all.map(look) };
  return all.map((element) =>
    `${element.localName}.${element.getAttribute("class")} ${element.textContent.slice(0, 30)}`);
}

/** The focused element's number among the marked, and whether the focus shows within a second. */
async function focused() {
  const { all, look, looks } = window.marked;
  const at = all.indexOf(document.activeElement);
  const end = performance.now() + 1_000;
  let visible = at < 0;
  // Styles change with a frame, even where they change without a transition.
  while (!visible && performance.now() < end) {
    await new Promise(requestAnimationFrame);
    visible = look(all[at]) !== looks[at];
  }
  return { at, visible };
}

/** The name that a screen reader says for the focused element. */
async function spokenName(client) {
  const expression = "document.activeElement";
  const { objectId } = (await client.send("Runtime.evaluate", { expression })).result;
  const query = { objectId, fetchRelatives: false };
  const { nodes } = await client.send("Accessibility.getPartialAXTree", query);
  return nodes[0]?.name?.value ?? "";
}

/** Whether nothing has been drawn anew for a while: what is marked must be what is walked. */
async function settled() {
  const all = () => [...document.querySelectorAll("body *")];
  const before = all();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const now = all();
  return now.length === before.length && now.every((element, i) => element === before[i]);
}

/** Presses Tab through the whole page and checks every stop. */
async function tabThrough(page) {
  await page.waitFor(settled, 10_000);
  const names = await page.eval(mark);
  const client = await page.raw.context().newCDPSession(page.raw);
  const seen = new Set();
  const unseen = [];
  const nameless = [];
  for (let i = 0; i < names.length + 5; i += 1) {
    await page.press("Tab");
    const { at, visible } = await page.eval(focused);
    if (at < 0 || seen.has(at)) break;
    seen.add(at);
    if (!visible) unseen.push(names[at]);
    if (!(await spokenName(client)).trim()) nameless.push(names[at]);
  }
  return { unreached: names.filter((_, at) => !seen.has(at)), unseen, nameless, stops: seen.size };
}

describe("by keyboard", () => {
  for (const at of ["#/allreduce?step=2", "#/reference", "#/bench", "#/equation?step=2",
    "#/compare"]) {
    test(`every control of ${at} is reached, named, and shows the focus`, () =>
      visit(at, async (page) => {
        const { unreached, unseen, nameless, stops } = await tabThrough(page);
        assert.deepEqual([unreached, unseen, nameless], [[], [], []]);
        assert.ok(stops > 20, `${stops} stops`);
      }));
  }
  test("the check sees a control that hides its focus, has no name, or is left out", () =>
    visit("#/allreduce", async (page) => {
      await page.eval(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(".button.is-primary:focus-visible { all: unset !important }");
        sheet.insertRule(".button.is-primary { all: unset !important }");
        document.adoptedStyleSheets = [sheet];
        const button = document.querySelector(".transport-play");
        button.removeAttribute("aria-label");
        button.removeAttribute("title");
        document.querySelector(".transport-help").addEventListener("focus", ({ target }) =>
          target.nextElementSibling?.focus() ?? document.querySelector(".skip").focus());
      });
      const { unreached, unseen, nameless } = await tabThrough(page);
      assert.match(unseen.join(), /is-primary/);
      assert.match(nameless.join(), /transport-play/);
      assert.ok(unreached.length > 0);
    }));

  test("a whole visit works without a pointer", () =>
    visit("", async (page) => {
      await page.waitFor(cards, 10_000);
      const focus = (selector) => page.raw.focus(selector);
      const hash = (part) => page.waitFor((text) => location.hash.includes(text), 5_000, part);
      await focus(".verb >> nth=2");
      await page.press("Enter");
      await page.waitFor(() => document.querySelectorAll(".verb")[2].ariaPressed === "true", 5_000);
      await focus(".verb[aria-pressed=false] >> nth=0");
      await page.press("Space");
      await page.goto(place.server.url + "#/allreduce");
      await page.raw.reload();
      await page.waitFor(cards, 10_000);
      await focus(".params select");
      await page.press("ArrowDown");
      await hash("algo=");
      await focus(".param-number");
      await page.press("Control+a");
      await page.type("5");
      await page.press("Enter");
      await hash("n=5");
      await focus(".numbers summary");
      await page.press("Enter");
      await page.waitFor(() => document.querySelector(".numbers").open, 2_000);
      await focus(".more summary");
      await page.press("Enter");
      await focus(".more label:has-text('Segments') select");
      await page.press("ArrowDown");
      await hash("segments=2");
      await page.press("Escape");
      const more = () => [document.activeElement.textContent, document.querySelector(".more").open];
      assert.deepEqual(await page.eval(more), ["More (1 changed)", false]);
      await focus(".stage .card >> nth=3");
      await page.press("Enter");
      await hash("rank=3");
      await focus(RUN);
      await page.press("Enter");
      await page.waitFor(verified, 20_000);
      await focus(".track");
      await page.press("ArrowRight");
      await page.waitFor(() => document.querySelector(".track").ariaValueNow === "1", 2_000);
      await page.press("Space");
      await page.waitFor(() => Number(document.querySelector(".track").ariaValueNow) > 1, 5_000);
      await page.press("Home");
      assert.equal(await page.eval(step), 0);
      await focus(".transport-loop");
      await page.press("Enter");
      await page.waitFor(() => document.querySelector(".loop-form"), 2_000);
      await page.press("Escape");
      await page.waitFor(() => document.activeElement.matches(".transport-loop"), 2_000);
    }));

  test("a file is chosen by keyboard, and the label shows where the focus is", () =>
    visit("#/bench", async (page) => {
      // The browser is told in the background that the file is chosen here: long before the key.
      const opens = page.raw.waitForEvent("filechooser");
      const outline = () => getComputedStyle(document.querySelector("label.offer > .button"))
        .outlineStyle;
      assert.equal(await page.eval(outline), "none");
      await page.raw.focus("input[type=file]");
      await page.press("Shift+Tab");
      await page.press("Tab");
      assert.notEqual(await page.eval(outline), "none");
      await page.press("Space");
      await opens;
    }));

  test("the skip link leads to the content", () =>
    visit("", async (page) => {
      await page.press("Tab");
      assert.ok(await page.eval(() => document.activeElement.matches(".skip")));
      await page.press("Enter");
      await page.press("Tab");
      assert.ok(await page.eval(() => document.activeElement.closest("#content") !== null));
      assert.ok(await page.waitFor(cards, 2_000), "the player is still there");
    }));
});

/** Runs of Latin words in what is shown and said, outside of code and of names. */
function latin() {
  const NAMES = new Set(`Ringscope AllReduce ReduceScatter AllGather AllToAll Broadcast Reduce
    Scatter Gather SendRecv Shift Barrier Web Worker rank Rank Ring Attention
    GPU`.split(/\s+/));
  const SKIPPED = "code, kbd, [translate=no], body [lang=en], script, style, noscript";
  const SPOKEN = ["aria-label", "title", "aria-valuetext", "alt"];
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!parentElement.closest(SKIPPED)) texts.push(textContent);
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest(SKIPPED)) continue;
    texts.push(...SPOKEN.map((name) => element.getAttribute(name) ?? ""));
  }
  const RUNS = /[A-Za-z][A-Za-z'-]+(?:[ \u00a0,]+[A-Za-z][A-Za-z'-]+)+/g;
  const foreign = (run) => run.split(/[ \u00a0,]+/).filter((word) => !NAMES.has(word)).length > 1;
  return [...new Set(texts.flatMap((text) => text.match(RUNS) ?? []).filter(foreign))];
}

describe("in Chinese", () => {
  test("the check sees English", () =>
    visit("#/allreduce?lang=en", async (page) => {
      await page.waitFor(cards, 10_000);
      const found = await page.eval(latin);
      assert.ok(found.length > 10, found.join("; "));
    }));
  const scenes = ["#/reference", "#/bench", "#/allreduce?n=x&zzz=1&algo=no", "#/barrier?n=99",
    "#/alltoall?place=in", "#/allreduce?clock=modelled&op=mean", "#/sendrecv?n=1",
    "#/equation?n=x", "#/equation?show=reverse&turned=yes", "#/equation?show=neutral&op=max",
    "#/compare?a=nowhere"];
  for (const at of scenes) {
    test(`${at} speaks Chinese only`, () =>
      visit(`${at}${at.includes("?") ? "&" : "?"}lang=zh`, async (page) => {
        if (!["#/reference", "#/bench"].includes(at)) {
          await page.waitFor(cards, 10_000);
          await click(page, RUN);
          await page.waitFor(() => document.querySelector(".verdict"), 20_000);
          await page.raw.focus(".track");
          await page.press("ArrowRight");
          await click(page, ".transport-loop");
          await page.eval(() => document.querySelectorAll("details").forEach((details) => {
            details.open = true;
          }));
          // A run without messages has an empty table.
          const filled = () => document.querySelector(".timeline-table table");
          await page.waitFor(filled, 2_000);
        }
        assert.deepEqual(await page.eval(latin), []);
      }));
  }
});
