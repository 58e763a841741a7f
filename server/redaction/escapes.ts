import { HtmlEntityDecoder, DecodingMode, replaceCodePoint } from 'entities/decode';
import type { Ranges } from './ranges';
import { Origins, type View } from './view';

const byteOf = (character: string) => character.charCodeAt(0);

const PERCENT = byteOf('%');
const AMPERSAND = byteOf('&');
const HASH = byteOf('#');
const SEMICOLON = byteOf(';');
const BACKSLASH = byteOf('\\');
const LEFT_BRACE = byteOf('{');
const RIGHT_BRACE = byteOf('}');
const U = byteOf('u');
const X = byteOf('x');
const LOWER_CASE = 0x20;

/** The longest name of an HTML entity, with its semicolon. */
const LONGEST_NAME = 32;
const NOT_A_DIGIT = 16;
/** Above this size a native copy is faster than a loop. */
const SHORT_COPY = 32;

/** Escapes of JSON and JavaScript: the letter after a backslash, and what both stand for. */
const SHORT: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

function table(entries: Iterable<[number, number]>, otherwise: number): Uint8Array {
  const result = new Uint8Array(256).fill(otherwise);
  for (const [byte, value] of entries) result[byte] = value;
  return result;
}

const DIGITS = table(
  Array.from('0123456789abcdefABCDEF', (digit) => [byteOf(digit), Number.parseInt(digit, 16)]),
  NOT_A_DIGIT,
);
const SHORTS = table(
  Array.from('nrtbfv"\'`/\\', (letter) => [byteOf(letter), byteOf(SHORT[letter] ?? letter)]),
  0,
);
const LEADS = table(
  [PERCENT, AMPERSAND, BACKSLASH].map((lead) => [lead, 1]),
  0,
);

const isLetter = (byte: number) => (byte | LOWER_CASE) >= byteOf('a') && (byte | LOWER_CASE) <= byteOf('z');
const isLetterOrDigit = (byte: number) => isLetter(byte) || (DIGITS[byte] as number) < 10;
const isHigh = (code: number) => (code & 0xfffffc00) === 0xd800;
const isLow = (code: number) => (code & 0xfffffc00) === 0xdc00;

/**
 * Reads the escapes of URLs (`%41`, `%u0041`), of JSON and JavaScript (`\n`, `\u0041`, `\u{41}`, `\x41`) and of HTML (`&amp;`, `&#65;`,
 * `&#x41;`; a semicolon may be missing where browsers do not need it). Unfinished or unknown sequences are no escapes.
 */
class Reader {
  /** The decoded escape: the first `size` bytes, in UTF-8. */
  readonly output = new Uint8Array(8);
  size = 0;
  private readonly names = new HtmlEntityDecoder((code) => this.put(code));
  /** The character that `character` has read. */
  private code = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Reads the escape at `at`. Returns its end, or `at` if there is none. */
  read(at: number): number {
    this.size = 0;
    if (this.bytes[at] === PERCENT && this.digit(at + 1) < 16 && this.digit(at + 2) < 16) {
      this.push(this.digit(at + 1) * 16 + this.digit(at + 2));
      return at + 3;
    }
    const end = this.character(at);
    if (end === at) return this.name(at);
    const high = this.code;
    const next = isHigh(high) ? this.character(end) : end;
    const isPair = next > end && isLow(this.code);
    this.put(isPair ? 0x10000 + ((high & 0x3ff) << 10) + (this.code & 0x3ff) : high);
    return isPair ? next : end;
  }

  /** Reads an escape that stands for one code unit or code point. */
  private character(at: number): number {
    const { bytes } = this;
    const lead = bytes[at];
    const next = bytes[at + 1] ?? 0;
    if (lead === PERCENT) return (next | LOWER_CASE) === U ? this.hexadecimal(at, 2, 4) : at;
    if (lead === AMPERSAND) return next === HASH ? this.reference(at) : at;
    if (lead !== BACKSLASH) return at;
    if (next === X) return this.hexadecimal(at, 2, 2);
    if (next === U) return bytes[at + 2] === LEFT_BRACE ? this.braced(at) : this.hexadecimal(at, 2, 4);
    this.code = SHORTS[next] as number;
    return this.code === 0 ? at : at + 2;
  }

  private digit(at: number): number {
    return DIGITS[this.bytes[at] ?? 0] as number;
  }

  private hexadecimal(at: number, offset: number, digits: number): number {
    const end = this.digits(at + offset, 16, digits);
    return end === at + offset + digits ? end : at;
  }

  private braced(at: number): number {
    const end = this.digits(at + 3, 16);
    return end > at + 3 && this.bytes[end] === RIGHT_BRACE && this.code <= 0x10ffff ? end + 1 : at;
  }

