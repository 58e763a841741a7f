import { isUtf8 } from 'node:buffer';
import { findEncodingByLabel, TextByteDecoder } from './text-encoding';

/** Escapes of bytes beyond ASCII, which are characters in the encoding of the sender only. */
const NON_ASCII_ESCAPE = /%[89a-f][\da-f]/i;
/** The field in which browsers name the encoding of the page (HTML). */
const CHARSET_FIELD_PATTERN = /(?:^|&)_charset_=([\w.:-]{1,40})(?:&|$)/;
/** The encoding that is assumed of senders that name none and do not use UTF-8. */
const FALLBACK_FORM_ENCODING = 'windows-1252';

/**
 * Names and values of a form (application/x-www-form-urlencoded). Its encoding is that of the field `_charset_`, else
 * that of the content type, else UTF-8, or windows-1252 if the bytes are no UTF-8. Throws UnreadableText.
 */
export function parseFormPairs(body: Uint8Array, charset?: string): [name: string, value: string][] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const form = bytes.toString('latin1');
  const label = CHARSET_FIELD_PATTERN.exec(form)?.[1] ?? charset;
  const named = label === undefined ? undefined : findEncodingByLabel(label);
  if ((named ?? 'utf-8') === 'utf-8' && !NON_ASCII_ESCAPE.test(form) && isUtf8(bytes))
    return [...new URLSearchParams(replacePlusSigns(bytes).toString())];
  const pairs = [...splitBytes(bytes, AMPERSAND)]
    .filter((pair) => pair.length > 0)
    .map((pair): [Buffer, Buffer] => {
      const at = pair.indexOf(EQUALS);
      return at < 0
        ? [unescapeBytes(pair), EMPTY_BYTES]
        : [unescapeBytes(pair.subarray(0, at)), unescapeBytes(pair.subarray(at + 1))];
    });
  const encoding = chooseFormEncoding(pairs.flat(), named);
  return pairs.map(([name, value]) => [decodeFormText(name, encoding), decodeFormText(value, encoding)]);
}

const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];
const EMPTY_BYTES = Buffer.alloc(0);

function* splitBytes(bytes: Buffer, separator: number): Generator<Buffer> {
  let from = 0;
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, from)) {
    yield bytes.subarray(from, at);
    from = at + 1;
  }
  yield bytes.subarray(from);
}

/** UTF-8 is not taken for given: many forms say so by habit. */
function chooseFormEncoding(texts: readonly Buffer[], named: string | undefined): string {
  if (named !== undefined && named !== 'utf-8') return named;
  return texts.every((text) => isUtf8(text)) ? 'utf-8' : FALLBACK_FORM_ENCODING;
}

/** A form with spaces in place of plus signs, which URLSearchParams takes ten times as long to replace. */
function replacePlusSigns(form: Buffer): Buffer {
  const spaced = Buffer.from(form);
  for (let at = 0; at < spaced.length; at += 1) if (spaced[at] === PLUS) spaced[at] = SPACE;
  return spaced;
}

/** The hexadecimal digit that a character is, by its code; -1: it is none. */
const FORM_HEX_DIGITS = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** The bytes of a name or value. Byte by byte: a pattern takes twenty times as long for a megabyte of escapes. */
function unescapeBytes(escaped: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(escaped.length);
  let length = 0;
  for (let at = 0; at < escaped.length; at += 1) {
    const byte = escaped[at] ?? 0;
    const high = byte === PERCENT ? (FORM_HEX_DIGITS[escaped[at + 1] ?? 0] ?? -1) : -1;
    const low = high < 0 ? -1 : (FORM_HEX_DIGITS[escaped[at + 2] ?? 0] ?? -1);
    if (low >= 0) at += 2;
    bytes[length++] = low >= 0 ? high * 16 + low : byte === PLUS ? SPACE : byte;
  }
  return bytes.subarray(0, length);
}

function decodeFormText(text: Buffer, encoding: string): string {
  const reader = new TextByteDecoder(encoding);
  return reader.write(text) + reader.end();
}

/**
 * The values of fields, whose bytes are characters of latin1, as `parseFormPairs` reads them. Throws UnreadableText.
 */
export function decodeFieldValues(fields: readonly (readonly [name: string, bytes: string])[]): string[] {
  const label = fields.find(([name]) => name === '_charset_')?.[1];
  const named = label === undefined ? undefined : findEncodingByLabel(label);
  // Each value is decoded by itself, because the encoding of a part may have been read already.
  return fields.map(([, characters]) => {
    const bytes = Buffer.from(characters, 'latin1');
    return decodeFormText(bytes, chooseFormEncoding([bytes], named));
  });
}
