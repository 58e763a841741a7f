import { encodingOfMark, unmarkedUtf16 } from '@/contract/text-encoding';
import type { Encoding } from '@/contract/workflows/conversions';

/** The encoding of a file by its beginning. Bytes that are no UTF-8 are taken for that of Western Europe, in which old programs save. */
export function encodingOfBytes(beginning: Uint8Array): Encoding {
  const known = encodingOfMark(beginning) ?? unmarkedUtf16(beginning);
  if (known) return known;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The text of a file for display: of bytes that its encoding has not it shows the sign for unknown characters. */
export async function textForDisplay(content: Blob, encoding?: Encoding): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  return new TextDecoder(encoding ?? encodingOfBytes(bytes)).decode(bytes);
}
