// A page that stays open for long must not grow: run after run of mixed sizes, verbs,
// algorithms and ranks on the same workers, by either way for messages. Chromium, which tells how
// much each of its threads holds.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch } from "./harness.mjs";
import { onPage, open } from "./journey.mjs";
import { serve } from "./servers.mjs";

/** A round has every kind of run; the others have the same in other orders. */
const ROUND = 50;
/** By then the JavaScript engine has noted most of what it notes about the code it runs. */
const SETTLED = 500;
const ALL = 1_000;
/**
 * Bytes of objects that may stay of a run after that, over all threads; measured are 90, and 30 in
 * the next 500 runs. One small array that is forgotten for each message is 380.
 */
const BYTES_A_RUN = 256;
/**
 * Ranks in one memory get their blocks in another order every time, which has taken up to 1.15 of
 * what it was after the first round, and no more afterwards. So do buffers that go to and fro: at
 * most one stays for each slot of a connection, as large as its largest message; which of them it
 * is changes, which has taken up to 1.31. One buffer that is forgotten for each message would be
 * hundreds of times as much.
 */
const GROW = 2;

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch("chromium");
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A function that sends a command to the page, and one that lists such functions of workers. */
async function threads(page) {
  const client = await page.raw.context().newCDPSession(page.raw);
  const workers = new Set();
  const answers = new Map();
  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if (targetInfo.type === "worker") workers.add(sessionId);
  });
  client.on("Target.detachedFromTarget", ({ sessionId }) => workers.delete(sessionId));
  client.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result } = JSON.parse(message);
    answers.get(id)?.(result);
    answers.delete(id);
  });
  const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
  await client.send("Target.setAutoAttach", options);
  let last = 0;
  const sender = (sessionId) => async (method) => {
    const id = (last += 1);
    const answer = new Promise((resolve) => {
      answers.set(id, resolve);
    });
    const message = JSON.stringify({ id, method });
    await client.send("Target.sendMessageToTarget", { sessionId, message });
    return answer;
  };
  return [(method) => client.send(method), () => [...workers].map(sender)];
}

/** Bytes of a thread's objects, and of its buffers, once all that can be collected is collected. */
async function held(send) {
  await send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize, backingStorageSize } =
    await send("Runtime.getHeapUsage");
  return [usedSize + embedderHeapUsedSize, backingStorageSize];
}

/** Goes through all runs, and compares what is there in the end. */
function endures(via) {
  return onPage(browser, async (page) => {
    await open(page, server.url);
    const [toPage, toWorkers] = await threads(page);
    await page.eval(async (via) => {
      window.part = await window.ringscopePart("check");
      window.long = new window.part.Long(via);
    }, via);
    let done = 0;
    /** Goes on up to so many runs, and looks what is there then. */
    const after = async (runs) => {
      await page.eval((more) => window.long.go_on(more), runs - done);
      done = runs;
      const workers = toWorkers();
      const all = await Promise.all([toPage, ...workers].map(held));
      const sum = (what) => all.reduce((total, sizes) => total + sizes[what], 0);
      const [ranks, wasm] = await page.eval(async () => [window.long.memory_bytes(),
        (await window.part.default()).memory.buffer.byteLength]);
      return { workers: workers.length, ranks, wasm, objects: sum(0), buffers: sum(1) };
    };
    const looks = [];
    for (const runs of [ROUND, SETTLED, ALL]) {
      looks.push(await after(runs));
      const { workers, ...bytes } = looks.at(-1);
      const sizes = Object.entries(bytes).map(([what, size]) =>
        `${what} ${(size / 1024).toFixed(0)} KiB`);
      console.log(`${via}, after ${runs} runs: ${workers} workers, ${sizes.join(", ")}`);
    }
    const [first, settled, last] = looks;
    assert.equal(await page.eval(() => window.long.via()), via);
    assert.ok(first.workers >= 4 && last.workers === first.workers);
    assert.ok(last.ranks <= GROW * first.ranks && last.buffers <= GROW * first.buffers);
    assert.equal(last.wasm, first.wasm);
    const grown = (last.objects - settled.objects) / (ALL - SETTLED);
    assert.ok(grown <= BYTES_A_RUN, `${grown} bytes a run`);
  });
}

describe("run after run leaves nothing behind", { concurrency: true }, () => {
  for (const via of ["shared", "ports"]) test(via, () => endures(via));
});
