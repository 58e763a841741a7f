import { bag, list } from '../../file';
import { shortType } from '../../starts/starts';
import { asking, conversationOf, optionsOf, promptOf, type ConvertAi, type Said } from './asking';
import { ownModel } from './models';
import { picture } from './pictures';
import { toolsOf } from './tools';

/** What the nodes of providers give, from the answer. */
const GIVEN: Readonly<Record<string, (answer: string) => string>> = {
  openAi: (answer) => `{ "message": { "content": ${answer} } }`,
  anthropic: (answer) => `{ "content": [{ "type": "text", "text": ${answer} }] }`,
  googleGemini: (answer) => `{ "content": { "parts": [{ "text": ${answer} }] } }`,
};
/** The same of OpenAI's newer node, for its responses API. */
const response = (answer: string) => `{ "output": [{ "content": [{ "type": "output_text", "text": ${answer} }] }] }`;

const content = (answer: string) => `{ "content": ${answer} }`;

const ROLES: Readonly<Record<string, Said['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
};

/** The node of a provider that sends messages to one of its models. */
export const vendor: ConvertAi = (conversion, convert) => {
  const { node, around } = conversion;
  const { parameters, version } = node;
  const short = shortType(node.type);
  const isResponse = short === 'openAi' && version >= 2;
  const { resource = 'text', operation = isResponse ? 'response' : 'message' } = parameters;
  if (resource === 'image' && operation === 'analyze')
    return picture(conversion, short !== 'openAi' ? (GIVEN[short] ?? response) : isResponse ? response : content);
  if (resource !== 'text' || !['message', 'response'].includes(String(operation)))
    return conversion.placeholder('Weft asks models for texts and objects: call this operation with an HTTP request.');
  const options = optionsOf(conversion);
  const { system = options['systemMessage'] } = options;
  const written = list(bag(parameters['responses'] ?? parameters['messages'])['values']);
  if (written.some(({ type = 'text' }) => type !== 'text')) conversion.todo('Choose the files that it reads.');
  if (parameters['jsonOutput'] === true) conversion.todo('Enter an output schema: its answer is JSON.');
  if (Object.keys(bag(parameters['builtInTools'])).length > 0)
    conversion.todo('The tools of the provider itself are left out.');
  const isAgent = around.attached(node, 'ai_tool').length > 0;
  return asking(conversion, {
    type: isAgent ? 'agent' : 'llm',
    isObject: false,
    given: isResponse ? response : (GIVEN[short] ?? response),
    config(expressions, item) {
      const messages = [{ role: 'system', content: system }, ...written].flatMap(
        ({ role = 'user', content }): Said[] => {
          const found = promptOf(conversion, content, expressions);
          return found === undefined ? [] : [{ role: ROLES[String(role)] ?? 'user', content: found }];
        },
      );
      const model = ownModel(conversion, expressions);
      if (!isAgent) return { ...model, ...conversationOf(messages, undefined) };
      const textOf = (isSystem: boolean) =>
        messages
          .filter(({ role }) => (role === 'system') === isSystem)
          .map(({ content }) => content)
          .join('\n\n') || undefined;
      return {
        ...model,
        instructions: textOf(true),
        input: textOf(false),
        tools: toolsOf(conversion, item, convert),
      };
    },
  });
};
