// What the Share dialog offers, in Chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { cards, click, keepWorkers, run, SHARE, step, visiting } from "./journey.mjs";
import { hostSite } from "./servers.mjs";

const place = visiting();
const { visit } = place;
let host;
before(async () => {
  host = await hostSite();
});
after(() => host.close());

const dialog = () => document.querySelector("dialog[open] .offer") !== null;
const closed = () => document.querySelector("dialog[open]") === null;
/** What the dialog says about copying its first text. */
const said = () => document.querySelector("dialog .offer .offer-said").textContent;

/** Opens the dialog on a scenario. */
const shared = (at, check, options) =>
  visit(at, async (page) => {
    await page.waitFor(cards, 20_000);
    await click(page, SHARE);
    await page.waitFor(dialog, 20_000);
    await check(page);
  }, options);

/** Presses the button of that name beside what is offered, and hands over the file: name, bytes. */
async function download(page, offered, button = "Download") {
  const coming = page.raw.waitForEvent("download");
  const group = page.raw.locator(`dialog [aria-label="${offered}"]`);
  await group.getByRole("button", { name: button, exact: true }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** What a parser of XML in the page, which has not written it, makes of a text. */
function parsed(xml) {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  return {
    error: document.querySelector("parsererror")?.textContent,
    root: document.documentElement.nodeName,
    names: [...new Set([...document.getElementsByTagName("*")].map((e) => e.nodeName))].sort(),
    texts: [...document.getElementsByTagName("text")].map((text) => text.textContent),
    outside: /(href|url\(|style=|<style|<script|class=|var\()/.exec(xml)?.[0],
  };
}

/** Width, height and how many colours a picture has, as the browser decodes it. */
async function looked(base64, kind) {
  const image = new Image();
  image.src = `data:${kind};base64,${base64}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set(new Uint32Array(data.buffer));
  const corner = [...data.slice(0, 3)];
  return { width: canvas.width, height: canvas.height, colours: colours.size, corner };
}

describe("share: pictures", () => {
  const ready = () => document.querySelector("dialog .share-picture img")?.naturalWidth === 960;

  for (const [theme, ground] of [["Light", [255, 255, 255]], ["Dark", [25, 28, 34]]]) {
    test(`an SVG and a PNG in ${theme}, whatever the page is in`, () =>
      shared("#/allreduce?step=2&theme=light", async (page) => {
        await page.waitFor(ready, 10_000);
        const before = await page.eval(() => document.querySelector(".share-picture img").src);
        await page.raw.getByRole("button", { name: theme, exact: true }).click();
        if (theme === "Dark") {
          await page.waitFor((was) => document.querySelector(".share-picture img").src !== was,
            5_000, before);
        }
        assert.equal(await page.eval(() => document.documentElement.dataset.theme), "light");
        const svg = await download(page, "Picture of this step", "SVG");
        assert.equal(svg.name, "allreduce-ring-4.svg");
        const xml = await page.eval(parsed, svg.bytes.toString());
        assert.deepEqual([xml.error, xml.root, xml.outside], [undefined, "svg", undefined]);
        assert.ok(xml.texts.includes("rank 3") && xml.texts.includes("15"), xml.texts.join());
        assert.match(xml.texts.join(), /AllReduce · Ring · 4 ranks.*ReduceScatter 2\/3/);
        assert.match(xml.texts.join(), /drawn by the simulator/);
        const drawn = await page.eval(looked, svg.bytes.toString("base64"), "image/svg+xml");
        assert.deepEqual([drawn.width, drawn.height, drawn.corner], [960, 540, ground]);
        const png = await download(page, "Picture of this step", "PNG");
        assert.deepEqual([...png.bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
        assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [1920, 1080]);
        const seen = await page.eval(looked, png.bytes.toString("base64"), "image/png");
        assert.deepEqual(seen.corner, ground);
        assert.ok(seen.colours > 50, `${seen.colours} colours`);
      }));
  }

  test("a GIF of the run, under 2 MB, which does not block the page", () =>
    shared("#/allreduce", async (page) => {
      await page.waitFor(ready, 20_000);
      await page.eval(keepWorkers);
      await page.eval(() => {
        window.longest = 0;
        let last = performance.now();
        window.beat = setInterval(() => {
          window.longest = Math.max(window.longest, performance.now() - last);
          last = performance.now();
        }, 5);
      });
      page.raw.setDefaultTimeout(120_000);
      const { name, bytes } = await download(page, "Picture of this step", "GIF");
      assert.equal(name, "allreduce-ring-4.gif");
      assert.ok(bytes.length < 2e6, `${bytes.length} bytes`);
      assert.ok(await page.eval(() => window.longest) < 1_000);
      assert.equal(await page.eval(() => window.kept.length), 1, "a worker compresses it");
      const film = await page.eval(async (base64) => {
        const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const decoder = new ImageDecoder({ data, type: "image/gif" });
        await decoder.tracks.ready;
        await decoder.completed;
        const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
        const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
        const { codedWidth, codedHeight, duration } = image;
        return { frameCount, forever: repetitionCount === Infinity, codedWidth, codedHeight,
          duration };
      }, bytes.toString("base64"));
      assert.deepEqual(film, { frameCount: 63, forever: true, codedWidth: 960, codedHeight: 540,
        duration: 1_200_000 });
    }));

  test("a GIF is given up on request", () =>
    shared("#/allreduce", async (page) => {
      await page.waitFor(ready, 20_000);
      const press = (name) => page.raw.locator("dialog")
        .getByRole("button", { name, exact: true }).click();
      await press("GIF");
      await page.raw.locator("dialog progress").waitFor();
      await press("Cancel");
      await page.raw.locator("dialog").getByRole("button", { name: "GIF", exact: true }).waitFor();
      assert.equal(await page.eval(() => document.querySelector("dialog progress")), null);
    }));

  test("say whose run they show", () =>
    visit("", async (page) => {
      await page.waitFor(cards, 20_000);
      await run(page);
      await click(page, SHARE);
      await page.waitFor(ready, 20_000);
      const svg = await download(page, "Picture of this step", "SVG");
      const { texts } = await page.eval(parsed, svg.bytes.toString());
      assert.match(texts.join(), /recorded from 4 Web Workers/);
    }));
});

describe("share: files", () => {
  test("the trace, whose flows join what its slices do", () =>
    visit("#/allreduce?clock=measured", async (page) => {
      await page.waitFor(cards, 20_000);
      await run(page);
      await click(page, SHARE);
      await page.waitFor(dialog, 20_000);
      const { name, bytes } = await download(page, "Trace for Perfetto");
      assert.equal(name, "allreduce-ring-4.trace.json");
      const { traceEvents, otherData } = JSON.parse(bytes);
      assert.equal(otherData.events, "recorded from Web Workers");
      const of = (ph) => traceEvents.filter((event) => event.ph === ph);
      assert.equal(new Set(of("X").map((slice) => slice.pid)).size, 4);
      assert.ok(of("X").every((slice) => slice.dur >= 0 && slice.ts >= 0));
      const ends = new Map(of("f").map((end) => [end.id, end]));
      assert.equal(ends.size, 24);
      for (const start of of("s")) assert.ok(ends.get(start.id).ts >= start.ts, start.id);
    }));

  test("a program for torchrun and a command for nccl-tests", () =>
    shared("#/allgather?len=10", async (page) => {
      const torch = page.raw.locator(`dialog [aria-label="Program for torchrun"]`);
      await torch.getByRole("button", { name: "Download" }).click();
      await torch.getByText("4 ranks do not divide 10 elements. Take 12").waitFor();
      await page.raw.getByRole("button", { name: "This very schedule" }).click();
      const { name, bytes } = await download(page, "Program for torchrun");
      assert.equal(name, "allgather-ring-4.py");
      assert.match(bytes.toString(), /^BACKEND = "gloo"$/m);
      await page.raw.getByRole("button", { name: "NCCL", exact: true }).click();
      const again = await download(page, "Program for torchrun");
      assert.match(again.bytes.toString(), /^BACKEND = "nccl"$/m);
    }));

  test("what has no such form is said in a sentence", () =>
    shared("#/barrier", async (page) => {
      const group = page.raw.locator(`dialog [aria-label="MSCCL XML"]`);
      await group.getByRole("button", { name: "Download" }).click();
      await group.getByText("MSCCL XML has no Barrier.").waitFor();
    }));

  test("in a sandboxed frame, which may not save, the text is shown", () =>
    visit("", async (page) => {
      await page.goto(host.page(place.server.url, { sandbox: "allow-scripts" }));
      const frame = page.frame("iframe");
      await frame.waitFor(cards, 20_000);
      await click(frame, SHARE);
      await frame.waitFor(dialog, 20_000);
      await frame.eval(() => document.querySelector(
        `dialog [aria-label="Text"] .button:last-child`).click());
      const shown = () => document.querySelector(`dialog [aria-label="Text"] textarea`)?.value;
      assert.match(await frame.waitFor(shown), /^AllReduce by ring/);
    }, { complains: true }));
});

test("share: what is done in the dialog is not done to the page behind it", () =>
  shared("#/allreduce?step=2", async (page) => {
    const behind = () => [document.documentElement.dataset.theme, document.documentElement.lang,
      location.hash];
    const before = await page.eval(behind);
    await page.eval(() => {
      window.opened = document.querySelector("dialog[open]");
      for (const button of document.querySelectorAll("dialog[open] .button")) button.click();
    });
    await page.waitFor(() =>
      document.querySelectorAll("dialog .offer-said:not(:empty)").length > 3);
    assert.deepEqual(await page.eval(behind), before);
    assert.ok(await page.eval(() => window.opened.isConnected));
  }));

describe("share: a run in a file", () => {
  /** Runs a scenario and hands over its file. */
  async function exported(page) {
    await run(page);
    await click(page, SHARE);
    await page.waitFor(dialog, 20_000);
    return download(page, "What was measured");
  }
  /** Drops a file on the page. */
  const drop = (page, name, text) => page.eval((called, contents) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([contents], called, { type: "application/json" }));
    const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    const place = document.querySelector(".stage-panel");
    window.taken = !place.dispatchEvent(event("dragover"));
    place.dispatchEvent(event("drop"));
  }, name, text);
  const source = () => document.querySelector(".source").textContent;
  const notice = () => document.querySelector(".notice p")?.textContent;

  test("opens again, by choosing it and by dropping it", () =>
    visit("#/allreduce?algo=tree&n=3&clock=measured", async (page) => {
      const { name, bytes } = await exported(page);
      assert.equal(name, "allreduce-tree-3.run.json");
      const file = JSON.parse(bytes);
      assert.deepEqual([file.format, file.version], ["ringscope-run", 1]);
      assert.match(file.origin.browser, /^Chrome \d+$/);
      for (const how of ["choose", "drop"]) {
        await page.goto("about:blank");
        await page.goto(`${place.server.url}#/broadcast`);
        await page.waitFor(cards, 20_000);
        if (how === "drop") {
          await drop(page, name, bytes.toString());
          assert.ok(await page.eval(() => window.taken));
        } else {
          await click(page, SHARE);
          await page.waitFor(dialog, 20_000);
          const chosen = { name, mimeType: "application/json", buffer: bytes };
          await page.raw.setInputFiles("dialog input[type=file]", chosen);
          await page.waitFor(closed);
        }
        await page.waitFor(() =>
          /measured, from a file/.test(document.querySelector(".source").textContent), 10_000);
        assert.match(await page.eval(source), /Chrome \d+, \d+ cores?, timer .*, build \w+/);
        assert.equal(await page.eval(() => location.hash),
          "#/allreduce?algo=tree&n=3&clock=measured");
        assert.equal(await page.eval(cards), 3);
      }
      // What is run here is of here again.
      await run(page);
      assert.match(await page.eval(source), /recorded from 3/);
    }));

  test("what is no such file is said in a sentence, and changes nothing", () =>
    visit("#/allreduce?n=3&len=3", async (page) => {
      const text = (await exported(page)).bytes.toString();
      await page.press("Escape");
      const before = await page.eval(source);
      for (const [contents, sentence] of [
        ["GIF89a", /^odd\.json is not a run: it is no JSON from line 1/],
        ["{}", /not a run that Ringscope has written/],
        [text.slice(0, 500), /cut off in line 1/],
        [text.replace('"version":1', '"version":7'), /of version 7.*reads up to 1/],
        [text.replace("n=3", "n=5"), /damaged.*run\.counters/],
      ]) {
        await drop(page, "odd.json", contents);
        assert.match(await page.waitFor(notice, 10_000), sentence);
        await click(page, ".notice .text-button");
        await page.waitFor(() => !document.querySelector(".notice"));
        assert.equal(await page.eval(source), before);
      }
    }));

  test("there is none before anything was measured", () =>
    shared("", async (page) => {
      const offer = page.raw.locator(`dialog [aria-label="What was measured"]`);
      await offer.getByRole("button", { name: "Download" }).click();
      await offer.getByText("run it first").waitFor();
    }));
});

