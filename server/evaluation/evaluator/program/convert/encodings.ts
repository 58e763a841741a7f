import iconv from 'iconv-lite';
import type { TextEncoding } from '@/contract/workflows/conversions';
import {
  decodeWholeText,
  decodeTextInParts,
  UnreadableTextError,
  type TextEncodingHints,
} from '@/server/platform/messages/text-encoding';
import { detectBinaryContent } from '@/contract/binary-content';
import { unreadableContent } from './failure';

/** The text of bytes in parts, without a byte order mark. Throws for bytes that are not text in their encoding. */
export function* decodeSourceText(bytes: Buffer, facts: TextEncodingHints): Generator<string> {
  const kind = detectBinaryContent(bytes);
  if (kind !== undefined) throw unreadableContent(`The file is ${kind}, not text. Convert it from its own format.`);
  try {
    yield* decodeTextInParts(bytes, facts);
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    const hint = facts.encoding ? '' : ' Set options.encoding to that of the file, such as windows-1252.';
    throw unreadableContent(`${error.message}${hint}`);
  }
}

/** The bytes of a text. Throws for characters that the encoding lacks. */
export function encodeTextExactly(text: Buffer | string, encoding: TextEncoding = 'utf-8', hasMark = false): Buffer {
  const decoded = text.toString();
  const bytes = iconv.encode(decoded, encoding, { addBOM: hasMark });
  const isWhole = encoding.startsWith('utf-') ? decoded.isWellFormed() : decodesTo(decoded, bytes, encoding);
  if (isWhole) return bytes;
  let at = 0;
  for (const character of decoded) {
    if (!character.isWellFormed() || !decodesTo(character, iconv.encode(character, encoding), encoding)) break;
    at += character.length;
  }
  throw unreadableContent(`The character at position ${at + 1} does not exist in ${encoding}.`);
}

/** Whether a reader of the bytes gets the text. */
function decodesTo(text: string, bytes: Buffer, encoding: TextEncoding): boolean {
  try {
    return decodeWholeText(bytes, { encoding }) === text;
  } catch (error) {
    if (error instanceof UnreadableTextError) return false;
    throw error;
  }
}
