// The contestants of scripts/bench that are programs. Each `find…` returns some, or throws an error
// that says why there are none: `{ side, way, takes(of), sample(of) }`, of which a sample is
// `{ seconds: [per batch], wrong }`. The first has `about`, what it is exactly, and `close()`, if
// something stays open between samples.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ROOT, build } from "./build.mjs";
import {
  ALL_WAYS, BATCHES, BATCH_SECONDS, SUM_CASES, ROOF_CASES, WAYS, caseIn, linkOf, wayFits,
  wayName,
} from "./cases.mjs";

const here = (name) => join(ROOT, "benches", name);

/** No sample takes so long. */
const PATIENCE_MS = 120_000;

/** Runs a program that prints one line of JSON; an error is what it wrote to its error output. */
async function ask(program, args, env = process.env) {
  const options = { cwd: ROOT, env, timeout: PATIENCE_MS };
  const { stdout } = await promisify(execFile)(program, args, options).catch((error) => {
    throw new Error(`${program} ${args.join(" ")}: ${error.stderr?.trim() || error.message}`);
  });
  return JSON.parse(stdout);
}

/** Open MPI as it chooses itself, and two of its algorithms for AllReduce. */
export async function findOpenMpi() {
  const folder = mkdtempSync(join(tmpdir(), "ringscope-mpi-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  const program = join(folder, "mpi");
  let version;
  try {
    execFileSync("mpicc", ["-O3", "-o", program, here("mpi.c")], { stdio: "pipe" });
    version = String(execFileSync("mpirun", ["--version"])).match(/\d+\.\d+\.\d+/)?.[0];
  } catch (error) {
    close();
    const why = error.code === "ENOENT" ? "not installed" : String(error.stderr ?? error).trim();
    throw new Error(`${why} (Debian: apt-get install openmpi-bin libopenmpi-dev)`);
  }
  const chosen = (number, ...more) => ["coll_tuned_use_dynamic_rules", "1",
    "coll_tuned_allreduce_algorithm", number, ...more];
  const ways = {
    "default": [],
    "segmented ring, 256 KiB": chosen("5", "coll_tuned_allreduce_algorithm_segmentsize", "262144"),
    "Rabenseifner": chosen("6"),
  };
  const sample = (way) => ({ verb, n, bytes }) => {
    // Ranks that share a core and do not yield wait for whole time slices.
    const yielding = n > availableParallelism() ? ["mpi_yield_when_idle", "1"] : [];
    const settings = [...ways[way], ...yielding];
    const mca = settings.flatMap((word, at) => (at % 2 === 0 ? ["--mca", word] : [word]));
    const start = ["--oversubscribe", ...mca, "-n", String(n), program];
    const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
    const args = [...start, verb, ...[bytes, BATCHES, BATCH_SECONDS].map(String)];
    return ask("mpirun", args, { ...process.env, ...asRoot });
  };
  return Object.keys(ways).map((way) => ({
    side: "Open MPI",
    way,
    about: `Open MPI ${version}`,
    takes: ({ verb }) => verb === "allreduce" || (way === "default" && verb in WAYS),
    sample: sample(way),
  })).map((one, at) => (at === 0 ? { ...one, close } : one));
}

/** Our own ranks on native threads, compiled for this very processor, and the copy beside them. */
export async function findNative() {
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const program = build(["--profile", "bench"], {
    RUSTFLAGS: "-C target-cpu=native",
    CARGO_TARGET_DIR: join(target, "native"),
  });
  const ours = ALL_WAYS.map((way) => ({
    side: "threads",
    way: wayName(way),
    takes: (of) => wayFits(way, of),
    sample: (of) => ask(program, ["collective", linkOf(of, way), String(BATCHES)]),
  }));
  const copy = {
    side: "copy",
    takes: caseIn(ROOF_CASES),
    sample: ({ n, bytes }) => ask(program, ["copy", String(n * bytes), String(BATCHES)]),
  };
  const kernel = {
    side: "native sum",
    takes: caseIn(SUM_CASES),
    sample: ({ type, bytes }) => ask(program, ["sum", type, String(bytes), String(BATCHES)]),
  };
  return [...ours, copy, kernel];
}

/** gloo, as torch.distributed offers it: one group of processes per number of ranks. */
export async function findGloo() {
  const python = pythonWithTorch();
  const groups = new Map();
  const group = (n) => {
    if (!groups.has(n)) groups.set(n, startGloo(python.program, n));
    return groups.get(n);
  };
  return [{
    side: "gloo",
    about: `gloo of torch ${python.version}`,
    // It has no ReduceScatter.
    takes: ({ verb }) => verb in WAYS && verb !== "reducescatter",
    sample: ({ verb, n, bytes }) => group(n).ask(`${verb} ${bytes} ${BATCHES} ${BATCH_SECONDS}`),
    close: () => groups.forEach(({ close }) => close()),
  }];
}

/** A Python that has torch with gloo: `PYTHON`, or what is on PATH, or the system's. */
function pythonWithTorch() {
  const look = "import torch, torch.distributed as d; assert d.is_gloo_available(); " +
    "print(torch.__version__)";
  for (const program of [process.env.PYTHON, "python3", "/usr/bin/python3"].filter(Boolean)) {
    try {
      const version = String(execFileSync(program, ["-c", look], { stdio: "pipe" })).trim();
      return { program, version };
    } catch {
      // Not this one.
    }
  }
  throw new Error("no Python here has torch (PYTHON names another; Debian: python3-torch)");
}

function startGloo(program, n) {
  const stdio = ["pipe", "pipe", "inherit"];
  const child = spawn(program, [here("gloo.py"), String(n)], { stdio });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`gloo.py with ${n} ranks ended: ${code}`);
  });
  // Whoever asks is told.
  ended.catch(() => {});
  return {
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const [answer] = await Promise.race([once(lines, "line"), ended]);
      return JSON.parse(answer);
    },
    close: () => child.stdin.end(),
  };
}
