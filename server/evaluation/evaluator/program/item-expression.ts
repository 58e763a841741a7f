import type { ParsedExpression } from '@/server/evaluation/expressions/expression';
import { FALL_BACK_TO_EVALUATOR } from '@/server/evaluation/expressions/fast-path';
import type { EvaluationLimits } from '../jobs';
import { evaluateExpression, loadNamedFunctions } from './jsonata';
import type { EvaluationMeter } from './meter';

/** Evaluates one expression for each item of a list. */
export class ItemExpressionRun {
  constructor(
    private readonly expression: ParsedExpression,
    private readonly meter: EvaluationMeter,
    private readonly limits: EvaluationLimits,
    private readonly timeZone: string,
  ) {}

  /** The value for one scope. Throws EvaluationProblemError and LimitExceededError. */
  async evaluate(scope: Record<string, unknown>): Promise<unknown> {
    const { source, fastPath, isIntrusive, javascript } = this.expression;
    const value = fastPath ? fastPath(scope) : FALL_BACK_TO_EVALUATOR;
    if (value !== FALL_BACK_TO_EVALUATOR) return value;
    if (!javascript) {
      await loadNamedFunctions(source);
      // The expression can modify what it gets.
      return evaluateExpression(source, isIntrusive ? structuredClone(scope) : scope, this.meter, this.timeZone);
    }
    const job = {
      source,
      javascript,
      scope: JSON.stringify(scope),
      names: Object.keys(scope),
      timeZone: this.timeZone,
    };
    // QuickJS is loaded by processes that need it.
    const { evaluateJavaScript } = await import('./javascript/evaluate');
    return evaluateJavaScript(job, this.meter, this.limits);
  }
}
