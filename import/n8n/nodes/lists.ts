import type { NodeConversion, ConvertedNodes, InputReference } from '../conversion';
import { asN8nObject, asN8nObjects } from '../file';
import { atomicCode, jsonataString, fieldAccess } from '../javascript/code';
import { isN8nExpression } from '../n8n-expressions';
import type { NodeConverter } from './flow';

/** The names in a parameter: a list, or a text with commas. */
const readFieldNames = (given: unknown): string[] =>
  (Array.isArray(given) ? given.map(String) : typeof given === 'string' ? given.split(',') : [])
    .map((name) => name.trim())
    .filter((name) => name !== '' && !isN8nExpression(name))
    .slice(0, 20);

/** A path of fields of a value, as JSONata. */
const fieldPathCode = (value: string, name: string): string =>
  name
    .split('.')
    .slice(0, 10)
    .reduce((code, step) => fieldAccess(code, step), atomicCode(value)).code;

const convertSplitOut: NodeConverter = (conversion) => {
  const { fieldToSplitOut = '', include, destinationFieldName } = conversion.node.parameters;
  const [name = ''] = readFieldNames(fieldToSplitOut);
  if (readFieldNames(fieldToSplitOut).length > 1) conversion.addTodo('It splits one field only.');
  if (name === '') conversion.addTodo('Enter the field that it splits.');
  const to = asN8nObject(conversion.node.parameters['options'])['destinationFieldName'] ?? destinationFieldName;

  const json = conversion.source.isList ? conversion.items : conversion.json;
  // Items of n8n are objects: other values get a field.
  const field = jsonataString(typeof to === 'string' && to ? to : name || 'value');
  if (name && (include === 'allOtherFields' || include === 'selectedOtherFields')) {
    const names = readFieldNames(conversion.node.parameters['fieldsToInclude']);
    return splitWithOtherFields(conversion, {
      name,
      field,
      names: include === 'selectedOtherFields' ? names : undefined,
    });
  }
  const from = name ? fieldPathCode(json, name) : json;
  const expression = `[$map(${from}, function($item) { $type($item) = "object" ? $item : { ${field}: $item } })]`;
  return conversion.asSingleNode({ type: 'transform', config: { expression } }, true);
};

/** Splits a field into items that keep other fields of their source: all, or those in `names`. */
function splitWithOtherFields(
  conversion: NodeConversion,
  { name, field, names }: { name: string; field: string; names: readonly string[] | undefined },
): ConvertedNodes {
  const { source, items, json } = conversion;
  const split = (item: string) => {
    const isKept = names
      ? `$k in [${names.map((one) => jsonataString(one)).join(', ')}]`
      : `$k != ${jsonataString(name.split('.')[0] ?? name)}`;
    const others = `$sift(${item}, function($v, $k) { ${isKept} })`;
    return `$map(${fieldPathCode(item, name)}, function($part) { $merge([${others}, { ${field}: $part }]) })`;
  };
  const expression = source.isList
    ? `$reduce(${items}, function($all, $item) { $append($all, ${split('$item')}) }, [])`
    : `[${split(json)}]`;
  return conversion.asSingleNode({ type: 'transform', config: { expression } }, true);
}

const AGGREGATE_OPERATIONS: Readonly<Record<string, string>> = {
  sum: 'sum',
  average: 'avg',
  min: 'min',
  max: 'max',
  count: 'count',
  append: 'list',
  concatenate: 'join',
  countUnique: 'count',
};

const convertAggregate: NodeConverter = (conversion) => {
  const {
    aggregate: mode = 'aggregateIndividualFields',
    fieldsToAggregate,
    destinationFieldName = 'data',
  } = conversion.node.parameters;
  if (mode === 'aggregateAllItemData') {
    const name =
      typeof destinationFieldName === 'string' && !isN8nExpression(destinationFieldName)
        ? destinationFieldName
        : 'data';
    return conversion.asSingleNode({
      type: 'transform',
      config: { expression: `{ ${jsonataString(name)}: ${conversion.all} }` },
    });
  }
  const measures = asN8nObjects(asN8nObject(fieldsToAggregate)['fieldToAggregate']).flatMap(
    ({ fieldToAggregate, renameField, outputFieldName }) => {
      const [field] = readFieldNames(fieldToAggregate);
      const to = renameField === true && typeof outputFieldName === 'string' ? outputFieldName : field;
      return field && to
        ? [`${jsonataString(to)}: [$map(${conversion.all}, function($item) { ${fieldPathCode('$item', field)} })]`]
        : [];
    },
  );
  if (measures.length === 0) conversion.addTodo('Enter the fields that it collects.');
  return conversion.asSingleNode({
    type: 'transform',
    config: { expression: measures.length > 0 ? `{ ${measures.join(', ')} }` : '{}' },
  });
};

