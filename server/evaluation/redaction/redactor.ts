import { SecretFinder } from './finder';
import { MIN_SECRET_LENGTH } from './forms';
import { LruCache } from '@/server/platform/cache/lru';
import type { TextRanges } from './ranges';

const REDACTION_MASK = '••••••';
/** Cache: many runs have the same secrets. */
const MAX_CACHED_REDACTORS = 1000;
/** Total characters of secrets in the cache; the automaton takes some 60 bytes for each. */
const MAX_CACHED_SECRET_TEXT = 1_000_000;

/** Redacts its secrets in texts and anywhere inside JSON values, keys included. */
export interface ValueRedactor {
  text(value: string): string;
  /** Returns the same object if there was nothing to redact. */
  value<T>(value: T): T;
}

/** The redactor of no secrets. */
export const NO_SECRETS_REDACTOR: ValueRedactor = { text: (value) => value, value: (value) => value };
const redactorCache = new LruCache<ValueRedactor>(MAX_CACHED_REDACTORS, MAX_CACHED_SECRET_TEXT);

/**
 * The only place where secrets are removed from what a run stores, logs or sends on. A redactor is immutable and shared
 * by all runs with the same secrets. Time is linear in the length of a text, for any secrets.
 */
export function createRedactor(secrets: Iterable<string>): ValueRedactor {
  const all = new Set(
    [...secrets].filter((secret) => secret.length >= MIN_SECRET_LENGTH).map((secret) => secret.toWellFormed()),
  );
  if (all.size === 0) return NO_SECRETS_REDACTOR;
  const key = JSON.stringify([...all].toSorted());
  const cached = redactorCache.get(key);
  if (cached) return cached;
  const redactor = buildRedactor([...all]);
  redactorCache.set(key, redactor, key.length);
  return redactor;
}

function buildRedactor(secrets: readonly string[]): ValueRedactor {
  const numbers = new Set(secrets.filter(looksLikeNumber).map(Number));
  // Built on first use: many runs produce no text.
  let finder: SecretFinder | undefined;

  const text = (value: string): string => {
    finder ??= new SecretFinder(secrets);
    const found = finder.find(value);
    return found ? maskRanges(value, found) : value;
  };

  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return numbers.has(value) ? REDACTION_MASK : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return list(value);
    return 'toJSON' in value && typeof value.toJSON === 'function' ? withJson(value, value.toJSON()) : object(value);
  };

  const list = (value: unknown[]): unknown[] => {
    const result = value.map(walk);
    return result.every((inner, index) => Object.is(inner, value[index])) ? value : result;
  };

  const object = (value: object): object => {
    const entries: [string, unknown][] = Object.entries(value);
    const result = entries.map(([name, inner]) => [text(name), walk(inner)] as const);
    const isSame = entries.every(
      ([name, inner], index) => name === result[index]?.[0] && Object.is(inner, result[index][1]),
    );
    return isSame ? value : Object.fromEntries(result);
  };

  /** Objects with their own JSON form, such as a date or a URL. */
  const withJson = (value: object, json: unknown): unknown => {
    const result = walk(json);
    return Object.is(result, json) ? value : result;
  };

  return { text, value: <T>(value: T) => walk(value) as T };
}

/** Digits that JSON may contain as a number, although it cannot represent all of them. */
const looksLikeNumber = (secret: string) => /^-?[1-9]\d*(?:\.\d+)?$/.test(secret) || String(Number(secret)) === secret;

function maskRanges(value: string, { starts, ends }: TextRanges): string {
  const parts = starts.map((start, index) => value.slice(ends[index - 1] ?? 0, start) + REDACTION_MASK);
  return parts.join('') + value.slice(ends.at(-1) ?? 0);
}
