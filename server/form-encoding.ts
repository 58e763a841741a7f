import { isUtf8 } from 'node:buffer';
import { encodingOfLabel, TextBytesReader } from './text-encoding';

/** Escapes of bytes beyond ASCII, which are characters in the encoding of the sender only. */
const HIGH_ESCAPE = /%[89a-f][\da-f]/i;
/** The field in which browsers name the encoding of the page (HTML). */
const CHARSET_FIELD = /(?:^|&)_charset_=([\w.:-]{1,40})(?:&|$)/;
/** What is assumed of senders that name no encoding and use another one than UTF-8. */
const UNDECLARED = 'windows-1252';

/**
 * Names and values of a form (application/x-www-form-urlencoded). Its encoding is that of the field `_charset_`, else that of the content type, else UTF-8, or
 * windows-1252 if the bytes are no UTF-8. Throws UnreadableText.
 */
export function formPairs(body: Uint8Array, charset?: string): [name: string, value: string][] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const form = bytes.toString('latin1');
  const label = CHARSET_FIELD.exec(form)?.[1] ?? charset;
  const named = label === undefined ? undefined : encodingOfLabel(label);
  if ((named ?? 'utf-8') === 'utf-8' && !HIGH_ESCAPE.test(form) && isUtf8(bytes))
    return [...new URLSearchParams(withSpaces(bytes).toString())];
  const pairs = [...piecesOf(bytes, AMPERSAND)]
    .filter((pair) => pair.length > 0)
    .map((pair): [Buffer, Buffer] => {
      const at = pair.indexOf(EQUALS);
      return at < 0 ? [unescaped(pair), EMPTY] : [unescaped(pair.subarray(0, at)), unescaped(pair.subarray(at + 1))];
    });
  const encoding = encodingFor(pairs.flat(), named);
  return pairs.map(([name, value]) => [decoded(name, encoding), decoded(value, encoding)]);
}

const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];
const EMPTY = Buffer.alloc(0);

function* piecesOf(bytes: Buffer, separator: number): Generator<Buffer> {
  let from = 0;
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, from)) {
    yield bytes.subarray(from, at);
    from = at + 1;
  }
  yield bytes.subarray(from);
}

/** UTF-8 is not taken for given: many forms say so by habit. */
function encodingFor(texts: readonly Buffer[], named: string | undefined): string {
  if (named !== undefined && named !== 'utf-8') return named;
  return texts.every((text) => isUtf8(text)) ? 'utf-8' : UNDECLARED;
}

/** A form with spaces in place of plus signs, which URLSearchParams takes ten times as long to replace. */
function withSpaces(form: Buffer): Buffer {
  const spaced = Buffer.from(form);
  for (let at = 0; at < spaced.length; at += 1) if (spaced[at] === PLUS) spaced[at] = SPACE;
  return spaced;
}

/** The hexadecimal digit that a character is, by its code; -1: it is none. */
const DIGITS = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** The bytes of a name or value. Byte by byte: a pattern takes twenty times as long for a megabyte of escapes. */
function unescaped(escaped: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(escaped.length);
  let length = 0;
  for (let at = 0; at < escaped.length; at += 1) {
    const byte = escaped[at] ?? 0;
    const high = byte === PERCENT ? (DIGITS[escaped[at + 1] ?? 0] ?? -1) : -1;
    const low = high < 0 ? -1 : (DIGITS[escaped[at + 2] ?? 0] ?? -1);
    if (low >= 0) at += 2;
    bytes[length++] = low >= 0 ? high * 16 + low : byte === PLUS ? SPACE : byte;
  }
  return bytes.subarray(0, length);
}

function decoded(text: Buffer, encoding: string): string {
  const reader = new TextBytesReader(encoding);
  return reader.write(text) + reader.end();
}

/** The values of fields, whose bytes are characters of latin1, as `formPairs` reads them. Throws UnreadableText. */
export function fieldValues(fields: readonly (readonly [name: string, bytes: string])[]): string[] {
  const label = fields.find(([name]) => name === '_charset_')?.[1];
  const named = label === undefined ? undefined : encodingOfLabel(label);
  // Each by itself: the encoding of a part may have been read already.
  return fields.map(([, characters]) => {
    const bytes = Buffer.from(characters, 'latin1');
    return decoded(bytes, encodingFor([bytes], named));
  });
}
