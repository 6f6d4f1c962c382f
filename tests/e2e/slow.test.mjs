// What comes late, one after the other, or only when it is asked for again. Chromium.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import {
  cards, click, complaints, idle, REPEAT, run, SHARE, STOP, visiting,
} from "./journey.mjs";

const { visit: visitPage } = visiting();
/** On a page with storage of its own; `routes` answer some requests: `[pattern, answer]` each. */
const visit = (at, routes, check, options = {}) =>
  visitPage(at, check, {
    own: true,
    prepare: async (page) => {
      for (const [pattern, answer] of routes) await page.raw.context().route(pattern, answer);
    },
    ...options,
  });

/** Answers after so many milliseconds. */
const late = (ms) => async (route) => {
  await sleep(ms);
  await route.continue();
};

/** One request after the other, each so many milliseconds after the last. */
function oneByOne(ms) {
  let before = Promise.resolve();
  return async (route) => {
    before = before.then(() => sleep(ms));
    await before;
    await route.continue();
  };
}

const dialogs = () => document.querySelectorAll("dialog[open]").length;

test("workers that load one after the other all start, however long it takes", () =>
  visit("#/allreduce?n=4&via=ports", [["**/rank_bg.wasm*", oneByOne(6_000)]], async (page) => {
    await run(page, 60_000);
  }));

test("Stop while the workers of a run that repeats are starting is heard at once", () =>
  visit("", [["**/rank_bg.wasm*", late(4_000)]], async (page) => {
    await click(page, REPEAT);
    await page.waitFor((stop) => document.querySelector(stop) !== null, 2_000, STOP);
    await click(page, STOP);
    await page.waitFor(idle, 1_000);
    assert.deepEqual(await complaints(page), []);
    await page.raw.context().unrouteAll({ behavior: "ignoreErrors" });
    await run(page);
  }));

test("two presses on Share while it loads open one dialog", () =>
  visit("", [["**/share*", late(700)]], async (page) => {
    await click(page, SHARE);
    await sleep(200);
    await click(page, SHARE);
    await page.waitFor(dialogs, 10_000);
    await sleep(500);
    assert.equal(await page.eval(dialogs), 1);
    await page.press("Escape");
    await page.waitFor(() => document.querySelector("dialog[open]") === null, 2_000);
    await click(page, SHARE);
    await page.waitFor(dialogs, 10_000);
  }));

test("a part that could not be loaded is had when it is asked for again", () => {
  let failing = true;
  const answer = (route) => failing ? route.fulfill({ status: 503 }) : route.continue();
  return visit("", [["**/share_bg.wasm*", answer]], async (page) => {
    await click(page, SHARE);
    await page.waitFor(() => document.querySelector(".notice") !== null, 10_000);
    failing = false;
    await click(page, SHARE);
    await page.waitFor(dialogs, 10_000);
  }, { complains: true });
});

test("who goes on while a page loads gets what the later link asks for", () =>
  visit("#/equation", [["**/duet_bg.wasm*", late(1_500)]], async (page) => {
    const entries = await page.eval(() => history.length);
    const side = (algorithm) => encodeURIComponent(`allreduce?algo=${algorithm}&n=6`);
    await page.eval((fragment) => {
      location.hash = fragment;
    }, `#/compare?a=${side("ring")}&b=${side("tree")}`);
    await page.waitFor(cards, 20_000);
    assert.equal(await page.eval(cards), 12);
    assert.match(await page.eval(() => location.hash), /^#\/compare.*n(=|%3D)6/);
    assert.equal(await page.eval(() => history.length), entries + 1);
  }, { shown: () => document.querySelector(".loading") !== null }));

test("a phone shows the chosen verb, however late the style comes", () =>
  visit("#/shift?n=4", [["**/style.css*", late(1_500)]], async (page) => {
    await page.waitFor(() => document.querySelector(".verb[aria-pressed=true]")
      .getBoundingClientRect().right <= innerWidth, 3_000);
  }, { size: { width: 375, height: 800 } }));
