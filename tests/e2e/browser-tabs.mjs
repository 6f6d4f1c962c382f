// Chromium as a reader has it, over puppeteer-core: pages are tabs of one window, the one in front
// hides the others, and hidden ones are held back. Those of playwright-core always count as
// visible.
import puppeteer from "puppeteer-core";
import { FLAGS, program } from "./browser-chromium.mjs";
import { openPage } from "./page-puppeteer.mjs";

/** What puppeteer-core would switch off. */
const HOLDING_BACK = [
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
];

export async function start() {
  const browser = await puppeteer.launch({
    executablePath: program(),
    args: FLAGS,
    ignoreDefaultArgs: HOLDING_BACK,
    headless: true,
  });
  return {
    name: "tabs",
    page: (size) => openPage(browser, size, (page) => page.close()),
    close: () => browser.close(),
  };
}
