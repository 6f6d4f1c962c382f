// One small way to drive a page in three browsers. Each speaks its own protocol (CDP, WebDriver
// BiDi, WebDriver) behind the same few calls:
//
//   const browser = await launch("chromium" | "firefox" | "webkit");
//   const page = await browser.page({ width, height });
//   await page.goto(url);
//   await page.eval(f, ...args);            // f runs in the page, may be async, returns JSON
//   await page.waitFor(f, ms, ...args);     // until f returns something truthy; returns that
//   await page.press("Shift+ArrowRight");   // a key by its `KeyboardEvent.key`, or "Space"
//   await page.type(text);
//   await page.click(selector);
//   await page.screenshot(path);
//   page.frame(selector)                    // the same eval and waitFor, inside an iframe
//   page.messages                           // console errors and warnings (not in WebKit)
//   page.raw                                // the library's own page object (not in WebKit)
//   await page.close();                     // and with it the page's storage
//   await browser.close();
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
 * Waiting asks the page every 50 ms from here, whatever the page's own timers do.
 */
export function evaluators(run) {
  const evaluate = (f, ...args) => run(`(${f})(...${JSON.stringify(args)})`);
  const waitFor = (f, ms, ...args) => poll(() => evaluate(f, ...args), ms, f);
  return { eval: evaluate, waitFor };
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
    await sleep(50);
  }
}
