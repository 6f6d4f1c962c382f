// What the journeys through the player share. Functions of the first part run inside the page, by
// `eval` and `waitFor`, so that they work in frames and in every browser alike.
import assert from "node:assert/strict";

/** How many ranks the stage shows. */
export const cards = () => document.querySelectorAll(".stage .card").length;
/** The step that the slider stands on, as it tells a screen reader. */
export const step = () => Number(document.querySelector(".track").getAttribute("aria-valuenow"));
/** How many steps there are. */
export const steps = () => Number(document.querySelector(".track").getAttribute("aria-valuemax"));
/** Whose trace is shown. */
export const source = () => document.querySelector(".source")?.textContent;
/** The sentences about what is wrong. */
export const notices = () =>
  [...document.querySelectorAll(".notice p")].map((sentence) => sentence.textContent);
/** Whether nothing is running. */
export const idle = () => Boolean(document.querySelector(".params-end .is-primary"));
/** Whether workers ran what is shown, and both verdicts hold. */
export const verified = () =>
  Boolean(document.querySelector(".params-end .is-primary")) &&
  Boolean(document.querySelector(".verdict.is-verified"));
/** Where every cell of the stage stands, in words. */
export const spoken = () =>
  [...document.querySelectorAll(".stage .card")].map((card) => card.getAttribute("aria-label"));
const press = (selector) => document.querySelector(selector).click();

/** The buttons beside the parameters: run, or while something runs stop. */
export const RUN = ".params-end .is-primary";
export const REPEAT = ".params-end .button:not(.is-primary):last-child";
export const STOP = ".params-end .button:only-child";

/** Opens a scenario in a page that may still show another, and waits for its picture. */
export async function open(page, base, fragment = "") {
  await page.goto("about:blank");
  await page.goto(base + fragment);
  await page.waitFor(cards, 20_000);
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

/** Runs `check` on a fresh page of the browser. */
export async function onPage(browser, check, size) {
  const page = await browser.page(size);
  try {
    return await check(page);
  } finally {
    await page.close();
  }
}
