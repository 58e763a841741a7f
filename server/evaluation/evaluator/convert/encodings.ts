import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { Encoding } from '@/contract/workflows/conversions';
import { unreadable } from './failure';

export const isUtf8Text = (bytes: Buffer): boolean => isUtf8(bytes);

/** The text of bytes, without a byte order mark. Throws for bytes that are no UTF-8; other encodings have a character for nearly every byte. */
export function decodeText(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf-8' && !isUtf8(bytes))
    throw unreadable('The content is not UTF-8. Set options.encoding, such as windows-1252.');
  return iconv.decode(bytes, encoding, { stripBOM: true });
}

/** The bytes of a text. Throws for characters that the encoding lacks. */
export function encodeText(text: Buffer | string, encoding: Encoding = 'utf-8', hasMark = false): Buffer {
  const decoded = text.toString();
  const bytes = iconv.encode(decoded, encoding, { addBOM: hasMark });
  if (encoding.startsWith('utf-')) return bytes;
  const back = iconv.decode(bytes, encoding);
  if (back !== decoded)
    throw unreadable(`The character at position ${differenceOf(back, decoded)} does not exist in ${encoding}.`);
  return bytes;
}

function differenceOf(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at + 1;
}
