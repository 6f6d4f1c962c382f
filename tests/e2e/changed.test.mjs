// A site that lies elsewhere starts, and one with missing or damaged files says what is wrong with
// it. Chromium.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch } from "./harness.mjs";
import { failure, onPage, started } from "./journey.mjs";
import { DIST, serve } from "./servers.mjs";

describe("a site that is changed", () => {
  let browser, folder, server;
  before(async () => {
    browser = await launch("chromium");
    folder = await mkdtemp(join(tmpdir(), "ringscope-boot-"));
    await writeFile(join(folder, "index.html"), "<!doctype html>");
    server = await serve({ dir: folder });
  });
  after(async () => {
    server?.close();
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Copies the site to a path of its own, changes it, and opens it up to `condition`. */
  async function openChanged(name, change, condition, script = () => {}, fragment = "") {
    await cp(DIST, join(folder, name), { recursive: true });
    await change((file) => join(folder, name, file));
    return onPage(browser, async (page) => {
      await page.raw.addInitScript(script);
      await page.goto(`${server.url}${name}/${fragment}`);
      return page.waitFor(condition, 20_000);
    });
  }

  test("under another path", () => openChanged("docs/deep", () => {}, started));
  test("a missing program is named", async () => {
    const remove = (path) => rm(path("app_bg.wasm"));
    assert.equal(await openChanged("no-wasm", remove, failure), "missing");
  });
  test("a missing script is named", async () => {
    const remove = (path) => rm(path("app.js"));
    assert.equal(await openChanged("no-script", remove, failure), "missing");
  });
  test("what is known before the document has a body is said once it has one", async () => {
    const refuse = () => {
      window.fetch = () => Promise.reject(new TypeError("refused"));
    };
    assert.equal(await openChanged("no-network", () => {}, failure, refuse), "missing");
  });
  test("a damaged program is named", async () => {
    const damage = (path) => truncate(path("app_bg.wasm"), 1000);
    assert.equal(await openChanged("half-wasm", damage, failure), "corrupt");
  });
  test("a damaged script is named", async () => {
    const damage = (path) => writeFile(path("app.js"), "export default function (");
    assert.equal(await openChanged("half-script", damage, failure), "corrupt");
  });
  test("a page whose part is missing is said where it would stand, the others work", async () => {
    const remove = (path) => rm(path("pages_bg.wasm"));
    const alert = () => document.querySelector("#content [role=alert]")?.textContent;
    const said = await openChanged("no-pages", remove, alert, undefined, "#/reference?lang=en");
    assert.match(said, /could not be loaded/);
    assert.ok(await openChanged("no-pages-but-player", remove, started));
  });
  test("a browser without SIMD is told so", async () => {
    const withoutSimd = () => {
      WebAssembly.validate = () => false;
    };
    assert.equal(await openChanged("no-simd", () => {}, failure, withoutSimd), "simd");
  });
  test("language and theme need no app", async () => {
    const remove = (path) => rm(path("app.js"));
    const attributes = () => {
      const root = document.documentElement;
      return `${root.lang} ${root.dataset.theme}`;
    };
    const fragment = "#/allreduce?lang=zh&theme=dark";
    const set = await openChanged("no-app", remove, attributes, undefined, fragment);
    assert.equal(set, "zh-CN dark");
  });
});
