import { createHash } from 'node:crypto';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isExpressionProblem, parseExpression } from '@/server/evaluation/expressions/expression';
import { describeTextProblem, type ExpressionTextProblem } from '@/server/evaluation/expressions/template';
import { isJsonataTrue } from '@/server/evaluation/expressions/truth';
import { isMissingValue, serializeEqualityKey } from '@/server/evaluation/lists/values';
import { evaluateExpression, JsonataEvaluationError, copyPlainValue } from './jsonata';
import type { EvaluationMeter } from './meter';
import { FieldRenderError } from './render';

/** Number of steps between two checks of the limits. */
const LIST_STEPS_PER_CHECK = 1000;

/** A step that checks the limits from time to time. */
export function createPeriodicCheck(meter: EvaluationMeter): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % LIST_STEPS_PER_CHECK === 0) meter.check();
  };
}

/** The failure of an expression in a field. */
function listExpressionFailure(
  field: string,
  source: string,
  { message, position }: Omit<ExpressionTextProblem, 'source'>,
  at: string,
) {
  const problem = { message: `${at}${message}`, source, position };
  return new FieldRenderError({ code: 'EXPRESSION', message: describeTextProblem(problem), field, problem });
}

/**
 * The results of an expression on `item` and `index`, one by one. `field` names it in errors. Throws RenderFailure,
 * LimitExceeded.
 */
async function* evaluatePerItem(field: string, source: string, items: unknown[], meter: EvaluationMeter) {
  const expression = parseExpression(source);
  if (isExpressionProblem(expression)) throw listExpressionFailure(field, source, expression, '');
  for (const [index, item] of items.entries()) {
    meter.check();
    // The expression can modify what it gets.
    const scope = { item: expression.isIntrusive ? structuredClone(item) : item, index };
    try {
      yield { item, result: await evaluateExpression(source, scope, meter) };
    } catch (error) {
      if (error instanceof JsonataEvaluationError)
        throw listExpressionFailure(field, source, error, `items[${index}]: `);
      throw error;
    }
  }
}

/**
 * The items for which the expression is true, with `item` and `index` in scope. Throws RenderFailure, LimitExceeded.
 */
export async function filterByExpression(source: string, items: unknown[], meter: EvaluationMeter): Promise<unknown[]> {
  const kept: unknown[] = [];
  for await (const { item, result } of evaluatePerItem('where', source, items, meter))
    if (isJsonataTrue(result)) kept.push(item);
  return kept;
}

/** The field of the expression that gives the key of an item. */
const ITEM_KEY_FIELD = 'itemKey';

/** The key of each item: the result of the expression, or the item itself without one. */
async function* evaluateItemKeys(source: string, items: unknown[], meter: EvaluationMeter) {
  if (source === '') {
    for (const item of items) yield { item, result: item };
    return;
  }
  let index = 0;
  for await (const keyed of evaluatePerItem(ITEM_KEY_FIELD, source, items, meter)) {
    if (isMissingValue(keyed.result)) {
      const message = `items[${index}]: The key has no value.`;
      throw new FieldRenderError({ code: 'EXPRESSION', message, field: ITEM_KEY_FIELD });
    }
    index += 1;
    yield keyed;
  }
}

/**
 * Items with hashes of their keys; `json` is the JSON of all of them, and `offsets` says where each one begins, and
 * where the last one ends.
 */
export async function hashItemKeys(source: string, items: unknown[], maxItems: number, meter: EvaluationMeter) {
  if (items.length > maxItems) {
    throw new NodeFailure('TOO_MANY_ITEMS', `There are ${items.length} items; the limit is ${maxItems}.`, false);
  }
  const check = createPeriodicCheck(meter);
  const keys: string[] = [];
  const texts: string[] = [];
  const offsets = [0];
  let length = 0;
  for await (const { item, result } of evaluateItemKeys(source, items, meter)) {
    keys.push(
      createHash('sha256')
        .update(serializeEqualityKey(copyPlainValue(result, meter), check))
        .digest('base64url'),
    );
    const text = JSON.stringify(item) ?? 'null';
    texts.push(text);
    offsets.push((length += text.length));
  }
  return { keys, offsets, json: texts.join('') };
}
