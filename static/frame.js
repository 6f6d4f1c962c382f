// What an embedded page says to the page around it, and what it lets itself be told: docs/embed.md.
//
// The rules come first, in pure functions that the tests read too; then the wires. Whatever is not
// of this protocol is ignored, and noted on the console once per kind.

/** The version of the protocol that this file speaks. */
export const VERSION = 1;

/** Most characters of a scenario, which is what the app reads of a link. */
const LONGEST = 32 * 1024;

/** After so many milliseconds a browser that has ignored a new address is asked again. */
const RETRY_MS = 300;

/** Fields of a link that change what is seen of a run; all others make it another run. */
const SEEN = ["step", "loop", "speed", "rank", "clock", "links", "lang", "theme"];

const isRecord = (data) => typeof data === "object" && data !== null;

/**
 * The first message, of the window: `{ port, fit }` if it is the hello of the page around, else
 * `{ ignored: kind }`. `fit` says that the page around makes the frame as high as its content.
 */
export function readHello({ data, source, ports }, around) {
  if (!isRecord(data) || data.ringscope !== "hello") return { ignored: "no hello" };
  if (source !== around) return { ignored: "a hello of another window" };
  if (data.version !== VERSION) return { ignored: "a hello of another version" };
  if (ports.length !== 1) return { ignored: "a hello without its port" };
  return { port: ports[0], fit: data.fit === true };
}

/** A message of the port: `{ command }` for the app, `{ scenario }` to open, or `{ ignored }`. */
export function readCommand(data) {
  const type = isRecord(data) ? data.type : undefined;
  if (type === "play" || type === "pause") return { command: type };
  if (type === "seek") {
    const { step } = data;
    return Number.isInteger(step) && step >= 0 && step <= 0xffffffff
      ? { command: `seek ${step}` }
      : { ignored: "a seek to no step" };
  }
  if (type === "set") {
    const { scenario } = data;
    return typeof scenario === "string" && scenario.length <= LONGEST
      ? { scenario }
      : { ignored: "a scenario that is none" };
  }
  return { ignored: "no command" };
}

/**
 * The fragment of `scenario` where `shown` is the one that is seen: `reduce?n=4` is a scenario of
 * its own, `?n=4` changes fields of the one that is shown. Another run starts at its beginning.
 */
export function fragmentOf(scenario, shown) {
  if (!scenario.startsWith("?")) return "/" + scenario.replace(/^[#/]+/, "");
  const [path, query] = shown.split("?");
  const fields = new URLSearchParams(query);
  const given = new URLSearchParams(scenario);
  if ([...given.keys()].some((name) => !SEEN.includes(name))) {
    fields.delete("step");
    fields.delete("loop");
  }
  for (const [name, value] of given) fields.set(name, value);
  return `${path}?${fields}`;
}

/** What the app tells by an attribute of the root: `{ step, steps, playing, fragment }`. */
export function readTold(text) {
  const [step, steps, playing, ...fragment] = text.split(" ");
  return {
    step: Number(step),
    steps: Number(steps),
    playing: playing === "true",
    fragment: fragment.join(" "),
  };
}

/** The events that become of `now`, seen after `before` (which is nothing at first). */
export function eventsOf(now, before) {
  const { step, steps, playing } = now;
  if (!before) return [];
  const events = [];
  if (step !== before.step || steps !== before.steps || playing !== before.playing) {
    events.push({ type: "step", step, steps, playing });
  }
  const atEnd = ({ step, steps }) => steps > 0 && step === steps;
  if (atEnd(now) && !atEnd(before)) events.push({ type: "end", steps });
  return events;
}

/** Wires the rules to this page. */
function live() {
  const root = document.documentElement;
  const noted = new Set();
  let port, told, asked, retry, height, error;

  function ignore(kind) {
    if (noted.has(kind)) return;
    noted.add(kind);
    console.debug(`Ringscope ignores a message: ${kind}.`);
  }

  const order = (detail) => dispatchEvent(new CustomEvent("ringscope", { detail }));
  const say = (message) => port?.postMessage(message);

  // What fields are changed of: what was asked for last, as long as the app has not told more; else
  // what it has told, unless that was of another page, which is left already.
  function shown() {
    const address = location.hash.slice(1);
    const path = (fragment) => fragment.split("?")[0];
    return asked ?? (path(told.fragment) === path(address) ? told.fragment : address);
  }

  // The app hears of a link that is not followed by hand as it hears of any other. A browser that
  // is asked too often ignores it for a while, or throws; then it is asked again.
  function open(scenario) {
    asked = fragmentOf(scenario, shown());
    follow();
  }

  function follow() {
    clearTimeout(retry);
    retry = undefined;
    const { hash } = new URL("#" + asked, location.href);
    try {
      history.replaceState(null, "", hash);
    } catch {
      // As if it were ignored.
    }
    if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
    else retry = setTimeout(follow, RETRY_MS);
  }

  function hear({ data }) {
    const { command, scenario, ignored } = readCommand(data);
    if (ignored) ignore(ignored);
    else if (command) order(command);
    else open(scenario);
  }

  // A port holds back what it is sent until it has a listener: so nothing is lost on an app that
  // has not started yet.
  function answer() {
    if (!port || !told || port.onmessage) return;
    const { step, steps } = told;
    say({ type: "ready", version: VERSION, step, steps });
    port.onmessage = hear;
    tellHeight();
  }

  function tell() {
    const before = told;
    told = readTold(root.dataset.told);
    if (retry === undefined) asked = undefined;
    if (port?.onmessage) eventsOf(told, before).forEach(say);
    answer();
  }

  function tellHeight() {
    const now = Math.ceil(document.querySelector("#app").getBoundingClientRect().height);
    if (now === height || !port?.onmessage) return;
    height = now;
    say({ type: "size", height });
  }

  // Whatever the reader is told to be wrong, the page around is told too.
  function tellError() {
    const alerts = [...document.querySelectorAll("[role=alert] p, p[role=alert]")];
    const now = alerts.map((alert) => alert.textContent).join("\n");
    if (now === (error ?? "") || !port) return;
    error = now;
    if (error) say({ type: "error", text: error });
  }

  addEventListener("message", (event) => {
    const hello = readHello(event, parent);
    if (hello.ignored) return ignore(hello.ignored);
    port?.close();
    port = hello.port;
    height = error = undefined;
    root.toggleAttribute("data-fit", hello.fit);
    answer();
    tellError();
  });

  new MutationObserver(tell).observe(root, { attributeFilter: ["data-told"] });
  if (root.dataset.told) tell();

  // Nobody sees it: no worker needs to live. (The app starts them again when one is wanted.)
  const unseen = () => order("rest");
  document.addEventListener("visibilitychange", () => document.hidden && unseen());
  new IntersectionObserver(([entry]) => entry.isIntersecting || unseen()).observe(root);

  function watch() {
    new ResizeObserver(tellHeight).observe(document.querySelector("#app"));
    new MutationObserver(tellError)
      .observe(document.body, { subtree: true, childList: true, characterData: true });
  }
  if (document.readyState !== "loading") watch();
  else addEventListener("DOMContentLoaded", watch);
}

// The tests read the rules where there is no page.
if (globalThis.document) live();
