import { createHash } from 'node:crypto';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import type { ParsedExpression } from '@/server/evaluation/expressions/expression';
import { parseFieldText, describeTextProblem } from '@/server/evaluation/expressions/template';
import type { EvaluationLimits, PollExpressions } from '../jobs';
import { EvaluationProblemError } from './evaluation-problem';
import { ItemExpressionRun } from './item-expression';
import { EvaluationMeter } from './meter';
import { FieldRenderer, FieldRenderError } from './render';

/** One response of a source may have at most this many items. */
export const MAX_POLLED_ITEMS = 50_000;
/** The limit of a cursor, in characters of JSON. */
const MAX_CURSOR_CHARACTERS = 64 * 1024;
/** Characters of a hashed key: 192 bits in base64. */
const HASHED_KEY_LENGTH = 32;

/** The items that a poll finds in a response. */
export interface PolledItemList {
  /** The hashed key of each item. */
  keys: string[];
  items: unknown[];
  /** Null if the expression returned nothing. */
  cursor: unknown;
}

const pollFieldFailure = (code: string, field: string, message: string) =>
  new FieldRenderError({ code, message: `${field}: ${message}`, field });

/**
 * The items of an answer with their keys, and the next cursor. Throws RenderFailure, LimitExceeded. `inputJson` and
 * `cursorJson`: the scope of `items` and `cursor`.
 */
export async function computePolledItems(
  { items: itemsSource, key, cursor: cursorSource, language }: PollExpressions,
  [inputJson, cursorJson]: [string, string],
  { limits, timeZone, progress }: { limits: EvaluationLimits; timeZone: string; progress: () => Promise<void> },
): Promise<PolledItemList> {
  const scope = `{"input":${inputJson},"cursor":${cursorJson}}`;
  const renderer = new FieldRenderer(
    scope,
    { expressions: ['items', 'cursor'], paths: ['items'] },
    limits,
    progress,
    language,
    timeZone,
  );
  const found = (await renderer.field('items', itemsSource)) ?? [];
  // JSONata returns a single match as itself.
  const items: unknown[] = Array.isArray(found) ? found : [found];
  if (items.length > MAX_POLLED_ITEMS)
    throw pollFieldFailure('TOO_MANY_ITEMS', 'items', `there are more than ${MAX_POLLED_ITEMS} items`);
  const keys = await hashPolledKeys(items, parseKeyExpression(key, language), limits, timeZone);
  const cursor = cursorSource === null ? null : ((await renderer.field('cursor', cursorSource)) ?? null);
  if (JSON.stringify(cursor).length > MAX_CURSOR_CHARACTERS) {
    throw pollFieldFailure(
      'CURSOR_TOO_LARGE',
      'cursor',
      `the value has more than ${MAX_CURSOR_CHARACTERS} characters of JSON`,
    );
  }
  return { keys, items, cursor };
}

function parseKeyExpression(source: string, language: ExpressionDialect): ParsedExpression {
  const parsed = parseFieldText(source, 'bare', language);
  if ('problem' in parsed) throw pollFieldFailure('EXPRESSION', 'key', describeTextProblem(parsed.problem));
  const [part] = parsed.parts;
  if (!part || !('expression' in part)) throw pollFieldFailure('EXPRESSION', 'key', 'is not an expression on item');
  return part.expression;
}

async function hashPolledKeys(
  items: unknown[],
  expression: ParsedExpression,
  limits: EvaluationLimits,
  timeZone: string,
): Promise<string[]> {
  const meter = new EvaluationMeter(limits);
  const run = new ItemExpressionRun(expression, meter, limits, timeZone);
  const keys: string[] = [];
  for (const [index, item] of items.entries()) {
    meter.check();
    keys.push(hashPolledKey(await evaluatePolledKey(run, expression.source, item, index), index));
  }
  return keys;
}

async function evaluatePolledKey(run: ItemExpressionRun, source: string, item: unknown, index: number) {
  try {
    return await run.evaluate({ item });
  } catch (error) {
    if (!(error instanceof EvaluationProblemError)) throw error;
    const { message, position } = error;
    throw pollFieldFailure(
      'EXPRESSION',
      'key',
      `items[${index}]: ${describeTextProblem({ message, source, position })}`,
    );
  }
}

function hashPolledKey(key: unknown, index: number): string {
  const isKey = (typeof key === 'string' && key !== '') || (typeof key === 'number' && Number.isFinite(key));
  if (!isKey)
    throw pollFieldFailure('NO_KEY', 'key', `items[${index}] has none: the result must be a text or a number`);
  return createHash('sha256').update(JSON.stringify(key)).digest('base64').slice(0, HASHED_KEY_LENGTH);
}
