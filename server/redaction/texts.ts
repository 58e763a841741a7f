import type { View } from './view';

/** By first byte: the number of bytes of a text character; 0: control characters and invalid UTF-8. */
const LENGTHS = new Uint8Array(256);
LENGTHS.fill(1, 0x20, 0x7f).fill(2, 0xc2, 0xe0).fill(3, 0xe0, 0xf0).fill(4, 0xf0, 0xf5);
for (const character of '\t\n\r') LENGTHS[character.charCodeAt(0)] = 1;

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The texts of at least `least` bytes in decoded bytes. Bytes decoded at the wrong alignment, and images, have hardly any: only texts
 * contain further encodings.
 */
export function* textsIn(before: View, least: number): Generator<View> {
  const { bytes } = before;
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = endOfCharacter(bytes, at);
    if (end > at) at = end;
    else {
      if (at - from >= least) yield part(before, from, at);
      at += 1;
      from = at;
    }
  }
  if (at - from >= least) yield part(before, from, at);
}

function endOfCharacter(bytes: Uint8Array, at: number): number {
  const length = LENGTHS[bytes[at] as number] as number;
  for (let index = 1; index < length; index += 1) if (!isContinuation(bytes[at + index])) return at;
  return at + length;
}

const part = (before: View, from: number, to: number): View => ({
  bytes: before.bytes.subarray(from, to),
  before,
  origin: (ranges) => ranges.shifted(from),
});
