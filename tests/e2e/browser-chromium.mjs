// Chromium, over playwright-core and the browser that is installed.
import { chromium } from "playwright-core";
import { evaluators, findProgram } from "./harness.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function start() {
  const executablePath = findProgram("chromium", "chromium-browser", "google-chrome");
  const browser = await chromium.launch({ executablePath, args: FLAGS, headless: true });
  return {
    name: "chromium",
    page: ({ width = 1280, height = 800 } = {}) => openPage(browser, { width, height }),
    close: () => browser.close(),
  };
}

async function openPage(browser, viewport) {
  const context = await browser.newContext({ viewport });
  const raw = await context.newPage();
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
    frame: (selector) =>
      evaluators(async (expression) => {
        const frame = await (await raw.$(selector)).contentFrame();
        return frame.evaluate(expression);
      }),
    close: () => context.close(),
  };
}
