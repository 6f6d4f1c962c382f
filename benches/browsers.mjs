// The contestants of scripts/bench that are browsers: our own page in each, over shared memory and
// over ports, and what plain JavaScript does there, as the roof and the floor.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import {
  ALL_WAYS, BATCHES, BATCH_SECONDS, PORTS_CASES, ROOF_CASES, SUM_CASES, WAKING_CASES, caseIn,
  linkOf, wayFits, wayName,
} from "./cases.mjs";
import { adder, bareRank, copier, sleeper, timeSum, timeWorkers } from "./in-page.mjs";
import { launch } from "../tests/e2e/harness.mjs";
import { DIST, serve } from "../tests/e2e/servers.mjs";

/** Runs in the page: one sample of what a link names. */
async function measureInPage(link, batches) {
  const part = await window.ringscopePart("bench");
  const { results: [result] } = await part.measure({ links: [link], batches });
  return result;
}

/** What a browser calls itself, shortly. */
const versionInPage = () => navigator.userAgent.match(/(Chrome|Firefox)\/(\d+)/)?.[2];

/** A page of its own in a browser that the tests' harness calls `name`, over the files of `dir`. */
async function openPage(name, dir) {
  const server = await serve({ dir });
  const browser = await launch(name).catch((error) => {
    server.close();
    throw error;
  });
  const close = async () => {
    await browser.close();
    server.close();
  };
  try {
    const page = await browser.page();
    await page.goto(server.url);
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A contestant that is plain JavaScript: `count` workers (0 is one per core) that do `source`. */
const plain = (page, side, source, count, cases, bytes) => ({
  side,
  takes: caseIn(cases),
  sample: (of) =>
    page.eval(timeWorkers, String(source), count, bytes(of), BATCHES, BATCH_SECONDS),
});

const bytesOf = ({ bytes }) => bytes;

/** Our page in `title`, a browser that the tests' harness calls `name`. */
export async function findBrowser(name, title) {
  const { page, close } = await openPage(name, DIST);
  try {
    await page.waitFor(() => window.ringscopePart !== undefined, 20_000);
    const first = linkOf({ verb: "allreduce", n: 2, bytes: 1024 }, "algo=ring");
    await page.eval(measureInPage, first, 1);
  } catch (error) {
    await close();
    throw error;
  }
  const sample = async (link, via) => {
    const result = await page.eval(measureInPage, `${link}&via=${via}`, BATCHES);
    if (result.via !== via) throw new Error(`messages went over ${result.via}, not ${via}`);
    return result;
  };
  const ours = (side, via, fits) =>
    ALL_WAYS.map((way) => ({
      side,
      way: wayName(way),
      takes: (of) => wayFits(way, of) && fits(of),
      sample: (of) => sample(linkOf(of, way), via),
    }));
  const cores = await page.eval(() => navigator.hardwareConcurrency);
  const share = ({ n, bytes }) => n * bytes / cores;
  const all = [
    ...ours(title, "shared", () => true),
    ...ours(`${title}, ports`, "ports", caseIn(PORTS_CASES)),
    plain(page, `${title}, copy`, copier, 0, ROOF_CASES, share),
    plain(page, `${title}, bare ports`, bareRank, 2, PORTS_CASES, bytesOf),
    plain(page, `${title}, bare ports that copy`, `() => (${bareRank})(true)`, 2, PORTS_CASES,
      bytesOf),
    plain(page, `${title}, Atomics.wait`, sleeper, 2, WAKING_CASES, bytesOf),
  ];
  const about = `${title} ${await page.eval(versionInPage)}`;
  return [{ ...all[0], about, close }, ...all.slice(1)];
}

/** Our sums in `title`, compiled as the rank is, and a loop in JavaScript. */
export async function findSums(name, title) {
  const dir = buildSums();
  const { page, close } = await openPage(name, dir);
  const closeAll = async () => {
    await close();
    rmSync(dir, { recursive: true });
  };
  const ours = {
    side: `${title}, simd128`,
    takes: caseIn(SUM_CASES),
    sample: ({ type, bytes }) => page.eval(timeSum, type, bytes, BATCHES, BATCH_SECONDS),
    close: closeAll,
  };
  const inF32 = SUM_CASES.filter(({ type }) => type === "f32");
  return [ours, plain(page, `${title}, JavaScript`, adder, 1, inF32, bytesOf)];
}

/** Compiles benches/ours.rs for browsers, and returns the folder where it lies. */
function buildSums() {
  const options = ["--profile", "rank", "--no-default-features"];
  const program = build([...options, "--target", "wasm32-unknown-unknown"]);
  const dir = mkdtempSync(join(tmpdir(), "ringscope-sums-"));
  const bind = ["--target", "web", "--no-typescript", "--out-dir", dir, "--out-name", "sums"];
  execFileSync("wasm-bindgen", [...bind, program], { stdio: "pipe" });
  const wasm = join(dir, "sums_bg.wasm");
  // As scripts/build does; without it, it is still the same code.
  spawnSync("wasm-opt", ["-O3", "-O3", wasm, "-o", wasm], { stdio: "ignore" });
  writeFileSync(join(dir, "index.html"), "<!doctype html><title>Sums</title>");
  return dir;
}
