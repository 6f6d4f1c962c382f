// The loops that one would write in JavaScript instead of a kernel: the bench measures them beside
// ours. A part of the page like the others, without a program behind it.
//
// An engine compiles a loop for the type that it has seen, and slows down once it has seen several.
// So every operator and type gets an instance of this module to itself.

const ARRAYS = {
  f64: "Float64Array",
  f32: "Float32Array",
  f16: "Float16Array",
  i64: "BigInt64Array",
  i32: "Int32Array",
  i8: "Int8Array",
  u8: "Uint8Array",
};

const LOOPS = {
  sum(acc, other) {
    const { length } = acc;
    for (let i = 0; i < length; i += 1) acc[i] += other[i];
  },
  product(acc, other) {
    const { length } = acc;
    for (let i = 0; i < length; i += 1) acc[i] *= other[i];
  },
  max(acc, other) {
    const { length } = acc;
    for (let i = 0; i < length; i += 1) if (other[i] > acc[i]) acc[i] = other[i];
  },
  min(acc, other) {
    const { length } = acc;
    for (let i = 0; i < length; i += 1) if (other[i] < acc[i]) acc[i] = other[i];
  },
};

/** Parts are started; this one has nothing to start. */
export default function start() {}

/**
 * The loop of an operator on a type: `run(bytes, times)` runs it so often on operands of so many
 * bytes, at most `most`, and returns the milliseconds it took. Nothing, where the browser has no
 * array of that type.
 */
export async function loop(op, type, most) {
  const own = await import(`${import.meta.url}&for=${op}-${type}`);
  return own.prepare(op, type, most);
}

/** What `loop` returns, by the instance that is its own. */
export function prepare(op, type, most) {
  const Elements = globalThis[ARRAYS[type]];
  const work = LOOPS[op];
  if (!Elements || !work) return undefined;
  const one = type === "i64" ? 1n : 1;
  const [acc, other] = [0, 1].map(() => new Elements(most / Elements.BYTES_PER_ELEMENT).fill(one));
  return (bytes, times) => {
    const [a, b] = [acc, other].map((all) => all.subarray(0, bytes / Elements.BYTES_PER_ELEMENT));
    const begun = performance.now();
    for (let i = 0; i < times; i += 1) work(a, b);
    return performance.now() - begun;
  };
}
