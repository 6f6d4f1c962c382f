// What plain JavaScript does in a browser, for scripts/bench: a copy of memory by all cores, a sum,
// and an AllReduce of two workers by bare messages. Whatever runs in the page is sent there as its
// source, so each function here holds all that it needs.

/**
 * Runs in the page: `count` workers (0 is one per core) that all do `source`, and the mean time of
 * a repetition at the slowest, batch by batch, as `{ seconds, wrong: 0 }`. A worker is told once to
 * prepare, `{ bytes, gate, port }`, and answers anything; then, again and again, `{ times, all }`:
 * it waits at the gate until all are there, and answers how many seconds its repetitions took.
 */
export async function timeWorkers(source, count, bytes, batches, seconds) {
  const address = URL.createObjectURL(new Blob([`(${source})()`]));
  const length = count || navigator.hardwareConcurrency;
  const workers = Array.from({ length }, () => new Worker(address));
  const say = async (message) => {
    const answers = workers.map((one, at) => new Promise((resolve, reject) => {
      one.onmessage = ({ data }) => resolve(data);
      one.onerror = reject;
      const { port, ...rest } = message(at);
      one.postMessage({ port, ...rest }, port ? [port] : []);
    }));
    return Math.max(...await Promise.all(answers));
  };
  const gate = new Int32Array(new SharedArrayBuffer(8));
  const batch = async (times) => {
    gate[0] = 0;
    return await say(() => ({ times, all: length })) / times;
  };
  const enough = async () => {
    let times = 1;
    while (await batch(times) * times < seconds) times *= 2;
    return times;
  };
  try {
    const { port1, port2 } = new MessageChannel();
    await say((at) => ({ bytes, gate: gate.buffer, port: [port1, port2][at] }));
    const times = await enough();
    const all = [];
    for (let i = 0; i < batches; i += 1) all.push(await batch(times));
    return { seconds: all, wrong: 0 };
  } finally {
    workers.forEach((one) => one.terminate());
    URL.revokeObjectURL(address);
  }
}

/** Runs in the page of our sums: adds vectors of `bytes`, as `timeWorkers` would. */
export async function timeSum(type, bytes, batches, seconds) {
  const program = await import(new URL("sums.js", location.href));
  await program.default();
  const sum = program.Sum.of(type, bytes);
  const batch = (times) => {
    const begun = performance.now();
    sum.add(times);
    return (performance.now() - begun) / 1000 / times;
  };
  let times = 1;
  while (batch(times) * times < seconds) times *= 2;
  const all = Array.from({ length: batches }, () => batch(times));
  sum.free();
  return { seconds: all, wrong: 0 };
}

/** A worker that copies `bytes` from one place to another. */
export function copier() {
  let from, to, gate;
  onmessage = ({ data: { bytes, gate: memory, times, all } }) => {
    if (memory) {
      // Touched by whoever copies it.
      [from, to] = [1, 2].map((value) => new Float32Array(bytes / 4).fill(value));
      gate = new Int32Array(memory);
      return postMessage(0);
    }
    Atomics.add(gate, 0, 1);
    while (Atomics.load(gate, 0) < all);
    const begun = performance.now();
    for (let i = 0; i < times; i += 1) to.set(from);
    postMessage((performance.now() - begun) / 1000);
  };
}

/** A worker that adds one vector of `bytes` to another, element by element. */
export function adder() {
  let vectors;
  function add(sum, other) {
    for (let at = 0; at < sum.length; at += 1) sum[at] += other[at];
  }
  onmessage = ({ data: { bytes, gate, times } }) => {
    if (gate) {
      vectors = [1, 2].map((value) => new Float32Array(bytes / 4).fill(value));
      return postMessage(0);
    }
    const begun = performance.now();
    for (let i = 0; i < times; i += 1) add(...vectors);
    postMessage((performance.now() - begun) / 1000);
  };
}

/**
 * A worker that sleeps until another one wakes it, and wakes that one: a repetition is one waking.
 */
export function sleeper() {
  let gate;
  onmessage = ({ data: { gate: memory, times, all } }) => {
    if (memory) {
      gate = new Int32Array(memory);
      return postMessage(0);
    }
    Atomics.store(gate, 1, 0);
    const first = Atomics.add(gate, 0, 1);
    while (Atomics.load(gate, 0) < all);
    const begun = performance.now();
    for (let turn = first; turn < times; turn += 2) {
      for (let at; (at = Atomics.load(gate, 1)) < turn;) Atomics.wait(gate, 1, at);
      Atomics.store(gate, 1, turn + 1);
      Atomics.notify(gate, 1);
    }
    postMessage((performance.now() - begun) / 1000);
  };
}

/**
 * A worker that, with another one, does the ring of two ranks on `bytes` with as little as it
 * takes: it transfers half of the vector, adds what it gets to its own half, and transfers that
 * much once more. Nothing is copied: the buffers go to and fro. With `keeps` the numbers stay where
 * they are, as a rank's do in its memory: what is sent is copied out, and what comes is copied in.
 */
export function bareRank(keeps) {
  let port, gate, halves, buffer, begun, left;
  let adds = true;
  function add(sum, other) {
    for (let at = 0; at < sum.length; at += 1) sum[at] += other[at];
  }
  const send = (data, half) => {
    if (keeps) new Float32Array(data).set(half);
    port.postMessage(data, [data]);
  };
  const receive = ({ data }) => {
    const { mine, theirs, sum, rest } = halves;
    const numbers = new Float32Array(data);
    if (adds) {
      adds = false;
      if (keeps) sum.set(numbers);
      add(...(keeps ? [sum, mine] : [mine, numbers]));
      return send(data, sum);
    }
    adds = true;
    if (keeps) rest.set(numbers);
    buffer = data;
    left -= 1;
    if (left > 0) return send(buffer, theirs);
    postMessage((performance.now() - begun) / 1000);
  };
  onmessage = ({ data }) => {
    if (data.gate) {
      port = data.port;
      port.onmessage = receive;
      gate = new Int32Array(data.gate);
      const half = () => new Float32Array(data.bytes / 8).fill(1);
      halves = { mine: half(), theirs: half(), sum: half(), rest: half() };
      buffer = half().buffer;
      return postMessage(0);
    }
    Atomics.add(gate, 0, 1);
    while (Atomics.load(gate, 0) < data.all);
    left = data.times;
    begun = performance.now();
    send(buffer, halves.theirs);
  };
}
