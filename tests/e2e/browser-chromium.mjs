// Chromium, over playwright-core and the browser that is installed.
import { chromium } from "playwright-core";
import { evaluators, findProgram, iframe } from "./harness.mjs";

export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const program = () => findProgram("chromium", "chromium-browser", "google-chrome");

export async function start() {
  const browser = await chromium.launch({ executablePath: program(), args: FLAGS, headless: true });
  return {
    name: "chromium",
    page: async (size) => {
      const context = await browser.newContext();
      return openPage(context, size, () => context.close());
    },
    tabs: async (url) => {
      const context = await browser.newContext();
      // As long as one page of the site is open, its process stays for the next ones.
      await (await context.newPage()).goto(url);
      return { page: (size) => openPage(context, size, (page) => page.close()) };
    },
    close: () => browser.close(),
  };
}

async function openPage(context, { width = 1280, height = 800 } = {}, close) {
  const raw = await context.newPage();
  await raw.setViewportSize({ width, height });
  const messages = [];
  raw.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) messages.push(message.text());
  });
  raw.on("pageerror", (error) => messages.push(String(error)));
  return {
    raw,
    messages,
    ...evaluators((expression) => raw.evaluate(expression)),
    goto: (url) => raw.goto(url),
    press: (key) => raw.keyboard.press(key),
    type: (text) => raw.keyboard.type(text),
    click: (selector) => raw.click(selector),
    screenshot: (path) => raw.screenshot({ path }),
    frame: (selector) => {
      const frame = async () => (await raw.evaluateHandle(iframe, selector)).contentFrame();
      return {
        ...evaluators(async (expression) => (await frame()).evaluate(expression)),
        press: (key) => raw.keyboard.press(key),
        click: async (target) => (await frame()).click(target),
      };
    },
    close: async () => {
      // What still answers a request for the page would fail once it is gone, with nobody to tell.
      for (const routed of [raw, context]) await routed.unrouteAll({ behavior: "ignoreErrors" });
      await close(raw);
    },
  };
}
