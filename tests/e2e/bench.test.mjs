// The bench: what it measures, and what it says about that, in Chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { notices, visiting } from "./journey.mjs";

const { visit: visitPage } = visiting();
const shown = () => document.querySelector(".bench-page");
const visit = (fragment, check) => visitPage(fragment, check, fragment ? { shown } : {});

/** Runs in the page: measures for a script. */
async function measure(spec) {
  const bench = await window.ringscopePart("bench");
  return bench.measure(spec);
}

describe("measuring for scripts", () => {
  test("times batches that the clock can tell, and verifies", () =>
    visit("", async (page) => {
      const links = ["allreduce?n=2&size=16KiB", "allgather?algo=direct&n=3&size=60KiB&type=f16"];
      const { context, results } = await page.eval(measure, { links, batches: 3 });
      assert.match(context.browser, /^Chrome \d+$/);
      assert.ok(context.cores >= 1 && context.isolated && context.resolution_us > 0);
      assert.deepEqual(results.map(({ link }) => link), links);
      assert.deepEqual(results.map(({ bytes }) => bytes), [16 * 1024, 60 * 1024]);
      for (const { seconds, repetitions, wrong } of results) {
        assert.equal(wrong, 0);
        assert.equal(seconds.length, 3);
        for (const time of seconds) assert.ok(time * repetitions >= 0.01, `${time} ${repetitions}`);
      }
    }));

  test("of nothing that can be measured says why", () =>
    visit("", async (page) => {
      const links = (link) => ({ links: [link] });
      for (const [spec, why] of [
        [undefined, /a benchmark is \{ links/],
        [{ links: "allreduce" }, /a benchmark is \{ links/],
        [{ ...links("allreduce"), batch: 5 }, /unknown field `batch`/],
        [{ ...links("allreduce"), batches: 0 }, /batches: 0 is not from 1 to 1000/],
        [links("allreduce?n=99&size=1KiB"), /n=99.*Ranks: “99” is outside the range 1 to 16/],
        [links("reference"), /reference: a page, and no collective/],
        [links("allreduce?n=16&size=64MiB"), /limit is 2\sGiB/],
      ]) {
        await assert.rejects(page.eval(measure, spec), why);
      }
    }));
});

/** The button that starts and cancels. */
const RUN = ".bench-run .button";
const ended = () => !document.querySelector(".bench-run progress");
/** The rows of the table of measurements: size and #wrong, and the names of curves between. */
const rows = () => [...document.querySelectorAll("details tbody:has(.group) tr")].map((row) =>
  [row.firstElementChild.textContent, row.lastElementChild.textContent]);
/** Whether there are four charts, and both curves in each. */
const drawn = () => {
  const style = getComputedStyle(document.documentElement);
  const hues = ["--c0", "--c1-edge"].map((token) => parseInt(
    style.getPropertyValue(token).trim().slice(1), 16));
  const shows = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) {
      seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    }
    return hues.every((hue) => seen.has(hue));
  };
  const canvases = [...document.querySelectorAll(".figure canvas")];
  return canvases.length === 4 && canvases.every(shows);
};

/** Drops a file on the page. */
const drop = (page, name, text) => page.eval((name, text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, { type: "application/json" }));
  document.querySelector(".bench-page").dispatchEvent(
    new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}, name, text);

/** What the button of an offer saves. */
async function saved(page, offer) {
  const coming = page.raw.waitForEvent("download");
  await page.raw.getByRole("group", { name: offer }).getByRole("button", { name: "Download" })
    .click();
  return readFile(await (await coming).path(), "utf8");
}

