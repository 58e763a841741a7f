import { findCallConverter, LANGCHAIN_PREFIX } from '../nodes';
import { shortNodeType } from '../starts/convert-trigger';
import { convertDataTable } from './data-table';
import { convertHtmlExtract, convertMarkdown } from './documents';
import { convertCode } from './code';
import { FILE_ITEM_CONVERTERS } from './files';
import { CLASSIFIER_CONVERTERS } from './classifiers';
import { FLOW_ITEM_CONVERTERS } from './flow';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { convertLastResult, LAST_RESULT_TYPE } from './last-result';
import { countSwitchOutputs } from './output-counts';
import { RawSource } from './parameter-source';
import { comparesWithEarlierRuns, convertSeenItems } from './seen-items';
import { convertOutsideNode } from './service-node';
import { connectNodes } from './connect-nodes';

/** Converts a node of n8n. */
export type ItemConverter = (conversion: ItemConversion) => ItemNodes;

/** A node that makes items from each item by a function of the prelude. */
const convertByItem =
  (name: string, isFlattened = false): ItemConverter =>
  (conversion) =>
    conversion.eachNode(
      { type: 'transform', config: { expression: conversion.callPrelude(name) } },
      ['output'],
      isFlattened,
    );

/** A node that works on the whole list by a function of the prelude. */
const convertByList =
  (name: string): ItemConverter =>
  (conversion) =>
    conversion.listNode(conversion.callPrelude(name));

/**
 * Settings that the function of the prelude has no counterpart for, by a parameter and its values. The node fails in a
 * run, and the report says why.
 */
const reportLacks =
  (converter: ItemConverter, parameter: string, values: readonly unknown[], what: string): ItemConverter =>
  (conversion) => {
    if (values.includes(conversion.node.parameters[parameter]))
      conversion.addTodo(`${what} has no counterpart here: the node fails. Replace it.`);
    return converter(conversion);
  };

/** The digests that Weft computes, by their names in n8n. */
const DIGESTS = /^(?:MD5|SHA1|SHA256|SHA384|SHA512|SHA3-256|SHA3-384|SHA3-512)$/i;

const convertDigest: ItemConverter = (conversion) => {
  const { action = 'hash', type } = conversion.node.parameters;
  const isKnown = typeof type !== 'string' || type.startsWith('=') || DIGESTS.test(type);
  if (action !== 'generate' && action !== 'sign' && !isKnown)
    conversion.addTodo(`The digest ${type} has no counterpart here: the node fails. Replace it.`);
  return convertByItem('crypto')(conversion);
};

const convertCrypto = reportLacks(
  reportLacks(convertDigest, 'action', ['sign'], 'A signature with a private key'),
  'binaryData',
  [true],
  'A digest of a file',
);

const removeWithinList = reportLacks(
  convertByList('removeDuplicates'),
  'operation',
  ['removeItemsSeenInPreviousExecutions', 'clearDeduplicationHistory'],
  'Comparing with numbers and dates of earlier runs',
);

const convertRemoveDuplicates: ItemConverter = (conversion) =>
  comparesWithEarlierRuns(conversion) ? convertSeenItems(conversion) : removeWithinList(conversion);

const convertNoOp: ItemConverter = (conversion) =>
  conversion.eachNode({ type: 'transform', config: { expression: 'input' } });

const convertSet: ItemConverter = (conversion) => {
  const { jsonOutput, mode } = conversion.node.parameters;
  const isTemplate = mode === 'raw' && typeof jsonOutput === 'string' && jsonOutput.startsWith('=');
  const changes = isTemplate ? { jsonOutput: jsonParts(jsonOutput) } : {};
  return conversion.eachNode({ type: 'transform', config: { expression: conversion.callPrelude('set', changes) } });
};

/** The parts of JSON with expressions: their values become JSON. */
function jsonParts(text: string): string[] {
  const parts = text.slice(1).split(/(\{\{[^]*?\}\})/);
  return parts.filter((part) => part !== '').map((part) => (part.startsWith('{{') ? `=${part}` : part));
}

