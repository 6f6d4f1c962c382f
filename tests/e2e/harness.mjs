// One small way to drive a page in three browsers. Each speaks its own protocol (CDP, WebDriver
// BiDi, WebDriver) behind the same few calls:
//
//   const browser = await launch("chromium" | "firefox" | "webkit");
//   const page = await browser.page({ width, height });   // with storage of its own
//   await page.goto(url);
//   await page.eval(f, ...args);            // f runs in the page, may be async, returns JSON
//   await page.waitFor(f, ms, ...args);     // until f returns something truthy; returns that
//   await page.press("Shift+ArrowRight");   // a key by its `KeyboardEvent.key`, or "Space"
//   await page.type(text);
//   await page.click(selector);
//   await page.screenshot(path);
//   page.frame(selector)                    // the same eval, waitFor, press and click, inside an
//                                           // iframe, also that of an element with a shadow
//   page.messages                           // console errors and warnings (not in WebKit)
//   page.raw                                // the library's own page object (not in WebKit)
//   await page.close();
//   await browser.close();
//
// In Chromium, `const tabs = await browser.tabs(url)` opens pages of that site by `tabs.page(size)`
// in less than half the time: they share their storage and their process. `launch("tabs")` is a
// Chromium whose pages are tabs of one window, and hidden when another one is in front.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const BROWSERS = ["chromium", "firefox", "webkit"];

/** Starts a browser with a fresh profile. */
export async function launch(name) {
  const { start } = await import(`./browser-${name}.mjs`);
  return start();
}

/** The first of the programs that is on PATH; an error that names them all if none is. */
export function findProgram(...names) {
  for (const name of names) {
    for (const folder of process.env.PATH.split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not in this folder.
      }
    }
  }
  throw new Error(`none of ${names.join(", ")} is on PATH: run scripts/setup test`);
}

/**
 * `eval` and `waitFor` over `run`, which evaluates an expression in a page and awaits its value.
 * Waiting asks the page again and again from here, whatever the page's own timers do.
 */
export function evaluators(run) {
  const evaluate = (f, ...args) => run(`(${f})(...${JSON.stringify(args)})`);
  const waitFor = (f, ms, ...args) => poll(() => evaluate(f, ...args), ms, f);
  return { eval: evaluate, waitFor };
}

/** The iframe that `selector` names, itself or by the element that shows it; for a page. */
export function iframe(selector) {
  const element = document.querySelector(selector);
  return element.shadowRoot?.querySelector("iframe") ?? element;
}

/** Asks until the answer is truthy, and returns it; an error says what it last was. */
export async function poll(ask, ms = 10_000, what = ask) {
  const deadline = Date.now() + ms;
  for (;;) {
    // While a frame navigates, asking it may fail: that is an answer to wait beyond, too.
    const answer = await ask().catch((error) => ({ error }));
    if (answer && !answer.error) return answer;
    if (Date.now() > deadline) {
      throw new Error(`after ${ms} ms still ${answer?.error ?? answer} for: ${what}`);
    }
    await sleep(20);
  }
}
