import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { MAX_EVALUATED_TEXTS, type EvaluatedExpression } from '@/contract/workflows/expression-evaluation';
import type { ExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import { isSameJson } from '@/components/graph/compare';
import type { FieldConversion } from '@/import/languages/convert-definition';

/** A converted field, and why somebody has to look at it; undefined: its results are the same. */
export interface JudgedConversion extends FieldConversion {
  doubt: string | undefined;
}

type EvaluationScope = Readonly<Record<string, unknown>>;

async function evaluateAll(
  fields: readonly FieldConversion[],
  pick: (field: FieldConversion) => string,
  language: ExpressionLanguage,
  scope: EvaluationScope,
  evaluate: ExpressionEvaluator,
): Promise<EvaluatedExpression[]> {
  const results: EvaluatedExpression[] = [];
  for (let at = 0; at < fields.length; at += MAX_EVALUATED_TEXTS) {
    const texts = fields
      .slice(at, at + MAX_EVALUATED_TEXTS)
      .map((field) => ({ value: pick(field), isBare: field.isBare }));
    results.push(...(await evaluate({ language, texts, scope: { ...scope } })));
  }
  return results;
}

/** Why two results are not known to be equal; undefined: they are. */
function compareResults(before: EvaluatedExpression | undefined, after: EvaluatedExpression | undefined) {
  if (!before || !after || before.problem) return 'it fails on the data of the last run';
  if (after.problem) return `on the data of the last run it fails now: ${after.problem.message}`;
  return isSameJson(before.value, after.value) ? undefined : 'its result on the data of the last run is another one';
}

/**
 * Says of each converted field whether its results are the same: without a doubt of the conversion they are; otherwise
 * both versions are evaluated on the data of the last run. `findScope`: that data; undefined: there is none.
 */
export async function proveConversions(
  converted: readonly FieldConversion[],
  to: ExpressionLanguage,
  findScope: (field: FieldConversion) => EvaluationScope | undefined,
  evaluate: ExpressionEvaluator,
): Promise<JudgedConversion[]> {
  const from = to === 'javascript' ? 'jsonata' : 'javascript';
  const doubts = new Map<FieldConversion, string | undefined>();
  const byScope = new Map<EvaluationScope, FieldConversion[]>();
  for (const field of converted) {
    const [doubt] = field.doubts;
    const scope = doubt && findScope(field);
    if (!doubt || !scope) doubts.set(field, doubt?.reason);
    else byScope.set(scope, [...(byScope.get(scope) ?? []), field]);
  }
  for (const [scope, fields] of byScope) {
    const before = await evaluateAll(fields, ({ source }) => source, from, scope, evaluate);
    const after = await evaluateAll(fields, ({ text }) => text, to, scope, evaluate);
    fields.forEach((field, at) => doubts.set(field, compareResults(before[at], after[at])));
  }
  return converted.map((field) => ({ ...field, doubt: doubts.get(field) }));
}
