// The page starts wherever it may be put: on an isolating server and on the plainest one, inside
// another site's page, and in a sandboxed frame; and where it cannot, it says why.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BROWSERS, launch, poll } from "./harness.mjs";
import { DIST, hostSite, serve } from "./servers.mjs";

const started = () => document.querySelector("#app").childElementCount > 0;
/** Starts a worker as ranks are, which loads a rank's files; says "loaded" or what went wrong. */
function rankLoads() {
  const address = (file) => new URL(file, document.baseURI).href;
  const code = `Promise.all([
    import("${address("rank.js")}"),
    WebAssembly.compileStreaming(fetch("${address("rank_bg.wasm")}")),
  ]).then(() => postMessage("loaded"), (error) => postMessage(String(error)))`;
  const url = self.origin === "null" && !self.crossOriginIsolated
    ? "data:text/javascript," + encodeURIComponent(code)
    : URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  return new Promise((resolve) => {
    const worker = new Worker(url);
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve("the worker did not start");
  });
}
const failure = () => document.querySelector("[role=alert]")?.dataset.reason;
const policyViolations = (messages) =>
  messages.filter((message) => /content.security.policy/i.test(message));

let isolating, plain, host;
before(async () => {
  isolating = await serve();
  plain = await serve({ plain: true });
  host = await hostSite();
});
after(() => [isolating, plain, host].forEach((server) => server?.close()));

for (const name of BROWSERS) {
  describe(`boot in ${name}`, () => {
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    /** Opens the address in a fresh page and hands `check` the page, or the frame in it. */
    async function visit(address, check, selector) {
      const page = await browser.page();
      try {
        await page.goto(address);
        await check(selector ? page.frame(selector) : page);
        assert.deepEqual(policyViolations(page.messages), []);
      } finally {
        await page.close();
      }
    }
    async function boots(place) {
      await place.waitFor(started, 20_000);
      assert.equal(await place.eval(rankLoads), "loaded");
    }

    test("on an isolating server", () => visit(isolating.url, boots));
    test("on a server without headers", () => visit(plain.url, boots));
    test("no inline script runs, and trying is noticed", async () => {
      const page = await browser.page();
      try {
        await page.goto(plain.url);
        const ran = await page.eval(() => {
          const script = document.createElement("script");
          script.textContent = "window.inlineRan = true";
          document.body.append(script);
          return window.inlineRan === true;
        });
        assert.equal(ran, false);
        // What the other tests read must be able to show a violation. WebKit's driver has none.
        const noticed = async () => name === "webkit" || policyViolations(page.messages).length > 0;
        await poll(noticed);
      } finally {
        await page.close();
      }
    });
    test("in another site's frame", async () => {
      await visit(host.page(plain.url), boots, "iframe");
      await visit(host.page(isolating.url), boots, "iframe");
      await visit(host.page(isolating.url, { isolated: true }), boots, "iframe");
    });
    test("in a sandboxed frame", () =>
      visit(host.page(isolating.url, { sandbox: "allow-scripts" }), boots, "iframe"));
    test("a sandboxed frame without the needed header says so", () =>
      visit(host.page(plain.url, { sandbox: "allow-scripts" }), async (frame) => {
        assert.equal(await frame.waitFor(failure, 20_000), "sandbox");
      }, "iframe"));
  });
}

describe("boot from a changed site, in chromium", () => {
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
    const page = await browser.page();
    try {
      await page.raw.addInitScript(script);
      await page.goto(`${server.url}${name}/${fragment}`);
      return await page.waitFor(condition, 20_000);
    } finally {
      await page.close();
    }
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
  test("a damaged program is named", async () => {
    const damage = (path) => truncate(path("app_bg.wasm"), 1000);
    assert.equal(await openChanged("half-wasm", damage, failure), "corrupt");
  });
  test("a damaged script is named", async () => {
    const damage = (path) => writeFile(path("app.js"), "export default function (");
    assert.equal(await openChanged("half-script", damage, failure), "corrupt");
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
