// Takes the pictures of the documentation anew, from the built page: `node pictures.mjs`.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { cards, click, onPage, open, run, SHARE } from "./journey.mjs";
import { launch } from "./harness.mjs";
import { serve } from "./servers.mjs";

const docs = (name) => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
const server = await serve();
const browser = await launch("chromium");

// The player, half way through a ReduceScatter that workers have run.
await onPage(browser, async (page) => {
  await open(page, server.url, "#/allreduce?lang=en&theme=light");
  await run(page);
  // Half a step is five small ones.
  await page.eval(() => document.querySelector(".track").focus());
  await page.press("ArrowRight");
  for (let i = 0; i < 5; i += 1) await page.press(".");
  await page.eval(() => document.activeElement.blur());
  await page.raw.mouse.move(0, 0);
  await page.screenshot(docs("player.png"));
}, { width: 1440, height: 900 });

// One step as the page exports it.
await onPage(browser, async (page) => {
  await open(page, server.url, "#/allreduce?step=2&lang=en&theme=light");
  await page.waitFor(cards, 10_000);
  await click(page, SHARE);
  const shown = () => document.querySelector("dialog .share-picture img")?.src;
  const address = await page.waitFor(shown, 20_000);
  const svg = decodeURIComponent(address.slice(address.indexOf(",") + 1));
  await writeFile(docs("allreduce.svg"), `${svg}\n`);
});

await browser.close();
server.close();
