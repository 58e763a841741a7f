import { createHash } from 'node:crypto';
import { FALL_BACK } from '@/server/expressions/fast-path';
import type { Expression } from '@/server/expressions/expression';
import { parseText, sentence } from '@/server/expressions/template';
import type { Limits, PollRules } from '../jobs';
import { evaluate, EvaluationError, prepare } from './jsonata';
import { Meter } from './meter';
import { Renderer, RenderFailure } from './render';

/** Most items of one answer. */
export const MAX_POLLED_ITEMS = 50_000;
/** Characters of a cursor's JSON. */
const MAX_CURSOR = 64 * 1024;
/** Characters of a hashed key: 192 bits in base64. */
const KEY_LENGTH = 32;

/** What a poll finds in an answer. */
export interface PolledItems {
  /** The hashed key of each item. */
  keys: string[];
  items: unknown[];
  /** Null: the expression returned nothing. */
  cursor: unknown;
}

const failure = (code: string, field: string, message: string) =>
  new RenderFailure({ code, message: `${field}: ${message}`, field });

/**
 * The items of an answer with their keys, and the next cursor. Throws RenderFailure, LimitExceeded. `inputJson` and
 * `cursorJson`: the scope of `items` and `cursor`.
 */
export async function polledItems(
  { items: itemsSource, key, cursor: cursorSource }: PollRules,
  [inputJson, cursorJson]: [string, string],
  { limits, timeZone, progress }: { limits: Limits; timeZone: string; progress: () => Promise<void> },
): Promise<PolledItems> {
  const scope = `{"input":${inputJson},"cursor":${cursorJson}}`;
  const renderer = new Renderer(
    scope,
    { expressions: ['items', 'cursor'], paths: ['items'] },
    limits,
    progress,
    timeZone,
  );
  const found = (await renderer.field('items', itemsSource)) ?? [];
  // JSONata returns a single match as itself.
  const items: unknown[] = Array.isArray(found) ? found : [found];
  if (items.length > MAX_POLLED_ITEMS)
    throw failure('TOO_MANY_ITEMS', 'items', `there are more than ${MAX_POLLED_ITEMS} items`);
  const keys = await keysOf(items, key, limits, timeZone);
  const cursor = cursorSource === null ? null : ((await renderer.field('cursor', cursorSource)) ?? null);
  if (JSON.stringify(cursor).length > MAX_CURSOR) {
    throw failure('CURSOR_TOO_LARGE', 'cursor', `the value has more than ${MAX_CURSOR} characters of JSON`);
  }
  return { keys, items, cursor };
}

function parsedKey(source: string): Expression {
  const parsed = parseText(source, 'bare');
  if ('problem' in parsed) throw failure('EXPRESSION', 'key', sentence(parsed.problem));
  const [part] = parsed.parts;
  if (!part || !('expression' in part)) throw failure('EXPRESSION', 'key', 'is not an expression on item');
  return part.expression;
}

async function keysOf(items: unknown[], source: string, limits: Limits, timeZone: string): Promise<string[]> {
  const expression = parsedKey(source);
  await prepare(expression.source);
  const meter = new Meter(limits);
  const keys: string[] = [];
  for (const [index, item] of items.entries()) {
    meter.check();
    keys.push(hashed(await keyOf(expression, item, index, meter, timeZone), index));
  }
  return keys;
}

async function keyOf(
  { source, fastPath, isIntrusive }: Expression,
  item: unknown,
  index: number,
  meter: Meter,
  timeZone: string,
) {
  const value = fastPath ? fastPath({ item }) : FALL_BACK;
  if (value !== FALL_BACK) return value;
  try {
    // The expression can modify what it gets.
    return await evaluate(source, { item: isIntrusive ? structuredClone(item) : item }, meter, timeZone);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { message, position } = error;
    throw failure('EXPRESSION', 'key', `items[${index}]: ${sentence({ message, source, position })}`);
  }
}

function hashed(key: unknown, index: number): string {
  const isKey = (typeof key === 'string' && key !== '') || (typeof key === 'number' && Number.isFinite(key));
  if (!isKey) throw failure('NO_KEY', 'key', `items[${index}] has none: the result must be a text or a number`);
  return createHash('sha256').update(JSON.stringify(key)).digest('base64').slice(0, KEY_LENGTH);
}
