// Prints what a built page says about Ringscope: `node recipes-excerpt.mjs PAGE`. That is the
// smallest part with the heading, and the script of the element; what belongs to the generator's
// theme is left out.
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { FLAGS, program } from "./browser-chromium.mjs";

const browser = await chromium.launch({ executablePath: program(), args: FLAGS });
// As it was generated: before any script has changed it.
const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
const page = await context.newPage();
await page.goto(pathToFileURL(process.argv[2]).href);
const excerpt = await page.evaluate(() => {
  const [shown] = document.querySelectorAll("ring-scope, iframe[src*=embed], a > img");
  const script = document.querySelector('script[src$="embed.js"]');
  let part = shown;
  while (!part.querySelector("h1, h2")) part = part.parentElement;
  const kept = part.contains(script) ? "" : (script?.outerHTML ?? "");
  return `<title>${document.title}</title>\n${kept}\n${part.outerHTML}`;
});
console.log(`<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n${excerpt}\n</html>`);
await browser.close();
