import { NodeFailure } from '@/server/platform/errors/node-failure';
import { findSchemaIssues, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { addTokenUsage, type TokenUsage } from './catalogue';
import { generateReply, type GeneratedReply, type ModelCall } from './generate';
import { findJsonValues } from './json-in-text';

/** Issues that are told to the model. */
const MAX_LISTED_SCHEMA_ISSUES = 20;

/**
 * The object in an answer that matches a schema, or why there is none. Answers in words may hold several objects: the
 * likeliest that matches counts.
 */
export async function findMatchingObject(
  text: string,
  schema: object,
  purpose: EvaluationContext,
): Promise<{ object: unknown } | { issues: string }> {
  let problem: string | undefined;
  for (const object of findJsonValues(text)) {
    const issues = await findSchemaIssues(schema, object, purpose);
    if (issues.length === 0) return { object };
    problem ??= issues
      .slice(0, MAX_LISTED_SCHEMA_ISSUES)
      .map(({ field, message }) => `${field.replace(/^\./, '') || 'the answer'} ${message}`)
      .join('; ');
  }
  return { issues: problem ?? 'it is not JSON' };
}

/**
 * Calls a model for an object. An answer that does not match the schema is returned to the model once, with the issues;
 * after that it is a failure. Throws NodeFailure OUTPUT_SCHEMA and those of `generateReply`.
 */
export async function generateJsonObject(
  call: ModelCall & { schema: Record<string, unknown> },
): Promise<{ object: unknown } & Pick<GeneratedReply, 'reasoning' | 'usage' | 'finishReason'>> {
  const purpose = { workspaceId: call.credential.workspaceId, signal: call.signal };
  let usage: TokenUsage | undefined;
  let { prompt } = call;
  let issues = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer: GeneratedReply = await generateReply({ ...call, prompt });
    usage = addTokenUsage(usage, answer.usage);
    const found = await findMatchingObject(answer.text, call.schema, purpose);
    const { reasoning, finishReason } = answer;
    if ('object' in found) return { object: found.object, reasoning, usage, finishReason };
    ({ issues } = found);
    if (finishReason === 'length') break;
    prompt = [
      ...prompt,
      { role: 'assistant', content: [{ type: 'text', text: answer.text || '(nothing)' }] },
      {
        role: 'user',
        content: [{ type: 'text', text: `This does not match the schema: ${issues}. Answer with the corrected JSON.` }],
      },
    ];
  }
  throw new NodeFailure('OUTPUT_SCHEMA', `The answer of the model does not match config.outputSchema: ${issues}.`);
}
