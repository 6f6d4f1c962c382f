// The rules by which an embedded page listens, without a browser: static/frame.js.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const source = await readFile(new URL("../../static/frame.js", import.meta.url), "utf8");
const rules = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const { VERSION, eventsOf, fragmentOf, readCommand, readHello, readTold } = rules;

const around = {};
const port = {};
const hello = (changes = {}, data = {}) => ({
  data: { ringscope: "hello", version: VERSION, ...data },
  source: around,
  ports: [port],
  ...changes,
});

test("a hello of the page around brings its port", () => {
  assert.deepEqual(readHello(hello(), around), { port, fit: false });
  assert.deepEqual(readHello(hello({}, { fit: true }), around), { port, fit: true });
});

test("any other is ignored, and by its kind", () => {
  for (const [event, kind] of [
    [hello({ data: null }), /no hello/],
    [hello({ data: "hello" }), /no hello/],
    [hello({ data: ["hello"] }), /no hello/],
    [hello({}, { ringscope: "hallo" }), /no hello/],
    [hello({ source: {} }), /another window/],
    [hello({ source: null }), /another window/],
    [hello({}, { version: VERSION + 1 }), /another version/],
    [hello({}, { version: String(VERSION) }), /another version/],
    [hello({ ports: [] }), /without its port/],
    [hello({ ports: [port, port] }), /without its port/],
  ]) {
    assert.match(readHello(event, around).ignored, kind);
  }
});

test("commands are play, pause, seek and set", () => {
  assert.deepEqual(readCommand({ type: "play" }), { command: "play" });
  assert.deepEqual(readCommand({ type: "pause" }), { command: "pause" });
  assert.deepEqual(readCommand({ type: "seek", step: 0 }), { command: "seek 0" });
  assert.deepEqual(readCommand({ type: "set", scenario: "?n=8" }), { scenario: "?n=8" });
  for (const step of [-1, 1.5, NaN, Infinity, 2 ** 32, "1", null, undefined, [1]]) {
    assert.match(readCommand({ type: "seek", step }).ignored, /no step/);
  }
  for (const scenario of [undefined, 1, ["?n=8"], {}, "x".repeat(32 * 1024 + 1)]) {
    assert.match(readCommand({ type: "set", scenario }).ignored, /none/);
  }
  // What frame.js itself tells the app is no command of the page around.
  for (const data of [{ type: "rest" }, { type: "Play" }, { type: ["play"] }, {}, null, "play"]) {
    assert.match(readCommand(data).ignored, /no command/);
  }
});

test("a scenario replaces the one shown, fields change it", () => {
  const shown = "/allreduce?algo=tree&step=3&lang=en";
  const fields = (fragment) => [...new URLSearchParams(fragment.split("?")[1])].sort();
  assert.equal(fragmentOf("reduce?n=8", shown), "/reduce?n=8");
  assert.equal(fragmentOf("#/reduce?n=8", shown), "/reduce?n=8");
  assert.match(fragmentOf("?lang=zh", shown), /^\/allreduce\?/);
  assert.deepEqual(fields(fragmentOf("?lang=zh", shown)),
    [["algo", "tree"], ["lang", "zh"], ["step", "3"]]);
  // Another run starts at its beginning, unless told where.
  assert.deepEqual(fields(fragmentOf("?n=8", shown)),
    [["algo", "tree"], ["lang", "en"], ["n", "8"]]);
  assert.deepEqual(fields(fragmentOf("?n=8&step=1", shown)),
    [["algo", "tree"], ["lang", "en"], ["n", "8"], ["step", "1"]]);
  assert.deepEqual(fields(fragmentOf("?n=8", "/allreduce")), [["n", "8"]]);
});

test("what the app tells becomes events", () => {
  const told = (text) => readTold(`${text} /allreduce?data=1 2`);
  assert.deepEqual(told("2 6 true"),
    { step: 2, steps: 6, playing: true, fragment: "/allreduce?data=1 2" });
  const types = (now, before) =>
    eventsOf(told(now), before && told(before)).map(({ type }) => type);
  assert.deepEqual(types("0 6 false"), []);
  assert.deepEqual(types("2 6 true", "2 6 true"), []);
  assert.deepEqual(types("3 6 true", "2 6 true"), ["step"]);
  assert.deepEqual(types("6 6 false", "5 6 true"), ["step", "end"]);
  assert.deepEqual(types("6 6 true", "6 6 false"), ["step"]);
  assert.deepEqual(types("0 0 false", "3 6 false"), ["step"]);
});
