import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

export type HmacAlgorithm = 'sha1' | 'sha256' | 'sha512';
export type HmacEncoding = 'hex' | 'base64';

type HmacInput = string | Uint8Array;

const sha256Digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares two texts in constant time. Hashes, because the lengths may differ. */
export const isSameTextConstantTime = (one: string, other: string): boolean =>
  timingSafeEqual(sha256Digest(one), sha256Digest(other));

const encodedHmacLength = (bytes: number, encoding: HmacEncoding) =>
  encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;

interface HmacSettings {
  key: string | KeyObject | Uint8Array;
  /** The default is sha256. */
  algorithm?: HmacAlgorithm;
  encoding: HmacEncoding;
}

/**
 * Whether one of `candidates` is the HMAC of the parts, compared in constant time. It is computed once, however many
 * candidates a sender lists. Hexadecimal digits may have either case.
 */
export function matchesAnyHmac(
  candidates: readonly string[],
  { key, algorithm = 'sha256', encoding }: HmacSettings,
  ...parts: HmacInput[]
): boolean {
  if (candidates.length === 0) return false;
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  const expected = hmac.digest();
  const length = encodedHmacLength(expected.length, encoding);
  return candidates.some((candidate) => {
    const bytes = candidate.length === length ? Buffer.from(candidate, encoding) : null;
    return bytes?.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

/** Whether one candidate is the HMAC of the parts. */
export const matchesHmac = (given: string | null | undefined, hmac: HmacSettings, ...parts: HmacInput[]): boolean =>
  given ? matchesAnyHmac([given], hmac, ...parts) : false;

/** Maximum difference between a sender's clock and ours, in seconds. */
export const MAX_CLOCK_SKEW_SECONDS = 300;

/** Whether a Unix time in seconds, as text, is close enough to now: an older delivery may be a replay. */
export const isFreshUnixSeconds = (seconds: string | null | undefined): boolean =>
  /^\d{1,12}$/.test(seconds ?? '') && Math.abs(Date.now() / 1000 - Number(seconds)) <= MAX_CLOCK_SKEW_SECONDS;

/** Whether a Unix time in milliseconds, as text, is close enough to now. */
export const isFreshUnixMs = (milliseconds: string | null | undefined): boolean =>
  /^\d{1,15}$/.test(milliseconds ?? '') && Math.abs(Date.now() - Number(milliseconds)) <= MAX_CLOCK_SKEW_SECONDS * 1000;

/** The values of `name` in a header such as `t=1,v1=abc,v1=def`. */
export function headerPairValues(header: string | null, name: string, separator: ',' | ';'): string[] {
  const start = `${name}=`;
  return (header ?? '')
    .split(separator)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}
