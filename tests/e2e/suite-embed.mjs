// In other people's pages: reduced, worked by keyboard, quiet until touched, and deaf to everything
// but the protocol.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cards, onPage } from "./journey.mjs";

const SCENARIO = "allreduce?n=4&step=1&lang=en";
const FRAME = `?embed=1#/${SCENARIO}`;
const ELEMENT = `<ring-scope scenario="${SCENARIO}"></ring-scope>`;

/** What of the page can be seen, of all that an embedded one leaves out. */
const visible = () => [".topbar", ".verbs", ".params-end", ".footer", ".log", ".code", ".cost"]
  .filter((selector) => document.querySelector(selector)?.checkVisibility());

/** How many workers the page has started, from when this is first asked. */
function workers() {
  if (!window.begun) {
    window.begun = { count: 0 };
    const Real = window.Worker;
    window.Worker = class extends Real {
      constructor(...given) {
        super(...given);
        window.begun.count += 1;
      }
    };
  }
  return window.begun.count;
}

/** A key that the focused element is told of, where no driver presses it. */
const tellKey = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

/** Opens the stage and steps by keyboard; no worker is there before Play is pressed. */
async function journey(browser, page, frame) {
  // What Firefox's driver presses does not reach a frame of a page that is isolated.
  const isolated = await page.eval(() => self.crossOriginIsolated);
  const press = isolated && browser.name === "firefox"
    ? (key) => frame.eval(tellKey, key)
    : (key) => frame.press(key);
  await frame.waitFor(cards, 20_000);
  assert.equal(await frame.eval(workers), 0);
  assert.deepEqual(await frame.eval(visible), []);
  assert.equal(await frame.eval(() => document.documentElement.scrollWidth > innerWidth), false);
  await frame.click(".sentence");
  await frame.eval(() => document.querySelector(".track").focus());
  await press("ArrowRight");
  await frame.waitFor((was) => Number(document.querySelector(".track").ariaValueNow) === was + 1,
    5_000, 1);
  assert.equal(await frame.eval(workers), 0);
  await press(" ");
  await frame.waitFor(() => /recorded from 4/.test(document.querySelector(".source").textContent),
    30_000);
  assert.ok(await frame.eval(workers) > 0);
  assert.deepEqual(page.messages, []);
}

/** Where an embedded page may be: the address of the page around. */
const FRAMES = [
  ["in another site's frame", ({ host, plain }) => host.page(plain.url + FRAME)],
  ["in another site's frame, from an isolating server",
    ({ host, isolating }) => host.page(isolating.url + FRAME)],
  ["in an isolated site's frame",
    ({ host, isolating }) => host.page(isolating.url + FRAME, { isolated: true })],
  ["in a sandboxed frame",
    ({ host, isolating }) => host.page(isolating.url + FRAME, { sandbox: "allow-scripts" })],
  ["below a path of a plain server", ({ host, below }) => host.page(below.url + FRAME)],
];
const ELEMENTS = [
  ["as an element", ({ host, plain }) => host.embedding(plain.url, ELEMENT)],
  ["as an element of an isolated site",
    ({ host, isolating }) => host.embedding(isolating.url, ELEMENT, { isolated: true })],
  ["as an element, below a path", ({ host, below }) => host.embedding(below.url, ELEMENT)],
  ["as an element under a strict policy", ({ host, plain }) => {
    const { origin } = new URL(plain.url);
    const policy = `default-src 'none'; script-src ${origin}; frame-src ${origin}; img-src data:`;
    return host.embedding(plain.url, ELEMENT, { policy });
  }],
];

/** Beside the frame of `page`, in the page around it: says hello and keeps what is answered. */
function connect(selector) {
  const { port1, port2 } = new MessageChannel();
  window.answers = [];
  port1.onmessage = ({ data }) => window.answers.push(data);
  window.port = port1;
  document.querySelector(selector).contentWindow
    .postMessage({ ringscope: "hello", version: 1 }, "*", [port2]);
}

