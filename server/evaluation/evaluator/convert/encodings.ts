import iconv from 'iconv-lite';
import type { Encoding } from '@/contract/workflows/conversions';
import { readText, readTextParts, UnreadableText, type TextFacts } from '@/server/text-encoding';
import { kindOfContent } from '@/contract/content-kind';
import { unreadable } from './failure';

/** The text of bytes in parts, without a byte order mark. Throws for bytes that are not text in their encoding. */
export function* decodeText(bytes: Buffer, facts: TextFacts): Generator<string> {
  const kind = kindOfContent(bytes);
  if (kind !== undefined) throw unreadable(`The file is ${kind}, not text. Convert it from its own format.`);
  try {
    yield* readTextParts(bytes, facts);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    const hint = facts.encoding ? '' : ' Set options.encoding to that of the file, such as windows-1252.';
    throw unreadable(`${error.message}${hint}`);
  }
}

/** The bytes of a text. Throws for characters that the encoding lacks. */
export function encodeText(text: Buffer | string, encoding: Encoding = 'utf-8', hasMark = false): Buffer {
  const decoded = text.toString();
  const bytes = iconv.encode(decoded, encoding, { addBOM: hasMark });
  const isWhole = encoding.startsWith('utf-') ? decoded.isWellFormed() : isReadAs(decoded, bytes, encoding);
  if (isWhole) return bytes;
  let at = 0;
  for (const character of decoded) {
    if (!character.isWellFormed() || !isReadAs(character, iconv.encode(character, encoding), encoding)) break;
    at += character.length;
  }
  throw unreadable(`The character at position ${at + 1} does not exist in ${encoding}.`);
}

/** Whether a reader of the bytes gets the text. */
function isReadAs(text: string, bytes: Buffer, encoding: Encoding): boolean {
  try {
    return readText(bytes, { encoding }) === text;
  } catch (error) {
    if (error instanceof UnreadableText) return false;
    throw error;
  }
}