const convertSummarize: NodeConverter = (conversion) => {
  const { fieldsToSummarize, fieldsToSplitBy } = conversion.node.parameters;
  const measures = asN8nObjects(asN8nObject(fieldsToSummarize)['values']).flatMap(
    ({ aggregation = 'count', field }) => {
      const [name] = readFieldNames(field);
      const operation = AGGREGATE_OPERATIONS[String(aggregation)];
      if (aggregation === 'countUnique') conversion.addTodo('It counts all values, not the different ones.');
      return name && operation
        ? [{ name: `${String(aggregation)}_${name}`.replaceAll('{{', ''), operation, field: name.replaceAll('{{', '') }]
        : [];
    },
  );
  const groupBy = readFieldNames(fieldsToSplitBy)
    .map((name) => name.replaceAll('{{', ''))
    .filter(Boolean);
  if (measures.length === 0) conversion.addTodo('Enter the fields that it summarizes.');
  return conversion.asSingleNode(
    {
      type: 'aggregate',
      config: {
        items: conversion.items,
        ...(groupBy.length > 0 ? { groupBy } : {}),
        ...(measures.length > 0 ? { measures } : {}),
      },
    },
    true,
  );
};

const convertSort: NodeConverter = (conversion) => {
  const { type = 'simple', sortFieldsUi } = conversion.node.parameters;
  const by = asN8nObjects(asN8nObject(sortFieldsUi)['sortField'])
    .slice(0, 20)
    .flatMap(({ fieldName, order }) => {
      const [field] = readFieldNames(fieldName);
      return field
        ? [{ field: field.replaceAll('{{', ''), ...(order === 'descending' ? { direction: 'desc' } : {}) }]
        : [];
    });
  if (type === 'random') {
    const config = { expression: `$shuffle(${conversion.all})` };
    return conversion.asSelection(conversion.asSingleNode({ type: 'transform', config }, true));
  }
  if (by.length === 0) conversion.addTodo('Enter what it sorts by.');
  const config = { items: conversion.items, ...(by.length > 0 ? { by } : {}) };
  return conversion.asSelection(conversion.asSingleNode({ type: 'sort', config }, true));
};

const convertLimit: NodeConverter = (conversion) => {
  const { maxItems = 1, keep = 'firstItems' } = conversion.node.parameters;
  const most = Math.max(Math.round(Number(maxItems)) || 1, 1);
  const test = keep === 'lastItems' ? `$k >= $count(${conversion.all}) - ${most}` : `$k < ${most}`;
  const expression = `[$filter(${conversion.all}, function($v, $k) { ${test} })]`;
  return conversion.asSelection(conversion.asSingleNode({ type: 'transform', config: { expression } }, true));
};

const convertRemoveDuplicates: NodeConverter = (conversion) => {
  const {
    compare = 'allFields',
    fieldsToCompare,
    operation = 'removeDuplicateInputItems',
  } = conversion.node.parameters;
  if (operation !== 'removeDuplicateInputItems') {
    const key = `seen-${conversion.id}`;
    if (operation !== 'removeItemsSeenInPreviousExecutions') return conversion.placeholder('Use the node remember.');
    conversion.addTodo('Enter the key of an item by which it remembers what was seen.');
    return conversion.asSingleNode(
      { type: 'remember', config: { operation: 'seen', key: key.slice(0, 200), items: conversion.items } },
      true,
    );
  }
  if (compare === 'allFieldsExcept') conversion.addTodo('Enter the fields that it compares.');
  const by =
    compare === 'selectedFields'
      ? readFieldNames(
          asN8nObject(fieldsToCompare)['fields']
            ? asN8nObjects(asN8nObject(fieldsToCompare)['fields']).map((one) => one['fieldName'])
            : fieldsToCompare,
        )
      : [];
  const names = by.map((name) => name.replaceAll('{{', '')).filter(Boolean);
  const config = { items: conversion.items, ...(names.length > 0 ? { by: names } : {}) };
  return conversion.asSelection(conversion.asSingleNode({ type: 'dedupe', config }, true));
};

const connectedInputs = (conversion: NodeConversion): InputReference[] =>
  conversion.context.inputs.filter((one) => one !== undefined);

/** The items of all inputs, one input after the other. An input that received nothing adds nothing. */
const appendInputsCode = (inputs: readonly InputReference[]): string =>
  `[${inputs.map(({ code }) => code).join(', ')}]`;

