import { textOf, type Conversion, type Piece } from '../../conversion';
import { bag, cut, list, type Bag } from '../../file';
import { plain, type Expressions } from '../../text';
import { asking, conversationOf, optionsOf, promptOf, questionOf, type ConvertAi, type Said } from './asking';
import { attachedModel } from './models';
import { parserSchema, schemaIn } from './schemas';

const ROLES: Readonly<Record<string, Said['role']>> = {
  SystemMessagePromptTemplate: 'system',
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
};

export const chainLlm: ConvertAi = (conversion) => {
  const outputSchema = parserSchema(conversion);
  const written = list(bag(conversion.node.parameters['messages'])['messageValues']);
  if (written.some(({ messageType = 'text' }) => messageType !== 'text'))
    conversion.todo('Choose the images that it reads.');
  return asking(conversion, {
    type: 'llm',
    isObject: outputSchema !== undefined,
    given: (answer) => (outputSchema ? `{ "output": ${answer} }` : `{ "text": ${answer} }`),
    config(expressions) {
      const messages = written.flatMap(({ type = 'SystemMessagePromptTemplate', message }): Said[] => {
        const role = Object.hasOwn(ROLES, String(type)) ? ROLES[String(type)] : undefined;
        const content = promptOf(conversion, message, expressions);
        return role && content !== undefined ? [{ role, content }] : [];
      });
      return {
        ...attachedModel(conversion, expressions),
        ...conversationOf(messages, questionOf(conversion, expressions)),
        outputSchema,
      };
    },
  });
};

export const chainSummarization: ConvertAi = (conversion) => {
  const { parameters, version } = conversion.node;
  const { operationMode = 'nodeInputJson' } = parameters;
  if (operationMode !== 'nodeInputJson')
    conversion.todo('Write the text to summarize into its prompt, or choose its files.');
  const values = bag(bag(optionsOf(conversion)['summarizationMethodAndPrompts'])['values']);
  const wanted = values['prompt'] ?? values['combineMapPrompt'];
  conversion.say('The whole text is sent at once: it has to fit into the context of the model.');
  return asking(conversion, {
    type: 'llm',
    isObject: false,
    given: (answer) =>
      version >= 2.1 ? `{ "output": { "text": ${answer} } }` : `{ "response": { "text": ${answer} } }`,
    config(expressions) {
      const own = promptOf(
        conversion,
        typeof wanted === 'string' ? wanted.replaceAll('{text}', '') : undefined,
        expressions,
      );
      return {
        ...attachedModel(conversion, expressions),
        system: own ?? 'Write a concise summary of the text.',
        prompt: `{{ $string(${expressions.scope.json}) }}`,
      };
    },
  });
};

export const informationExtractor: ConvertAi = (conversion) => {
  const { parameters } = conversion.node;
  const { schemaType = 'fromAttributes' } = parameters;
  const outputSchema = schemaIn(conversion, { ...parameters, schemaType });
  const system = optionsOf(conversion)['systemPromptTemplate'];
  return asking(conversion, {
    type: 'llm',
    isObject: true,
    given: (answer) => `{ "output": ${answer} }`,
    config: (expressions) => ({
      ...attachedModel(conversion, expressions),
      system:
        promptOf(conversion, system, expressions) ??
        'Extract the fields from the text. Leave out those that it does not have.',
      prompt: promptOf(conversion, parameters['text'], expressions) ?? '',
      outputSchema,
    }),
  });
};

interface Category {
  name: string;
  description: string;
}

const RESERVED = new Set(['default', 'error', 'output', '']);
const MAX_CATEGORIES = 90;

/** A model that chooses a category, and a switch that continues at its output. What comes in passes on. */
function classified(conversion: Conversion, categories: readonly Category[], given: Bag): Piece {
  const { id, node, around, source } = conversion;
  if (source.isList) conversion.todo('It classifies the whole list at once: put it into a for_each.');
  const switchId = around.idOf(`${id}_route`);
  const expressions = conversion.expressions(conversion.json);
  const names = categories.map(({ name }) => name);
  const described = categories.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ''}`);
  const own = promptOf(conversion, given['system'], expressions);
  const config = {
    ...attachedModel(conversion, expressions),
    system: [own ?? 'Choose the category that fits the text best.', 'Categories:', ...described.map(plain)].join('\n'),
    prompt: textIn(conversion, given['text'], expressions),
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
  } = conversion.written(switchId, 'switch', {
    expression: `nodes.${id}.object.category`,
    cases: names.map((name) => ({ value: name, port: name })),
  });
  return {
    ...conversion.whole({ type: 'llm', config }),
    nodes: [
      conversion.written(id, 'llm', config),
      { ...route, name: cut(`${node.name}: route`, 200), position: { x: x + 240, y } },
    ],
    connections: [{ sourceNode: id, sourcePort: 'output', targetNode: switchId, targetPort: 'input' }],
    outputs: names.map((port) => ({ node: switchId, port })),
    result: { ...source, path: undefined },
  };
}

const textIn = (conversion: Conversion, given: unknown, expressions: Expressions): string =>
  promptOf(conversion, given, expressions) ?? `{{ $string(${conversion.json}) }}`;

/** Categories with names that ports may have. */
function categoriesOf(given: readonly Bag[]): Category[] {
  const used = new Set(RESERVED);
  return given.slice(0, MAX_CATEGORIES).map(({ category, description }, index) => {
    const wanted = typeof category === 'string' ? cut(category.replaceAll('{{', '').replace(/^=/, '').trim(), 80) : '';
    const name = used.has(wanted) ? `category ${index + 1}` : wanted;
    used.add(name);
    return { name, description: typeof description === 'string' ? cut(description, 2000) : '' };
  });
}

export const textClassifier: ConvertAi = (conversion) => {
  const { parameters } = conversion.node;
  const { fallback, multiClass, systemPromptTemplate } = optionsOf(conversion);
  const named = categoriesOf(list(bag(parameters['categories'])['categories']));
  if (named.length === 0)
    return conversion.placeholder('Enter its categories: a node llm with an output schema, and a switch.');
  const isOther = fallback === 'other' && !named.some(({ name }) => name === 'Other');
  if (multiClass === true) conversion.todo('n8n continues at all categories that fit, Weft at the best one.');
  const categories = isOther ? [...named, { name: 'Other', description: 'none of them fits' }] : named;
  return classified(conversion, categories, {
    text: parameters['inputText'],
    system: withoutTemplate(systemPromptTemplate),
  });
};

export const sentimentAnalysis: ConvertAi = (conversion) => {
  const { parameters } = conversion.node;
  const { categories, systemPromptTemplate } = optionsOf(conversion);
  const written = textOf(categories, conversion.expressions(conversion.json)) ?? 'Positive, Neutral, Negative';
  const named = categoriesOf(written.split(',').map((category) => ({ category })));
  const piece = classified(conversion, named, {
    text: parameters['inputText'],
    system: withoutTemplate(systemPromptTemplate),
  });
  const category = `{ "sentimentAnalysis": { "category": nodes.${conversion.id}.object.category } }`;
  return { ...piece, result: { ...piece.result, code: `$merge([${conversion.source.code}, ${category}])` } };
};

/** A system prompt with places for n8n's own texts, such as `{categories}`, is not used. */
const withoutTemplate = (given: unknown): unknown =>
  typeof given === 'string' && /\{\w+\}/.test(given.replaceAll(/\{\{[^]*?\}\}/g, '')) ? undefined : given;
