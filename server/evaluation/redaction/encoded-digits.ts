import type { TextRanges } from './ranges';
import { OriginMapper, type DecodedView } from './decoded-view';

/** An encoding of bytes as digits of a few bits each. */
interface DigitNotation {
  bits: number;
  /** Number of digits that may precede one with which a byte begins. */
  alignments: number;
  /** For each byte its digit, or one of the marks below. */
  values: Uint8Array;
}

const BLANK_VALUE = 0xfd;
const LINE_BREAK_VALUE = 0xfe;
const NO_DIGIT_VALUE = 0xff;

function createNotation(bits: number, alignments: number, ...alphabets: string[]): DigitNotation {
  const values = new Uint8Array(256).fill(NO_DIGIT_VALUE);
  for (const alphabet of alphabets)
    for (const [digit, character] of [...alphabet].entries()) values[character.charCodeAt(0)] = digit;
  for (const character of '\r\n') values[character.charCodeAt(0)] = LINE_BREAK_VALUE;
  for (const character of ' \t') values[character.charCodeAt(0)] = BLANK_VALUE;
  return { bits, alignments, values };
}

const BASE64_ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const DIGIT_NOTATIONS = [
  createNotation(4, 2, '0123456789abcdef', '0123456789ABCDEF'),
  createNotation(6, 4, `${BASE64_ALPHANUMERICS}+/`, `${BASE64_ALPHANUMERICS}-_`),
];

/** The digits of all runs are packed one after another: each run starts at a multiple of this, after zeros. */
const PACKING_ALIGNMENT = 4;
const packedRunLength = (count: number) => Math.ceil(count / PACKING_ALIGNMENT) * PACKING_ALIGNMENT + PACKING_ALIGNMENT;

/** Consecutive digits, with line breaks (and indentation) as in mails and PEM. */
interface DigitRun {
  from: number;
  to: number;
  count: number;
}

/** The runs of at least `least` digits. Only every `least`th byte is examined unless it may belong to one. */
function findDigitRuns(bytes: Uint8Array, values: Uint8Array, least: number): DigitRun[] {
  const runs: DigitRun[] = [];
  let position = 0;
  for (let probe = least - 1; probe < bytes.length; probe += least) {
    if (values[bytes[probe] as number] === NO_DIGIT_VALUE) continue;
    let from = probe;
    while (from > position && values[bytes[from - 1] as number] !== NO_DIGIT_VALUE) from -= 1;
    let to = probe + 1;
    while (to < bytes.length && values[bytes[to] as number] !== NO_DIGIT_VALUE) to += 1;
    if (to - from >= least) addSpanRuns(bytes, values, { from, to, least }, runs);
    position = to;
    probe = to;
  }
  return runs;
}

/** The runs in a span of digits and blanks. */
function addSpanRuns(
  bytes: Uint8Array,
  values: Uint8Array,
  { from, to, least }: { from: number; to: number; least: number },
  runs: DigitRun[],
): void {
  let run: DigitRun = { from, to: from, count: 0 };
  let isBroken = false;
  for (let at = from; at < to; at += 1) {
    const value = values[bytes[at] as number] as number;
    if (value === LINE_BREAK_VALUE) isBroken = true;
    if (value >= BLANK_VALUE) continue;
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

function packDigits(bytes: Uint8Array, values: Uint8Array, runs: readonly DigitRun[]): Uint8Array {
  const digits = new Uint8Array(runs.reduce((sum, { count }) => sum + packedRunLength(count), 0));
  let base = 0;
  for (const { from, to, count } of runs) {
    let size = base;
    for (let at = from; at < to; at += 1) {
      const value = values[bytes[at] as number] as number;
      if (value < BLANK_VALUE) digits[size++] = value;
    }
    base += packedRunLength(count);
  }
  return digits;
}

function decodeDigits(digits: Uint8Array, skipped: number, bits: number): Uint8Array {
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
 * The decoded bytes of the hexadecimal and base64 texts inside a view, at every alignment, because a secret may begin
 * anywhere in a longer encoded text. Runs too short for `shortest` bytes are left out.
 */
export function* decodeDigitRuns(before: DecodedView, shortest: number): Generator<DecodedView> {
  for (const { bits, alignments, values } of DIGIT_NOTATIONS) {
    const runs = findDigitRuns(before.bytes, values, Math.ceil((shortest * 8) / bits));
    if (runs.length === 0) continue;
    const digits = packDigits(before.bytes, values, runs);
    for (let skipped = 0; skipped < alignments; skipped += 1) {
      const origin = (ranges: TextRanges) => digitOrigins(before.bytes, values, runs, { skipped, bits }, ranges);
      yield { bytes: decodeDigits(digits, skipped, bits), before, origin };
    }
  }
}

function digitOrigins(
  bytes: Uint8Array,
  values: Uint8Array,
  runs: readonly DigitRun[],
  { skipped, bits }: { skipped: number; bits: number },
  ranges: TextRanges,
): TextRanges {
  const origins = new OriginMapper(ranges);
  let base = 0;
  for (const run of runs) {
    const first = base - skipped;
    base += packedRunLength(run.count);
    const until = Math.floor(((base - skipped) * bits) / 8);
    if (!origins.isTouched(until)) continue;
    const [start, end] = [createPositionFinder(bytes, values, run), createPositionFinder(bytes, values, run)];
    origins.part(
      until,
      (at) => start(Math.floor((at * 8) / bits) - first),
      (at) => end(Math.floor((at * 8 + 7) / bits) - first),
    );
  }
  return origins.result();
}

/** The position of a run's digits; call in ascending order. */
function createPositionFinder(
  bytes: Uint8Array,
  values: Uint8Array,
  { from, count }: DigitRun,
): (digit: number) => number {
  let at = from;
  let index = 0;
  return (digit) => {
    const digitIndex = Math.min(Math.max(digit, 0), count - 1);
    while (index < digitIndex) {
      at += 1;
      if ((values[bytes[at] as number] as number) < BLANK_VALUE) index += 1;
    }
    return at;
  };
}
