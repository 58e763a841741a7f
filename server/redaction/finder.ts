import { Automaton } from './automaton';
import { decodings } from './digits';
import { withoutEscapes } from './escapes';
import { formsOf } from './forms';
import { Ranges } from './ranges';
import { textsIn } from './texts';
import type { View } from './view';

/** Maximum number of passes that decode escapes: percent-encoded JSON inside JSON inside HTML takes four. */
const MAX_PASSES = 6;
/** Maximum nesting of hexadecimal and base64 encodings. */
const MAX_NESTED = 3;
/** Budget of bytes examined per text, as a multiple of its length. Ordinary texts take less than ten. */
const MAX_WORK = 64;
/** Minimum budget, so that short texts are examined as deeply as long ones. */
const LEAST_WORK = 65_536;

/** Texts up to this length are encoded into a reused buffer. */
const SHORT_TEXT = 2048;
const encoder = new TextEncoder();
const scratch = new Uint8Array(SHORT_TEXT * 3);

function encoded(text: string): Uint8Array {
  if (text.length > SHORT_TEXT) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** Finds secrets in a text, also if they are escaped or encoded, repeatedly and in any order. */
export class Finder {
  private readonly automaton: Automaton;
  /** A text with fewer UTF-16 units contains no secret. */
  private readonly fewestUnits: number;

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap(formsOf);
    this.automaton = new Automaton(forms);
    this.fewestUnits = forms.reduce((least, form) => Math.min(least, charactersIn(form)), Infinity);
  }

  /** The positions of secrets in the text, in UTF-16 units; undefined: none. */
  find(text: string): Ranges | undefined {
    if (text.length < this.fewestUnits) return undefined;
    const bytes = encoded(text);
    const found = new Search(this.automaton, bytes.length).run({ bytes, origin: (ranges) => ranges });
    if (found.length === 0) return undefined;
    const ranges = Ranges.union(found);
    return bytes.length === text.length ? ranges : inUnits(bytes, ranges);
  }
}

class Search {
  private readonly found: Ranges[] = [];
  private work: number;

  constructor(
    private readonly automaton: Automaton,
    length: number,
  ) {
    this.work = length * MAX_WORK + LEAST_WORK;
  }

  run(text: View): Ranges[] {
    this.look(text);
    this.undo(text, MAX_NESTED);
    return this.found;
  }

  /** Decodes escapes while there are some, and digits before and after. */
  private undo(text: View, nested: number): void {
    let last = text;
    for (let pass = 0; pass < MAX_PASSES && this.work > 0; pass += 1) {
      const next = withoutEscapes(last);
      if (!next) break;
      this.look(next);
      last = next;
    }
    if (nested === 0) return;
    this.decode(last, nested - 1);
    // Text that is no escape, such as the `&#48` of `&#48656c6c6f`, may have consumed digits.
    if (last !== text) this.decode(text, nested - 1);
  }

  private decode(text: View, nested: number): void {
    const { shortest } = this.automaton;
    for (const decoded of decodings(text, shortest)) {
      if (this.work <= 0) return;
      this.look(decoded);
      // Another encoding would make a secret longer than the text.
      for (const inner of textsIn(decoded, shortest + 1)) this.undo(inner, nested);
    }
  }

  private look(view: View): void {
    this.work -= view.bytes.length;
    const ranges = new Ranges();
    this.automaton.search(view.bytes, ranges);
    if (ranges.length > 0) this.found.push(inText(view, ranges));
  }
}

function inText(view: View, ranges: Ranges): Ranges {
  const origin = view.origin(ranges);
  return view.before ? inText(view.before, origin) : origin;
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

function charactersIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!isContinuation(byte)) count += 1;
  return count;
}

/** Converts UTF-8 positions to UTF-16. A character is never split. */
function inUnits(bytes: Uint8Array, { starts, ends }: Ranges): Ranges {
  const result = new Ranges();
  let at = 0;
  let units = 0;
  const advance = (to: number) => {
    for (; at < to; at += 1) {
      const byte = bytes[at] as number;
      // Four bytes are two units.
      if (!isContinuation(byte)) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  };
  starts.forEach((from, index) => {
    let start = from;
    while (isContinuation(bytes[start] as number)) start -= 1;
    let end = ends[index] as number;
    while (end < bytes.length && isContinuation(bytes[end] as number)) end += 1;
    result.add(advance(start), advance(end));
  });
  return result;
}
