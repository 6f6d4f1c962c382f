// A reader's way through the player, in Chromium: look, play, step, choose.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  cards, content, open, run, source, spoken, step, steps, verified, visiting,
} from "./journey.mjs";

const fragment = () => decodeURIComponent(location.hash);

const place = visiting();
const { visit } = place;

/** For tests that leave something behind. */
const OWN = { own: true };

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

  test("what needs a switch that adds is played from the model, and cannot be run", () =>
    visit("#/allreduce?algo=nvls&clock=measured&lang=en", async (page) => {
      assert.equal(await page.eval(cards), 5);
      assert.match(await page.eval(source), /^modelled: no browser has the switch/);
      const words = await page.eval(spoken);
      assert.match(words[4], /^switch/);
      assert.equal(await page.eval(steps), 4);
      const reasons = () => [
        document.querySelector(".params-end .button").title,
        document.querySelector(".params-end .button").ariaDisabled,
        document.querySelector("option[value=measured]").disabled,
        document.querySelector(".notice").textContent,
      ];
      const [why, off, clock, notice] = await page.eval(reasons);
      assert.deepEqual([off, clock], ["true", true]);
      assert.match(why, /no worker runs it/);
      assert.match(notice, /cannot be run/);
      // Neither play nor run starts a worker, and playing shows the model's result.
      await page.eval(() => document.querySelector(".params-end .button").click());
      await page.click(".transport-play");
      const ended = () => document.querySelector(".transport-play").ariaLabel === "Play" &&
        document.querySelector(".track").ariaValueNow === "4";
      await page.waitFor(ended, 10_000);
      assert.equal(page.raw.workers().length, 0);
      const [rank] = await page.eval(spoken);
      assert.match(rank, /c0 = 16, 4 of 4; c1 = 16, 4 of 4/);
    }));

  test("the names of its lanes, the switch among them, are whole on a phone", () =>
    visit("#/allreduce?algo=nvls&rank=4&lang=en", async (page) => {
      const names = () => [...document.querySelectorAll(".lane-name")]
        .map((name) => [name.textContent.trim(), name.getBBox().x >= 0]);
      const whole = ["0", "1", "2", "3", "switch"].map((name) => [name, true]);
      assert.deepEqual(await page.eval(names), whole);
    }, { size: { width: 390, height: 844 } }));

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

  test("a page beside the player follows the language, and makes room for the player again", () =>
    visit("#/reference?lang=en", async (page) => {
      const title = (text) => page.waitFor((text) =>
        document.querySelector("#content h1")?.textContent === text, 5_000, text);
      await title("Reference");
      await page.click(".topbar .text-button");
      await title("速查");
      await page.click(".brand");
      await page.waitFor(cards, 5_000);
      await page.click('.nav a[href="#/reference"]');
      await title("速查");
    }, { ...OWN, shown: content }));

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

describe("player: choosing", () => {
  test("a range is repeated", () =>
    visit("#/allreduce?speed=4", async (page) => {
      await page.click(".transport-loop");
      await page.raw.fill(".loop-form input >> nth=0", "0");
      await page.click(".loop-form .button");
      const fault = () => document.querySelector("#loop-fault").textContent;
      assert.match(await page.waitFor(fault, 2_000), /no step 0/);
      await page.raw.fill(".loop-form input >> nth=0", "2");
      await page.raw.fill(".loop-form input >> nth=1", "3");
      await page.click(".loop-form .button");
      await page.waitFor(() => location.hash.includes("loop=2-3"), 2_000);
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
      await page.waitFor(() => /运行/.test(document.querySelector(".params-end").textContent));
      assert.equal(await page.eval(lang), "zh-CN");
      await page.raw.reload();
      await page.waitFor(cards, 20_000);
      assert.match(await page.eval(source), /模拟器/);
      await open(page, place.server.url, "#/allreduce?lang=en");
      await page.waitFor(() => document.documentElement.lang === "en");
      await page.click(".topbar-end .text-button[lang]");
      await page.waitFor(() => document.documentElement.lang === "zh-CN");
      await page.raw.reload();
      await page.waitFor(cards, 20_000);
      assert.equal(await page.eval(lang), "zh-CN");
    }, OWN));

  test("so it is on the reference page, whose address names it as well", () =>
    visit("#/reference?lang=en&theme=light", async (page) => {
      await page.click(".topbar-end .text-button[lang]");
      await page.waitFor(() => location.hash === "#/reference?lang=zh&theme=light", 2_000);
      await page.click(".topbar-end .text-button:not([lang])");
      await page.waitFor(() => location.hash === "#/reference?lang=zh&theme=dark", 2_000);
      await page.raw.reload();
      await page.waitFor(() => document.querySelector("#alltoall"), 20_000);
      const chosen = () => [document.documentElement.lang, document.documentElement.dataset.theme];
      assert.deepEqual(await page.eval(chosen), ["zh-CN", "dark"]);
    }, { ...OWN, shown: content }));

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
    }, OWN));
});
