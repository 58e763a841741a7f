import { YieldTimer } from '@/server/platform/timers/cooperative';
import { serializeJson, LargeJsonText } from './large-json';

/**
 * What is written in one go: a few tenths of a millisecond, whatever it is. A value counts for as many characters as
 * take equally long.
 */
const MOST_AT_ONCE = 64 * 1024;
const PER_VALUE = 64;
/** Characters that are turned into bytes at once. */
const PIECE = 32 * 1024;

/** What is left of `most` after a value was counted; negative: the value is larger. Looks no further than `most`. */
function roomAfter(value: unknown, most: number): number {
  let left = most - PER_VALUE;
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left;
  if (value instanceof LargeJsonText) return left - value.text.length;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = roomAfter(value[at], left);
    return left;
  }
  for (const name in value) {
    left = roomAfter((value as Record<string, unknown>)[name], left - name.length);
    if (left < 0) break;
  }
  return left;
}

/** Whether the JSON of a value can be written in one go. */
export const isSmallJson = (value: unknown): boolean => roomAfter(value, MOST_AT_ONCE) >= 0;

/** A text in pieces that do not part the two halves of a character. */
function* piecesIn(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + PIECE;
    const isWithin = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    const next = isWithin ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}

const hasJson = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';

/** The JSON of a large list or object, without its brackets: small members together, each large one by itself. */
function* membersIn(value: object): Generator<string> {
  const isList = Array.isArray(value);
  const begin = (): Record<string, unknown> | unknown[] =>
    isList ? [] : (Object.create(null) as Record<string, unknown>);
  let small = begin();
  let left = MOST_AT_ONCE;
  let separator = '';
  const written = () => {
    const members = (serializeJson(small) ?? '').slice(1, -1);
    small = begin();
    left = MOST_AT_ONCE;
    if (members === '') return '';
    const text = separator + members;
    separator = ',';
    return text;
  };
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const member = (value as Record<string | number, unknown>)[name];
    if (!isList && !hasJson(member)) continue;
    const after = roomAfter(member, left);
    if (after < 0) yield written();
    const isLarge = after < 0 && !isSmallJson(member);
    if (isLarge) {
      yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      yield* textsOf(member);
    } else {
      left = after < 0 ? roomAfter(member, MOST_AT_ONCE) : after;
      if (Array.isArray(small)) small.push(member);
      else small[name] = member;
    }
  }
  yield written();
}

/** The JSON of a value in texts, each of which is written in one go. */
function* textsOf(value: unknown): Generator<string> {
  if (value instanceof LargeJsonText) yield* piecesIn(value.text);
  else if (isSmallJson(value) || (typeof value !== 'object' && typeof value !== 'string'))
    yield serializeJson(value) ?? 'null';
  else if (typeof value === 'string') {
    yield '"';
    for (const piece of piecesIn(value)) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  } else if (value !== null) {
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    yield open ?? '';
    yield* membersIn(value);
    yield close ?? '';
  }
}

/** The bytes of the JSON of a value like those of `serializeJson`, in pieces between which others get their turn. */
export async function* writeJsonInTurns(value: unknown): AsyncGenerator<Buffer> {
  const timer = new YieldTimer();
  let pending = '';
  for (const text of textsOf(value)) {
    pending += text;
    if (pending.length >= PIECE) {
      yield Buffer.from(pending);
      pending = '';
    }
    if (timer.isDue) await timer.take();
  }
  if (pending !== '') yield Buffer.from(pending);
}
