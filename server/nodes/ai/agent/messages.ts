import type { AnswerPart, Message, Prompt } from '@/server/models/generate';
import type { Usage } from '@/server/models/catalogue';

/** What the model is told in a step: by the user, or as the result of a call. */
export type NewMessage =
  | { role: 'user'; content: string }
  | { role: 'tool'; id: string; name: string; content: string; isError?: true };

/** A part of what the model said. The arguments of a call are in `calls`. `options`: what only its provider reads again. */
export type SaidPart =
  | { type: 'text' | 'reasoning'; text: string; options?: unknown }
  | { type: 'call'; id: string; options?: unknown };

/** A call of a tool that the model asks for. */
export interface ToolCall {
  id: string;
  name: string;
  /** The node of the round that carries it out. */
  node: string;
  arguments: unknown;
  /** A person has to approve it. */
  needsApproval?: true;
  /** Why it is not carried out: the model is told. */
  problem?: string;
}

/** How an agent begins: the output of its node `start`. */
export interface Opening {
  model: string;
  instructions: string;
  input: string;
  tools: { name: string; description: string; inputSchema: Record<string, unknown> }[];
  /** Where its messages are remembered. */
  key?: string;
  /** The messages of earlier runs. */
  remembered: { role: 'user' | 'assistant'; content: string }[];
}

/** One step: the output of its node `model`. */
export interface Step {
  /** What the model was told before it spoke. Empty in the first step: the input of the opening. */
  messages: NewMessage[];
  content: SaidPart[];
  text: string;
  /** What the model thought aloud, which is not part of `text`. */
  reasoning?: string;
  calls: ToolCall[];
  /** The answer that matches the output schema. */
  object?: unknown;
  /** Why the answer is none: the model is told. */
  problem?: string;
  finishReason: string;
  usage: Usage;
  /** That of all steps so far. */
  total: Usage;
}

type Options = Extract<Message, { role: 'user' }>['providerOptions'];
type AssistantContent = Extract<Message, { role: 'assistant' }>['content'];

const userMessage = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text: text || '(empty)' }] });

/** Messages for the model. All results of a step are one message, and every call has a result: providers refuse others. */
function told(messages: NewMessage[], calls: ToolCall[]): Prompt {
  const results = calls.map(({ id, name }) => {
    const found = messages.find((one) => one.role === 'tool' && one.id === id);
    const isFailure = found?.role !== 'tool' || found.isError === true;
    const output = {
      type: isFailure ? ('error-text' as const) : ('text' as const),
      value: found?.content ?? 'There is no result.',
    };
    return { type: 'tool-result' as const, toolCallId: id, toolName: name, output };
  });
  const users = messages.flatMap((message) => (message.role === 'user' ? [userMessage(message.content)] : []));
  return [...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []), ...users];
}

/** What the model said in a step. */
function said({ content, calls, text }: Step): Prompt {
  const parts = content.flatMap((part): AssistantContent => {
    const options = part.options === undefined ? {} : { providerOptions: part.options as Options };
    if (part.type !== 'call') return [{ type: part.type, text: part.text, ...options }];
    const call = calls.find(({ id }) => id === part.id);
    if (!call) return [];
    return [
      { type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: call.arguments, ...options },
    ];
  });
  if (parts.length > 0) return [{ role: 'assistant', content: parts }];
  return [{ role: 'assistant', content: [{ type: 'text', text: text || '(nothing)' }] }];
}

/** The conversation so far, and what the model is told now. `rule`: a further instruction. */
export function promptOf(
  { instructions, input, remembered }: Opening,
  steps: Step[],
  now: NewMessage[],
  rule?: string,
): Prompt {
  const system = [instructions, rule].filter(Boolean).join('\n\n');
  const prompt: Prompt = system === '' ? [] : [{ role: 'system', content: system }];
  for (const { role, content } of remembered)
    prompt.push(role === 'user' ? userMessage(content) : { role, content: [{ type: 'text', text: content }] });
  // In the first step the model is told the input, unless that was edited.
  const atFirst: NewMessage[] = [{ role: 'user', content: input }];
  for (const [index, messages] of [...steps.map((step) => step.messages), now].entries()) {
    prompt.push(...told(index === 0 && messages.length === 0 ? atFirst : messages, steps[index - 1]?.calls ?? []));
    const step = steps[index];
    if (step) prompt.push(...said(step));
  }
  return prompt;
}

/** The parts of an answer, without the arguments of its calls. */
export const saidParts = (content: AnswerPart[]): SaidPart[] =>
  content.flatMap((part): SaidPart[] => {
    const options = part.providerMetadata === undefined ? {} : { options: part.providerMetadata };
    if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text, ...options }];
    return part.type === 'tool-call' ? [{ type: 'call', id: part.toolCallId, ...options }] : [];
  });
