// The page starts wherever it may be put: on an isolating server and on the plainest one, inside
// another site's page, and in a sandboxed frame.
import assert from "node:assert/strict";
import { test } from "node:test";
import { poll } from "./harness.mjs";
import { failure, onPage, started } from "./journey.mjs";

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
const policyViolations = (messages) =>
  messages.filter((message) => /content.security.policy/i.test(message));

/** Starting in every setting, in `place.browser`. */
export function boots(place) {
  /** Opens the address in a fresh page and hands `check` the page, or the frame in it. */
  const visit = (address, check, selector) =>
    onPage(place.browser, async (page) => {
      await page.goto(address);
      await check(selector ? page.frame(selector) : page);
      assert.deepEqual(policyViolations(page.messages), []);
    });
  async function starts(page) {
    await page.waitFor(started, 20_000);
    assert.equal(await page.eval(rankLoads), "loaded");
  }

  test("on an isolating server", () => visit(place.isolating.url, starts));
  test("on a server without headers", () => visit(place.plain.url, starts));
  test("no inline script runs, and trying is noticed", () =>
    onPage(place.browser, async (page) => {
      await page.goto(place.plain.url);
      const ran = await page.eval(() => {
        const script = document.createElement("script");
        script.textContent = "window.inlineRan = true";
        document.body.append(script);
        return window.inlineRan === true;
      });
      assert.equal(ran, false);
      // What the other tests read must be able to show a violation. WebKit's driver has none.
      const blind = place.browser.name === "webkit";
      await poll(async () => blind || policyViolations(page.messages).length > 0);
    }));
  test("in another site's frame", async () => {
    const { host, isolating, plain } = place;
    await visit(host.page(plain.url), starts, "iframe");
    await visit(host.page(isolating.url), starts, "iframe");
    await visit(host.page(isolating.url, { isolated: true }), starts, "iframe");
  });
  test("in a sandboxed frame", () =>
    visit(place.host.page(place.isolating.url, { sandbox: "allow-scripts" }), starts, "iframe"));
  test("a sandboxed frame without the needed header says so", () =>
    visit(place.host.page(place.plain.url, { sandbox: "allow-scripts" }), async (frame) => {
      assert.equal(await frame.waitFor(failure, 20_000), "sandbox");
    }, "iframe"));
}
