import { createHash } from 'node:crypto';
import { NodeFailure } from '@/server/errors/node-failure';
import { isProblem, parseExpression } from '@/server/expressions/expression';
import { sentence, type TextProblem } from '@/server/expressions/template';
import { isTrue } from '@/server/expressions/truth';
import { isMissing, keyOf } from '@/server/lists/values';
import { evaluate, EvaluationError, plain } from './jsonata';
import type { Meter } from './meter';
import { RenderFailure } from './render';

/** Number of steps between two checks of the limits. */
const STEPS_PER_CHECK = 1000;

/** A step that checks the limits from time to time. */
export function regularCheck(meter: Meter): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % STEPS_PER_CHECK === 0) meter.check();
  };
}

/** The failure of an expression in a field. */
function expressionFailure(
  field: string,
  source: string,
  { message, position }: Omit<TextProblem, 'source'>,
  at: string,
) {
  const problem = { message, source, position };
  return new RenderFailure({ code: 'EXPRESSION', message: `${at}${sentence(problem)}`, field, problem });
}

/** The results of an expression on `item` and `index`, one by one. `field` names it in errors. Throws RenderFailure, LimitExceeded. */
async function* evaluateItems(field: string, source: string, items: unknown[], meter: Meter) {
  const expression = parseExpression(source);
  if (isProblem(expression)) throw expressionFailure(field, source, expression, '');
  for (const [index, item] of items.entries()) {
    meter.check();
    // The expression can modify what it gets.
    const scope = { item: expression.isIntrusive ? structuredClone(item) : item, index };
    try {
      yield { item, result: await evaluate(source, scope, meter) };
    } catch (error) {
      if (error instanceof EvaluationError) throw expressionFailure(field, source, error, `items[${index}]: `);
      throw error;
    }
  }
}

/** The items for which the expression is true, with `item` and `index` in scope. Throws RenderFailure, LimitExceeded. */
export async function itemsWhere(source: string, items: unknown[], meter: Meter): Promise<unknown[]> {
  const kept: unknown[] = [];
  for await (const { item, result } of evaluateItems('where', source, items, meter))
    if (isTrue(result)) kept.push(item);
  return kept;
}

/** The field of the expression that gives the key of an item. */
const KEY_FIELD = 'itemKey';

/** The key of each item: the result of the expression, or the item itself without one. */
async function* keysOf(source: string, items: unknown[], meter: Meter) {
  if (source === '') {
    for (const item of items) yield { item, result: item };
    return;
  }
  let index = 0;
  for await (const keyed of evaluateItems(KEY_FIELD, source, items, meter)) {
    if (isMissing(keyed.result)) {
      const message = `items[${index}]: The key has no value.`;
      throw new RenderFailure({ code: 'EXPRESSION', message, field: KEY_FIELD });
    }
    index += 1;
    yield keyed;
  }
}

/** Items with hashes of their keys; `json` is the JSON of all of them, and `offsets` says where each one begins, and where the last one ends. */
export async function keyedItems(source: string, items: unknown[], maxItems: number, meter: Meter) {
  if (items.length > maxItems) {
    throw new NodeFailure('TOO_MANY_ITEMS', `There are ${items.length} items; the limit is ${maxItems}.`, false);
  }
  const check = regularCheck(meter);
  const keys: string[] = [];
  const texts: string[] = [];
  const offsets = [0];
  let length = 0;
  for await (const { item, result } of keysOf(source, items, meter)) {
    keys.push(
      createHash('sha256')
        .update(keyOf(plain(result, meter), check))
        .digest('base64url'),
    );
    const text = JSON.stringify(item) ?? 'null';
    texts.push(text);
    offsets.push((length += text.length));
  }
  return { keys, offsets, json: texts.join('') };
}