  private reference(at: number): number {
    const isHexadecimal = ((this.bytes[at + 2] ?? 0) | LOWER_CASE) === X;
    const from = at + (isHexadecimal ? 3 : 2);
    const end = this.digits(from, isHexadecimal ? 16 : 10);
    if (end === from || this.code > 0x10ffff) return at;
    if (!isHigh(this.code) && !isLow(this.code)) this.code = replaceCodePoint(this.code);
    return this.bytes[end] === SEMICOLON ? end + 1 : end;
  }

  /** Reads digits into `code`. Returns their end. */
  private digits(from: number, radix: number, most = Infinity): number {
    this.code = 0;
    let at = from;
    while (at - from < most && this.digit(at) < radix) {
      this.code = Math.min(this.code * radix + this.digit(at), 0x110000);
      at += 1;
    }
    return at;
  }

  private name(at: number): number {
    const { bytes } = this;
    if (bytes[at] !== AMPERSAND || !isLetter(bytes[at + 1] ?? 0)) return at;
    let text = '';
    let next = at + 1;
    while (next < at + LONGEST_NAME && isLetterOrDigit(bytes[next] ?? 0))
      text += String.fromCharCode(bytes[next++] as number);
    if (bytes[next] === SEMICOLON) text += ';';
    this.names.startEntity(DecodingMode.Legacy);
    const length = this.names.write(text, 0);
    const consumed = length < 0 ? this.names.end() : length;
    return consumed > 0 ? at + consumed : at;
  }

  private put(code: number): void {
    const well = isHigh(code) || isLow(code) ? 0xfffd : code;
    if (well < 0x80) return this.push(well);
    if (well < 0x800) this.push(0xc0 | (well >> 6));
    else {
      if (well < 0x10000) this.push(0xe0 | (well >> 12));
      else {
        this.push(0xf0 | (well >> 18));
        this.push(0x80 | ((well >> 12) & 0x3f));
      }
      this.push(0x80 | ((well >> 6) & 0x3f));
    }
    this.push(0x80 | (well & 0x3f));
  }

  private push(byte: number): void {
    this.output[this.size] = byte;
    this.size += 1;
  }
}

/** Visits all escapes of a text from left to right. */
export function eachEscape(
  bytes: Uint8Array,
  visit: (from: number, to: number, output: Uint8Array, size: number) => void,
): void {
  if (!bytes.includes(PERCENT) && !bytes.includes(AMPERSAND) && !bytes.includes(BACKSLASH)) return;
  const reader = new Reader(bytes);
  for (let at = 0; at < bytes.length; at += 1) {
    if (LEADS[bytes[at] as number] === 0) continue;
    const to = reader.read(at);
    if (to === at) continue;
    visit(at, to, reader.output, reader.size);
    at = to - 1;
  }
}

/** The text with its escapes decoded once; undefined without escapes. */
export function unescaped(bytes: Uint8Array): Uint8Array | undefined {
  let result: Uint8Array | undefined;
  let size = 0;
  let copied = 0;
  const copy = (into: Uint8Array, to: number) => {
    if (to - copied > SHORT_COPY) {
      into.set(bytes.subarray(copied, to), size);
      size += to - copied;
    } else for (let at = copied; at < to; at += 1) into[size++] = bytes[at] as number;
  };
  eachEscape(bytes, (from, to, output, length) => {
    // Five bytes may become six: `&nGt;`.
    result ??= new Uint8Array(Math.ceil(bytes.length * 1.2));
    copy(result, from);
    for (let index = 0; index < length; index += 1) result[size++] = output[index] as number;
    copied = to;
  });
  if (!result) return undefined;
  copy(result, bytes.length);
  return result.subarray(0, size);
}

export function withoutEscapes(before: View): View | undefined {
  const bytes = unescaped(before.bytes);
  return bytes && { bytes, before, origin: (ranges) => originOf(before.bytes, ranges) };
}

function originOf(bytes: Uint8Array, ranges: Ranges): Ranges {
  const origins = new Origins(ranges);
  let size = 0;
  let copied = 0;
  const text = (to: number) => {
    const shift = copied - size;
    size += to - copied;
    if (origins.isTouched(size)) {
      const same = (at: number) => at + shift;
      origins.part(size, same, same);
    }
  };
  eachEscape(bytes, (from, to, _output, length) => {
    text(from);
    size += length;
    if (origins.isTouched(size))
      origins.part(
        size,
        () => from,
        () => to - 1,
      );
    copied = to;
  });
  text(bytes.length);
  return origins.result();
}
