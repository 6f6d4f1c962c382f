// A reader's way through the player, in Chromium: look, play, step, choose, run, measure, stop.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { launch } from "./harness.mjs";
import { serve } from "./servers.mjs";
import {
  cards, click, complaints, ended, idle, open, onPage, REPEAT, run, RUN, source, spoken, step,
  steps, STOP, verified,
} from "./journey.mjs";

const fragment = () => decodeURIComponent(location.hash);
/** The counter of repetitions. */
const repetitions = () => Number(document.querySelector(".throughput td.number")?.textContent);

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch("chromium");
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a scenario in a page of its own, and expects that the page never complained. */
const visit = (at, check, size) =>
  onPage(browser, async (page) => {
    await open(page, server.url, at);
    await check(page);
    assert.deepEqual(page.messages, []);
  }, size);

describe("player: looking", () => {
  test("the first visit shows a paused ring before any worker starts", () =>
    visit("", async (page) => {
      assert.equal(await page.eval(cards), 4);
      assert.equal(await page.eval(step), 0);
      assert.equal(await page.eval(steps), 6);
      assert.match(await page.eval(source), /simulator/);
      assert.equal(page.raw.workers().length, 0);
      const chosen = () => [
        document.querySelector(".verb[aria-pressed=true]").textContent,
        document.querySelector(".params select").value,
        document.querySelector(".params input").value,
        document.querySelector(".transport-play").getAttribute("aria-label"),
      ];
      assert.deepEqual(await page.eval(chosen), ["AllReduce", "ring", "4", "Play"]);
      assert.equal(await page.eval(fragment), "#/allreduce");
    }));

  test("play starts four workers, and what they did is shown and verified", () =>
    visit("", async (page) => {
      await page.click(".transport-play");
      await page.waitFor(verified, 20_000);
      assert.equal(page.raw.workers().length, 4);
      assert.match(await page.eval(source), /recorded from 4 Web Workers/);
      const paused = () => document.querySelector(".transport-play").ariaLabel === "Play";
      await page.waitFor(paused, 10_000);
      assert.equal(await page.eval(step), 6);
    }));

  test("keys step through the run", () =>
    visit("", async (page) => {
      await page.raw.focus(".track");
      const expected = [
        ["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["Shift+ArrowRight", 3],
        ["Shift+ArrowRight", 6], ["ArrowRight", 6], ["Shift+ArrowLeft", 3], ["Home", 0],
        ["ArrowLeft", 0], ["End", 6],
      ];
      for (const [key, there] of expected) {
        await page.press(key);
        await page.waitFor((at) => Number(document.querySelector(".track").ariaValueNow) === at,
          2_000, there);
      }
      const head = () => document.querySelector(".playhead").getAttribute("x1");
      const end = await page.eval(head);
      await page.press(",");
      await page.waitFor((x) => document.querySelector(".playhead").getAttribute("x1") !== x,
        2_000, end);
      await page.press(".");
      await page.waitFor((x) => document.querySelector(".playhead").getAttribute("x1") === x,
        2_000, end);
    }));

  test("buttons step through the run", () =>
    visit("#/allreduce?step=3", async (page) => {
      for (const [name, there] of [
        ["One step forward", 4], ["One step back", 3], ["To the start", 0],
      ]) {
        await page.click(`.transport [aria-label="${name}"]`);
        await page.waitFor((at) => Number(document.querySelector(".track").ariaValueNow) === at,
          2_000, there);
      }
    }));

  test("the scrubber is dragged, also beyond its ends", () =>
    visit("", async (page) => {
      const box = await page.raw.locator(".track > .track-ground").boundingBox();
      const mouse = page.raw.mouse;
      await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await mouse.down();
      await page.waitFor(() => document.querySelector(".track").ariaValueNow !== "0", 2_000);
      const middle = await page.eval(step);
      assert.ok(middle > 1 && middle < 6, `in the middle: step ${middle}`);
      await mouse.move(box.x + box.width + 300, box.y, { steps: 4 });
      await page.waitFor(() => document.querySelector(".track").ariaValueNow === "6", 2_000);
      await mouse.move(0, box.y, { steps: 4 });
      await page.waitFor(() => document.querySelector(".track").ariaValueNow === "0", 2_000);
      await mouse.up();
      await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      assert.equal(await page.eval(step), 0, "after letting go the pointer is free again");
    }));

  test("the address holds the step, and a reload brings it back", () =>
    visit("#/reducescatter?n=5", async (page) => {
      await page.raw.focus(".track");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      await page.waitFor(() => location.hash.includes("step=2"), 2_000);
      const before = await page.eval(spoken);
      await page.raw.reload();
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(step), 2);
      assert.deepEqual(await page.eval(spoken), before);
      assert.equal(await page.eval(fragment), "#/reducescatter?n=5&step=2");
    }));

  test("a link opens another scenario in the same page", () =>
    visit("", async (page) => {
      await page.eval(() => {
        location.hash = "#/broadcast?algo=tree&n=8&step=1";
      });
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 8, 5_000);
      assert.equal(await page.eval(step), 1);
      await page.click('.nav a[href="#/reference"]');
      await page.waitFor(() => document.querySelector("#alltoall"), 5_000);
      await page.click("#alltoall .ref-verb");
      await page.waitFor(() => document.querySelector(".verb[aria-pressed=true]")?.textContent ===
        "AllToAll", 5_000);
      await page.raw.goBack();
      await page.waitFor(() => document.querySelector("#alltoall"), 5_000);
    }));

  test("the list of keys opens by its key, and gives the focus back", () =>
    visit("", async (page) => {
      await page.raw.focus(".track");
      await page.press("?");
      await page.waitFor(() => document.querySelector("dialog").open, 2_000);
      await page.press("Escape");
      await page.waitFor(() => !document.querySelector("dialog").open, 2_000);
      assert.ok(await page.eval(() => document.activeElement.matches(".track")));
      await page.click(".transport-help");
      await page.waitFor(() => document.querySelector("dialog").open, 2_000);
    }));
});

