// WebKit, as WebKitGTK's MiniBrowser under a virtual screen, over plain W3C WebDriver. Its driver
// keeps one session, and now and then hangs when it shall begin another: so there is one window, in
// which one page is open at a time, and pages share their storage.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { evaluators, findProgram, iframe, poll } from "./harness.mjs";

/** Longer than the driver itself waits for scripts and pages: then the browser hangs for good. */
const ANSWER_MS = 90_000;
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Keys that WebDriver writes as private code points. */
const KEYS = {
  Shift: "\uE008", Control: "\uE009", Alt: "\uE00A", Meta: "\uE03D",
  Backspace: "\uE003", Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", Space: " ",
  PageUp: "\uE00E", PageDown: "\uE00F", End: "\uE010", Home: "\uE011",
  ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015",
  Delete: "\uE017",
};

export async function start() {
  const home = await mkdtemp(join(tmpdir(), "ringscope-webkit-"));
  const screen = await startScreen();
  const port = await freePort();
  const env = {
    ...process.env,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: `:${screen.number}`,
    GDK_BACKEND: "x11",
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
  };
  const args = [`--port=${port}`];
  const options = { env, stdio: "ignore", detached: true };
  const driver = spawn(findProgram("WebKitWebDriver"), args, options);
  let lost;
  const call = async (method, path, body) => {
    if (lost) throw lost;
    try {
      return await request(`http://127.0.0.1:${port}${path}`, method, body);
    } catch (error) {
      // Whoever asks next is told so at once.
      if (error.name === "TimeoutError") lost = new Error(`WebKit hangs since ${method} ${path}`);
      throw error;
    }
  };
  await poll(async () => (await call("GET", "/status")).ready);
  const browserOptions = { binary: miniBrowser(), args: ["--automation"] };
  const { sessionId } = await call("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } },
  });
  const inSession = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  await inSession("POST", "/timeouts", { script: 60_000, pageLoad: 60_000 });
  return {
    name: "webkit",
    page: ({ width = 1280, height = 800 } = {}) => openPage(inSession, { width, height }),
    close: async () => {
      await inSession("DELETE", "").catch(() => {});
      // Also the browser, which is in the driver's group.
      process.kill(-driver.pid, "SIGKILL");
      screen.process.kill();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openPage(call, size) {
  const post = (path, body = {}) => call("POST", path, body);
  const find = (using) => post("/element", { using: "css selector", value: using });
  const goto = (url) => post("/url", { url });

  const run = async (expression) => {
    const script = `const done = arguments[0];
      (async () => ${expression})()
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await post("/execute/async", { script, args: [] });
    if (error) throw new Error(error);
    return value ?? undefined;
  };
  const press = (keys) => post("/actions", { actions: [keyActions(keys.split("+"))] });
  const click = async (selector) => post(`/element/${(await find(selector))[ELEMENT]}/click`);
  const inFrame = (selector, does) => async (...given) => {
    const script = `return (${iframe})(arguments[0])`;
    await post("/frame", { id: await post("/execute/sync", { script, args: [selector] }) });
    try {
      return await does(...given);
    } finally {
      await post("/frame", { id: null });
    }
  };
  const here = evaluators(run);
  await goto("about:blank");
  await fitViewport(call, here, size);
  return {
    messages: [],
    ...here,
    goto,
    press,
    type: (text) => post("/actions", { actions: [typeActions(text)] }),
    click,
    screenshot: async (path) =>
      writeFile(path, Buffer.from(await call("GET", "/screenshot"), "base64")),
    frame: (selector) => ({
      ...evaluators(inFrame(selector, run)),
      press: inFrame(selector, press),
      click: inFrame(selector, click),
    }),
    close: () => goto("about:blank"),
  };
}

/**
 * WebDriver sizes the window; what was asked for is the page inside it. MiniBrowser's toolbar keeps
 * the window from being narrower than about 450, so this is no browser for a phone's width.
 */
async function fitViewport(call, { eval: evaluate, waitFor }, { width, height }) {
  const outer = await call("GET", "/window/rect");
  const inner = await evaluate(() => [innerWidth, innerHeight]);
  const margin = [outer.width - inner[0], outer.height - inner[1]];
  await call("POST", "/window/rect", { width: width + margin[0], height: height + margin[1] });
  await waitFor((w, h) => innerWidth === w && innerHeight === h, 5_000, width, height);
}

function keyActions(keys) {
  const values = keys.map((key) => KEYS[key] ?? key);
  const down = values.map((value) => ({ type: "keyDown", value }));
  const up = values.toReversed().map((value) => ({ type: "keyUp", value }));
  return { type: "key", id: "keyboard", actions: [...down, ...up] };
}

function typeActions(text) {
  const strokes = [...text].map((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  return { type: "key", id: "keyboard", actions: strokes.flat() };
}

async function request(url, method, body) {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(url, { method, body: body && JSON.stringify(body), signal });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

/** A virtual screen on a display number that is free, which Xvfb itself finds and tells. */
async function startScreen() {
  const args = ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const stdio = ["ignore", "ignore", "ignore", "pipe"];
  const process = spawn(findProgram("Xvfb"), args, { stdio });
  const number = await Promise.race([
    new Promise((resolve) => process.stdio[3].once("data", (data) => resolve(parseInt(data)))),
    sleep(10_000, undefined, { ref: false }),
  ]);
  if (number === undefined) throw new Error("Xvfb did not start within 10 s");
  return { process, number };
}

function miniBrowser() {
  for (const version of ["4.1", "6.0", "4.0"]) {
    try {
      const files = execFileSync("dpkg", ["-L", `libwebkit2gtk-${version}-0`], { stdio: "pipe" });
      const path = String(files).split("\n").find((file) => file.endsWith("/MiniBrowser"));
      if (path) return path;
    } catch {
      // That version is not installed.
    }
  }
  throw new Error("WebKitGTK's MiniBrowser is not installed: run scripts/setup test");
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
