import {
  EvaluatedExpressions,
  EvaluateExpressionsRequest,
  MAX_EVALUATION_BODY_BYTES,
  type EvaluatedExpression,
} from '@/contract/workflows/expression-evaluation';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { EvaluationFailedError, renderFields } from '@/server/evaluation/evaluator/evaluation';
import { isKnownTimeZone } from '@/server/workflow/definition/cron';
import { invalidFieldProblem } from '@/server/platform/errors/problem';

type EvaluatedText = EvaluateExpressionsRequest['texts'][number];

/** The value of one text. An error is a result: the texts beside it are evaluated, too. */
async function evaluateText(
  { value, isBare }: EvaluatedText,
  { language, scope, timeZone }: EvaluateExpressionsRequest,
  workspaceId: string,
): Promise<EvaluatedExpression> {
  try {
    const rules = { expressions: isBare ? ['value'] : [] };
    const rendered = await renderFields({ value }, scope, rules, { workspaceId, timeZone, language });
    return { value: rendered['value'] ?? null, problem: null };
  } catch (error) {
    if (!(error instanceof EvaluationFailedError)) throw error;
    const { message, problem } = error.failure;
    const { source = null, position = 0 } = problem ?? {};
    return { problem: { message: problem?.message ?? message, source, position } };
  }
}

const evaluateExpressionsOperation = defineOperation({
  id: 'expressions.evaluate',
  method: 'POST',
  path: '/api/expressions/evaluate',
  summary: 'Evaluate expressions on data',
  description:
    'For previews: the values that texts of a workflow would have with the data of `scope`. Each has the limits of an ' +
    'expression in a run. Nothing is stored, and no node runs.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  body: jsonBody(EvaluateExpressionsRequest, { maxBytes: MAX_EVALUATION_BODY_BYTES }),
  reply: jsonReply(EvaluatedExpressions),
  async run({ caller }, { body }) {
    if (!isKnownTimeZone(body.timeZone)) throw invalidFieldProblem('timeZone', 'is not a time zone');
    const results: EvaluatedExpression[] = [];
    // One after the other: a call occupies one evaluator process at a time.
    for (const text of body.texts) results.push(await evaluateText(text, body, caller.workspaceId));
    return { results };
  },
});

export const expressionOperations = [evaluateExpressionsOperation];