describe("player: running", () => {
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

  test("repeating counts at least four times a second until stopped", () =>
    visit("#/allreduce?size=64KiB", async (page) => {
      await click(page, REPEAT);
      await page.waitFor(repetitions, 20_000);
      const seen = await page.eval(async () => {
        const values = new Set();
        const end = performance.now() + 2_000;
        while (performance.now() < end) {
          values.add(document.querySelector(".throughput td.number").textContent);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return values.size;
      });
      assert.ok(seen >= 9, `${seen} readings in 2 s`);
      await click(page, STOP);
      await page.waitFor(verified, 10_000);
      const stopped = await page.eval(repetitions);
      await sleep(400);
      assert.equal(await page.eval(repetitions), stopped);
      const rates = await page.eval(() =>
        [...document.querySelectorAll(".throughput td.number")].map((cell) => cell.textContent));
      assert.ok(rates.every((text) => text !== "–"), `rates: ${rates}`);
    }));

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
      assert.equal(page.raw.workers().length, 0);
      assert.deepEqual(await complaints(page), []);
      await page.eval(() => {
        location.hash = "#/allreduce?n=3";
      });
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 5_000);
      await run(page);
    }));
});

describe("player: choosing", () => {
  test("a range is repeated", () =>
    visit("#/allreduce?speed=4", async (page) => {
      await page.click(".transport-loop");
      await page.raw.fill(".loop-form input >> nth=0", "0");
      await page.click(".loop-form .button");
      await page.waitFor(() => /no step 0/.test(document.querySelector("#loop-fault").textContent));
      await page.raw.fill(".loop-form input >> nth=0", "2");
      await page.raw.fill(".loop-form input >> nth=1", "3");
      await page.click(".loop-form .button");
      await page.waitFor(() => location.hash.includes("loop=1-3"), 2_000);
      await page.click(".transport-play");
      await page.waitFor(() => document.querySelector(".verdict"), 20_000);
      const turns = await page.eval(async () => {
        let turns = 0;
        let last = Infinity;
        const seen = [];
        const end = performance.now() + 2_000;
        while (performance.now() < end) {
          const now = Number(document.querySelector(".track").ariaValueNow);
          turns += now < last && last !== Infinity ? 1 : 0;
          seen.push((last = now));
          await new Promise(requestAnimationFrame);
        }
        return { turns, most: Math.max(...seen) };
      });
      assert.ok(turns.turns >= 2, `${turns.turns} turns`);
      assert.ok(turns.most <= 3, `step ${turns.most}`);
    }));

  test("speed is chosen, kept in the address, and counts", () =>
    visit("", async (page) => {
      await page.raw.selectOption(".transport-speed select", "10");
      await page.waitFor(() => location.hash.includes("speed=10"), 2_000);
      await run(page);
      await page.click(".transport-play");
      // Six steps last 3.7 s at normal speed.
      await page.waitFor(() => document.querySelector(".track").ariaValueNow === "6", 1_500);
    }));

  test("language is switched, remembered, and stronger than an address that names one", () =>
    visit("", async (page) => {
      const lang = () => document.documentElement.lang;
      await page.click(".topbar-end .text-button[lang]");
      await page.waitFor(() => document.querySelector(".params-end").textContent.includes("运行"));
      assert.equal(await page.eval(lang), "zh-CN");
      await page.raw.reload();
      await page.waitFor(cards, 20_000);
      assert.match(await page.eval(source), /模拟器/);
      await open(page, server.url, "#/allreduce?lang=en");
      await page.waitFor(() => document.documentElement.lang === "en");
      await page.click(".topbar-end .text-button[lang]");
      await page.waitFor(() => document.documentElement.lang === "zh-CN");
      await page.raw.reload();
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(lang), "zh-CN");
    }));

  test("a theme is switched and remembered", () =>
    visit("", async (page) => {
      const ground = () => getComputedStyle(document.body).backgroundColor;
      const light = await page.eval(ground);
      await page.click(".topbar-end .text-button:not([lang])");
      await page.waitFor(() => document.documentElement.dataset.theme === "dark");
      assert.notEqual(await page.eval(ground), light);
      await page.raw.reload();
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(() => document.documentElement.dataset.theme), "dark");
    }));
});
