import { gunzipSync } from 'node:zlib';
import type { TextEncoding, ConversionFormat } from '@/contract/workflows/conversions';
import type { ConversionJob } from '../../convert-job';
import { decodeSourceText } from './encodings';
import { expansionFailure, maxExpandedBytes, errorMessage, unreadableContent } from './failure';

/** The content that is converted. */
export interface ConversionSource {
  format: ConversionFormat;
  content: { value: unknown } | { bytes: Buffer };
  /** The encoding that the author states, and the charset that the type of the file states. */
  encoding: { encoding: TextEncoding | undefined; charset: string | undefined };
}

const FORMAT_NAMES: Partial<Record<ConversionFormat, string>> = {
  csv: 'CSV',
  xlsx: 'A spreadsheet',
  pdf: 'A PDF document',
};
const formatName = (format: ConversionFormat) => FORMAT_NAMES[format] ?? format.toUpperCase();

export const createSource = ({ from, source, options, charset }: ConversionJob, content: Buffer): ConversionSource => ({
  format: from,
  content: source === 'value' ? { value: JSON.parse(content.toString()) as unknown } : { bytes: content },
  encoding: { encoding: options.encoding, charset },
});

const isString = (value: unknown): value is string => typeof value === 'string';

/** The bytes of a source: those of its file, or the UTF-8 of its text; those of gzip and Base64 are decoded. */
export function sourceBytes({ format, content }: ConversionSource): Buffer {
  if (format === 'base64')
    return decodeBase64Value('bytes' in content ? content.bytes.toString('latin1') : content.value);
  if ('bytes' in content) return format === 'gzip' ? gunzipLimited(content.bytes) : content.bytes;
  const { value } = content;
  if (format === 'json' && !isString(value)) return Buffer.from(JSON.stringify(value));
  if (format === 'gzip' || format === 'zip' || format === 'xlsx' || format === 'pdf')
    throw unreadableContent(`${formatName(format)} is read from a file: value must be the value of one.`);
  if (!isString(value)) throw unreadableContent(`value must be a text or the value of a file.`);
  return encodeUtf8(value);
}

/** UTF-8. Throws for a text that it cannot hold, in which U+FFFD would stand otherwise. */
export function encodeUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  throw unreadableContent('The text has half of a surrogate pair, which UTF-8 cannot hold.');
}

/** The text of a source in parts, without a byte order mark. A text is taken as it is; bytes are decoded. */
export function sourceTextParts(source: ConversionSource): Iterable<string> {
  const { format, content, encoding } = source;
  if ('value' in content && format !== 'base64' && format !== 'gzip') {
    if (!isString(content.value)) throw unreadableContent('value must be a text or the value of a file.');
    return [content.value.startsWith('\ufeff') ? content.value.slice(1) : content.value];
  }
  return decodeSourceText(sourceBytes(source), encoding);
}

export const sourceText = (source: ConversionSource): string => [...sourceTextParts(source)].join('');

const BASE64_TEXT = /^[A-Za-z0-9+/_-]*={0,2}$/;

function decodeBase64Value(value: unknown): Buffer {
  if (!isString(value)) throw unreadableContent('value must be a text or the value of a file.');
  const start = value.startsWith('data:') ? value.indexOf(',') + 1 : 0;
  const text = value.slice(start).replace(/\s+/g, '');
  if (!BASE64_TEXT.test(text)) throw unreadableContent('The text is not Base64.');
  if (text.replace(/=+$/, '').length % 4 === 1) throw unreadableContent('The text is not Base64: it is cut off.');
  return Buffer.from(text, 'base64');
}

function gunzipLimited(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw unreadableContent('The file is not gzip.');
  try {
    return gunzipSync(bytes, { maxOutputLength: maxExpandedBytes(bytes.length) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw expansionFailure('The file', bytes.length);
    if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw unreadableContent('The gzip file is cut off.');
    throw unreadableContent(`The file is not gzip: ${errorMessage(error)}`);
  }
}