/** A decision; where it fails and the node goes on, the item does not meet the conditions. */
function decideByPrelude(conversion: ItemConversion, name: string): string {
  const call = conversion.callPrelude(name);
  return conversion.node.onError === 'stop' ? call : `n8n.orFalse(() => ${call})`;
}

const convertIf: ItemConverter = (conversion) =>
  conversion.eachNode({ type: 'condition', config: { expression: decideByPrelude(conversion, 'if') } }, [
    'true',
    'false',
  ]);

const convertFilter: ItemConverter = (conversion) =>
  conversion.eachNode(
    { type: 'transform', config: { expression: `${decideByPrelude(conversion, 'filter')} ? [input] : []` } },
    ['output'],
    true,
  );

const MAX_OUTPUTS = 50;

/** An item may leave a switch by several outputs: a filter for each. */
const convertSwitch: ItemConverter = (conversion) => {
  const { node } = conversion;
  const wanted = countSwitchOutputs(node);
  const count = Math.min(Math.max(wanted || 1, 1), MAX_OUTPUTS);
  if (wanted > MAX_OUTPUTS) conversion.addTodo(`Its outputs after the ${MAX_OUTPUTS}th are left out.`);
  const outputs = Array.from({ length: count + Number(node.onError === 'output') }, (_, index) => ({
    id: conversion.createId(`${conversion.id}_output_${index + 1}`),
    index,
  }));
  const first = conversion.eachNode({ type: 'transform', config: { expression: 'input' } });
  const { id: own } = conversion;
  const routes = conversion.createId(`${own}_routes`);
  const { x, y } = node.position;
  const writeRoute = (index: number): string => {
    if (index === count) return `'error' in input ? [{ error: input.error }] : []`;
    const route = `input.outputs.includes(${index}) ? [paired.${own}] : []`;
    return index === 0 && node.onError === 'continue'
      ? `'error' in input ? [{ error: input.error }] : ${route}`
      : route;
  };
  const filters = outputs.map(({ id, index }) => ({
    ...conversion.createHelper(id, `output ${index + 1}`, {
      type: 'transform',
      config: { expression: writeRoute(index) },
    }),
    each: { flatten: true, ...(index === 0 && node.alwaysOutputsData ? { onEmpty: 'pass' as const } : {}) },
    position: { x: x + 160, y: y + index * 120 },
  }));
  // The rules are computed once for each item.
  const call = conversion.callPrelude('switch');
  const expression = node.onError === 'stop' ? `({ outputs: ${call} })` : `n8n.routes(() => ${call})`;
  return {
    ...first,
    nodes: [
      ...first.nodes,
      conversion.createHelper(routes, 'outputs', { type: 'transform', config: { expression } }),
      ...filters,
    ],
    connections: [connectNodes(own, routes), ...outputs.map(({ id }) => connectNodes(routes, id))],
    outputs: outputs.map(({ id }) => [{ node: id, port: 'output' }]),
  };
};

const convertMerge: ItemConverter = (conversion) => {
  const inputs = Number(conversion.node.parameters['numberInputs'] ?? 2);
  return conversion.mergeNode('merge', Math.min(Math.max(inputs || 2, 2), 10));
};

/** The order of a node that is to sort by code, and has none. */
const ORDER_OF_NONE = `const [one, other] = [a.json.myField, b.json.myField];
return one < other ? -1 : Number(one > other);`;

const convertSort: ItemConverter = (conversion) => {
  const { type, code = ORDER_OF_NONE } = conversion.node.parameters;
  const isCode = type === 'code' && typeof code === 'string';
  const changes = isCode ? { compare: new RawSource(`(a, b) => {\n${code}\n}`) } : {};
  return conversion.listNode(conversion.callPrelude('sort', changes));
};

/** If it goes on after an error, n8n leaves out the items that cannot be converted. */
const convertXml: ItemConverter = (conversion) => {
  if (conversion.node.onError === 'stop') return convertByItem('xml')(conversion);
  const expression = conversion.callPrelude('xml', { leavesFailuresOut: true });
  return conversion.eachNode({ type: 'transform', config: { expression } }, ['output'], true);
};

