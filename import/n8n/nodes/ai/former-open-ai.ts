import { asN8nObject, asN8nObjects } from '../../file';
import type { NodeConverter } from '../../conversion';
import { askModelPerItem, promptMessageFields, nodeOptions, limitedPrompt, type PromptMessage } from './ask-model';
import { ownModelFields } from './models';

/** The node of OpenAI that n8n had before its package for language models. */
export const convertFormerOpenAi: NodeConverter = (conversion) => {
  const { resource = 'text', operation = 'complete', prompt, maxTokens } = conversion.node.parameters;
  const isChat = resource === 'chat';
  if ((!isChat && resource !== 'text') || operation !== 'complete')
    return conversion.placeholder('Weft asks models for texts and objects: call this operation with an HTTP request.');
  if (Number(nodeOptions(conversion)['n'] ?? 1) > 1) conversion.addTodo('It asks for one answer.');
  return askModelPerItem(conversion, {
    type: 'llm',
    isObject: false,
    resultCode: (answer) => (isChat ? `{ "message": { "content": ${answer} } }` : `{ "text": ${answer} }`),
    config(expressions) {
      const written = isChat ? asN8nObjects(asN8nObject(prompt)['messages']) : [{ content: prompt }];
      const messages = written.flatMap(({ role = 'user', content }): PromptMessage[] => {
        const found = limitedPrompt(conversion, content, expressions);
        const known = role === 'system' || role === 'assistant' ? role : 'user';
        return found === undefined ? [] : [{ role: known, content: found }];
      });
      const limit = typeof maxTokens === 'number' && maxTokens >= 1 ? { maxTokens: Math.round(maxTokens) } : {};
      return { ...ownModelFields(conversion, expressions), ...limit, ...promptMessageFields(messages, undefined) };
    },
  });
};
