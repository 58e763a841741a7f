import { readByteOrderMark, detectUnmarkedUtf16 } from '@/contract/text-encoding';
import type { TextEncoding } from '@/contract/workflows/conversions';

/**
 * The encoding of a file by its beginning. Bytes that are no UTF-8 are taken for that of Western Europe, in which old
 * programs save.
 */
export function guessTextEncoding(beginning: Uint8Array): TextEncoding {
  const known = readByteOrderMark(beginning) ?? detectUnmarkedUtf16(beginning);
  if (known) return known;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The text of a file for display. Bytes that are invalid in its encoding become the replacement character. */
export async function decodeTextFile(content: Blob, encoding?: TextEncoding): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  return new TextDecoder(encoding ?? guessTextEncoding(bytes)).decode(bytes);
}
