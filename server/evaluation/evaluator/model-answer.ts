import { NodeFailure } from '@/server/errors/node-failure';
import { askModel, type ModelReply } from '@/server/model-libraries/ask';
import { exactBody } from '@/server/model-libraries/exact-arguments';
import type { ModelReading } from '../jobs';

/** Parts and characters of an answer; the longest texts of models have half a million characters. */
const MAX_PARTS = 1000;
const MAX_TEXT = 1024 * 1024;

/** Characters of the text of an error: libraries put the whole answer into it. */
const MAX_REASON = 8 * 1024;

const tooLarge = (what: string) => new NodeFailure('MODEL_ANSWER', `The answer of the model has more than ${what}.`);

/** What the library of a provider reads in an answer that has arrived. The prompt is not needed for it. */
export async function readAnswer({ type, ...request }: ModelReading, body: Buffer): Promise<string> {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: '-' }] }];
  const answered = async () => new Response(exactBody(body, type), { headers: { 'content-type': type } });
  // No key is needed to read: but some libraries ask for one.
  const access = { ...request.access, apiKey: '-' };
  const asked = { ...request, access, options: { ...request.options, prompt } };
  const reply = await askModel(asked, answered).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NodeFailure('MODEL_ANSWER', reason.slice(0, MAX_REASON));
  });
  const { content, finishReason, usage }: ModelReply = reply;
  if (content.length > MAX_PARTS) throw tooLarge(`${MAX_PARTS} parts`);
  const json = JSON.stringify({ content, finishReason, usage });
  if (json.length > MAX_TEXT) throw tooLarge(`${MAX_TEXT} characters`);
  return json;
}
