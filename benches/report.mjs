// The arithmetic and the tables of scripts/bench: pure, so that tests/e2e/peers.test.mjs can hold
// it to known values.
//
// A *side* is whoever is compared (a browser, native threads, Open MPI); each has *ways* to do a
// case (algorithms), of which the fastest counts. Samples come round by round, everybody's turn in
// every round; ratios are taken within a round and medians over rounds, so that what disturbs the
// machine for a while disturbs both sides of a ratio.

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle];
  return sorted.length === 0 ? NaN : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median, least and greatest of at least one value. */
export function spread(values) {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** All that was measured: who needed how long for what, in which round. */
export class Book {
  #samples = [];

  /** Notes a sample; of its batches the median counts. */
  note({ side, way = "", of, round, seconds }) {
    this.#samples.push({ side, way, of: caseName(of), round, seconds: median(seconds) });
  }

  /** A side's ways of doing a case, fastest first: `{ way, median, low, high, rounds }`. */
  ways(side, of) {
    const ways = new Map();
    for (const sample of this.#samples) {
      if (sample.side !== side || sample.of !== caseName(of)) continue;
      if (!ways.has(sample.way)) ways.set(sample.way, new Map());
      ways.get(sample.way).set(sample.round, sample.seconds);
    }
    const summed = ([way, rounds]) => ({ way, rounds, ...spread([...rounds.values()]) });
    return [...ways].map(summed).sort((a, b) => a.median - b.median);
  }

  /** The fastest way of a side, if it has done the case. */
  best(side, of) {
    return this.ways(side, of)[0];
  }

  /**
   * Time of one side over that of another, which may have done another case, if both have done
   * theirs in the same round.
   */
  ratio(side, other, of, otherOf = of) {
    const [mine, theirs] = [this.best(side, of), this.best(other, otherOf)];
    if (!mine || !theirs) return undefined;
    const rounds = [...mine.rounds.keys()].filter((round) => theirs.rounds.has(round));
    if (rounds.length === 0) return undefined;
    const ratios = rounds.map((round) => mine.rounds.get(round) / theirs.rounds.get(round));
    return { ...spread(ratios), side, way: mine.way, other, otherWay: theirs.way, of, otherOf };
  }

  /** Names of all sides in the order in which they first came. */
  sides() {
    return [...new Set(this.#samples.map((sample) => sample.side))];
  }
}

/** A case by its name: `allreduce n=4 16 MiB`, or of one thread `sum f32 8 KiB`. */
export const caseName = ({ verb, n, bytes }) =>
  [verb, ...(n === undefined ? [] : [`n=${n}`]), sizeText(bytes)].join(" ");

/** A size as people write it: `16 MiB`. */
export function sizeText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (bytes >= 1024 && bytes % 1024 === 0 && unit + 1 < units.length) {
    [bytes, unit] = [bytes / 1024, unit + 1];
  }
  return `${bytes} ${units[unit]}`;
}

/** A duration in three digits: `2.91 ms`. */
export function timeText(seconds) {
  const [factor, unit] = seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
  return `${digits(seconds * factor)} ${unit}`;
}

/** Three digits. */
const digits = (value) => value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

/** A table of Markdown that is aligned for people, too; numbers to the right from column `from`. */
export function table(heads, rows, from = heads.length) {
  const all = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, at) => Math.max(3, ...all.map((row) => row[at].length)));
  const line = (row) => {
    const cells = row.map((cell, at) => {
      return at < from ? cell.padEnd(widths[at]) : cell.padStart(widths[at]);
    });
    return `| ${cells.join(" | ")} |`;
  };
  const rule = widths.map((width, at) => {
    return at < from ? "-".repeat(width) : `${"-".repeat(width - 1)}:`;
  });
  return [line(all[0]), `| ${rule.join(" | ")} |`, ...all.slice(1).map(line)].join("\n");
}

/** All times of all ways: medians with spread, and what they are of the reference's best. */
export function timesTable(book, cases, reference) {
  const rows = [];
  for (const of of cases) {
    for (const side of book.sides()) {
      book.ways(side, of).forEach(({ way, ...time }, at) => {
        const ratio = at === 0 ? book.ratio(side, reference, of) : undefined;
        rows.push([caseName(of), side, way, timeText(time.median),
          `${timeText(time.low)} – ${timeText(time.high)}`, ratio ? digits(ratio.median) : ""]);
      });
    }
  }
  return table(["case", "who", "way", "median", "spread", `÷ ${reference}`], rows, 3);
}

/** The table for the README: a row per case, a column per side with the best it can. */
export function shortTable(book, cases, sides) {
  const present = sides.filter((side) => cases.some((of) => book.best(side, of)));
  const rows = cases.map((of) => {
    const cell = (side) => {
      const best = book.best(side, of);
      return best ? timeText(best.median) : "–";
    };
    return [VERB_TITLES[of.verb], of.n, sizeText(of.bytes), ...present.map(cell)];
  });
  return table(["collective", "ranks", "size", ...present], rows, 1);
}

/** What the verbs are called. */
const VERB_TITLES = {
  "allreduce": "AllReduce",
  "allgather": "AllGather",
  "reducescatter": "ReduceScatter",
  "broadcast": "Broadcast",
};

/**
 * Judges a target by its worst ratio: `{ verdict, worst }`. A target names `cases` and `pairs` of
 * sides, and either `most`, the largest allowed time over the other's, or `least`, the smallest
 * allowed share of the other's speed; `than` is the case that the other has done, if it is another.
 */
export function judge(book, { cases, pairs, than, most, least }) {
  const ratios = cases.flatMap((of) => pairs.map(([side, other]) => {
    return book.ratio(side, other, of, than);
  }));
  const missing = ratios.filter((ratio) => !ratio).length;
  const known = ratios.filter(Boolean);
  if (known.length === 0) return { verdict: "not measured" };
  const figures = known.map((ratio) => (most === undefined ? inverse(ratio) : ratio));
  const worse = most === undefined ? (a, b) => a.median < b.median : (a, b) => a.median > b.median;
  const worst = figures.reduce((worst, figure) => (worse(figure, worst) ? figure : worst));
  const met = most === undefined ? worst.median >= least : worst.median <= most;
  const whole = missing > 0 && met ? "met, as far as measured" : met ? "met" : "missed";
  return { verdict: whole, worst };
}

/** The ratio the other way round. */
const inverse = (ratio) => ({
  ...ratio,
  median: 1 / ratio.median,
  low: 1 / ratio.high,
  high: 1 / ratio.low,
});

/** The table of targets: what was asked, what it is, where it is worst. */
export function targetsTable(book, targets) {
  const rows = targets.map((target) => {
    const { verdict, worst } = judge(book, target);
    const share = target.most === undefined;
    const text = (value) => (share ? `${Math.round(value * 100)} %` : `${digits(value)} x`);
    const limit = share ? `≥ ${text(target.least)}` : `≤ ${text(target.most)}`;
    if (!worst) return [target.what, limit, "–", "–", "", verdict];
    const named = (side, way) => (way ? `${side}, ${way}` : side);
    const than = worst.of === worst.otherOf ? "" : `${caseName(worst.otherOf)}: `;
    const where = `${caseName(worst.of)}: ${named(worst.side, worst.way)} / ${than}` +
      named(worst.other, worst.otherWay);
    const range = `${text(worst.low)} – ${text(worst.high)}`;
    return [target.what, limit, text(worst.median), range, where, verdict];
  });
  return table(["target", "limit", "measured", "spread", "where it is worst", "verdict"], rows);
}