describe("share: the link", () => {
  const link = () => document.querySelector("dialog .offer-text").value;

  test("leads to this very step", () =>
    shared("#/allreduce?algo=tree&step=2&theme=dark", async (page) => {
      const address = await page.eval(link);
      assert.equal(address, await page.eval(() => location.href));
      // It leads nobody else there, which is said.
      assert.match(await page.eval(() => document.querySelector(".share-local").textContent),
        /^Only this machine/);
      await page.press("Escape");
      await page.waitFor(closed);
      await page.click(".transport [aria-label='One step forward']");
      await click(page, SHARE);
      await page.waitFor(dialog);
      await page.raw.goto("about:blank");
      await page.raw.goto(address.replace("step=2", "step=3"));
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(step), 3);
    }));

  test("names the step that has just been gone to", () =>
    visit("#/allreduce", async (page) => {
      await page.waitFor(cards, 20_000);
      await page.click(".transport [aria-label='One step forward']");
      await click(page, SHARE);
      await page.waitFor(dialog, 20_000);
      assert.match(await page.eval(link), /#\/allreduce\?step=1$/);
    }));

  test("is copied where the page may", () =>
    shared("#/allreduce?step=2", async (page) => {
      await page.raw.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.click("dialog .offer .button");
      await page.waitFor(() => document.querySelector("dialog .offer .offer-said").textContent);
      assert.equal(await page.eval(said), "Copied");
      assert.equal(await page.eval(() => navigator.clipboard.readText()), await page.eval(link));
    }, { own: true }));

  for (const [what, clipboard] of [
    ["there is no clipboard", undefined],
    ["the clipboard throws", { writeText: () => Promise.reject(new Error("not here")) }],
  ]) {
    test(`is selected to be copied by hand where ${what}`, () =>
      shared("#/allreduce?step=2", async (page) => {
        await page.eval((none) => {
          const value = none ? undefined : Object.create(Clipboard.prototype);
          if (value) value.writeText = () => Promise.reject(new Error("not here"));
          Object.defineProperty(navigator, "clipboard", { value, configurable: true });
        }, clipboard === undefined);
        await page.click("dialog .offer .button");
        await page.waitFor(() => document.querySelector("dialog .offer-said.is-attention"));
        const selected = () => {
          const { selectionStart, selectionEnd, value } = document.activeElement;
          return value.slice(selectionStart, selectionEnd);
        };
        assert.equal(await page.eval(selected), await page.eval(link));
      }, { own: true }));
  }

  test("Escape closes, and gives the focus back", () =>
    visit("", async (page) => {
      await page.raw.focus(SHARE);
      await page.press("Enter");
      await page.waitFor(dialog, 20_000);
      await page.press("Escape");
      await page.waitFor(closed);
      assert.equal(await page.eval(() => document.activeElement.textContent), "Share");
    }));
});

describe("share: the code for other pages", () => {
  let host;
  before(async () => {
    host = await hostSite();
  });
  after(() => host?.close());

  /** The code whose name begins so. */
  const code = (name) => document.querySelector(`dialog textarea[aria-label^="${name}"]`).value;

  for (const [name, selector] of [["The element", "ring-scope"], ["An iframe", "iframe"]]) {
    test(`${name.toLowerCase()} shows this very step`, () =>
      shared("#/reduce?n=3&step=2&lang=en", async (page) => {
        const text = await page.eval(code, name);
        await page.goto(host.embedding(place.server.url, text));
        const frame = page.frame(selector);
        await frame.waitFor(cards, 20_000);
        assert.equal(await frame.eval(step), 2);
        assert.equal(await frame.eval(cards), 3);
        assert.equal(await frame.eval(() => document.querySelector(".topbar").checkVisibility()),
          false);
      }));
  }
});

test("share: a part that cannot be had is said in a sentence", () =>
  visit("", async (page) => {
    await page.waitFor(cards, 20_000);
    await page.raw.route(/share/, (route) => route.abort());
    await click(page, SHARE);
    await page.waitFor(() => /could not be loaded/.test(
      document.querySelector(".notice p")?.textContent));
  }, { own: true, complains: true }));
