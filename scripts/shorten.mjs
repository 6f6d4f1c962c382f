// node scripts/shorten.mjs NAME...: in dist/, gives the imports of NAME_bg.wasm short names, there
// and in NAME.js. wasm-bindgen ends each in a hash, which no compression can shorten.
import { readFileSync, writeFileSync } from "node:fs";

const IMPORTS = 2;
const FUNCTION = 0;

// Reads numbers and names from a WebAssembly module.
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  name() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at).toString();
  }
}

function number(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

function name(text) {
  return Buffer.concat([number(Buffer.byteLength(text)), Buffer.from(text)]);
}

// The contents of an import section with short names, which `names` maps the old ones to.
function shortened(bytes, start, names) {
  const reader = new Reader(bytes, start);
  const count = reader.number();
  const parts = [number(count)];
  for (let i = 0; i < count; i++) {
    const module = reader.name();
    const short = `_${i.toString(36)}`;
    names.set(reader.name(), short);
    const kind = reader.at;
    if (bytes[reader.at++] !== FUNCTION) throw new Error("an import that is no function");
    reader.number();
    parts.push(name(module), name(short), bytes.subarray(kind, reader.at));
  }
  return Buffer.concat(parts);
}

function shorten(program) {
  const [wasm, script] = [`dist/${program}_bg.wasm`, `dist/${program}.js`];
  const bytes = readFileSync(wasm);
  const names = new Map();
  const header = 8;
  const out = [bytes.subarray(0, header)];
  for (let at = header; at < bytes.length; ) {
    const reader = new Reader(bytes, at + 1);
    const length = reader.number();
    const end = reader.at + length;
    if (bytes[at] === IMPORTS) {
      const section = shortened(bytes, reader.at, names);
      out.push(Buffer.from([IMPORTS]), number(section.length), section);
    } else {
      out.push(bytes.subarray(at, end));
    }
    at = end;
  }
  const seen = new Set();
  const text = readFileSync(script, "utf8").replace(/\b__wbg\w+|\b__wbindgen\w+/g, (word) => {
    if (names.has(word)) seen.add(word);
    return names.get(word) ?? word;
  });
  const missing = [...names.keys()].filter((word) => !seen.has(word));
  if (missing.length > 0) throw new Error(`${script} does not offer ${missing}`);
  writeFileSync(wasm, Buffer.concat(out));
  writeFileSync(script, text);
}

process.argv.slice(2).forEach(shorten);
