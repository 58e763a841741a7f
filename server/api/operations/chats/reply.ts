import type { ChatReply, ChatReplyEvent } from '@/contract/triggers/chat-limits';
import type { CallerWaitResult } from '@/server/engine/answers/waiting-caller';
import type { CallerResponse } from '@/server/workflow/nodes/node-type';

/** A longer reply is cut and not parsed. */
const MAX_CHAT_REPLY_LENGTH = 100_000;

const CHAT_FAILURE_MESSAGE = 'There is no answer: something went wrong. Try again, or tell the owner of the chat.';

/** Turns the result of a run into an event, or null while there is none. It hides from the sender why a run failed. */
export function chatResultEvent(outcome: CallerWaitResult): ChatReplyEvent | null {
  if (outcome.kind === 'answer') return { event: 'message', data: chatReplyFromResponse(outcome.response) };
  if (outcome.kind !== 'end') return null;
  if (!outcome.isCompleted) return { event: 'error', data: { message: CHAT_FAILURE_MESSAGE } };
  return { event: 'message', data: chatReplyFromJson(outcome.output ?? 'null') };
}

/** Turns the body of a `respond` node into a reply. */
function chatReplyFromResponse({ headers, body }: CallerResponse): ChatReply {
  return /\bjson\b/i.test(headers['content-type'] ?? '')
    ? chatReplyFromJson(body)
    : { format: 'markdown', text: truncateReply(body) };
}

/** Shows a string, or the text of an `llm` or `agent` node, as Markdown and any other value as JSON. */
function chatReplyFromJson(json: string): ChatReply {
  if (json.length > MAX_CHAT_REPLY_LENGTH) return { format: 'json', text: truncateReply(json) };
  const value = parseReplyBody(json);
  const text = findReplyText(value);
  return text === undefined
    ? { format: 'json', text: JSON.stringify(value, null, 2) }
    : { format: 'markdown', text: truncateReply(text) };
}

/** The body of a `respond` node can have any content type. */
function parseReplyBody(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}

function findReplyText(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { text, output } = value as Record<string, unknown>;
  return [text, output].find((one) => typeof one === 'string');
}

const truncateReply = (text: string): string =>
  text.length > MAX_CHAT_REPLY_LENGTH ? `${text.slice(0, MAX_CHAT_REPLY_LENGTH)}…` : text;
