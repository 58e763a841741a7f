import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed, type N8nObject } from '../file';
import { escapeBraces } from '../n8n-expressions';
import { limitedPrompt } from '../nodes/ai/ask-model';
import { attachedModelFields } from '../nodes/ai/models';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { openInnerConversion, closeInnerConversion } from './inner-conversion';
import { connectNodes } from './connect-nodes';

interface Category {
  name: string;
  description: string;
}

/** What a model is asked about each item. */
interface Classification {
  categories: readonly Category[];
  /** The instructions; undefined: the usual ones. */
  system: unknown;
  /** Whether an item may have several categories. */
  isMultiple?: boolean;
  /** Further fields of the answer, by their JSON Schema. */
  details?: N8nObject;
  /** What goes on with an item, as JavaScript that reads `paired`. */
  item(items: string, call: string): string;
}

const MAX_CATEGORIES = 50;

/** The schema of the answer of the model. */
function answerSchema({ categories, isMultiple, details = {} }: Classification): object {
  const one = { type: 'string', enum: categories.map(({ name }) => name) };
  const field = isMultiple ? { categories: { type: 'array', items: one } } : { category: one };
  const properties = { ...field, ...details };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A model that chooses a category for each item, and an output for each category. */
function classifyItems(conversion: ItemConversion, classification: Classification): ItemNodes {
  const { categories, system, isMultiple, item } = classification;
  const { id, node, createId } = conversion;
  conversion.remarkFailureBefore();
  const [items = '', call = ''] = ['items', 'call'].map((word) => createId(`${id}_${word}`));
  const inner = openInnerConversion(conversion);
  const expressions = inner.expressions;
  const described = categories.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ''}`);
  const own = limitedPrompt(inner, system, expressions);
  const wanted = isMultiple ? 'all categories that fit the text.' : 'the category that fits the text best.';
  const config = {
    ...attachedModelFields(inner, expressions),
    system: [own ?? `Choose ${wanted}`, 'Categories:', ...described.map(escapeBraces)].join('\n'),
    prompt: limitedPrompt(inner, node.parameters['inputText'], expressions) ?? '{{ JSON.stringify($json) }}',
    outputSchema: answerSchema(classification),
  };
  const asking = inner.createNode(call, 'llm', config);
  closeInnerConversion(conversion, inner);
  const made = conversion.eachNode({ type: 'transform', config: { expression: item(items, call) } });
  const { x, y } = node.position;
  const answer = `paired.${call}.object`;
  const outputs = categories.map(({ name }, index): WorkflowNode => {
    const isChosen = isMultiple
      ? `${answer}.categories.includes(${JSON.stringify(name)})`
      : `${answer}.category === ${JSON.stringify(name)}`;
    return {
      ...conversion.createHelper(createId(`${id}_output_${index + 1}`), `output ${index + 1}`, {
        type: 'transform',
        config: { expression: `${isChosen} ? [input] : []` },
      }),
      each: { flatten: true },
      position: { x: x + 160, y: y + index * 120 },
    };
  });
  const before = conversion.createItemsNode(items);
  return {
    nodes: [
      before,
      {
        ...conversion.createHelper(call, 'call', { type: 'llm', config: asking.config }, -1),
        ...(asking.retry ? { retry: asking.retry } : {}),
      },
      ...made.nodes,
      ...outputs,
    ],
    connections: [
      connectNodes(items, call),
      connectNodes(call, id),
      ...outputs.map((output) => connectNodes(id, output.id)),
    ],
    entries: [items],
    outputs: outputs.map((output) => [{ node: output.id, port: 'output' }]),
  };
}

/** Categories with names that differ. */
function readCategories(given: readonly N8nObject[]): Category[] {
  const used = new Set(['']);
  return given.slice(0, MAX_CATEGORIES).map(({ category, description }, index) => {
    const wanted = typeof category === 'string' ? cutWellFormed(category.replace(/^=/, '').trim(), 80) : '';
    const name = used.has(wanted) ? `category ${index + 1}` : wanted;
    used.add(name);
    return { name, description: typeof description === 'string' ? cutWellFormed(description, 2000) : '' };
  });
}

/** A system prompt with places for n8n's own texts, such as `{categories}`, is not used. */
const plainSystemPrompt = (given: unknown): unknown =>
  typeof given === 'string' && /\{\w+\}/.test(given.replaceAll(/\{\{[^]*?\}\}/g, '')) ? undefined : given;

function convertTextClassifier(conversion: ItemConversion): ItemNodes {
  const { parameters } = conversion.node;
  const { fallback, multiClass, systemPromptTemplate } = asN8nObject(parameters['options']);
  const given = asN8nObjects(asN8nObject(parameters['categories'])['categories']);
  const named = readCategories(given);
  if (named.length === 0)
    return conversion.placeholder('Enter its categories: a node llm with an output schema, and a switch.');
  if (given.length > MAX_CATEGORIES) conversion.addTodo(`Its categories after the ${MAX_CATEGORIES}th are left out.`);
  if (given.some(({ category }) => typeof category === 'string' && category.includes('{{')))
    conversion.addTodo('Enter its categories: one is computed.');
  const isMultiple = multiClass === true;
  if (isMultiple && fallback === 'other')
    conversion.addTodo('Check what none of its categories fits: the model may also choose “Other” beside others.');
  const isOther = fallback === 'other' && !named.some(({ name }) => name === 'Other');
  // Without a branch for others, an item that fits no category ends here.
  const rest = { name: isOther ? 'Other' : 'none of them', description: 'none of them fits' };
  const made = classifyItems(conversion, {
    categories: [...named, rest],
    system: plainSystemPrompt(systemPromptTemplate),
    isMultiple,
    item: (items) => `paired.${items}`,
  });
  return isOther ? made : { ...made, outputs: made.outputs.slice(0, -1) };
}

const STRENGTH = { type: 'number', description: 'How strong the sentiment is, from 0 to 1' };
const CONFIDENCE = { type: 'number', description: 'How sure the classification is, from 0 to 1' };

function convertSentimentAnalysis(conversion: ItemConversion): ItemNodes {
  const {
    categories = 'Positive, Neutral, Negative',
    systemPromptTemplate,
    includeDetailedResults,
  } = asN8nObject(conversion.node.parameters['options']);
  const written = typeof categories === 'string' ? categories : '';
  if (written.includes('{{')) conversion.addTodo('Enter its categories: they are computed.');
  const named = readCategories(written.split(',').map((category) => ({ category })));
  return classifyItems(conversion, {
    categories: named,
    system: plainSystemPrompt(systemPromptTemplate),
    ...(includeDetailedResults === true ? { details: { strength: STRENGTH, confidence: CONFIDENCE } } : {}),
    item: (items, call) => `({ ...paired.${items}, sentimentAnalysis: paired.${call}.object })`,
  });
}

/** How nodes that sort items by a model are converted, by the short name of the type. */
export const CLASSIFIER_CONVERTERS: Readonly<Record<string, (conversion: ItemConversion) => ItemNodes>> = {
  textClassifier: convertTextClassifier,
  sentimentAnalysis: convertSentimentAnalysis,
};
