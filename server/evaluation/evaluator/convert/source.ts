import { gunzipSync } from 'node:zlib';
import type { Encoding, Format } from '@/contract/workflows/conversions';
import type { Conversion } from '../../convert-job';
import { decodeText } from './encodings';
import { expandsTooFar, expansionLimit, messageOf, unreadable } from './failure';

/** The content that is converted. */
export interface Source {
  format: Format;
  content: { value: unknown } | { bytes: Buffer };
  /** By the author, and by the type of the file. */
  encoding: { encoding: Encoding | undefined; charset: string | undefined };
}

const NAMES: Partial<Record<Format, string>> = { csv: 'CSV', xlsx: 'A spreadsheet', pdf: 'A PDF document' };
const nameOf = (format: Format) => NAMES[format] ?? format.toUpperCase();

export const sourceOf = ({ from, source, options, charset }: Conversion, content: Buffer): Source => ({
  format: from,
  content: source === 'value' ? { value: JSON.parse(content.toString()) as unknown } : { bytes: content },
  encoding: { encoding: options.encoding, charset },
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
  return bytesOfText(value);
}

/** UTF-8. Throws for a text that it cannot hold, in which U+FFFD would stand otherwise. */
export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  throw unreadable('The text has half of a surrogate pair, which UTF-8 cannot hold.');
}

/** The text of a source in parts, without a byte order mark. A text is taken as it is; bytes are decoded. */
export function textPartsOf(source: Source): Iterable<string> {
  const { format, content, encoding } = source;
  if ('value' in content && format !== 'base64' && format !== 'gzip') {
    if (!isText(content.value)) throw unreadable('value must be a text or the value of a file.');
    return [content.value.startsWith('\ufeff') ? content.value.slice(1) : content.value];
  }
  return decodeText(bytesOf(source), encoding);
}

export const textOf = (source: Source): string => [...textPartsOf(source)].join('');

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function fromBase64(value: unknown): Buffer {
  if (!isText(value)) throw unreadable('value must be a text or the value of a file.');
  const start = value.startsWith('data:') ? value.indexOf(',') + 1 : 0;
  const text = value.slice(start).replace(/\s+/g, '');
  if (!BASE64.test(text)) throw unreadable('The text is not Base64.');
  if (text.replace(/=+$/, '').length % 4 === 1) throw unreadable('The text is not Base64: it is cut off.');
  return Buffer.from(text, 'base64');
}

function gunzip(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw unreadable('The file is not gzip.');
  try {
    return gunzipSync(bytes, { maxOutputLength: expansionLimit(bytes.length) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw expandsTooFar('The file', bytes.length);
    if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw unreadable('The gzip file is cut off.');
    throw unreadable(`The file is not gzip: ${messageOf(error)}`);
  }
}
