import { parameterText, type NodeConversion, type ConvertedCall } from '../../conversion';
import { asN8nObject, type N8nObject } from '../../file';
import { convertTemplate, type NodeExpressions } from '../../n8n-expressions';

/** Converts a node about language models. `convert`: converts any other node, for those that are tools. */
export type AiNodeConverter = (
  conversion: NodeConversion,
  convert: (conversion: NodeConversion) => ConvertedCall,
) => ConvertedCall;

/** How many characters a prompt may have. */
const MAX_PROMPT_CHARACTERS = 2_000_000;

interface ModelQuestion {
  type: 'llm' | 'agent';
  /** The model replies with an object. */
  isObject: boolean;
  /** Builds the result of n8n's node from the reply of the model, in JavaScript. */
  resultCode(answer: string): string;
  config(expressions: NodeExpressions): Record<string, unknown>;
}

/** A node that asks a language model about each item. */
export function askModelPerItem(
  conversion: NodeConversion,
  { type, isObject, resultCode: given, config }: ModelQuestion,
): ConvertedCall {
  const call = conversion.createCall({
    type,
    path: isObject ? '.object' : '.text',
    config: config(conversion.expressions),
  });
  return { ...call, shape: `(answer) => (${given('answer')})` };
}

/** A text for a model; undefined: it is empty. */
export const limitedPrompt = (
  conversion: NodeConversion,
  value: unknown,
  expressions: NodeExpressions,
): string | undefined => conversion.limitText(parameterText(value, expressions), MAX_PROMPT_CHARACTERS);

/** The question for an agent or a chain: a text, or the message of a chat. */
export function modelQuestionText(conversion: NodeConversion, expressions: NodeExpressions): string | undefined {
  const { parameters, version } = conversion.node;
  const { promptType, text, prompt } = parameters;
  const written = promptType === 'auto' ? undefined : (text ?? prompt);
  const said = version <= 1 ? 'input' : version <= 1.1 ? 'chat_input' : 'chatInput';
  return limitedPrompt(conversion, written, expressions) ?? convertTemplate(`={{ $json.${said} }}`, expressions);
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Fields of `llm` for messages: one message of a user is a prompt. */
export function promptMessageFields(messages: readonly PromptMessage[], prompt: string | undefined): N8nObject {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const others = messages.filter(({ role }) => role !== 'system');
  const all = prompt === undefined ? others : [...others, { role: 'user', content: prompt }];
  const [only] = all;
  return {
    system: system.length > 0 ? system.join('\n\n') : undefined,
    ...(all.length === 1 && only?.role === 'user' ? { prompt: only.content } : { messages: all.slice(-1000) }),
  };
}

export const nodeOptions = ({ node }: NodeConversion): N8nObject => asN8nObject(node.parameters['options']);
