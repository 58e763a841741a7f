import { parameterText, type NodeConversion, type ConvertedNodes } from '../../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject } from '../../file';
import { escapeBraces, jsonTextCode, type NodeExpressions } from '../../n8n-expressions';
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
import { outputParserSchema, readOutputSchema } from './schemas';

const TEMPLATE_ROLES: Readonly<Record<string, PromptMessage['role']>> = {
  SystemMessagePromptTemplate: 'system',
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
};

export const convertLlmChain: AiNodeConverter = (conversion) => {
  const outputSchema = outputParserSchema(conversion);
  const written = asN8nObjects(asN8nObject(conversion.node.parameters['messages'])['messageValues']);
  if (written.some(({ messageType = 'text' }) => messageType !== 'text'))
    conversion.addTodo('Choose the images that it reads.');
  return askModelPerItem(conversion, {
    type: 'llm',
    isObject: outputSchema !== undefined,
    resultCode: (answer) => (outputSchema ? `{ "output": ${answer} }` : `{ "text": ${answer} }`),
    config(expressions) {
      const messages = written.flatMap(({ type = 'SystemMessagePromptTemplate', message }): PromptMessage[] => {
        const role = Object.hasOwn(TEMPLATE_ROLES, String(type)) ? TEMPLATE_ROLES[String(type)] : undefined;
        const content = limitedPrompt(conversion, message, expressions);
        return role && content !== undefined ? [{ role, content }] : [];
      });
      return {
        ...attachedModelFields(conversion, expressions),
        ...promptMessageFields(messages, modelQuestionText(conversion, expressions)),
        outputSchema,
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
        prompt: `{{ ${jsonTextCode(expressions)} }}`,
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

interface ClassifierCategory {
  name: string;
  description: string;
}

const RESERVED_CATEGORY_NAMES = new Set(['default', 'error', 'output', '']);
const MAX_MODEL_CATEGORIES = 90;

/** A model that chooses a category, followed by a switch that continues at its port. Both pass the input on. */
function classifyAndRoute(
  conversion: NodeConversion,
  categories: readonly ClassifierCategory[],
  given: N8nObject,
): ConvertedNodes {
  const { id, node, context: around, source } = conversion;
  if (source.isList) conversion.addTodo('It classifies the whole list at once: put it into a for_each.');
  const switchId = around.createId(`${id}_route`);
  const expressions = conversion.expressions(conversion.json);
  const names = categories.map(({ name }) => name);
  const described = categories.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ''}`);
  const own = limitedPrompt(conversion, given['system'], expressions);
  const config = {
    ...attachedModelFields(conversion, expressions),
    system: [own ?? 'Choose the category that fits the text best.', 'Categories:', ...described.map(escapeBraces)].join(
      '\n',
    ),
    prompt: classifierText(conversion, given['text'], expressions),
    outputSchema: {
      type: 'object',
      properties: { category: { type: 'string', enum: names } },
      required: ['category'],
      additionalProperties: false,
    },
  };
  const { x, y } = node.position;
  const {
    retry: _,
    notes: __,
    ...route
  } = conversion.createNode(switchId, 'switch', {
    expression: `nodes.${id}.object.category`,
    cases: names.map((name) => ({ value: name, port: name })),
  });
  return {
    ...conversion.asSingleNode({ type: 'llm', config }),
    nodes: [
      conversion.createNode(id, 'llm', config),
      { ...route, name: cutWellFormed(`${node.name}: route`, 200), position: { x: x + 240, y } },
    ],
    connections: [{ sourceNode: id, sourcePort: 'output', targetNode: switchId, targetPort: 'input' }],
    outputs: names.map((port) => ({ node: switchId, port })),
    result: { ...source, path: undefined },
  };
}

const classifierText = (conversion: NodeConversion, given: unknown, expressions: NodeExpressions): string =>
  limitedPrompt(conversion, given, expressions) ?? `{{ $string(${conversion.json}) }}`;

/** Categories with names that ports may have. */
function readCategories(given: readonly N8nObject[]): ClassifierCategory[] {
  const used = new Set(RESERVED_CATEGORY_NAMES);
  return given.slice(0, MAX_MODEL_CATEGORIES).map(({ category, description }, index) => {
    const wanted =
      typeof category === 'string' ? cutWellFormed(category.replaceAll('{{', '').replace(/^=/, '').trim(), 80) : '';
    const name = used.has(wanted) ? `category ${index + 1}` : wanted;
    used.add(name);
    return { name, description: typeof description === 'string' ? cutWellFormed(description, 2000) : '' };
  });
}

export const convertTextClassifier: AiNodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { fallback, multiClass, systemPromptTemplate } = nodeOptions(conversion);
  const named = readCategories(asN8nObjects(asN8nObject(parameters['categories'])['categories']));
  if (named.length === 0)
    return conversion.placeholder('Enter its categories: a node llm with an output schema, and a switch.');
  const isOther = fallback === 'other' && !named.some(({ name }) => name === 'Other');
  if (multiClass === true) conversion.addTodo('n8n continues at all categories that fit, Weft at the best one.');
  const categories = isOther ? [...named, { name: 'Other', description: 'none of them fits' }] : named;
  return classifyAndRoute(conversion, categories, {
    text: parameters['inputText'],
    system: plainSystemPrompt(systemPromptTemplate),
  });
};

export const convertSentimentAnalysis: AiNodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { categories, systemPromptTemplate } = nodeOptions(conversion);
  const written = parameterText(categories, conversion.expressions(conversion.json)) ?? 'Positive, Neutral, Negative';
  const named = readCategories(written.split(',').map((category) => ({ category })));
  const piece = classifyAndRoute(conversion, named, {
    text: parameters['inputText'],
    system: plainSystemPrompt(systemPromptTemplate),
  });
  const category = `{ "sentimentAnalysis": { "category": nodes.${conversion.id}.object.category } }`;
  return { ...piece, result: { ...piece.result, code: `$merge([${conversion.source.code}, ${category}])` } };
};

/** A system prompt with places for n8n's own texts, such as `{categories}`, is not used. */
const plainSystemPrompt = (given: unknown): unknown =>
  typeof given === 'string' && /\{\w+\}/.test(given.replaceAll(/\{\{[^]*?\}\}/g, '')) ? undefined : given;
