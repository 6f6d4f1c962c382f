// Ranks share one memory where the browser lets them, and the page says which way messages go, and
// why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, open, remarks, run, simulated, source, status } from "./journey.mjs";

/** Keeps what the page gives its workers to share, before anything else runs. */
function keepMemories() {
  window.given = [];
  const Real = window.Worker;
  window.Worker = class extends Real {
    postMessage(data, ...rest) {
      super.postMessage(data, ...rest);
      if (data instanceof WebAssembly.Memory) window.given.push(data);
    }
  };
}

/** Runs in the page: how many of its workers were given which memory, and what is in it. */
function looksInto(pattern) {
  const memories = [...new Set(window.given)];
  const bytes = new Uint8Array(memories[0].buffer);
  const words = new Uint8Array(new Float32Array(pattern).buffer);
  let found = 0;
  for (let at = 0; at + words.length <= bytes.length; at += 1) {
    if (words.every((byte, i) => bytes[at + i] === byte)) found += 1;
  }
  return {
    memories: memories.length,
    workers: window.given.length,
    shared: memories[0].buffer instanceof SharedArrayBuffer,
    found,
  };
}

/** Both transports in `place.browser`. */
export function shares(place) {
  // WebKitGTK says that a page is isolated, and has no memory that can be shared.
  const shared = () => place.browser.name !== "webkit";

  test("on an isolating server", () =>
    onPage(place.browser, async (page) => {
      await open(page, place.isolating.url, "#/allreduce?n=3");
      await run(page);
      assert.match(await page.eval(status), shared() ? /3 workers · shared memory/ : /ports/);
      assert.match(await page.eval(source), shared() ? /in shared memory/ : /over message ports/);
      assert.equal(/Messages went over ports: /.test(await page.eval(remarks)), !shared());
    }));

  test("over ports when they are asked for, and back", () =>
    onPage(place.browser, async (page) => {
      await open(page, place.isolating.url, "#/allreduce?n=3&via=ports");
      await run(page);
      assert.match(await page.eval(status), /3 workers · message ports/);
      assert.doesNotMatch(await page.eval(remarks), /Messages went over ports/);
      await page.eval(() => {
        location.hash = "#/allreduce?n=3";
      });
      // The page hears of it later; what was run before that would be ended by it.
      await page.waitFor(simulated, 5_000);
      await run(page);
      assert.match(await page.eval(status), shared() ? /shared memory/ : /message ports/);
    }));

  test("on a server without headers", () =>
    onPage(place.browser, async (page) => {
      await open(page, place.plain.url, "#/allreduce?n=3");
      await run(page);
      assert.match(await page.eval(status), /3 workers · message ports/);
      assert.match(await page.eval(remarks), /Messages went over ports: this browser gives no/);
      await page.eval(() => document.querySelector(".topbar [lang=zh-CN]").click());
      await page.waitFor(() =>
        /消息经端口传递：/.test(document.querySelector(".notes").textContent));
    }));

  test("the memory is one, and it is shared", async (t) => {
    if (!shared()) return t.skip("this browser shares none");
    await onPage(place.browser, async (page) => {
      const numbers = "data=1000.5,7,-3;0.25,1,1;1,2,90";
      await open(page, place.isolating.url, `#/allreduce?n=3&${numbers}`);
      await page.eval(keepMemories);
      await run(page);
      const { memories, workers, shared, found } = await page.eval(looksInto, [1001.75, 10, 88]);
      assert.deepEqual({ memories, workers, shared }, { memories: 1, workers: 3, shared: true });
      // What a rank gives back when its call has ended may be written over by another one.
      assert.ok(found > 0, "the page sees none of the ranks' sums");
    });
  });
}
