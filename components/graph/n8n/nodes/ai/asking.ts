import { textOf, type Conversion, type Piece } from '../../conversion';
import { bag, type Bag } from '../../file';
import { template, type Expressions } from '../../text';

/** Converts a node about language models. `convert`: converts any other node, for those that are tools. */
export type ConvertAi = (conversion: Conversion, convert: (conversion: Conversion) => Piece) => Piece;

/** Characters of a prompt. */
const MAX_PROMPT = 2_000_000;

interface Asked {
  type: 'llm' | 'agent';
  /** The answer is an object. */
  isObject: boolean;
  /** JSONata of what n8n's node gives, from that of the answer. */
  given(answer: string): string;
  config(expressions: Expressions, item: string): Record<string, unknown>;
}

/** A node that asks a language model about each item. */
export function asking(conversion: Conversion, { type, isObject, given, config }: Asked): Piece {
  const path = isObject ? '.object' : '.text';
  const piece = conversion.each((expressions, item) => ({ type, path, config: config(expressions, item) }));
  const { code, isList, rows } = piece.result;
  return {
    ...piece,
    result: { path: undefined, isList, rows, code: isList ? `[${code}.${given('$')}]` : given(code) },
  };
}

/** A text for a model; undefined: it is empty. */
export const promptOf = (conversion: Conversion, value: unknown, expressions: Expressions): string | undefined =>
  conversion.limited(textOf(value, expressions), MAX_PROMPT);

/** What an agent or a chain is asked: a text, or what a chat says. */
export function questionOf(conversion: Conversion, expressions: Expressions): string | undefined {
  const { parameters, version } = conversion.node;
  const { promptType, text, prompt } = parameters;
  const written = promptType === 'auto' ? undefined : (text ?? prompt);
  const said = version <= 1 ? 'input' : version <= 1.1 ? 'chat_input' : 'chatInput';
  return promptOf(conversion, written, expressions) ?? template(`={{ $json.${said} }}`, expressions);
}

export interface Said {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Fields of `llm` for messages: one message of a user is a prompt. */
export function conversationOf(messages: readonly Said[], prompt: string | undefined): Bag {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const others = messages.filter(({ role }) => role !== 'system');
  const all = prompt === undefined ? others : [...others, { role: 'user', content: prompt }];
  const [only] = all;
  return {
    system: system.length > 0 ? system.join('\n\n') : undefined,
    ...(all.length === 1 && only?.role === 'user' ? { prompt: only.content } : { messages: all.slice(-1000) }),
  };
}

export const optionsOf = ({ node }: Conversion): Bag => bag(node.parameters['options']);
