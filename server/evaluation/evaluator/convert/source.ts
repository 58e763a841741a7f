import { gunzipSync } from 'node:zlib';
import type { Encoding, Format } from '@/contract/workflows/conversions';
import type { Conversion } from '../../convert-job';
import { decodeText, isUtf8Text } from './encodings';
import { expandsTooFar, expansionLimit, messageOf, unreadable } from './failure';

/** The content that is converted. */
export interface Source {
  format: Format;
  content: { value: unknown } | { bytes: Buffer };
  encoding: Encoding | undefined;
}

const NAMES: Partial<Record<Format, string>> = { csv: 'CSV', xlsx: 'A spreadsheet', pdf: 'A PDF document' };
const nameOf = (format: Format) => NAMES[format] ?? format.toUpperCase();

export const sourceOf = ({ from, source, options }: Conversion, content: Buffer): Source => ({
  format: from,
  content: source === 'value' ? { value: JSON.parse(content.toString()) as unknown } : { bytes: content },
  encoding: options.encoding,
});

const isText = (value: unknown): value is string => typeof value === 'string';

/** The bytes of a source: those of its file, or the UTF-8 of its text; those of gzip and Base64 are decoded. */
export function bytesOf({ format, content }: Source): Buffer {
  if (format === 'base64') return fromBase64('bytes' in content ? content.bytes.toString('latin1') : content.value);
  if ('bytes' in content) return format === 'gzip' ? gunzip(content.bytes) : content.bytes;
  const { value } = content;
  if (format === 'json' && !isText(value)) return Buffer.from(JSON.stringify(value));
  if (format === 'gzip' || format === 'zip' || format === 'xlsx' || format === 'pdf')
    throw unreadable(`${nameOf(format)} is read from a file: value must be the value of one.`);
  if (!isText(value)) throw unreadable(`value must be a text or the value of a file.`);
  return Buffer.from(value);
}

/** The text of a source. A text is taken as it is; bytes are decoded. */
export function textOf(source: Source): string {
  const { format, content, encoding } = source;
  if ('value' in content && format !== 'base64' && format !== 'gzip') {
    if (!isText(content.value)) throw unreadable('value must be a text or the value of a file.');
    return content.value;
  }
  return decode(bytesOf(source), encoding);
}

/** The UTF-8 of a source's text, without a copy if it is UTF-8 already. */
export function utf8Of(source: Source): Buffer {
  const { content, encoding } = source;
  if ('value' in content) return Buffer.from(textOf(source));
  const bytes = bytesOf(source);
  const name = markOf(bytes) ?? encoding ?? 'utf-8';
  return name === 'utf-8' && isUtf8Text(bytes) ? bytes : Buffer.from(decode(bytes, encoding));
}

/** The encoding that a byte order mark names. */
function markOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decode(bytes: Buffer, encoding: Encoding = 'utf-8'): string {
  return decodeText(bytes, markOf(bytes) ?? encoding);
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function fromBase64(value: unknown): Buffer {
  if (!isText(value)) throw unreadable('value must be a text or the value of a file.');
  const start = value.startsWith('data:') ? value.indexOf(',') + 1 : 0;
  const text = value.slice(start).replace(/\s+/g, '');
  if (!BASE64.test(text)) throw unreadable('The text is not Base64.');
  return Buffer.from(text, 'base64');
}

function gunzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: expansionLimit(bytes.length) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw expandsTooFar('The file', bytes.length);
    throw unreadable(`The file is not gzip: ${messageOf(error)}`);
  }
}