/** Sends `count` messages that are none of the protocol's, from where they might come. */
function fuzz(selector, count) {
  // Marsaglia's xorshift: the same messages every time.
  let seed = 20;
  const below = (limit) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % limit;
  };
  const pick = (list) => list[below(list.length)];
  const steps = [-1, 1.5, NaN, Infinity, -0.1, 2 ** 53, "1", null, [2], {}, true];
  const types = ["Play", "rest", "eval", "__proto__", "constructor", "hello", "", 0, null];
  const junk = () => pick([
    null, undefined, true, below(1e6), -below(1e6), NaN, "play", "seek 3", "<img src=x onerror=1>",
    [], ["play"], {}, new Date(0), new Map([["type", "play"]]), new ArrayBuffer(below(64)),
    { a: { b: { c: [below(9)] } } }, "x".repeat(below(5000)), BigInt(below(9)), /play/,
  ]);
  const order = () => pick([
    junk, () => ({ type: pick(types), step: below(7), scenario: "reduce" }),
    () => ({ type: "seek", step: pick(steps) }), () => ({ step: below(7) }),
    () => ({ type: "set", scenario: pick([null, 5, ["?n=8"], { n: 8 }, "n".repeat(40_000)]) }),
    () => ({ type: ["play"] }), () => ({ command: "play" }),
  ])();
  const greeting = () => pick([
    junk, order, () => ({ type: pick(["play", "pause"]) }),
    () => ({ type: "set", scenario: "?n=8" }),
    () => ({ ringscope: pick(["Hello", "hallo", true, 1]), version: 1 }),
    () => ({ ringscope: "hello", version: pick([0, 2, "1", null, NaN, 1.5, [1]]) }),
  ])();
  const frame = document.querySelector(selector).contentWindow;
  const other = document.createElement("iframe");
  document.body.append(other);
  const { Function: Foreign } = other.contentWindow;
  const fromOther = new Foreign("to", "message", "ports", "to.postMessage(message, '*', ports)");
  const ports = (most) => Array.from({ length: below(most + 1) }, () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.answers.push({ type: "answered a stranger" });
    return port2;
  });
  const say = {
    order: () => window.port.postMessage(order()),
    greeting: () => frame.postMessage(greeting(), "*", ports(2)),
    // A hello that lacks its port, or has more than one.
    maimed: () => frame.postMessage({ ringscope: "hello", version: 1 }, "*",
      pick([[], [...ports(0), new MessageChannel().port1, new MessageChannel().port1]])),
    // A right one, of a window beside it.
    stranger: () => fromOther(frame, pick([{ ringscope: "hello", version: 1 }, greeting()]),
      ports(1)),
  };
  for (let i = 0; i < count; i += 1) pick(Object.values(say))();
}

/** What can be known of a page. */
const all = () => [location.href, document.documentElement.outerHTML];

/** Counts what is written to the console below warnings. */
function countNotes() {
  window.notes = [];
  console.debug = (text) => window.notes.push(text);
}

/** The element's events, as far as they have come. */
const heard = (type) => window.heard?.filter((event) => event.type === type).map((e) => e.detail);

/** Keeps the events of the element. */
function listen() {
  window.heard = [];
  for (const type of ["ready", "step", "end", "error"]) {
    document.querySelector("ring-scope").addEventListener(type, (event) => {
      window.heard.push({ type, detail: event.detail });
    });
  }
}

const theme = () => document.documentElement.dataset.theme;

