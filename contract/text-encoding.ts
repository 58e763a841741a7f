import type { TextEncoding } from './workflows/conversions';

/** UTF-16 is recognized by the zero bytes among this many bytes at the start. */
const UTF16_SAMPLE_BYTES = 4096;

/** The encoding that a byte order mark names. */
export function readByteOrderMark(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/**
 * UTF-16 without a byte order mark. Text in it has a zero byte in every character of ASCII, always on the same side;
 * UTF-8 has none.
 */
export function detectUnmarkedUtf16(bytes: Uint8Array): TextEncoding | undefined {
  if (!bytes.subarray(0, UTF16_SAMPLE_BYTES).includes(0)) return undefined;
  const pairs = Math.floor(Math.min(bytes.length, UTF16_SAMPLE_BYTES) / 2);
  let [high, low] = [0, 0];
  for (let at = 0; at < pairs; at += 1) {
    const [first, second] = [bytes[2 * at], bytes[2 * at + 1]];
    if (first === 0 && second !== 0) high += 1;
    if (first !== 0 && second === 0) low += 1;
  }
  if (Math.max(high, low) < pairs * 0.4 || Math.min(high, low) > pairs * 0.05) return undefined;
  return low > high ? 'utf-16le' : 'utf-16be';
}
