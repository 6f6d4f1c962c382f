// What the journeys through the player share. Functions of the first part run inside the page, by
// `eval` and `waitFor`, so that they work in frames and in every browser alike.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch } from "./harness.mjs";
import { serve } from "./servers.mjs";

/** Whether the app has started. */
export const started = () => document.querySelector("#app").childElementCount > 0;
/** Why it could not. */
export const failure = () => document.querySelector("[role=alert]")?.dataset.reason;
/** Whether the page that the address names is there, whatever it is, with all that it computes. */
export const content = () => document.querySelector("#content") !== null &&
  document.querySelector("[aria-busy=true]") === null;
/** How many ranks the stage shows. */
export const cards = () => document.querySelectorAll(".stage .card").length;
/** The step that the slider stands on, as it tells a screen reader. */
export const step = () => Number(document.querySelector(".track").getAttribute("aria-valuenow"));
/** How many steps there are. */
export const steps = () => Number(document.querySelector(".track").getAttribute("aria-valuemax"));
/** Whose trace is shown. */
export const source = () => document.querySelector(".source")?.textContent;
/** Whether that is the simulator's: so it is where nothing ran since the scenario changed. */
export const simulated = () => /simulator/.test(document.querySelector(".source")?.textContent);
/** How many workers live, and how they exchange messages. */
export const status = () => document.querySelector(".status").textContent;
/** What is remarked on how it ran. */
export const remarks = () => document.querySelector(".notes").textContent;
/** The sentences about what is wrong. */
export const notices = () =>
  [...document.querySelectorAll(".notice p")].map((sentence) => sentence.textContent);
/** The counter of repetitions, if there is one. */
export const repetitions = () =>
  Number(document.querySelector(".throughput td.number")?.textContent);
/** Whether nothing is running. */
export const idle = () => Boolean(document.querySelector(".params-end .is-primary"));
/** Whether workers ran what is shown, and both verdicts hold. */
export const verified = () =>
  Boolean(document.querySelector(".params-end .is-primary")) &&
  Boolean(document.querySelector(".verdict.is-verified"));
/** Where every cell of the stage stands, in words. */
export const spoken = () =>
  [...document.querySelectorAll(".stage .card")].map((card) => card.getAttribute("aria-label"));
/** Keeps every worker that the page starts where a test can reach it. */
export function keepWorkers() {
  window.kept = [];
  const Real = window.Worker;
  window.Worker = class extends Real {
    constructor(...given) {
      super(...given);
      window.kept.push(this);
    }
  };
}
const press = (selector) => document.querySelector(selector).click();

/** The buttons beside the parameters: run, or while something runs stop. */
export const RUN = ".params-end .is-primary";
export const REPEAT = ".params-end .is-primary + .button";
export const STOP = ".params-end .button:first-child:not(.is-primary)";
/** The button at their end, there all the time. */
export const SHARE = ".params-end .button:last-child";

/**
 * Opens a scenario in a page that may still show another, and waits for its picture. On a busy
 * machine WebKit's driver has lost a page that moved to another process, so it is asked for twice.
 */
export async function open(page, base, fragment = "") {
  for (const again of [true, false]) {
    await page.goto("about:blank");
    await page.goto(base + fragment);
    try {
      return await page.waitFor(cards, 20_000);
    } catch (error) {
      if (!again) throw error;
      console.log(`${base}${fragment} is asked for once more: ${error.message}`);
    }
  }
}

/** Presses a button in a page or frame. */
export const click = (place, selector) => place.eval(press, selector);

/** Presses Run and waits until the result is verified; fails at once with what went wrong. */
export async function run(place, ms = 30_000) {
  await click(place, RUN);
  await ended(place, ms);
  assert.deepEqual(await complaints(place), []);
  assert.ok(await place.eval(verified), "the run ended without a verified result");
}

/** Waits until nothing runs. */
export async function ended(place, ms = 30_000) {
  // The press is drawn with the next frame; only then does the button say that something runs.
  await place.eval(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await place.waitFor(idle, ms);
}

/** The notices, without the one that merely says that ranks share cores. */
export async function complaints(place) {
  const all = await place.eval(notices);
  return all.filter((sentence) => !/ranks share \d+ cores?|共用 \d+ 个核/.test(sentence));
}

/** Asserts that the page says exactly this, and works. */
export async function saysAndWorks(page, ...sentences) {
  const said = await complaints(page);
  assert.equal(said.length, sentences.length, said.join("\n"));
  sentences.forEach((sentence, at) => assert.match(said[at], sentence));
  for (let i = 0; i < said.length; i += 1) await click(page, ".notice .text-button");
  await page.waitFor(() => !document.querySelector(".notice"), 2_000);
  await run(page);
}

/** Runs `check` on a fresh page of the browser. */
export async function onPage(browser, check, size) {
  const page = await browser.page(size);
  try {
    return await check(page);
  } finally {
    await page.close();
  }
}

/**
 * What the tests of one file share: `server`, and `visit(fragment, check, options)`, which hands
 * `check` a page of Chromium's with that scenario, or another site's page by its whole address.
 * Pages share their storage. The options:
 * - `size` of the page;
 * - `own`: the page has storage of its own;
 * - `prepare(page)` comes before anything is loaded;
 * - `shown`: what must be there before `check`, the stage unless something else is named;
 * - `complains`: the page may write errors and warnings to its console.
 */
export function visiting() {
  const place = {};
  let browser, tabs;
  before(async () => {
    place.server = await serve();
    browser = await launch("chromium");
    tabs = await browser.tabs(`${place.server.url}favicon.svg`);
  });
  after(async () => {
    await browser?.close();
    place.server?.close();
  });
  place.visit = (fragment, check, options = {}) => {
    const { size, own, prepare = () => {}, shown = cards, complains } = options;
    return onPage(own ? browser : tabs, async (page) => {
      await prepare(page);
      await page.goto(new URL(fragment, place.server.url).href);
      await page.waitFor(shown, 20_000);
      await check(page);
      if (!complains) assert.deepEqual(page.messages, []);
    }, size);
  };
  return place;
}

/** For `prepare`: no transitions, so that a style read at once is the style that stays. */
export const still = (page) => page.raw.emulateMedia({ reducedMotion: "reduce" });
