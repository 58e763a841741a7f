import { bag, list } from '../../file';
import type { Convert } from '../flow';
import { asking, conversationOf, optionsOf, promptOf, type Said } from './asking';
import { ownModel } from './models';

/** The node of OpenAI that n8n had before its package for language models. */
export const formerOpenAi: Convert = (conversion) => {
  const { resource = 'text', operation = 'complete', prompt, maxTokens } = conversion.node.parameters;
  const isChat = resource === 'chat';
  if ((!isChat && resource !== 'text') || operation !== 'complete')
    return conversion.placeholder('Weft asks models for texts and objects: call this operation with an HTTP request.');
  if (Number(optionsOf(conversion)['n'] ?? 1) > 1) conversion.todo('It asks for one answer.');
  return asking(conversion, {
    type: 'llm',
    isObject: false,
    given: (answer) => (isChat ? `{ "message": { "content": ${answer} } }` : `{ "text": ${answer} }`),
    config(expressions) {
      const written = isChat ? list(bag(prompt)['messages']) : [{ content: prompt }];
      const messages = written.flatMap(({ role = 'user', content }): Said[] => {
        const found = promptOf(conversion, content, expressions);
        const known = role === 'system' || role === 'assistant' ? role : 'user';
        return found === undefined ? [] : [{ role: known, content: found }];
      });
      const limit = typeof maxTokens === 'number' && maxTokens >= 1 ? { maxTokens: Math.round(maxTokens) } : {};
      return { ...ownModel(conversion, expressions), ...limit, ...conversationOf(messages, undefined) };
    },
  });
};
