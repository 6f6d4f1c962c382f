// The pages of docs/recipes, as their generators built them: each shows a stage that steps by
// keyboard. What is kept of them in the repository is opened here; with RECIPES=FOLDER the whole
// sites that scripts/recipes has built there.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cards, step, visiting } from "./journey.mjs";

const RECIPES = fileURLToPath(new URL("../../docs/recipes", import.meta.url));
const SITES = process.env.RECIPES;
/** Where the recipes say that Ringscope is. */
const PUBLISHED = "https://example.org/ringscope/";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Serves the first of `folders` that has what is asked for, with Ringscope's address put right. */
async function serveRecipe(folders, ringscope) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://host").pathname.replace(/\/$/, "/index.html");
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const reading = folders.map((folder) => readFile(join(folder, path)).catch(() => undefined));
    const found = (await Promise.all(reading)).find(Boolean);
    const type = TYPES[extname(path)];
    if (!found) return response.writeHead(404).end();
    if (type) response.setHeader("Content-Type", type);
    const isText = type && type !== TYPES[".css"];
    response.end(isText ? String(found).replaceAll(PUBLISHED, ringscope) : found);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://localhost:${server.address().port}`, server };
}

const place = visiting();
const servers = [];
after(() => servers.forEach((server) => server.close()));

/** Opens a recipe's page and hands it to `check`. */
async function recipe(name, file, check) {
  // Pictures are those of the documentation.
  const folders = [SITES ? join(SITES, name) : join(RECIPES, "built"), join(RECIPES, "..")];
  const { url, server } = await serveRecipe(folders, place.server.url);
  servers.push(server);
  // What a theme writes to the console is its own affair.
  const options = { shown: () => document.body !== null, complains: Boolean(SITES) };
  await place.visit(`${url}/${SITES ? file : `${name}.html`}`, check, options);
}

/** Asserts that the stage is there and steps by keyboard. */
async function steps(page, frame) {
  await frame.waitFor(cards, 20_000);
  const before = await frame.eval(step);
  await frame.click(".sentence");
  await frame.eval(() => document.querySelector(".track").focus());
  await frame.press("ArrowRight");
  await frame.waitFor((at) => Number(document.querySelector(".track").ariaValueNow) === at, 5_000,
    before + 1);
}

for (const [name, file] of [["html", "index.html"], ["mdbook", "allreduce.html"],
  ["docusaurus", "index.html"], ["sphinx", "index.html"], ["jupyter-book", "allreduce.html"]]) {
  test(`${name}: the element`, () =>
    recipe(name, file, (page) => steps(page, page.frame("ring-scope"))));
}

test("reveal: a frame", () =>
  recipe("reveal", "index.html", (page) => steps(page, page.frame("iframe"))));

test("markdown: a picture that leads to the stage", () =>
  recipe("markdown", "index.html", async (page) => {
    await page.waitFor(() => document.querySelector("a > img")?.naturalWidth > 0, 10_000);
    await page.click("a > img");
    await page.waitFor(cards, 20_000);
    await page.eval(() => document.querySelector(".track").focus());
    await page.press("ArrowRight");
    await page.waitFor(() => document.querySelector(".track").ariaValueNow === "3", 5_000);
  }));
