// The page starts wherever it may be put: on an isolating server and on the plainest one, inside
// another site's page, and in a sandboxed frame; and where it cannot, it says why.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BROWSERS, launch } from "./harness.mjs";
import { hostSite, serve } from "./servers.mjs";

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
    test("in another site's frame", async () => {
      await visit(host.page(plain.url), boots, "iframe");
      await visit(host.page(isolating.url), boots, "iframe");
    });
    test("in a sandboxed frame", () =>
      visit(host.page(isolating.url, "allow-scripts"), boots, "iframe"));
    test("a sandboxed frame without the needed header says so", () =>
      visit(host.page(plain.url, "allow-scripts"), async (frame) => {
        assert.equal(await frame.waitFor(failure, 20_000), "sandbox");
      }, "iframe"));
  });
}
