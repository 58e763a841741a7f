import { parseExactJson } from '@/contract/exact-json';
import { NodeFailure } from '@/server/errors/node-failure';
import { matchSchema, type Purpose } from '@/server/evaluation/evaluation';
import { added, type Usage } from './catalogue';
import { generate, type ModelAnswer, type ModelCall } from './generate';

/** Issues that are told to the model. */
const MAX_TOLD = 20;

/** Text as an object that matches a schema, or why it is none. */
export async function objectIn(
  text: string,
  schema: object,
  purpose: Purpose,
): Promise<{ object: unknown } | { issues: string }> {
  let object: unknown;
  try {
    object = parseExactJson(withoutFence(text));
  } catch {
    return { issues: 'it is not JSON' };
  }
  const issues = await matchSchema(schema, object, purpose);
  if (issues.length === 0) return { object };
  const told = issues
    .slice(0, MAX_TOLD)
    .map(({ field, message }) => `${field.replace(/^\./, '') || 'the answer'} ${message}`);
  return { issues: told.join('; ') };
}

/** Models like to write JSON as a code block, or to begin with a sentence. */
function withoutFence(text: string): string {
  const [, fenced] = /^[^{[]*```(?:json)?\s*\n([^]*?)\n```/.exec(text) ?? [];
  return (fenced ?? text).trim();
}

/**
 * Calls a model for an object. An answer that does not match the schema is returned to the model once, with the issues; after that it is a
 * failure. Throws NodeFailure OUTPUT_SCHEMA and those of `generate`.
 */
export async function generateObject(
  call: ModelCall & { schema: Record<string, unknown> },
): Promise<{ object: unknown; usage: Usage; finishReason: string }> {
  const purpose = { workspaceId: call.credential.workspaceId, signal: call.signal };
  let usage: Usage | undefined;
  let { prompt } = call;
  let issues = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer: ModelAnswer = await generate({ ...call, prompt });
    usage = added(usage, answer.usage);
    const found = await objectIn(answer.text, call.schema, purpose);
    if ('object' in found) return { object: found.object, usage, finishReason: answer.finishReason };
    ({ issues } = found);
    if (answer.finishReason === 'length') break;
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
