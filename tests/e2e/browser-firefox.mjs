// Firefox, over puppeteer-core and WebDriver BiDi.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { evaluators, findProgram } from "./harness.mjs";

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
    page: ({ width = 1280, height = 800 } = {}) => openPage(browser, { width, height }),
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function openPage(browser, viewport) {
  const context = await browser.createBrowserContext();
  const raw = await context.newPage();
  await raw.setViewport(viewport);
  const messages = [];
  raw.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) messages.push(message.text());
  });
  raw.on("pageerror", (error) => messages.push(String(error)));
  return {
    raw,
    messages,
    ...evaluators((expression) => raw.evaluate(expression)),
    goto: (url) => raw.goto(url),
    press: (keys) => pressTogether(raw.keyboard, keys),
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

async function pressTogether(keyboard, keys) {
  const modifiers = keys.split("+").map((key) => (key === "Space" ? " " : key));
  const key = modifiers.pop();
  for (const modifier of modifiers) await keyboard.down(modifier);
  await keyboard.press(key);
  for (const modifier of modifiers.reverse()) await keyboard.up(modifier);
}