describe("the bench page", () => {
  test("measures what was chosen, draws it, gives it away and opens it again", () =>
    visit("#/bench?n=2&algo=ring,direct&via=ports&to=4KiB&lang=en", async (page) => {
      await page.click(RUN);
      await page.waitFor(() => document.querySelector(".bench-run progress"), 3_000);
      await page.waitFor(ended, 30_000);
      assert.deepEqual(await page.eval(notices), []);
      const found = await page.eval(rows);
      assert.deepEqual(found.map(([size]) => size.replace(/\s/, " ").split(" measured")[0]),
        ["Ring", "1 KiB", "2 KiB", "4 KiB", "Direct", "1 KiB", "2 KiB", "4 KiB"]);
      assert.ok(found.filter(([, wrong]) => wrong === "0").length === 6, found.join("; "));
      const sentence = await page.eval(() => document.querySelector(".sentence").textContent);
      assert.match(sentence, /^Fastest: (Ring|Direct)/);
      // Both curves in both charts, measured and modelled.
      await page.waitFor(drawn, 9_000);
      assert.match(await saved(page, "As nccl-tests prints it"),
        /all_reduce_perf: 2 ranks, ring, ports\n[^]*\n +1024 +256 +float +sum +-1 +[\d.]+ /);
      assert.equal((await saved(page, "As CSV")).trim().split("\n").length, 7);
      const json = await saved(page, "As JSON");
      assert.equal(JSON.parse(json).results.length, 6);
      await drop(page, "other.json", json);
      const legend = () => document.querySelectorAll(".marker.is-foreign").length;
      await page.waitFor(() => document.querySelector(".marker.is-foreign"), 3_000);
      assert.equal(await page.eval(legend), 2);
      await drop(page, "broken.json", json.replace('"seconds"', '"minutes"'));
      await page.waitFor(() => document.querySelector(".notice"), 3_000);
      assert.match((await page.eval(notices)).join(), /^broken\.json is damaged at /);
      await drop(page, "a.csv", "a,b");
      await page.waitFor(() => document.querySelectorAll(".notice").length === 2, 3_000);
      assert.match((await page.eval(notices))[1], /^a\.csv is not a record: it is no JSON/);
      assert.equal(await page.eval(legend), 2);
      await page.raw.getByRole("button", { name: "Remove other.json" }).click();
      await page.waitFor(() => !document.querySelector(".marker.is-foreign"), 3_000);
    }));

  test("measures in place as well, in a table with the other", () =>
    visit("#/bench?verb=allreduce,alltoall&n=2&algo=direct&place=out,in&to=2KiB&lang=en",
      async (page) => {
        const whole = await page.eval(() => document.querySelector(".bench-page").textContent);
        assert.match(whole, /Left out: AllToAll · Direct · n = 2 · f32 · in place, /);
        await page.click(RUN);
        await page.waitFor(ended, 30_000);
        assert.deepEqual(await page.eval(notices), []);
        const text = await saved(page, "As nccl-tests prints it");
        const rows = text.match(/^ +\d+ .*/gm).map((row) => row.match(/N\/A/g)?.length ?? 0);
        assert.deepEqual(rows, [0, 0, 4, 4], text);
        assert.match(await saved(page, "As CSV"), /^allreduce,direct,2,f32,sum,-1,\w+,in,1024,/m);
      }));

  test("its address holds what is chosen, and is opened with a word about what is wrong", () =>
    visit("#/bench?n=2,99&algo=ring,waltz&dance=1&lang=en", async (page) => {
      const said = (await page.eval(notices)).join(" ");
      assert.match(said, /Ranks: “99” is outside the range 1 to 16; 16 is used/);
      assert.match(said, /Algorithm: “waltz” is not one of/);
      assert.match(said, /field “dance” that does not exist/);
      const hash = (ending) => page.waitFor((ending) => location.hash === ending, 3_000, ending);
      await hash("#/bench?algo=ring&n=2,16&lang=en");
      const press = (name) => page.raw.getByRole("button", { name, exact: true }).first().click();
      await press("AllGather");
      await press("f16");
      await hash("#/bench?verb=allreduce,allgather&algo=ring&n=2,16&type=f32,f16&lang=en");
      await page.raw.locator(".bench-form select").last().selectOption({ index: 14 });
      await press("16");
      await hash("#/bench?verb=allreduce,allgather&algo=ring&n=2&type=f32,f16&to=16MiB&lang=en");
      await press("Binomial tree");
      const whole = () => document.querySelector(".bench-page").textContent;
      await page.waitFor((whole) => document.querySelector(".bench-page").textContent
        .includes("AllGather · Binomial tree · n = 2 · f32, does not serve AllGather"), 3_000);
      assert.match(await page.eval(whole), /6 curves of 15 sizes each: 90 measurements/);
      await press("8");
      await press("16");
      await page.waitFor((run) => document.querySelector(run).ariaDisabled, 3_000, RUN);
      assert.match(await page.eval(whole), /18 combinations are chosen, and a chart tells 8 apart/);
    }));

  test("is cancelled, keeps what it has, and can run again", () =>
    visit("#/bench?n=2&algo=ring&from=1KiB&to=64MiB&lang=en", async (page) => {
      await page.click(RUN);
      await page.waitFor(() => document.querySelector("tbody:has(.group) tr + tr"), 9_000);
      await page.click(RUN);
      await page.waitFor(ended, 3_000);
      assert.deepEqual(await page.eval(notices), []);
      assert.ok((await page.eval(rows)).length >= 2);
      await page.waitFor(() => true, 100);
      await page.click(RUN);
      await page.waitFor(() => document.querySelector(".bench-run progress"), 3_000);
      await page.waitFor(() => document.querySelector("tbody:has(.group) tr + tr"), 9_000);
      await page.click('.nav a[href="#/reference"]');
      await page.waitFor(() => !document.querySelector(".bench-page"), 3_000);
      assert.equal(page.raw.workers().length, 0);
    }));

  test("measures the kernels beside a loop in JavaScript and a copy, until it is cancelled", () =>
    visit("#/bench?lang=en", async (page) => {
      const button = ".bench-kernels .button";
      await page.click(button);
      const first = () => [...document.querySelectorAll(".bench-kernels tbody tr:first-child > *")]
        .map((cell) => cell.textContent.replace(/\s/g, " "));
      const cells = await page.waitFor(`() => (${first})().length && (${first})()`, 20_000);
      assert.deepEqual(cells.slice(0, 2), ["f32", "8 KiB"]);
      for (const rate of cells.slice(2, 6)) assert.match(rate, /^[\d.]+ [GM]B\/s$/);
      assert.match(cells[6], /^\d+ %$/);
      assert.match(cells[7], /^[\d.]+ ×$/);
      await page.click(button);
      await page.waitFor(() => !document.querySelector(".bench-kernels progress"), 3_000);
    }));
});
