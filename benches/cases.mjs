// What scripts/bench measures, and the targets it holds the result to: data only.
import { isDeepStrictEqual } from "node:util";

/** Batches of a sample, and what each lasts at least in seconds. */
export const BATCHES = 5;
export const BATCH_SECONDS = 0.01;

const KIB = 1024;
const MIB = 1024 * KIB;

/** The collectives at one size. */
const of = (verb, ns, sizes) => sizes.flatMap((bytes) => ns.map((n) => ({ verb, n, bytes })));
const small = of("allreduce", [2], [KIB]);
const middle = of("allreduce", [2, 4], [64 * KIB, 256 * KIB, MIB, 4 * MIB]);
const [large2, large4] = [2, 4].map((n) => of("allreduce", [n], [16 * MIB, 64 * MIB]));
const scattered = of("reducescatter", [2, 4], [16 * MIB]);
const moved = ["allgather", "broadcast"].flatMap((verb) => of(verb, [2, 4], [16 * MIB]));
const all16 = [...of("allreduce", [2, 4], [16 * MIB]), ...scattered, ...moved];

/** A reduction by one thread: in the first-level cache, and on buffers that lie in memory. */
const sums = (types, bytes) => types.map((type) => ({ verb: `sum ${type}`, type, bytes }));
const [sumInCache, sumInMemory] = [8 * KIB, 16 * MIB].map((bytes) => sums(["f32"], bytes));
const halfSums = sums(["f16", "bf16"], 8 * KIB);
export const SUM_CASES = [...sumInCache, ...halfSums, ...sumInMemory];

/** What short messages cost at least where ranks share cores: one of them wakes another. */
export const WAKING_CASES = [{ verb: "a sleeper woken", bytes: 4 }];

/** All cases, and the few of the short form. */
export const CASES = [...small, ...middle, ...large2, ...large4, ...scattered, ...moved,
  ...SUM_CASES, ...WAKING_CASES];
export const QUICK_CASES = [
  ...small,
  ...of("allreduce", [2, 4], [MIB, 16 * MIB]),
  ...of("reducescatter", [2], [16 * MIB]),
  ...of("allgather", [2], [16 * MIB]),
  ...of("broadcast", [2], [16 * MIB]),
];

/** The case that messages over ports are held to, and those of the roof. */
export const PORTS_CASES = of("allreduce", [2], [16 * MIB]);
export const ROOF_CASES = of("allreduce", [2, 4], [64 * MIB]);

/**
 * Our ways to do a verb, as fields of a link: as for Open MPI, the best of a few counts. A
 * broadcast is in place, for that of the others has one buffer.
 */
export const WAYS = {
  "allreduce": ["algo=ring", "algo=direct", "algo=one-shot"],
  "reducescatter": ["algo=ring", "algo=direct"],
  "allgather": ["algo=ring", "algo=direct"],
  "broadcast": ["algo=linear&place=in", "algo=chain&segments=8&place=in"],
};

/** How a way is called: `chain, segments=8`. */
export const wayName = (way) => way.replace("algo=", "").replaceAll("&", ", ");

/** Whether a way is meant for a case: where bytes grow with the ranks, only for short vectors. */
export const wayFits = (way, { verb, bytes }) =>
  Boolean(WAYS[verb]?.includes(way)) && (!way.includes("one-shot") || bytes <= 256 * KIB);

/** All of them. */
export const ALL_WAYS = [...new Set(Object.values(WAYS).flat())];

/** The link of the page that does a case in one of our ways. */
export const linkOf = ({ verb, n, bytes }, way) => `${verb}?${way}&n=${n}&size=${bytes}B`;

/** Whether a case is one of `cases`. */
export const caseIn = (cases) => (of) => cases.some((other) => isDeepStrictEqual(of, other));

/** The browsers, over shared memory. */
const BROWSERS = ["Chromium", "Firefox"];
const against = (other) => BROWSERS.map((browser) => [browser, other]);

/** The targets of the project. */
export const TARGETS = [
  { what: "AllReduce, 2 ranks, 16 and 64 MiB, against Open MPI's best",
    cases: large2, pairs: against("Open MPI"), most: 0.5 },
  { what: "the same, 4 ranks", cases: large4, pairs: against("Open MPI"), most: 0.6 },
  { what: "the same, 2 and 4 ranks, 64 KiB to 4 MiB",
    cases: middle, pairs: against("Open MPI"), most: 1 },
  { what: "the same, 2 ranks, 1 KiB", cases: small, pairs: against("Open MPI"), most: 5 },
  { what: "ReduceScatter, 2 and 4 ranks, 16 MiB, against Open MPI",
    cases: scattered, pairs: against("Open MPI"), most: 0.5 },
  { what: "AllGather and Broadcast, 2 and 4 ranks, 16 MiB, against Open MPI",
    cases: moved, pairs: against("Open MPI"), most: 0.9 },
  { what: "AllReduce of 64 MiB of its roof, a copy of n S bytes by all cores",
    cases: ROOF_CASES, pairs: BROWSERS.map((browser) => [browser, `${browser}, copy`]),
    least: 0.6 },
  { what: "the same, native threads",
    cases: ROOF_CASES, pairs: [["threads", "copy"]], least: 0.6 },
  { what: "browser against our own native threads, 16 MiB",
    cases: all16, pairs: against("threads"), most: 1.5 },
  { what: "simd128 sum of f32 against a JavaScript loop, in L1",
    cases: sumInCache,
    pairs: BROWSERS.map((browser) => [`${browser}, simd128`, `${browser}, JavaScript`]), least: 4 },
  { what: "the same against native code, buffers of 16 MiB",
    cases: sumInMemory, pairs: BROWSERS.map((browser) => [`${browser}, simd128`, "native sum"]),
    least: 0.9 },
  { what: "sums of f16 and bf16 against f32, in L1, in bytes per second",
    cases: halfSums, than: sumInCache[0],
    pairs: BROWSERS.map((browser) => [`${browser}, simd128`, `${browser}, simd128`]), least: 0.35 },
  { what: "ports, 2 ranks, 16 MiB, against bare postMessage and a JavaScript loop",
    cases: PORTS_CASES,
    pairs: BROWSERS.map((browser) => [`${browser}, ports`, `${browser}, bare ports`]), most: 0.8 },
];