const convertMerge: NodeConverter = (conversion) => {
  const { parameters, version } = conversion.node;
  const inputs = connectedInputs(conversion);
  const { mode = 'append', combineBy, combinationMode } = parameters;
  const [left, right] = inputs;
  const how =
    version >= 3 ? (combineBy ?? 'combineByFields') : version >= 2 ? (combinationMode ?? 'mergeByFields') : mode;
  if (mode === 'append' || mode === 'passThrough' || !left || !right) {
    return conversion.asSingleNode({ type: 'transform', config: { expression: appendInputsCode(inputs) } }, true);
  }
  if (mode === 'chooseBranch' || mode === 'wait') {
    const index =
      parameters['useDataOfInput'] === 2 || parameters['useDataOfInput'] === '2' || parameters['output'] === 'input2'
        ? 1
        : 0;
    const chosen = inputs[index] ?? left;
    return conversion.asSingleNode({ type: 'transform', config: { expression: chosen.code } }, chosen.isList);
  }
  if (how === 'combineByPosition' || how === 'mergeByPosition' || how === 'mergeByIndex') {
    return convertPositionMerge(conversion, left, right);
  }
  if (how === 'combineByFields' || how === 'mergeByFields' || how === 'mergeByKey')
    return convertFieldMerge(conversion, left, right);
  conversion.addTodo('Check how it joins its inputs.');
  return conversion.asSingleNode({ type: 'transform', config: { expression: appendInputsCode(inputs) } }, true);
};

function convertPositionMerge(conversion: NodeConversion, left: InputReference, right: InputReference): ConvertedNodes {
  if (!left.isList && !right.isList) {
    const expression = `$merge([${left.code}, ${right.code}])`;
    return conversion.asSingleNode({ type: 'transform', config: { expression } });
  }
  const outer = asN8nObject(conversion.node.parameters['options'])['includeUnpaired'] === true;
  const config = { mode: 'by_position', left: left.code, right: right.code, ...(outer ? { join: 'outer' } : {}) };
  return conversion.asSingleNode({ type: 'merge', config }, true);
}

const MERGE_JOIN_MODES: Readonly<Record<string, string>> = {
  keepMatches: 'inner',
  enrichInput1: 'left',
  keepEverything: 'outer',
};

function convertFieldMerge(conversion: NodeConversion, left: InputReference, right: InputReference): ConvertedNodes {
  const { parameters } = conversion.node;
  const { fieldsToMatchString, joinMode = 'keepMatches', propertyName1, propertyName2 } = parameters;
  const pair = asN8nObjects(asN8nObject(parameters['mergeByFields'])['values'])[0] ?? {};
  const [both] = readFieldNames(fieldsToMatchString);
  const named = (...given: unknown[]) =>
    readFieldNames(given.find((one) => typeof one === 'string' && one))[0]
      ?.replaceAll('{{', '')
      .slice(0, 500);
  const leftKey = named(both, pair['field1'], propertyName1);
  const rightKey = named(both, pair['field2'], propertyName2);
  if (!leftKey || !rightKey) conversion.addTodo('Enter the fields by which it joins.');
  if (readFieldNames(fieldsToMatchString).length > 1) conversion.addTodo('It joins by the first field only.');
  const join = MERGE_JOIN_MODES[String(joinMode)];
  if (!join) conversion.addTodo('Check which items it keeps.');
  const config = { mode: 'by_key', left: left.code, right: right.code, leftKey, rightKey, join: join ?? 'outer' };
  return conversion.asSingleNode({ type: 'merge', config }, true);
}

const convertItemLists: NodeConverter = (conversion) => {
  const { operation = 'splitOutItems' } = conversion.node.parameters;
  const found: Readonly<Record<string, NodeConverter>> = {
    splitOutItems: convertSplitOut,
    aggregateItems: convertAggregate,
    concatenateItems: convertAggregate,
    sort: convertSort,
    limit: convertLimit,
    removeDuplicates: convertRemoveDuplicates,
    summarize: convertSummarize,
  };
  const convert = Object.hasOwn(found, String(operation)) ? found[String(operation)] : undefined;
  return convert ? convert(conversion) : conversion.placeholder('Use a node for lists.');
};

export const LIST_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  splitOut: convertSplitOut,
  aggregate: convertAggregate,
  summarize: convertSummarize,
  sort: convertSort,
  limit: convertLimit,
  removeDuplicates: convertRemoveDuplicates,
  merge: convertMerge,
  itemLists: convertItemLists,
};
