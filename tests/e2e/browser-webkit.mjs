// WebKit, as WebKitGTK's MiniBrowser under a virtual screen, over plain W3C WebDriver. Its driver
// keeps one session, so one page is open at a time.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { evaluators, findProgram, poll } from "./harness.mjs";

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
  const driver = spawn(findProgram("WebKitWebDriver"), args, { env, stdio: "ignore" });
  const call = (method, path, body) => request(`http://127.0.0.1:${port}${path}`, method, body);
  await poll(async () => (await call("GET", "/status")).ready);
  return {
    name: "webkit",
    page: ({ width = 1280, height = 800 } = {}) => openPage(call, { width, height }),
    close: async () => {
      driver.kill();
      screen.process.kill();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openPage(call, size) {
  const browserOptions = { binary: miniBrowser(), args: ["--automation"] };
  const { sessionId } = await call("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } },
  });
  const session = `/session/${sessionId}`;
  const post = (path, body = {}) => call("POST", session + path, body);
  const find = (using) => post("/element", { using: "css selector", value: using });
  await post("/timeouts", { script: 60_000, pageLoad: 60_000 });
  await post("/window/rect", size);

  const run = async (expression) => {
    const script = `const done = arguments[0];
      (async () => ${expression})()
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await post("/execute/async", { script, args: [] });
    if (error) throw new Error(error);
    return value ?? undefined;
  };
  const runInFrame = (selector) => async (expression) => {
    await post("/frame", { id: await find(selector) });
    try {
      return await run(expression);
    } finally {
      await post("/frame", { id: null });
    }
  };
  const here = evaluators(run);
  await fitViewport(post, here, size);
  return {
    messages: [],
    ...here,
    goto: (url) => post("/url", { url }),
    press: (keys) => post("/actions", { actions: [keyActions(keys.split("+"))] }),
    type: (text) => post("/actions", { actions: [typeActions(text)] }),
    click: async (selector) => post(`/element/${(await find(selector))[ELEMENT]}/click`),
    screenshot: async (path) =>
      writeFile(path, Buffer.from(await call("GET", `${session}/screenshot`), "base64")),
    frame: (selector) => evaluators(runInFrame(selector)),
    close: () => call("DELETE", session),
  };
}

/**
 * WebDriver sizes the window; what was asked for is the page inside it. MiniBrowser's toolbar keeps
 * the window from being narrower than about 450, so this is no browser for a phone's width.
 */
async function fitViewport(post, { eval: evaluate, waitFor }, { width, height }) {
  const inner = await evaluate(() => [innerWidth, innerHeight]);
  await post("/window/rect", { width: 2 * width - inner[0], height: 2 * height - inner[1] });
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
  const response = await fetch(url, { method, body: body && JSON.stringify(body) });
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
