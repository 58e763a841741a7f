import { isExpressionProblem } from '@/server/evaluation/expressions/expression-problem';
import { parseJavaScript } from '@/server/evaluation/expressions/javascript/parse';
import { EvaluationProblemError } from '../../evaluation-problem';
import { EvaluationMeter } from '../../meter';
import { evaluateJavaScript, prepareJavaScript } from '../evaluate';

export const TEST_LIMITS = { cpuMs: 250, memoryBytes: 64 * 1024 * 1024 };
export const TEST_SCOPE = {
  input: { n: 2, name: 'Zoë', list: [3, 1, 2], nested: { a: [{ b: 1 }] } },
  nodes: { a: { ok: true }, 'b c': 7 },
  execution: { id: 'exec_1' },
  vars: { REGION: 'eu' },
};

/** Evaluates JavaScript as an evaluator process does, in this process. */
export async function evaluateSource(
  source: string,
  scope: object = TEST_SCOPE,
  limits = TEST_LIMITS,
): Promise<unknown> {
  const parsed = parseJavaScript(source, 'text');
  if (isExpressionProblem(parsed)) throw new EvaluationProblemError(parsed.message, parsed.position);
  const { javascript } = parsed;
  const job = {
    source,
    javascript,
    scope: JSON.stringify(scope),
    names: Object.keys(scope),
    timeZone: 'Europe/Vienna',
  };
  await prepareJavaScript(job, limits);
  return evaluateJavaScript(job, new EvaluationMeter(limits), limits);
}
