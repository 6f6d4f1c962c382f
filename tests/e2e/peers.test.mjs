// The arithmetic of scripts/bench, on numbers whose answers are known. Nothing is timed here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_WAYS, CASES, QUICK_CASES, TARGETS, linkOf, wayFits } from "../../benches/cases.mjs";
import {
  Book, caseName, judge, median, shortTable, sizeText, spread, table, targetsTable, timeText,
  timesTable,
} from "../../benches/report.mjs";

const OF = { verb: "allreduce", n: 2, bytes: 1 << 24 };
const OTHER = { ...OF, n: 4 };

/** A book with these samples, each `[side, way, of, [seconds of rounds 0, 1, ...]]`. */
function book(...samples) {
  const all = new Book();
  for (const [side, way, of, rounds] of samples) {
    rounds.forEach((seconds, round) => all.note({ side, way, of, round, seconds: [seconds] }));
  }
  return all;
}

test("medians and spreads", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 10]), 3.5);
  assert.ok(Number.isNaN(median([])));
  const values = [10, 9, 2];
  assert.deepEqual(spread(values), { median: 9, low: 2, high: 10 });
  assert.deepEqual(values, [10, 9, 2], "what was given is left as it is");
});

test("sizes and times in words", () => {
  assert.deepEqual([1, 1024, 1536, 1 << 26].map(sizeText),
    ["1 B", "1 KiB", "1536 B", "64 MiB"]);
  assert.deepEqual([8.54e-7, 9.999e-4, 0.00291, 0.0137, 0.2, 1.5].map(timeText),
    ["0.85 µs", "1000 µs", "2.91 ms", "13.7 ms", "200 ms", "1.50 s"]);
});

test("the fastest way counts, and of a sample's batches the median", () => {
  const all = book(["us", "ring", OF, [4, 5, 6]], ["us", "direct", OF, [3, 9, 1]]);
  all.note({ side: "us", way: "tree", of: OF, round: 0, seconds: [1, 2, 90] });
  assert.deepEqual(all.ways("us", OF).map(({ way, median }) => [way, median]),
    [["tree", 2], ["direct", 3], ["ring", 5]]);
  assert.equal(all.best("us", OTHER), undefined);
});

test("ratios are taken within a round", () => {
  // The second round was disturbed for both alike.
  const all = book(["us", "", OF, [1, 10, 1]], ["them", "", OF, [2, 40, 2]]);
  const { median, low, high } = all.ratio("us", "them", OF);
  assert.deepEqual({ median, low, high }, { median: 0.5, low: 0.25, high: 0.5 });
  assert.equal(all.ratio("us", "nobody", OF), undefined);
  assert.equal(all.ratio("us", "them", OTHER), undefined);
});

test("a target is judged where it is worst", () => {
  const all = book(
    ["a", "", OF, [1]], ["b", "", OF, [2]], ["them", "", OF, [4]],
    ["a", "", OTHER, [3]], ["b", "", OTHER, [1]], ["them", "", OTHER, [4]],
  );
  const pairs = [["a", "them"], ["b", "them"]];
  const cases = [OF, OTHER];
  const at = (limit) => {
    const { verdict, worst } = judge(all, { cases, pairs, ...limit });
    return [verdict, worst.side, worst.of.n, worst.median];
  };
  assert.deepEqual(at({ most: 0.75 }), ["met", "a", 4, 0.75]);
  assert.deepEqual(at({ most: 0.74 }), ["missed", "a", 4, 0.75]);
  // As a share of their speed: 4 in the time of 3 is 133 %.
  assert.deepEqual(at({ least: 1.3 }), ["met", "a", 4, 4 / 3]);
  assert.deepEqual(at({ least: 1.4 }), ["missed", "a", 4, 4 / 3]);
});

test("a target may be held to another case", () => {
  const [small, wide] = ["sum f16", "sum f32"].map((verb) => ({ verb, bytes: 8192 }));
  const all = book(["a", "", small, [4]], ["a", "", wide, [1]]);
  const target = { cases: [small], pairs: [["a", "a"]], than: wide, least: 0.35, what: "half" };
  assert.equal(judge(all, target).worst.median, 0.25);
  assert.match(targetsTable(all, [target]), /\| sum f16 8 KiB: a \/ sum f32 8 KiB: a \| missed/);
});

test("a target of which only a part was measured is never simply met", () => {
  const all = book(["a", "", OF, [1]], ["them", "", OF, [4]]);
  const part = { cases: [OF, OTHER], pairs: [["a", "them"]] };
  assert.equal(judge(all, { ...part, most: 1 }).verdict, "met, as far as measured");
  assert.equal(judge(all, { ...part, most: 0.1 }).verdict, "missed");
  assert.equal(judge(new Book(), { ...part, most: 1 }).verdict, "not measured");
});

test("tables", () => {
  assert.equal(table(["a", "number"], [["long cell", 1]], 1),
    "| a         | number |\n| --------- | -----: |\n| long cell |      1 |");
  const all = book(
    ["Chromium", "ring", OF, [0.002, 0.003, 0.004]], ["Chromium", "direct", OF, [0.009]],
    ["Open MPI", "default", OF, [0.006, 0.006, 0.006]],
  );
  const [, , ring, direct, mpi] = timesTable(all, [OF], "Open MPI").split("\n");
  assert.match(ring, /allreduce n=2 16 MiB \| Chromium \| ring .* 3.00 ms \| 2.00 ms – 4.00 ms \|/);
  assert.match(ring, /\| +0.50 \|$/);
  assert.match(direct, /direct .* 9.00 ms .*\| +\|$/, "ratios are those of the best");
  assert.match(mpi, /\| +1.00 \|$/);

  const target = { what: "half", cases: [OF], pairs: [["Chromium", "Open MPI"]], most: 0.5 };
  const share = { ...target, what: "share", most: undefined, least: 2.5 };
  const [, , half, much] = targetsTable(all, [target, share]).split("\n");
  assert.match(half, /^\| half +\| ≤ 0.50 x +\| 0.50 x +\| 0.33 x – 0.67 x/);
  assert.match(half, /n=2 16 MiB: Chromium, ring \/ Open MPI, default \| met +\|$/);
  assert.match(much, /≥ 250 % +\| 200 % +\| 150 % – 300 % .* missed +\|$/);

  const short = shortTable(all, [OF, OTHER], ["Chromium", "Firefox", "Open MPI"]);
  assert.deepEqual(short.split("\n").map((line) => line.replace(/ +/g, " ")), [
    "| collective | ranks | size | Chromium | Open MPI |",
    "| ---------- | ----: | -----: | -------: | -------: |",
    "| AllReduce | 2 | 16 MiB | 3.00 ms | 6.00 ms |",
    "| AllReduce | 4 | 16 MiB | – | – |",
  ]);
});

test("every case has ways of ours, and every target cases that are measured", () => {
  const names = CASES.map(caseName);
  assert.equal(new Set(names).size, names.length);
  for (const of of [...CASES, ...QUICK_CASES].filter(({ n }) => n)) {
    assert.ok(ALL_WAYS.some((way) => wayFits(way, of)), caseName(of));
  }
  for (const { what, cases, pairs, most, least } of TARGETS) {
    assert.ok(pairs.length > 0 && (most === undefined) !== (least === undefined), what);
    for (const of of cases) assert.ok(names.includes(caseName(of)), `${what}: ${caseName(of)}`);
  }
  assert.equal(linkOf(OF, "algo=ring"), "allreduce?algo=ring&n=2&size=16777216B");
});