const convertHtml: ItemConverter = (conversion) => {
  const { operation = 'generateHtmlTemplate' } = conversion.node.parameters;
  if (operation === 'generateHtmlTemplate') {
    const { html } = conversion.node.parameters;
    if (html === undefined) conversion.addChoice('config.expression', 'Write its template: n8n gave an example page.');
    // n8n evaluates the braces of a template in any case.
    const changes = typeof html === 'string' ? { html: jsonParts(html.startsWith('=') ? html : `=${html}`) } : {};
    return conversion.eachNode({
      type: 'transform',
      config: { expression: conversion.callPrelude('htmlTemplate', changes) },
    });
  }
  if (operation === 'convertToHtmlTable') return convertByList('htmlTable')(conversion);
  return operation === 'extractHtmlContent'
    ? convertHtmlExtract(conversion)
    : conversion.placeholder('Choose formats in a convert node.');
};

const convertCompare: ItemConverter = (conversion) => {
  const first = conversion.mergeNode('compareDatasets', 2, { port: 0 });
  const others = [1, 2, 3].map((port) => {
    const id = conversion.createId(`${conversion.id}_output_${port + 1}`);
    const reads = first.entries.map((entry) => `nodes.${entry}`).join(', ');
    const once = conversion.node.executesOnce ? ', true' : '';
    const expression = `${conversion.callPrelude('compareDatasets', { port }).slice(0, -1)}, [${reads}]${once})`;
    const { each: _, ...node } = conversion.createHelper(id, `output ${port + 1}`, {
      type: 'transform',
      config: { expression },
    });
    return node;
  });
  const inputs = first.entries.flatMap((entry) => others.map(({ id }) => connectNodes(entry, id)));
  return {
    ...first,
    nodes: [...first.nodes, ...others],
    connections: [...first.connections, ...inputs],
    outputs: [conversion.id, ...others.map(({ id }) => id)].map((id) => [{ node: id, port: 'output' }]),
  };
};

/** How each type of n8n is converted, by the short name of the type. */
export const ITEM_CONVERTERS: Readonly<Record<string, ItemConverter>> = {
  noOp: convertNoOp,
  set: convertSet,
  if: convertIf,
  filter: convertFilter,
  switch: convertSwitch,
  merge: reportLacks(convertMerge, 'mode', ['combineBySql'], 'A query in SQL'),
  code: convertCode,
  function: convertCode,
  functionItem: convertCode,
  aggregate: convertByList('aggregate'),
  itemLists: convertByList('itemLists'),
  limit: convertByList('limit'),
  removeDuplicates: convertRemoveDuplicates,
  sort: convertSort,
  summarize: convertByList('summarize'),
  compareDatasets: convertCompare,
  splitOut: convertByItem('splitOut', true),
  renameKeys: convertByItem('renameKeys'),
  // The first version leaves out items without a date.
  dateTime: (conversion) => convertByItem('dateTime', conversion.node.version < 2)(conversion),
  crypto: convertCrypto,
  xml: convertXml,
  html: convertHtml,
  htmlExtract: convertHtmlExtract,
  markdown: convertMarkdown,
  dataTable: convertDataTable,
  ...FILE_ITEM_CONVERTERS,
  ...FLOW_ITEM_CONVERTERS,
};

/** How a type is converted; undefined: it has no counterpart. */
export function findItemConverter(type: string): ItemConverter | undefined {
  const short = shortNodeType(type);
  const classify = type.startsWith(LANGCHAIN_PREFIX) ? CLASSIFIER_CONVERTERS : {};
  if (Object.hasOwn(classify, short)) return classify[short];
  if (type === LAST_RESULT_TYPE) return convertLastResult;
  if (findCallConverter(type)) return convertOutsideNode;
  return type.startsWith('n8n-nodes-base.') && Object.hasOwn(ITEM_CONVERTERS, short)
    ? ITEM_CONVERTERS[short]
    : undefined;
}
