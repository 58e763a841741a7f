import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

export type HmacAlgorithm = 'sha1' | 'sha256' | 'sha512';
export type HmacEncoding = 'hex' | 'base64';

type Part = string | Uint8Array;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/** Compares two texts in constant time. Hashes, because the lengths may differ. */
export const isSameText = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));

const encodedLength = (bytes: number, encoding: HmacEncoding) =>
  encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;

interface Hmac {
  key: string | KeyObject | Uint8Array;
  /** Default: sha256. */
  algorithm?: HmacAlgorithm;
  encoding: HmacEncoding;
}

/**
 * Whether one of `candidates` is the HMAC of the parts, compared in constant time. It is computed once, however many candidates a sender
 * lists. Hexadecimal digits may have either case.
 */
export function hasHmac(
  candidates: readonly string[],
  { key, algorithm = 'sha256', encoding }: Hmac,
  ...parts: Part[]
): boolean {
  if (candidates.length === 0) return false;
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  const expected = hmac.digest();
  const length = encodedLength(expected.length, encoding);
  return candidates.some((candidate) => {
    const bytes = candidate.length === length ? Buffer.from(candidate, encoding) : null;
    return bytes?.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

/** The same for one candidate. */
export const isHmac = (given: string | null | undefined, hmac: Hmac, ...parts: Part[]): boolean =>
  given ? hasHmac([given], hmac, ...parts) : false;

/** Maximum difference between a sender's clock and ours, in seconds. */
export const MAX_SKEW_SECONDS = 300;

/** Whether a Unix time in seconds, as text, is close enough to now: an older delivery may be a replay. */
export const isFresh = (seconds: string | null | undefined): boolean =>
  /^\d{1,12}$/.test(seconds ?? '') && Math.abs(Date.now() / 1000 - Number(seconds)) <= MAX_SKEW_SECONDS;

/** The same for a time in milliseconds. */
export const isFreshMs = (milliseconds: string | null | undefined): boolean =>
  /^\d{1,15}$/.test(milliseconds ?? '') && Math.abs(Date.now() - Number(milliseconds)) <= MAX_SKEW_SECONDS * 1000;

/** The values of `name` in a header such as `t=1,v1=abc,v1=def`. */
export function valuesIn(header: string | null, name: string, separator: ',' | ';'): string[] {
  const start = `${name}=`;
  return (header ?? '')
    .split(separator)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}
