// Firefox, over puppeteer-core and WebDriver BiDi.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { findProgram } from "./harness.mjs";
import { openPage } from "./page-puppeteer.mjs";

export async function start() {
  const home = await mkdtemp(join(tmpdir(), "ringscope-firefox-"));
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: findProgram("firefox-esr", "firefox"),
    headless: true,
    env: { ...process.env, HOME: home },
  });
  return {
    name: "firefox",
    page: async (size) => {
      const context = await browser.createBrowserContext();
      return openPage(context, size, () => context.close());
    },
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
