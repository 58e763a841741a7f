import type { ChatAnswer, ChatEvent } from '@/contract/triggers/chat-limits';
import type { CallerOutcome } from '@/server/engine/answers/waiting-caller';
import type { RunAnswer } from '@/server/nodes/node';

/** Longer answers are cut, and not parsed. */
const MAX_ANSWER = 100_000;

const FAILED = 'There is no answer: something went wrong. Try again, or tell the owner of the chat.';

/** What a client is told of an outcome; null: nothing yet. Why a run failed is not for its sender. */
export function answerEvent(outcome: CallerOutcome): ChatEvent | null {
  if (outcome.kind === 'answer') return { event: 'message', data: answerOf(outcome.answer) };
  if (outcome.kind !== 'end') return null;
  if (!outcome.isCompleted) return { event: 'error', data: { message: FAILED } };
  return { event: 'message', data: ofJson(outcome.output ?? 'null') };
}

/** The body of a `respond` node. */
function answerOf({ headers, body }: RunAnswer): ChatAnswer {
  return /\bjson\b/i.test(headers['content-type'] ?? '') ? ofJson(body) : { format: 'markdown', text: cut(body) };
}

/** A text, the text of a node `llm` or `agent`, or anything else as JSON. */
function ofJson(json: string): ChatAnswer {
  if (json.length > MAX_ANSWER) return { format: 'json', text: cut(json) };
  const value = parsed(json);
  const text = textIn(value);
  return text === undefined
    ? { format: 'json', text: JSON.stringify(value, null, 2) }
    : { format: 'markdown', text: cut(text) };
}

/** The body of a `respond` node can have any content type. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}

function textIn(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { text, output } = value as Record<string, unknown>;
  return [text, output].find((one) => typeof one === 'string');
}

const cut = (text: string): string => (text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)}…` : text);
