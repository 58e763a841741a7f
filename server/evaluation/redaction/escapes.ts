import { HtmlEntityDecoder, DecodingMode, replaceCodePoint } from 'entities/decode';
import type { TextRanges } from './ranges';
import { OriginMapper, type DecodedView } from './decoded-view';

const characterByte = (character: string) => character.charCodeAt(0);

const PERCENT_BYTE = characterByte('%');
const AMPERSAND_BYTE = characterByte('&');
const HASH_BYTE = characterByte('#');
const SEMICOLON_BYTE = characterByte(';');
const BACKSLASH_BYTE = characterByte('\\');
const LEFT_BRACE_BYTE = characterByte('{');
const RIGHT_BRACE_BYTE = characterByte('}');
const LETTER_U_BYTE = characterByte('u');
const LETTER_X_BYTE = characterByte('x');
const LOWER_CASE_BIT = 0x20;

/** The longest name of an HTML entity, with its semicolon. */
const MAX_ENTITY_NAME_LENGTH = 32;
const NO_HEX_DIGIT = 16;
/** Above this size a native copy is faster than a loop. */
const MAX_LOOP_COPY_BYTES = 32;

/** Escapes of JSON and JavaScript: the letter after a backslash, and what both stand for. */
const SHORT_ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

function createByteTable(entries: Iterable<[number, number]>, otherwise: number): Uint8Array {
  const result = new Uint8Array(256).fill(otherwise);
  for (const [byte, value] of entries) result[byte] = value;
  return result;
}

const HEX_VALUES_BY_BYTE = createByteTable(
  Array.from('0123456789abcdefABCDEF', (digit) => [characterByte(digit), Number.parseInt(digit, 16)]),
  NO_HEX_DIGIT,
);
const SHORT_ESCAPE_BYTES = createByteTable(
  Array.from('nrtbfv"\'`/\\', (letter) => [characterByte(letter), characterByte(SHORT_ESCAPES[letter] ?? letter)]),
  0,
);
const ESCAPE_LEAD_BYTES = createByteTable(
  [PERCENT_BYTE, AMPERSAND_BYTE, BACKSLASH_BYTE].map((lead) => [lead, 1]),
  0,
);

const isLetterByte = (byte: number) =>
  (byte | LOWER_CASE_BIT) >= characterByte('a') && (byte | LOWER_CASE_BIT) <= characterByte('z');
const isLetterOrDigitByte = (byte: number) => isLetterByte(byte) || (HEX_VALUES_BY_BYTE[byte] as number) < 10;
const isHighSurrogate = (code: number) => (code & 0xfffffc00) === 0xd800;
const isLowSurrogate = (code: number) => (code & 0xfffffc00) === 0xdc00;

/**
 * Reads the escapes of URLs (`%41`, `%u0041`), of JSON and JavaScript (`\n`, `\u0041`, `\u{41}`, `\x41`) and of HTML
 * (`&amp;`, `&#65;`, `&#x41;`; a semicolon may be missing where browsers do not need it). Unfinished or unknown
 * sequences are no escapes.
 */
