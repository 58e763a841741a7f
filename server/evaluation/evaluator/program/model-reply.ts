import { NodeFailure } from '@/server/platform/errors/node-failure';
import { callModelLibrary, type ModelReply } from '@/server/evaluation/model-libraries/call-model';
import { withExactToolArguments } from '@/server/evaluation/model-libraries/exact-arguments';
import type { ModelReplyReading } from '../jobs';

/** The limits of a reply, in parts and in characters; the longest texts of models have half a million characters. */
const MAX_REPLY_PARTS = 1000;
const MAX_REPLY_CHARACTERS = 1024 * 1024;

/** The limit of the text of an error, because libraries put the whole response into it. */
const MAX_REPLY_ERROR_CHARACTERS = 8 * 1024;

const tooLargeReply = (what: string) =>
  new NodeFailure('MODEL_ANSWER', `The answer of the model has more than ${what}.`);

/** Lets the library of a provider read a response that has arrived. The prompt is not needed for that. */
export async function readModelReply({ type, ...request }: ModelReplyReading, body: Buffer): Promise<string> {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: '-' }] }];
  const answered = async () => new Response(withExactToolArguments(body, type), { headers: { 'content-type': type } });
  // Reading needs no key, but some libraries ask for one.
  const access = { ...request.access, apiKey: '-' };
  const asked = { ...request, access, options: { ...request.options, prompt } };
  const reply = await callModelLibrary(asked, answered).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NodeFailure('MODEL_ANSWER', reason.slice(0, MAX_REPLY_ERROR_CHARACTERS));
  });
  const { content, finishReason, usage }: ModelReply = reply;
  if (content.length > MAX_REPLY_PARTS) throw tooLargeReply(`${MAX_REPLY_PARTS} parts`);
  const json = JSON.stringify({ content, finishReason, usage });
  if (json.length > MAX_REPLY_CHARACTERS) throw tooLargeReply(`${MAX_REPLY_CHARACTERS} characters`);
  return json;
}
