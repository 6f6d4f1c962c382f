// The harness means the same in every browser: what the journeys rely on, tried on a tiny page.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "./servers.mjs";

const PAGE = `<!doctype html><html lang="en"><title>Tiny</title>
<input aria-label="text"><button>Go</button><iframe title="inner" srcdoc="<b>inner</b>"></iframe>
<script>
  window.keys = [];
  addEventListener("keydown", (e) => keys.push((e.shiftKey ? "shift " : "") + e.key));
  document.querySelector("button").onclick = () => setTimeout(() => { window.clicked = 2; }, 200);
</script>`;

/** The harness in `place.browser`. */
export function harness(place) {
  test("pages are driven alike", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ringscope-harness-"));
    await writeFile(join(folder, "index.html"), PAGE);
    const server = await serve({ dir: folder, plain: true });
    try {
      await drive(place.browser, server.url, folder);
    } finally {
      server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function drive(browser, url, folder) {
  const width = browser.name === "webkit" ? 500 : 390;
  const page = await browser.page({ width, height: 700 });
  await page.goto(url);
  assert.deepEqual(await page.eval(() => [innerWidth, innerHeight]), [width, 700]);

  assert.equal(await page.eval(async (a, b) => a + b, 1, { x: 2 }.x), 3);
  await assert.rejects(page.eval(() => Promise.reject(new Error("told"))), /told/);
  await assert.rejects(page.waitFor(() => window.never, 200), /window.never/);

  await page.press("ArrowRight");
  await page.press("Shift+ArrowLeft");
  await page.press("Space");
  await page.press("r");
  const keys = (await page.eval(() => window.keys)).filter((key) => !key.endsWith("Shift"));
  assert.deepEqual(keys, ["ArrowRight", "shift ArrowLeft", " ", "r"]);

  await page.click("input");
  await page.type("1.5, x");
  assert.equal(await page.eval(() => document.querySelector("input").value), "1.5, x");
  await page.click("button");
  assert.equal(await page.waitFor(() => window.clicked), 2);

  const inner = page.frame("iframe");
  assert.equal(await inner.eval(() => document.body.textContent), "inner");
  assert.match(await page.eval(() => document.title), /Tiny/);

  const picture = join(folder, "page.png");
  await page.screenshot(picture);
  assert.equal((await readFile(picture)).toString("latin1", 1, 4), "PNG");
  await page.close();

  const second = await browser.page();
  await second.goto(url);
  assert.deepEqual(await second.eval(() => [innerWidth, innerHeight]), [1280, 800]);
  await second.close();
}
