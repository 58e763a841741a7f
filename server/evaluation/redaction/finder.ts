import { PatternAutomaton } from './automaton';
import { decodeDigitRuns } from './encoded-digits';
import { decodeEscapesInView } from './escapes';
import { listSecretForms } from './forms';
import { TextRanges } from './ranges';
import { findDecodedTexts } from './decoded-texts';
import type { DecodedView } from './decoded-view';

/** Maximum number of passes that decode escapes: percent-encoded JSON inside JSON inside HTML takes four. */
const MAX_ESCAPE_PASSES = 6;
/** Maximum nesting of hexadecimal and base64 encodings. */
const MAX_NESTED_ENCODINGS = 3;
/** Budget of bytes examined per text, as a multiple of its length. Ordinary texts take less than ten. */
const MAX_WORK_FACTOR = 64;
/** Minimum budget, so that short texts are examined as deeply as long ones. */
const MIN_WORK_BYTES = 65_536;

/** Texts up to this length are encoded into a reused buffer. */
const MAX_SCRATCH_TEXT = 2048;
const utf8Encoder = new TextEncoder();
const scratchBuffer = new Uint8Array(MAX_SCRATCH_TEXT * 3);

function encodeWithScratch(text: string): Uint8Array {
  if (text.length > MAX_SCRATCH_TEXT) return utf8Encoder.encode(text);
  return scratchBuffer.subarray(0, utf8Encoder.encodeInto(text, scratchBuffer).written);
}

/** Finds secrets in a text, also if they are escaped or encoded, repeatedly and in any order. */
export class SecretFinder {
  private readonly automaton: PatternAutomaton;
  /** A text with fewer UTF-16 units contains no secret. */
  private readonly fewestUnits: number;

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap(listSecretForms);
    this.automaton = new PatternAutomaton(forms);
    this.fewestUnits = forms.reduce((least, form) => Math.min(least, countCharacters(form)), Infinity);
  }

  /** The positions of secrets in the text, in UTF-16 units; undefined: none. */
  find(text: string): TextRanges | undefined {
    if (text.length < this.fewestUnits) return undefined;
    const bytes = encodeWithScratch(text);
    const found = new SecretSearch(this.automaton, bytes.length).run({ bytes, origin: (ranges) => ranges });
    if (found.length === 0) return undefined;
    const ranges = TextRanges.union(found);
    return bytes.length === text.length ? ranges : toUtf16Ranges(bytes, ranges);
  }
}

class SecretSearch {
  private readonly found: TextRanges[] = [];
  private work: number;

  constructor(
    private readonly automaton: PatternAutomaton,
    length: number,
  ) {
    this.work = length * MAX_WORK_FACTOR + MIN_WORK_BYTES;
  }

  run(text: DecodedView): TextRanges[] {
    this.searchView(text);
    this.decodeAndSearch(text, MAX_NESTED_ENCODINGS);
    return this.found;
  }

  /** Decodes escapes while there are some, and digits before and after. */
  private decodeAndSearch(text: DecodedView, nested: number): void {
    let last = text;
    for (let pass = 0; pass < MAX_ESCAPE_PASSES && this.work > 0; pass += 1) {
      const next = decodeEscapesInView(last);
      if (!next) break;
      this.searchView(next);
      last = next;
    }
    if (nested === 0) return;
    this.decode(last, nested - 1);
    // Text that is no escape, such as the `&#48` of `&#48656c6c6f`, may have consumed digits.
    if (last !== text) this.decode(text, nested - 1);
  }

  private decode(text: DecodedView, nested: number): void {
    const { shortest } = this.automaton;
    for (const decoded of decodeDigitRuns(text, shortest)) {
      if (this.work <= 0) return;
      this.searchView(decoded);
      // Another encoding would make a secret longer than the text.
      for (const inner of findDecodedTexts(decoded, shortest + 1)) this.decodeAndSearch(inner, nested);
    }
  }

  private searchView(view: DecodedView): void {
    this.work -= view.bytes.length;
    const ranges = new TextRanges();
    this.automaton.search(view.bytes, ranges);
    if (ranges.length > 0) this.found.push(rangesInText(view, ranges));
  }
}

function rangesInText(view: DecodedView, ranges: TextRanges): TextRanges {
  const origin = view.origin(ranges);
  return view.before ? rangesInText(view.before, origin) : origin;
}

const isUtf8Continuation = (byte: number) => (byte & 0xc0) === 0x80;

function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!isUtf8Continuation(byte)) count += 1;
  return count;
}

/** Converts UTF-8 positions to UTF-16. A character is never split. */
function toUtf16Ranges(bytes: Uint8Array, { starts, ends }: TextRanges): TextRanges {
  const result = new TextRanges();
  let at = 0;
  let units = 0;
  const advance = (to: number) => {
    for (; at < to; at += 1) {
      const byte = bytes[at] as number;
      // Four bytes are two units.
      if (!isUtf8Continuation(byte)) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  };
  starts.forEach((from, index) => {
    let start = from;
    while (isUtf8Continuation(bytes[start] as number)) start -= 1;
    let end = ends[index] as number;
    while (end < bytes.length && isUtf8Continuation(bytes[end] as number)) end += 1;
    result.add(advance(start), advance(end));
  });
  return result;
}