class EscapeReader {
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
    if (this.bytes[at] === PERCENT_BYTE && this.digit(at + 1) < 16 && this.digit(at + 2) < 16) {
      this.push(this.digit(at + 1) * 16 + this.digit(at + 2));
      return at + 3;
    }
    const end = this.character(at);
    if (end === at) return this.name(at);
    const high = this.code;
    const next = isHighSurrogate(high) ? this.character(end) : end;
    const isPair = next > end && isLowSurrogate(this.code);
    this.put(isPair ? 0x10000 + ((high & 0x3ff) << 10) + (this.code & 0x3ff) : high);
    return isPair ? next : end;
  }

  /** Reads an escape that stands for one code unit or code point. */
  private character(at: number): number {
    const { bytes } = this;
    const lead = bytes[at];
    const next = bytes[at + 1] ?? 0;
    if (lead === PERCENT_BYTE) return (next | LOWER_CASE_BIT) === LETTER_U_BYTE ? this.hexadecimal(at, 2, 4) : at;
    if (lead === AMPERSAND_BYTE) return next === HASH_BYTE ? this.reference(at) : at;
    if (lead !== BACKSLASH_BYTE) return at;
    if (next === LETTER_X_BYTE) return this.hexadecimal(at, 2, 2);
    if (next === LETTER_U_BYTE) return bytes[at + 2] === LEFT_BRACE_BYTE ? this.braced(at) : this.hexadecimal(at, 2, 4);
    this.code = SHORT_ESCAPE_BYTES[next] as number;
    return this.code === 0 ? at : at + 2;
  }

  private digit(at: number): number {
    return HEX_VALUES_BY_BYTE[this.bytes[at] ?? 0] as number;
  }

  private hexadecimal(at: number, offset: number, digits: number): number {
    const end = this.digits(at + offset, 16, digits);
    return end === at + offset + digits ? end : at;
  }

  private braced(at: number): number {
    const end = this.digits(at + 3, 16);
    return end > at + 3 && this.bytes[end] === RIGHT_BRACE_BYTE && this.code <= 0x10ffff ? end + 1 : at;
  }

  private reference(at: number): number {
    const isHexadecimal = ((this.bytes[at + 2] ?? 0) | LOWER_CASE_BIT) === LETTER_X_BYTE;
    const from = at + (isHexadecimal ? 3 : 2);
    const end = this.digits(from, isHexadecimal ? 16 : 10);
    if (end === from || this.code > 0x10ffff) return at;
    if (!isHighSurrogate(this.code) && !isLowSurrogate(this.code)) this.code = replaceCodePoint(this.code);
    return this.bytes[end] === SEMICOLON_BYTE ? end + 1 : end;
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
    if (bytes[at] !== AMPERSAND_BYTE || !isLetterByte(bytes[at + 1] ?? 0)) return at;
    let text = '';
    let next = at + 1;
    while (next < at + MAX_ENTITY_NAME_LENGTH && isLetterOrDigitByte(bytes[next] ?? 0))
      text += String.fromCharCode(bytes[next++] as number);
    if (bytes[next] === SEMICOLON_BYTE) text += ';';
    this.names.startEntity(DecodingMode.Legacy);
    const length = this.names.write(text, 0);
    const consumed = length < 0 ? this.names.end() : length;
    return consumed > 0 ? at + consumed : at;
  }

  private put(code: number): void {
    const well = isHighSurrogate(code) || isLowSurrogate(code) ? 0xfffd : code;
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
export function visitEscapes(
  bytes: Uint8Array,
  visit: (from: number, to: number, output: Uint8Array, size: number) => void,
): void {
  if (!bytes.includes(PERCENT_BYTE) && !bytes.includes(AMPERSAND_BYTE) && !bytes.includes(BACKSLASH_BYTE)) return;
  const reader = new EscapeReader(bytes);
  for (let at = 0; at < bytes.length; at += 1) {
    if (ESCAPE_LEAD_BYTES[bytes[at] as number] === 0) continue;
    const to = reader.read(at);
    if (to === at) continue;
    visit(at, to, reader.output, reader.size);
    at = to - 1;
  }
}

/** The text with its escapes decoded once; undefined without escapes. */
export function decodeEscapes(bytes: Uint8Array): Uint8Array | undefined {
  let result: Uint8Array | undefined;
  let size = 0;
  let copied = 0;
  const copy = (into: Uint8Array, to: number) => {
    if (to - copied > MAX_LOOP_COPY_BYTES) {
      into.set(bytes.subarray(copied, to), size);
      size += to - copied;
    } else for (let at = copied; at < to; at += 1) into[size++] = bytes[at] as number;
  };
  visitEscapes(bytes, (from, to, output, length) => {
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

export function decodeEscapesInView(before: DecodedView): DecodedView | undefined {
  const bytes = decodeEscapes(before.bytes);
  return bytes && { bytes, before, origin: (ranges) => escapeOrigins(before.bytes, ranges) };
}

function escapeOrigins(bytes: Uint8Array, ranges: TextRanges): TextRanges {
  const origins = new OriginMapper(ranges);
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
  visitEscapes(bytes, (from, to, _output, length) => {
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
