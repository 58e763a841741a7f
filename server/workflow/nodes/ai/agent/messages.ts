import type { ModelReplyPart, ModelPromptMessage, ModelPrompt } from '@/server/network/models/generate';
import type { TokenUsage } from '@/server/network/models/catalogue';

/** A message to the model in a step: from the user, or with the result of a call. */
export type AgentMessage =
  | { role: 'user'; content: string }
  | { role: 'tool'; id: string; name: string; content: string; isError?: true };

/**
 * A part of a reply of the model. The arguments of a call are in `calls`. `options` is what only its provider reads
 * again.
 */
export type ReplyPart =
  | { type: 'text' | 'reasoning'; text: string; options?: unknown }
  | { type: 'call'; id: string; options?: unknown };

/** A call of a tool that the model asks for. */
export interface ModelToolCall {
  id: string;
  name: string;
  /** The node of the round that carries it out. */
  node: string;
  arguments: unknown;
  /** A person has to approve it. */
  needsApproval?: true;
  /** The reason why the call is not carried out, which the model is told. */
  problem?: string;
}

/** How an agent begins: the output of its node `start`. */
export interface AgentOpening {
  model: string;
  instructions: string;
  input: string;
  tools: { name: string; description: string; inputSchema: Record<string, unknown> }[];
  /** The key under which its messages are remembered. */
  key?: string;
  /** The messages of earlier runs. */
  remembered: { role: 'user' | 'assistant'; content: string }[];
}

/** One step: the output of its node `model`. */
export interface AgentModelStep {
  /**
   * The messages that the model was told before it replied. They are empty in the first step, which begins with the
   * input of the opening.
   */
  messages: AgentMessage[];
  content: ReplyPart[];
  text: string;
  /** The reasoning of the model, which is not part of `text`. */
  reasoning?: string;
  calls: ModelToolCall[];
  /** The answer that matches the output schema. */
  object?: unknown;
  /** The reason why a reply is not the answer, which the model is told. */
  problem?: string;
  finishReason: string;
  usage: TokenUsage;
  /** The usage of all steps so far. */
  total: TokenUsage;
}

type ProviderOptions = Extract<ModelPromptMessage, { role: 'user' }>['providerOptions'];
type AssistantMessageContent = Extract<ModelPromptMessage, { role: 'assistant' }>['content'];

const createUserMessage = (text: string): ModelPromptMessage => ({
  role: 'user',
  content: [{ type: 'text', text: text || '(empty)' }],
});

/**
 * Messages for the model. All results of a step are one message, and every call has a result: providers refuse others.
 */
function writeNewMessages(messages: AgentMessage[], calls: ModelToolCall[]): ModelPrompt {
  const results = calls.map(({ id, name }) => {
    const found = messages.find((one) => one.role === 'tool' && one.id === id);
    const isFailure = found?.role !== 'tool' || found.isError === true;
    const output = {
      type: isFailure ? ('error-text' as const) : ('text' as const),
      value: found?.content ?? 'There is no result.',
    };
    return { type: 'tool-result' as const, toolCallId: id, toolName: name, output };
  });
  const users = messages.flatMap((message) => (message.role === 'user' ? [createUserMessage(message.content)] : []));
  return [...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []), ...users];
}

/** The reply of the model in a step, as messages of the prompt. */
function writeModelReply({ content, calls, text }: AgentModelStep): ModelPrompt {
  const parts = content.flatMap((part): AssistantMessageContent => {
    const options = part.options === undefined ? {} : { providerOptions: part.options as ProviderOptions };
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
export function buildAgentPrompt(
  { instructions, input, remembered }: AgentOpening,
  steps: AgentModelStep[],
  now: AgentMessage[],
  rule?: string,
): ModelPrompt {
  const system = [instructions, rule].filter(Boolean).join('\n\n');
  const prompt: ModelPrompt = system === '' ? [] : [{ role: 'system', content: system }];
  for (const { role, content } of remembered)
    prompt.push(role === 'user' ? createUserMessage(content) : { role, content: [{ type: 'text', text: content }] });
  // In the first step the model is told the input, unless that was edited.
  const atFirst: AgentMessage[] = [{ role: 'user', content: input }];
  for (const [index, messages] of [...steps.map((step) => step.messages), now].entries()) {
    prompt.push(
      ...writeNewMessages(index === 0 && messages.length === 0 ? atFirst : messages, steps[index - 1]?.calls ?? []),
    );
    const step = steps[index];
    if (step) prompt.push(...writeModelReply(step));
  }
  return prompt;
}

/** The parts of an answer, without the arguments of its calls. */
export const keepReplyParts = (content: ModelReplyPart[]): ReplyPart[] =>
  content.flatMap((part): ReplyPart[] => {
    const options = part.providerMetadata === undefined ? {} : { options: part.providerMetadata };
    if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text, ...options }];
    return part.type === 'tool-call' ? [{ type: 'call', id: part.toolCallId, ...options }] : [];
  });
