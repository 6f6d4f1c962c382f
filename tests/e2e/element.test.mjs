// The element in a page that changes it, moves it, and asks more than a browser grants. Chromium.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch } from "./harness.mjs";
import { cards, onPage } from "./journey.mjs";
import { hostSite, serve } from "./servers.mjs";

const address = () => location.hash;
const element = () => document.querySelector("ring-scope");

describe("an element", () => {
  let host, server, browser;
  before(async () => {
    [host, server, browser] = await Promise.all([hostSite(), serve(), launch("chromium")]);
  });
  after(async () => {
    await browser?.close();
    server?.close();
    host?.close();
  });

  /** `check(page, frame)` where the element shows `scenario`, and has said that it is ready. */
  const embedding = (scenario, check) =>
    onPage(browser, async (page) => {
      const body = `<ring-scope scenario="${scenario}"></ring-scope>
        <script>document.querySelector("ring-scope")
          .addEventListener("ready", () => { window.ready = (window.ready ?? 0) + 1; });</script>`;
      await page.goto(host.embedding(server.url, body));
      await page.waitFor(() => window.ready, 20_000);
      await check(page, page.frame("ring-scope"));
    });

  /** Sets an attribute in the page. */
  const set = (page, name, value) =>
    page.eval(`(name, value) => (${element})().setAttribute(name, value)`, name, value);

  test("that shows the bench is ready, follows its page, and can be set", () =>
    embedding("bench", async (page, frame) => {
      await set(page, "theme", "dark");
      await frame.waitFor(() => document.documentElement.dataset.theme === "dark", 5_000);
      assert.match(await frame.eval(address), /^#\/bench/);
      await page.eval(`() => (${element})().set("reduce?n=3")`);
      await frame.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 10_000);
    }));

  test("stays on the page it was set to when its theme changes", () =>
    embedding("allreduce?n=5", async (page, frame) => {
      for (const [scenario, there] of [["bench", ".bench-page"], ["equation", ".pane .stage"]]) {
        await set(page, "scenario", scenario);
        await set(page, "theme", "dark");
        await frame.waitFor((there) => document.querySelector(there) !== null, 20_000, there);
        await set(page, "theme", "light");
        await frame.waitFor(() => document.documentElement.dataset.theme === "light", 5_000);
        assert.match(await frame.eval(address), new RegExp(`^#/${scenario}`));
      }
    }));

  test("keeps all fields that are set one after the other", () =>
    embedding("allreduce", async (page, frame) => {
      await page.eval(`() => {
        const shown = (${element})();
        shown.set({ n: 3 });
        shown.set({ algo: "direct" });
      }`);
      await frame.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 5_000);
      await frame.waitFor(() => /n=3/.test(location.hash) && /direct/.test(location.hash), 5_000);
    }));

  test("that is moved in its page shows what it is set to, and hears what it is told", () =>
    embedding("allreduce?n=4", async (page, frame) => {
      await set(page, "scenario", "reduce?n=8");
      await frame.waitFor(() => document.querySelectorAll(".stage .card").length === 8, 5_000);
      await page.eval(`() => {
        const moved = (${element})();
        document.body.append(document.createElement("div"));
        document.body.lastChild.append(moved);
        moved.seek(2);
      }`);
      await page.waitFor(() => window.ready === 2, 20_000);
      await frame.waitFor(() => document.documentElement.dataset.told?.startsWith("2 "), 10_000);
      assert.match(await frame.eval(address), /^#\/reduce/);
      assert.equal(await frame.eval(cards), 8);
    }));

  test("shows the last of many scenarios, also where the browser ignores some", () =>
    embedding("allreduce", async (page, frame) => {
      // As Chrome does with a page that asks for too many addresses in a short time.
      await frame.eval(() => {
        const real = history.replaceState.bind(history);
        const until = performance.now() + 1_000;
        history.replaceState = (...given) => {
          if (performance.now() > until) real(...given);
        };
      });
      await page.eval(`() => {
        for (let n = 2; n <= 7; n += 1) (${element})().set({ n });
      }`);
      await frame.waitFor(() => document.querySelectorAll(".stage .card").length === 7, 5_000);
    }));
});
