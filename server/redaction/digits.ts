import type { Ranges } from './ranges';
import { Origins, type View } from './view';

/** An encoding of bytes as digits of a few bits each. */
interface Notation {
  bits: number;
  /** Number of digits that may precede one with which a byte begins. */
  alignments: number;
  /** By byte: the digit, or one of the marks below. */
  values: Uint8Array;
}

const BLANK = 0xfd;
const LINE_BREAK = 0xfe;
const NO_DIGIT = 0xff;

function notation(bits: number, alignments: number, ...alphabets: string[]): Notation {
  const values = new Uint8Array(256).fill(NO_DIGIT);
  for (const alphabet of alphabets)
    for (const [digit, character] of [...alphabet].entries()) values[character.charCodeAt(0)] = digit;
  for (const character of '\r\n') values[character.charCodeAt(0)] = LINE_BREAK;
  for (const character of ' \t') values[character.charCodeAt(0)] = BLANK;
  return { bits, alignments, values };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const NOTATIONS = [
  notation(4, 2, '0123456789abcdef', '0123456789ABCDEF'),
  notation(6, 4, `${LETTERS}+/`, `${LETTERS}-_`),
];

/** The digits of all runs are packed one after another: each run starts at a multiple of this, after zeros. */
const GROUP = 4;
const packedLength = (count: number) => Math.ceil(count / GROUP) * GROUP + GROUP;

/** Consecutive digits, with line breaks (and indentation) as in mails and PEM. */
interface Run {
  from: number;
  to: number;
  count: number;
}

/** The runs of at least `least` digits. Only every `least`th byte is examined unless it may belong to one. */
function runsIn(bytes: Uint8Array, values: Uint8Array, least: number): Run[] {
  const runs: Run[] = [];
  let position = 0;
  for (let probe = least - 1; probe < bytes.length; probe += least) {
    if (values[bytes[probe] as number] === NO_DIGIT) continue;
    let from = probe;
    while (from > position && values[bytes[from - 1] as number] !== NO_DIGIT) from -= 1;
    let to = probe + 1;
    while (to < bytes.length && values[bytes[to] as number] !== NO_DIGIT) to += 1;
    if (to - from >= least) addRuns(bytes, values, { from, to, least }, runs);
    position = to;
    probe = to;
  }
  return runs;
}

/** The runs in a span of digits and blanks. */
function addRuns(
  bytes: Uint8Array,
  values: Uint8Array,
  { from, to, least }: { from: number; to: number; least: number },
  runs: Run[],
): void {
  let run: Run = { from, to: from, count: 0 };
  let isBroken = false;
  for (let at = from; at < to; at += 1) {
    const value = values[bytes[at] as number] as number;
    if (value === LINE_BREAK) isBroken = true;
    if (value >= BLANK) continue;
    if (at > run.to && !isBroken) {
      if (run.count >= least) runs.push(run);
      run = { from: at, to: at, count: 0 };
    }
    isBroken = false;
    run.to = at + 1;
    run.count += 1;
  }
  if (run.count >= least) runs.push(run);
}

function packed(bytes: Uint8Array, values: Uint8Array, runs: readonly Run[]): Uint8Array {
  const digits = new Uint8Array(runs.reduce((sum, { count }) => sum + packedLength(count), 0));
  let base = 0;
  for (const { from, to, count } of runs) {
    let size = base;
    for (let at = from; at < to; at += 1) {
      const value = values[bytes[at] as number] as number;
      if (value < BLANK) digits[size++] = value;
    }
    base += packedLength(count);
  }
  return digits;
}

function decoded(digits: Uint8Array, skipped: number, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((digits.length - skipped) * bits) / 8));
  let size = 0;
  let rest = 0;
  let restBits = 0;
  for (let index = skipped; index < digits.length; index += 1) {
    rest = (rest << bits) | (digits[index] as number);
    restBits += bits;
    if (restBits < 8) continue;
    restBits -= 8;
    bytes[size++] = rest >> restBits;
  }
  return bytes;
}

/**
 * The decoded bytes of the hexadecimal and base64 texts inside a view, at every alignment, because a secret may begin anywhere in a longer
 * encoded text. Runs too short for `shortest` bytes are left out.
 */
export function* decodings(before: View, shortest: number): Generator<View> {
  for (const { bits, alignments, values } of NOTATIONS) {
    const runs = runsIn(before.bytes, values, Math.ceil((shortest * 8) / bits));
    if (runs.length === 0) continue;
    const digits = packed(before.bytes, values, runs);
    for (let skipped = 0; skipped < alignments; skipped += 1) {
      const origin = (ranges: Ranges) => originOf(before.bytes, values, runs, { skipped, bits }, ranges);
      yield { bytes: decoded(digits, skipped, bits), before, origin };
    }
  }
}

function originOf(
  bytes: Uint8Array,
  values: Uint8Array,
  runs: readonly Run[],
  { skipped, bits }: { skipped: number; bits: number },
  ranges: Ranges,
): Ranges {
  const origins = new Origins(ranges);
  let base = 0;
  for (const run of runs) {
    const first = base - skipped;
    base += packedLength(run.count);
    const until = Math.floor(((base - skipped) * bits) / 8);
    if (!origins.isTouched(until)) continue;
    const [start, end] = [positions(bytes, values, run), positions(bytes, values, run)];
    origins.part(
      until,
      (at) => start(Math.floor((at * 8) / bits) - first),
      (at) => end(Math.floor((at * 8 + 7) / bits) - first),
    );
  }
  return origins.result();
}

/** The position of a run's digits; call in ascending order. */
function positions(bytes: Uint8Array, values: Uint8Array, { from, count }: Run): (digit: number) => number {
  let at = from;
  let index = 0;
  return (digit) => {
    const digitIndex = Math.min(Math.max(digit, 0), count - 1);
    while (index < digitIndex) {
      at += 1;
      if ((values[bytes[at] as number] as number) < BLANK) index += 1;
    }
    return at;
  };
}
