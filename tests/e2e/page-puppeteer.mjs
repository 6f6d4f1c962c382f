// A page of the harness over puppeteer-core, which drives Firefox and Chromium's tabs.
import { evaluators, iframe } from "./harness.mjs";

/** Opens a page in a browser or a context of one; `close` is told to end it. */
export async function openPage(context, { width = 1280, height = 800 } = {}, close) {
  const raw = await context.newPage();
  await raw.setViewport({ width, height });
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
    frame: (selector) => {
      const frame = async () => (await raw.evaluateHandle(iframe, selector)).contentFrame();
      return {
        ...evaluators(async (expression) => (await frame()).evaluate(expression)),
        press: (keys) => pressTogether(raw.keyboard, keys),
        click: async (target) => (await frame()).click(target),
      };
    },
    close: () => close(raw),
  };
}

async function pressTogether(keyboard, keys) {
  const modifiers = keys.split("+").map((key) => (key === "Space" ? " " : key));
  const key = modifiers.pop();
  for (const modifier of modifiers) await keyboard.down(modifier);
  await keyboard.press(key);
  for (const modifier of modifiers.reverse()) await keyboard.up(modifier);
}
