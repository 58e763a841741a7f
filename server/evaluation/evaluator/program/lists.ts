import { createHash } from 'node:crypto';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isExpressionProblem } from '@/server/evaluation/expressions/expression-problem';
import { describeTextProblem, parseSource, type ExpressionTextProblem } from '@/server/evaluation/expressions/template';
import { isTrueValue } from '@/server/evaluation/expressions/truth';
import { isMissingValue, serializeEqualityKey } from '@/server/evaluation/lists/values';
import type { EvaluationLimits, ItemExpression } from '../jobs';
import { EvaluationProblemError } from './evaluation-problem';
import { ItemExpressionRun } from './item-expression';
import { copyPlainValue } from './jsonata';
import { EvaluationMeter } from './meter';
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
async function* evaluatePerItem(
  field: string,
  { source, language, timeZone }: ItemExpression,
  items: unknown[],
  meter: EvaluationMeter,
  limits: EvaluationLimits,
) {
  const expression = parseSource(source, language);
  if (isExpressionProblem(expression)) throw listExpressionFailure(field, source, expression, '');
  const run = new ItemExpressionRun(expression, meter, limits, timeZone);
  for (const [index, item] of items.entries()) {
    meter.check();
    try {
      yield { item, result: await run.evaluate({ item, index }) };
    } catch (error) {
      if (error instanceof EvaluationProblemError)
        throw listExpressionFailure(field, source, error, `items[${index}]: `);
      throw error;
    }
  }
}

/**
 * The items for which the expression is true, with `item` and `index` in scope. Throws RenderFailure, LimitExceeded.
 */
export async function filterByExpression(
  expression: ItemExpression,
  items: unknown[],
  meter: EvaluationMeter,
  limits: EvaluationLimits,
): Promise<unknown[]> {
  const kept: unknown[] = [];
  for await (const { item, result } of evaluatePerItem('where', expression, items, meter, limits))
    if (isTrueValue(result, expression.language)) kept.push(item);
  return kept;
}

/** The field of the expression that gives the key of an item. */
const ITEM_KEY_FIELD = 'itemKey';

/** The key of each item: the result of the expression, or the item itself without one. */
async function* evaluateItemKeys(
  expression: ItemExpression,
  items: unknown[],
  meter: EvaluationMeter,
  limits: EvaluationLimits,
) {
  if (expression.source === '') {
    for (const item of items) yield { item, result: item };
    return;
  }
  let index = 0;
  for await (const keyed of evaluatePerItem(ITEM_KEY_FIELD, expression, items, meter, limits)) {
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
export async function hashItemKeys(
  expression: ItemExpression,
  items: unknown[],
  maxItems: number,
  limits: EvaluationLimits,
) {
  if (items.length > maxItems) {
    throw new NodeFailure('TOO_MANY_ITEMS', `There are ${items.length} items; the limit is ${maxItems}.`, false);
  }
  const meter = new EvaluationMeter(limits);
  const check = createPeriodicCheck(meter);
  const keys: string[] = [];
  const texts: string[] = [];
  const offsets = [0];
  let length = 0;
  for await (const { item, result } of evaluateItemKeys(expression, items, meter, limits)) {
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
