// The files of the Share dialog, in every browser: readers open them that have not written them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildModel } from "@tracerbench/trace-model";
import { click, onPage, open, run, SHARE, simulated } from "./journey.mjs";

/** Keeps what the page saves by its name, where drivers have no downloads. */
function keepFiles() {
  window.files = {};
  let last;
  const address = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    last = blob;
    return address.call(URL, blob);
  };
  HTMLAnchorElement.prototype.click = function click() {
    window.files[this.download] = last;
  };
}

/** Asks for every file that the dialog offers, and says how many that are. */
function takeAll() {
  const buttons = [...document.querySelectorAll("dialog[open] .offer-buttons .button")]
    .filter((button) => ["SVG", "PNG", "GIF", "Download"].includes(button.textContent));
  for (const button of buttons) button.click();
  return buttons.length;
}

/** Width, height and the colour of the first pixel of a picture, and how many bytes it has. */
async function looked(name) {
  const image = new Image();
  image.src = URL.createObjectURL(window.files[name]);
  await image.decode();
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  const { naturalWidth: width, naturalHeight: height } = image;
  return { width, height, corner: [red, green, blue], bytes: window.files[name].size };
}

/** The name of the outermost element, and how many of that name there are. */
async function parsed(name, tag) {
  const xml = new DOMParser().parseFromString(await window.files[name].text(), "application/xml");
  const count = xml.getElementsByTagName(tag).length;
  return [xml.querySelector("parsererror")?.textContent ?? xml.documentElement.nodeName, count];
}

const text = (name) => window.files[name].text();

/** Drops a file that was kept on the page. */
function drop(name) {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([window.files[name]], name, { type: "application/json" }));
  const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
  const place = document.querySelector(".stage-panel");
  place.dispatchEvent(event("dragover"));
  place.dispatchEvent(event("drop"));
}

/** Every file of a run that was just made, in `place.browser`. */
export function exports(place) {
  test("every file is opened by a reader that has not written it", () =>
    onPage(place.browser, async (page) => {
      // One step is film enough: WebKit draws slowly.
      await open(page, place.plain.url, "#/allreduce?n=2&step=1&loop=1-1&lang=en&theme=light");
      await run(page);
      await page.eval(keepFiles);
      await click(page, SHARE);
      // How wide it is there is up to the browser: WebKit may say the width it has in the page.
      const ready = () => document.querySelector("dialog .share-picture img")?.naturalWidth > 0;
      await page.waitFor(ready, 20_000);
      assert.equal(await page.eval(takeAll), 9);
      await page.waitFor(() => Object.keys(window.files).length === 9, 60_000);
      const file = (ending) => `allreduce-ring-2.${ending}`;

      assert.deepEqual(await page.eval(parsed, file("svg"), "parsererror"), ["svg", 0]);
      for (const [ending, width, height] of [["svg", 960, 540], ["png", 1920, 1080],
        ["gif", 960, 540]]) {
        const { bytes, ...seen } = await page.eval(looked, file(ending));
        assert.deepEqual(seen, { width, height, corner: [255, 255, 255] }, ending);
        assert.ok(bytes > 2_000 && bytes < 2e6, `${bytes} bytes of ${ending}`);
      }

      assert.deepEqual(await page.eval(parsed, file("xml"), "gpu"), ["algo", 2]);
      assert.match(await page.eval(text, file("txt")), /^AllReduce by ring: 2 ranks, 2 chunks\n/);
      const schedule = JSON.parse(await page.eval(text, file("schedule.json")));
      assert.deepEqual([schedule.algorithm, schedule.programs.length], ["ring", 2]);
      assert.match(await page.eval(text, file("py")), /^BACKEND = "gloo"$/m);

      const { processes } = buildModel(JSON.parse(await page.eval(text, file("trace.json"))));
      assert.deepEqual(processes.map(({ name }) => name), ["rank 0", "rank 1"]);
      for (const { threads } of processes) {
        for (const { name, events } of threads) {
          assert.match(name, /^lane \d+$/);
          // What a rank waits for, works on and sends lies in the op that does so.
          const inner = events.filter((event) => /^(wait|work|send to)/.test(event.name));
          assert.ok(inner.length > 0 && inner.every(({ parent }) => parent?.isComplete()));
        }
      }

      await page.press("Escape");
      await page.eval(() => {
        location.hash = "#/broadcast?lang=en";
      });
      await page.waitFor(simulated, 5_000);
      await page.eval(drop, file("run.json"));
      await page.waitFor(() =>
        /measured, from a file/.test(document.querySelector(".source").textContent), 10_000);
      assert.equal(await page.eval(() => document.querySelectorAll(".stage .card").length), 2);
      assert.deepEqual(page.messages, []);
    }));
}
