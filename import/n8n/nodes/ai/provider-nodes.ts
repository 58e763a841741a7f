import { asN8nObject, asN8nObjects } from '../../file';
import { shortNodeType } from '../../starts/convert-trigger';
import {
  askModelPerItem,
  promptMessageFields,
  nodeOptions,
  limitedPrompt,
  type AiNodeConverter,
  type PromptMessage,
} from './ask-model';
import { ownModelFields } from './models';
import { convertImageAnalysis } from './image-analysis';
import { convertAgentTools } from './tools';
import { convertTranscription } from '../requests';

/** The result of each provider's node in n8n, built from the reply of the model. */
const PROVIDER_RESULTS: Readonly<Record<string, (answer: string) => string>> = {
  openAi: (answer) => `{ "message": { "content": ${answer} } }`,
  anthropic: (answer) => `{ "content": [{ "type": "text", "text": ${answer} }] }`,
  googleGemini: (answer) => `{ "content": { "parts": [{ "text": ${answer} }] } }`,
};
/** The result of OpenAI's newer node, which uses the responses API. */
const responsesApiResult = (answer: string) =>
  `{ "output": [{ "content": [{ "type": "output_text", "text": ${answer} }] }] }`;

const contentResult = (answer: string) => `{ "content": ${answer} }`;

/** JavaScript for the value of a text of JSON; a text that is none stays. */
const READ_JSON_SOURCE = '((text) => { try { return JSON.parse(text); } catch { return text; } })';

const PROVIDER_ROLES: Readonly<Record<string, PromptMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
};

/** The node of a provider that sends messages to one of its models. */
export const convertProviderNode: AiNodeConverter = (conversion, convert) => {
  const { node, context: around } = conversion;
  const { parameters, version } = node;
  const short = shortNodeType(node.type);
  const isResponse = short === 'openAi' && version >= 2;
  const { resource = 'text', operation = isResponse ? 'response' : 'message' } = parameters;
  if (resource === 'image' && operation === 'analyze')
    return convertImageAnalysis(
      conversion,
      short !== 'openAi'
        ? (PROVIDER_RESULTS[short] ?? responsesApiResult)
        : isResponse
          ? responsesApiResult
          : contentResult,
    );
  if (short === 'openAi' && resource === 'audio' && operation === 'transcribe') return convertTranscription(conversion);
  if (resource !== 'text' || !['message', 'response'].includes(String(operation)))
    return conversion.placeholder('Weft asks models for texts and objects: call this operation with an HTTP request.');
  const options = nodeOptions(conversion);
  const { system = options['systemMessage'] } = options;
  const written = asN8nObjects(asN8nObject(parameters['responses'] ?? parameters['messages'])['values']);
  if (written.some(({ type = 'text' }) => type !== 'text')) conversion.addTodo('Choose the files that it reads.');
  if (Object.keys(asN8nObject(parameters['builtInTools'])).length > 0)
    conversion.addTodo('The tools of the provider itself are left out.');
  const isAgent = around.attachedParts(node, 'ai_tool').length > 0;
  // The reply is any object. An agent replies with text, which is read.
  const isJson = parameters['jsonOutput'] === true;
  const isObject = isJson && !isAgent;
  const result = isResponse ? responsesApiResult : (PROVIDER_RESULTS[short] ?? responsesApiResult);
  const isWhole = short === 'openAi' && !isResponse && parameters['simplify'] === false;
  return askModelPerItem(conversion, {
    type: isAgent ? 'agent' : 'llm',
    isObject,
    resultCode(answer) {
      // OpenAI's node gives the object, and others the text of it.
      const given = short !== 'openAi' && isObject ? `JSON.stringify(${answer})` : answer;
      const made = result(isJson && isAgent && short === 'openAi' ? `${READ_JSON_SOURCE}(${answer})` : given);
      return isWhole ? `{ "choices": [${made}] }` : made;
    },
    config(expressions) {
      const messages = [{ role: 'system', content: system }, ...written].flatMap(
        ({ role = 'user', content }): PromptMessage[] => {
          const found = limitedPrompt(conversion, content, expressions);
          return found === undefined ? [] : [{ role: PROVIDER_ROLES[String(role)] ?? 'user', content: found }];
        },
      );
      const model = ownModelFields(conversion, expressions);
      const schema = isObject ? { outputSchema: { type: 'object' } } : {};
      if (!isAgent) return { ...model, ...schema, ...promptMessageFields(messages, undefined) };
      const textOf = (isSystem: boolean) =>
        messages
          .filter(({ role }) => (role === 'system') === isSystem)
          .map(({ content }) => content)
          .join('\n\n') || undefined;
      return {
        ...model,
        instructions: textOf(true),
        input: textOf(false),
        tools: convertAgentTools(conversion, convert),
      };
    },
  });
};
