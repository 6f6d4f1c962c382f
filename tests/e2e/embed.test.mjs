// An embedded page in frames of every size, for everybody. Chromium, where axe runs.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clean } from "./axe.mjs";
import { launch } from "./harness.mjs";
import { cards, click, keepWorkers, onPage, run, still, visiting } from "./journey.mjs";
import { hostSite } from "./servers.mjs";

const place = visiting();
const visit = (at, check, [width, height]) =>
  place.visit(at, check, { size: { width, height }, prepare: still });

/** What must be at hand in a frame, without scrolling. */
const PARTS = [".sentence", ".stage", ".track .axis", ".playhead-knob", ".transport-play",
  ".embed-open"];
const outside = (parts) => parts.filter((part) => {
  const { top, bottom, left, right, height } =
    document.querySelector(part).getBoundingClientRect();
  const seen = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return !seen || (height < 1 && part !== ".track .axis");
});

describe("everything fits into a frame of", () => {
  for (const size of [[320, 240], [320, 480], [390, 300], [480, 320], [760, 420], [700, 500],
    [900, 600]]) {
    for (const at of ["allreduce", "allreduce?n=16&lang=zh", "alltoall?n=8", "barrier"]) {
      test(`${size.join(" × ")}: ${at}`, () =>
        visit(`?embed=1#/${at}`, async (page) => {
          assert.deepEqual(await page.eval(outside, PARTS), []);
          const width = await page.eval(() => document.documentElement.scrollWidth);
          assert.ok(width <= size[0], `${width} px`);
          const [axis, knob] = await page.eval(() => [".axis", ".playhead-knob"].map((part) => {
            const { top, height } = document.querySelector(part).getBoundingClientRect();
            return Math.round(top + height / 2);
          }));
          assert.equal(knob, axis, "the knob is on the axis");
        }, size));
    }
  }
});

test("a notice leaves the play bar in its frame", async () => {
  for (const size of [[320, 240], [500, 300], [700, 420]]) {
    await visit("?embed=1#/allreduce?n=abc&algo=double-tree", async (page) => {
      assert.ok(await page.eval(() => document.querySelector(".notice") !== null));
      assert.deepEqual(await page.eval(outside, [".transport-play", ".embed-open"]), [], `${size}`);
    }, size);
  }
});

describe("axe finds nothing in a frame", () => {
  for (const size of [[320, 240], [700, 500]]) {
    for (const panels of ["", "&panels=controls,cost,log,code,tables"]) {
      for (const reader of ["lang=en&theme=light", "lang=zh&theme=dark"]) {
        test(`${size.join(" × ")}, ${reader}${panels}`, () =>
          visit(`?embed=1${panels}#/allreduce?step=3&n=x&${reader}`, async (page) => {
            if (panels) await run(page).catch(() => {});
            await clean(page, reader);
          }, size));
      }
    }
  }
});

test("panels are shown that were asked for, and no others", async () => {
  const panels = { controls: ".params-end", cost: ".cost", log: ".log", code: ".code",
    tables: ".tables" };
  const shown = (panels) => Object.entries(panels)
    .filter(([, selector]) => document.querySelector(selector)?.checkVisibility())
    .map(([name]) => name);
  for (const asked of [[], ["log"], ["cost", "code"], Object.keys(panels)]) {
    const query = asked.length > 0 ? `&panels=${asked.join()}` : "";
    await visit(`?embed=1${query}#/allreduce?step=3`, async (page) => {
      assert.deepEqual(await page.eval(shown, panels), asked);
    }, [700, 500]);
  }
});

for (const [name, at] of [["the equation", "equation?n=3"], ["a comparison", "compare"]]) {
  test(`${name} is reduced to both stages, their tracks and sentences`, () =>
    visit(`?embed=1#/${at}`, async (page) => {
      const shown = () => [".topbar", ".scenario", ".bill", ".tables", ".legend", ".lede"]
        .filter((selector) => document.querySelector(selector)?.checkVisibility());
      assert.deepEqual(await page.eval(shown), []);
      assert.equal(await page.eval(() => document.querySelectorAll(".pane .stage").length), 2);
      await page.eval(() => document.querySelector(".track").focus());
      await page.press("ArrowRight");
      await page.waitFor(() => document.documentElement.dataset.told.startsWith("1 "), 5_000);
      await page.waitFor(() => /step=1/.test(document.querySelector(".embed-open").href), 5_000);
      await page.eval(() => dispatchEvent(new CustomEvent("ringscope", { detail: "seek 2" })));
      await page.waitFor(() => document.documentElement.dataset.told.startsWith("2 "), 5_000);
      assert.ok(await page.eval(() => document.documentElement.scrollWidth <= innerWidth));
      await clean(page, name);
    }, [700, 500]));
}

test("the way out leads to the very same picture", () =>
  visit("?embed=1#/reduce?n=3&root=1", async (page) => {
    await click(page, ".transport-button:nth-child(4)");
    await page.waitFor(() => document.querySelector(".track").ariaValueNow === "1", 5_000);
    await page.waitFor(() => /step=1/.test(document.querySelector(".embed-open").href), 5_000);
    const link = await page.eval(() => document.querySelector(".embed-open").href);
    await page.goto(link);
    await page.waitFor(cards, 10_000);
    assert.equal(await page.eval(() => document.querySelector(".track").ariaValueNow), "1");
    assert.ok(await page.eval(() => document.querySelector(".topbar").checkVisibility()));
  }, [700, 500]));

test("workers end while the page is hidden", async () => {
  const browser = await launch("tabs");
  try {
    await onPage(browser, async (page) => {
      await page.raw.evaluateOnNewDocument(keepWorkers);
      await page.goto(`${place.server.url}?embed=1#/allreduce?n=3`);
      await page.waitFor(cards, 20_000);
      await page.eval(() => {
        window.ended = 0;
        const { terminate } = Worker.prototype;
        Worker.prototype.terminate = function end() {
          window.ended += 1;
          terminate.call(this);
        };
      });
      await click(page, ".transport-play");
      await page.waitFor(() => /recorded/.test(document.querySelector(".source").textContent),
        20_000);
      const other = await browser.page();
      await page.waitFor(() => document.hidden && window.ended === window.kept.length, 10_000);
      await other.close();
    });
  } finally {
    await browser.close();
  }
});

describe("of many on a page", () => {
  let host, browser;
  before(async () => {
    host = await hostSite();
    browser = await launch("chromium");
  });
  after(async () => {
    await browser?.close();
    host?.close();
  });

  test("only those near the reader are loaded, or those that are needed", () =>
    onPage(browser, async (page) => {
      const one = (id) => `<ring-scope id="e${id}"></ring-scope><div class="far"></div>`;
      const body = `<style>.far { height: 3000px }</style>
        ${Array.from({ length: 10 }, (_, id) => one(id)).join("")}`;
      await page.goto(host.embedding(place.server.url, body));
      const loaded = () => page.raw.frames().filter((frame) => /embed=1/.test(frame.url())).length;
      await page.frame("#e0").waitFor(cards, 20_000);
      const first = loaded();
      assert.ok(first < 4, `${first} are loaded`);
      await page.eval(() => document.querySelector("#e9").seek(3));
      await page.frame("#e9").waitFor(
        () => document.documentElement.dataset.told?.startsWith("3 6"), 20_000);
      assert.equal(loaded(), first + 1);
    }));
});
