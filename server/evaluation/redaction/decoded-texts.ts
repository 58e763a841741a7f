import type { DecodedView } from './decoded-view';

/** For each first byte the number of bytes of its character; 0 for control characters and invalid UTF-8. */
const CHARACTER_LENGTHS = new Uint8Array(256);
CHARACTER_LENGTHS.fill(1, 0x20, 0x7f).fill(2, 0xc2, 0xe0).fill(3, 0xe0, 0xf0).fill(4, 0xf0, 0xf5);
for (const character of '\t\n\r') CHARACTER_LENGTHS[character.charCodeAt(0)] = 1;

const isContinuationByte = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The texts of at least `least` bytes in decoded bytes. Bytes decoded at the wrong alignment, and images, have hardly
 * any: only texts contain further encodings.
 */
export function* findDecodedTexts(before: DecodedView, least: number): Generator<DecodedView> {
  const { bytes } = before;
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = findCharacterEnd(bytes, at);
    if (end > at) at = end;
    else {
      if (at - from >= least) yield subView(before, from, at);
      at += 1;
      from = at;
    }
  }
  if (at - from >= least) yield subView(before, from, at);
}

function findCharacterEnd(bytes: Uint8Array, at: number): number {
  const length = CHARACTER_LENGTHS[bytes[at] as number] as number;
  for (let index = 1; index < length; index += 1) if (!isContinuationByte(bytes[at + index])) return at;
  return at + length;
}

const subView = (before: DecodedView, from: number, to: number): DecodedView => ({
  bytes: before.bytes.subarray(from, to),
  before,
  origin: (ranges) => ranges.shifted(from),
});
