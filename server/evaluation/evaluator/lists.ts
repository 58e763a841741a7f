import { isProblem, parseExpression } from '@/server/expressions/expression';
import { sentence } from '@/server/expressions/template';
import { isTrue } from '@/server/expressions/truth';
import { evaluate, EvaluationError } from './jsonata';
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

/** The failure of an expression in the field `where`. */
function whereFailure(source: string, { message, position }: { message: string; position: number }, at: string) {
  const problem = { message, source, position };
  return new RenderFailure({ code: 'EXPRESSION', message: `${at}${sentence(problem)}`, field: 'where', problem });
}

/** The items for which the expression is true, with `item` and `index` in scope. Throws RenderFailure, LimitExceeded. */
export async function itemsWhere(source: string, items: unknown[], meter: Meter): Promise<unknown[]> {
  const expression = parseExpression(source);
  if (isProblem(expression)) throw whereFailure(source, expression, '');
  const kept: unknown[] = [];
  for (const [index, item] of items.entries()) {
    meter.check();
    // The expression can modify what it gets.
    const scope = { item: expression.isIntrusive ? structuredClone(item) : item, index };
    try {
      if (isTrue(await evaluate(source, scope, meter))) kept.push(item);
    } catch (error) {
      if (error instanceof EvaluationError) throw whereFailure(source, error, `items[${index}]: `);
      throw error;
    }
  }
  return kept;
}