/** Embedding in every setting, in `place.browser`. */
export function embeds(place) {
  for (const [selector, settings] of [["iframe", FRAMES], ["ring-scope", ELEMENTS]]) {
    for (const [where, address] of settings) {
      test(where, () =>
        onPage(place.browser, async (page) => {
          await page.goto(address(place));
          await journey(place.browser, page, page.frame(selector));
        }));
    }
  }

  test("isolated where Document-Isolation-Policy allows it", () =>
    onPage(place.browser, async (page) => {
      await page.goto(place.host.page(place.isolating.url + FRAME));
      const frame = page.frame("iframe");
      await frame.waitFor(cards, 20_000);
      assert.equal(await page.eval(() => self.crossOriginIsolated), false);
      // Only Chromium has it.
      assert.equal(await frame.eval(() => self.crossOriginIsolated),
        place.browser.name === "chromium");
    }));

  test("an isolated site shows a frame without headers, where that may lack credentials", () =>
    onPage(place.browser, async (page) => {
      const element = ELEMENT.replace(" ", ` src="${place.plain.url}" `);
      const address = place.host.embedding(place.isolating.url, element, { isolated: true });
      await page.goto(address);
      if (!await page.eval(() => "credentialless" in HTMLIFrameElement.prototype)) return;
      await journey(place.browser, page, page.frame("ring-scope"));
    }));

  test("10,000 hostile and malformed messages change nothing", () =>
    onPage(place.browser, async (page) => {
      await page.goto(place.host.page(place.plain.url + FRAME));
      const frame = page.frame("iframe");
      await frame.waitFor(cards, 20_000);
      await frame.eval(countNotes);
      await page.eval(connect, "iframe");
      await page.waitFor(() => window.answers.length > 1, 5_000);
      const answers = await page.eval(() => window.answers);
      assert.deepEqual(answers[0], { type: "ready", version: 1, step: 1, steps: 6 });
      const before = await frame.eval(all);
      await page.eval(fuzz, "iframe", 10_000);
      // What was sent before has been looked at when this has been answered.
      await frame.waitFor(() => window.notes.length >= 7, 10_000);
      await page.eval(() => window.port.postMessage({ type: "pause" }));
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(await frame.eval(all), before);
      assert.deepEqual(await page.eval(() => window.answers), answers);
      const notes = await frame.eval(() => window.notes);
      assert.equal(new Set(notes).size, notes.length, "every kind is noted once");
      // And it still hears what is right.
      await page.eval(() => window.port.postMessage({ type: "seek", step: 4 }));
      await frame.waitFor(() => document.documentElement.dataset.told.startsWith("4 6"), 5_000);
      assert.deepEqual(page.messages, []);
    }));

  test("the element's methods and events", () =>
    onPage(place.browser, async (page) => {
      await page.goto(place.host.embedding(place.plain.url, ELEMENT));
      await page.eval(listen);
      const frame = page.frame("ring-scope");
      await page.waitFor(heard, 20_000, "ready");
      await frame.waitFor(cards, 20_000);
      await page.eval(() => document.querySelector("ring-scope").seek(5));
      await page.waitFor(() => window.heard.some((e) => e.detail.step === 5), 5_000);
      await page.eval(() => document.querySelector("ring-scope").play());
      await page.waitFor(() => window.heard.some((e) => e.type === "end"), 10_000);
      assert.equal(await frame.eval(workers), 0, "play of the page around starts none");
      await page.eval(() => document.querySelector("ring-scope").set({ n: 5, root: 9 }));
      await frame.waitFor(() => document.querySelectorAll(".stage .card").length === 5, 5_000);
      await page.eval(() => document.querySelector("ring-scope").set("reduce?n=3&root=7"));
      await page.waitFor(() => window.heard.some((e) => /Root: “7”/.test(e.detail.text)), 5_000);
      await page.eval(() => {
        document.querySelector("ring-scope").setAttribute("scenario", "gather");
      });
      await frame.waitFor(() => location.hash.startsWith("#/gather"), 5_000);
      assert.deepEqual(page.messages, []);
    }));

  test("the element follows the page's language, theme and width", () =>
    onPage(place.browser, async (page) => {
      const body = `<main>${ELEMENT.replace("&lang=en", "")}</main>`;
      await page.goto(place.host.embedding(place.plain.url, body));
      const frame = page.frame("ring-scope");
      await frame.waitFor(cards, 20_000);
      assert.equal(await frame.eval(theme), "light");
      await page.eval(() => {
        document.documentElement.lang = "zh-Hans";
        document.body.style.cssText = "background: #111; color: oklch(0.9 0 0)";
      });
      await frame.waitFor(() => document.documentElement.lang === "zh-CN", 5_000);
      await frame.waitFor(() => document.documentElement.dataset.theme === "dark", 5_000);
      // Where the element says so itself, the page has nothing to say.
      await page.eval(() => {
        const element = document.querySelector("ring-scope");
        element.lang = "en";
        element.setAttribute("theme", "light");
      });
      await frame.waitFor(() => document.documentElement.lang === "en", 5_000);
      await frame.waitFor(() => document.documentElement.dataset.theme === "light", 5_000);
      // Nothing is cut off, and nothing is left over.
      for (const width of [700, 400]) {
        await page.eval((width) => {
          document.querySelector("main").style.width = `${width}px`;
        }, width);
        await frame.waitFor((width) => innerWidth === width &&
          Math.abs(innerHeight - document.querySelector("#app").offsetHeight) <= 1, 5_000, width);
      }
      assert.deepEqual(page.messages, []);
    }));

  test("each frame speaks its own version, whoever came first", () =>
    onPage(place.browser, async (page) => {
      const { plain, isolating, host } = place;
      const other = `src="${isolating.url}" scenario="reduce"`;
      const second = `<ring-scope id="second" ${other}></ring-scope>`;
      const again = `<script src="${isolating.url}embed.js"></script>`;
      await page.goto(host.embedding(plain.url, ELEMENT + again + second));
      const frames = ["ring-scope", "#second"].map((selector) => page.frame(selector));
      for (const frame of frames) await frame.waitFor(cards, 20_000);
      assert.match(await frames[1].eval(() => location.href), new RegExp(`^${isolating.url}`));
      // Of a version to come, said first, there is no answer; the element's own one goes on.
      await page.eval(() => {
        const frame = document.querySelector("ring-scope").shadowRoot.querySelector("iframe");
        frame.contentWindow.postMessage({ ringscope: "hello", version: 2 }, "*",
          [new MessageChannel().port2]);
        document.querySelector("ring-scope").seek(4);
        document.querySelector("#second").seek(2);
      });
      await frames[0].waitFor(() => document.documentElement.dataset.told.startsWith("4 6"), 5_000);
      await frames[1].waitFor(() => document.documentElement.dataset.told.startsWith("2 3"), 5_000);
      assert.deepEqual(page.messages, []);
    }));

  test("workers end when the frame is scrolled away", () =>
    onPage(place.browser, async (page) => {
      await page.goto(place.host.page(place.plain.url + FRAME));
      const frame = page.frame("iframe");
      await frame.waitFor(cards, 20_000);
      await frame.eval(() => {
        window.alive = new Set();
        const Real = window.Worker;
        window.Worker = class extends Real {
          constructor(...given) {
            super(...given);
            window.alive.add(this);
          }
          terminate() {
            window.alive.delete(this);
            super.terminate();
          }
        };
        document.querySelector(".transport-play").click();
      });
      await frame.waitFor(() => window.alive.size === 4, 20_000);
      await page.eval(() => {
        const below = document.body.appendChild(document.createElement("div"));
        below.style.height = "9000px";
        scrollTo(0, 5000);
      });
      await frame.waitFor(() => window.alive.size === 0, 5_000);
      // Back again, the picture is the same, and Play starts anew.
      await page.eval(() => scrollTo(0, 0));
      assert.equal(await frame.eval(cards), 4);
      assert.deepEqual(page.messages, []);
    }));
}
