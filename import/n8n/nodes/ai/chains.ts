import { asN8nObject, asN8nObjects } from '../../file';
import { ITEM_JSON_TEXT } from '../../n8n-expressions';
import {
  askModelPerItem,
  promptMessageFields,
  nodeOptions,
  limitedPrompt,
  modelQuestionText,
  type AiNodeConverter,
  type PromptMessage,
} from './ask-model';
import { attachedModelFields } from './models';
import { readOutputParser, readOutputSchema } from './schemas';

const TEMPLATE_ROLES: Readonly<Record<string, PromptMessage['role']>> = {
  SystemMessagePromptTemplate: 'system',
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
};

export const convertLlmChain: AiNodeConverter = (conversion) => {
  const reply = readOutputParser(conversion);
  const written = asN8nObjects(asN8nObject(conversion.node.parameters['messages'])['messageValues']);
  if (written.some(({ messageType = 'text' }) => messageType !== 'text'))
    conversion.addTodo('Choose the images that it reads.');
  return askModelPerItem(conversion, {
    type: 'llm',
    isObject: reply !== undefined,
    resultCode: (answer) => (reply ? `{ "output": ${reply.read(answer)} }` : `{ "text": ${answer} }`),
    config(expressions) {
      const messages = written.flatMap(({ type = 'SystemMessagePromptTemplate', message }): PromptMessage[] => {
        const role = Object.hasOwn(TEMPLATE_ROLES, String(type)) ? TEMPLATE_ROLES[String(type)] : undefined;
        const content = limitedPrompt(conversion, message, expressions);
        return role && content !== undefined ? [{ role, content }] : [];
      });
      return {
        ...attachedModelFields(conversion, expressions),
        ...promptMessageFields(messages, modelQuestionText(conversion, expressions)),
        outputSchema: reply?.schema,
      };
    },
  });
};

export const convertSummarizationChain: AiNodeConverter = (conversion) => {
  const { parameters, version } = conversion.node;
  const { operationMode = 'nodeInputJson' } = parameters;
  if (operationMode !== 'nodeInputJson')
    conversion.addTodo('Write the text to summarize into its prompt, or choose its files.');
  const values = asN8nObject(asN8nObject(nodeOptions(conversion)['summarizationMethodAndPrompts'])['values']);
  const wanted = values['prompt'] ?? values['combineMapPrompt'];
  conversion.addRemark('The whole text is sent at once: it has to fit into the context of the model.');
  return askModelPerItem(conversion, {
    type: 'llm',
    isObject: false,
    resultCode: (answer) =>
      version >= 2.1 ? `{ "output": { "text": ${answer} } }` : `{ "response": { "text": ${answer} } }`,
    config(expressions) {
      const own = limitedPrompt(
        conversion,
        typeof wanted === 'string' ? wanted.replaceAll('{text}', '') : undefined,
        expressions,
      );
      return {
        ...attachedModelFields(conversion, expressions),
        system: own ?? 'Write a concise summary of the text.',
        prompt: ITEM_JSON_TEXT,
      };
    },
  });
};

export const convertInfoExtractor: AiNodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { schemaType = 'fromAttributes' } = parameters;
  const outputSchema = readOutputSchema(conversion, { ...parameters, schemaType });
  const system = nodeOptions(conversion)['systemPromptTemplate'];
  return askModelPerItem(conversion, {
    type: 'llm',
    isObject: true,
    resultCode: (answer) => `{ "output": ${answer} }`,
    config: (expressions) => ({
      ...attachedModelFields(conversion, expressions),
      system:
        limitedPrompt(conversion, system, expressions) ??
        'Extract the fields from the text. Leave out those that it does not have.',
      prompt: limitedPrompt(conversion, parameters['text'], expressions) ?? '',
      outputSchema,
    }),
  });
};
