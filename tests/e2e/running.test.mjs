// What a reader runs: every verb, own numbers, over and over, and stopping it. In Chromium.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "node:test";
import { poll } from "./harness.mjs";
import {
  click, complaints, ended, idle, REPEAT, repetitions, run, RUN, source, STOP, verified, visiting,
} from "./journey.mjs";

const { visit } = visiting();

describe("running", () => {
  test("every verb opens from the picker and runs verified on workers", () =>
    visit("", async (page) => {
      const verbs = await page.eval(() => document.querySelectorAll(".verb").length);
      assert.ok(verbs >= 10, `${verbs} verbs`);
      for (let i = 0; i < verbs; i += 1) {
        const verb = page.raw.locator(".verb").nth(i);
        await verb.click();
        await page.waitFor((at) =>
          document.querySelectorAll(".verb")[at].ariaPressed === "true", 5_000, i);
        await click(page, RUN);
        await ended(page, 20_000);
        // A barrier moves no numbers, so there is nothing about them to verify.
        const verdict = await page.eval(() => document.querySelector(".verdict")?.textContent);
        assert.match(`${await verb.textContent()}: ${verdict}`, /verified|^Barrier: nothing/);
        assert.deepEqual(await complaints(page), []);
      }
    }));

  test("whoever repeats is not asked to run, and is told that several runs are meant", () =>
    visit("#/allreduce?clock=measured&size=64KiB&lang=en", async (page) => {
      assert.match((await complaints(page)).join(), /Press Run/);
      await click(page, REPEAT);
      await page.waitFor(repetitions, 20_000);
      assert.doesNotMatch((await complaints(page)).join(), /Press Run/);
      await click(page, STOP);
      await page.waitFor(verified, 20_000);
      const cost = await page.eval(() =>
        [...document.querySelectorAll(".cost")].map((strip) => strip.textContent).join());
      assert.match(cost, /measured here, mean of \d+ runs/);
    }));

  test("typed numbers change the result", () =>
    visit("", async (page) => {
      await page.click(".numbers summary");
      await page.raw.fill(".numbers label.row:nth-of-type(2) input", "100 200 300 -400");
      await page.press("Tab");
      await page.waitFor(() => location.hash.includes("data="), 2_000);
      await run(page);
      await page.eval(() => document.activeElement.blur());
      await page.raw.focus(".track");
      await page.press("End");
      const sums = await page.waitFor(() => {
        const card = document.querySelector(".stage .card").getAttribute("aria-label");
        const values = [...card.matchAll(/= (-?\d+), 4 of 4/g)].map((match) => Number(match[1]));
        return values.length === 4 && values;
      }, 5_000);
      const typed = await page.eval(() =>
        [...document.querySelectorAll(".numbers-input")].map((input) => input.value));
      const rows = typed.map((row) => row.split(" ").map(Number));
      const expected = rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0));
      assert.deepEqual(sums, expected);
      assert.ok(rows.some((row) => row[1] === 200), "the typed row is kept");
    }));

  test("repeating counts until it is stopped", () =>
    visit("#/allreduce?size=64KiB", async (page) => {
      await click(page, REPEAT);
      const first = await page.waitFor(repetitions, 20_000);
      await page.waitFor((n) =>
        Number(document.querySelector(".throughput td.number").textContent) > n, 5_000, first);
      await click(page, STOP);
      await page.waitFor(verified, 10_000);
      const stopped = await page.eval(repetitions);
      await sleep(400);
      assert.equal(await page.eval(repetitions), stopped);
      const rates = await page.eval(() =>
        [...document.querySelectorAll(".throughput td.number")].map((cell) => cell.textContent));
      assert.ok(rates.every((text) => text !== "–"), `rates: ${rates}`);
    }));

  for (const [size, messages, said] of [["1MiB", "2", false], ["16MiB", "16", true]]) {
    test(`a run of ${size} that repeats sends ${messages} messages, and says why`, () =>
      visit(`#/allreduce?n=2&size=${size}&lang=en`, async (page) => {
        await click(page, REPEAT);
        await page.waitFor(repetitions, 20_000);
        // The recorded run is told first.
        await page.waitFor((sent) => {
          const [runs, , messages] = document.querySelectorAll(".throughput td.number");
          return Number(runs.textContent) > 1 && messages.textContent === sent;
        }, 5_000, messages);
        const explained = () =>
          /in pieces/.test(document.querySelector(".throughput").textContent);
        assert.equal(await page.eval(explained), said);
        await click(page, STOP);
        // The last run's result, too.
        await page.waitFor(verified, 20_000);
      }));
  }

  test("what one scenario measures is never shown with another", () =>
    visit("#/allreduce?size=64KiB", async (page) => {
      await click(page, REPEAT);
      await page.waitFor(repetitions, 20_000);
      await page.eval(() => {
        location.hash = "#/allreduce?n=3";
      });
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 5_000);
      await sleep(500);
      assert.equal(await page.eval(() => document.querySelector(".throughput")), null);
      await click(page, STOP);
      await ended(page);
      assert.match(await page.eval(source), /simulator/);
      await run(page);
    }));

  test("a run is cancelled, and the next one works", () =>
    visit("#/allreduce?size=64MiB&type=i32&op=product", async (page) => {
      await click(page, RUN);
      await page.waitFor(() => !document.querySelector(".params-end .is-primary"), 5_000);
      await click(page, STOP);
      await page.waitFor(idle, 5_000);
      // The browser's word that a worker has ended comes after the end.
      await poll(async () => page.raw.workers().length === 0, 2_000);
      assert.deepEqual(await complaints(page), []);
      await page.eval(() => {
        location.hash = "#/allreduce?n=3";
      });
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 5_000);
      await run(page);
    }));
});
