import { NodeFailure } from '@/server/errors/node-failure';
import { matchSchema, type Purpose } from '@/server/evaluation/evaluation';
import { added, type Usage } from './catalogue';
import { generate, type ModelAnswer, type ModelCall } from './generate';
import { jsonValuesIn } from './json-in-text';

/** Issues that are told to the model. */
const MAX_TOLD = 20;

/** The object in an answer that matches a schema, or why there is none. Answers in words may hold several objects: the likeliest that matches counts. */
export async function objectIn(
  text: string,
  schema: object,
  purpose: Purpose,
): Promise<{ object: unknown } | { issues: string }> {
  let problem: string | undefined;
  for (const object of jsonValuesIn(text)) {
    const issues = await matchSchema(schema, object, purpose);
    if (issues.length === 0) return { object };
    problem ??= issues
      .slice(0, MAX_TOLD)
      .map(({ field, message }) => `${field.replace(/^\./, '') || 'the answer'} ${message}`)
      .join('; ');
  }
  return { issues: problem ?? 'it is not JSON' };
}

/**
 * Calls a model for an object. An answer that does not match the schema is returned to the model once, with the issues; after that it is a
 * failure. Throws NodeFailure OUTPUT_SCHEMA and those of `generate`.
 */
export async function generateObject(
  call: ModelCall & { schema: Record<string, unknown> },
): Promise<{ object: unknown } & Pick<ModelAnswer, 'reasoning' | 'usage' | 'finishReason'>> {
  const purpose = { workspaceId: call.credential.workspaceId, signal: call.signal };
  let usage: Usage | undefined;
  let { prompt } = call;
  let issues = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer: ModelAnswer = await generate({ ...call, prompt });
    usage = added(usage, answer.usage);
    const found = await objectIn(answer.text, call.schema, purpose);
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
