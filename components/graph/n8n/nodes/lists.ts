import type { Conversion, Piece, Source } from '../conversion';
import { bag, list } from '../file';
import { atom, quoted, stepped } from '../javascript/code';
import { isExpression } from '../text';
import type { Convert } from './flow';

/** The names in a parameter: a list, or a text with commas. */
const namesOf = (given: unknown): string[] =>
  (Array.isArray(given) ? given.map(String) : typeof given === 'string' ? given.split(',') : [])
    .map((name) => name.trim())
    .filter((name) => name !== '' && !isExpression(name))
    .slice(0, 20);

/** A path of fields of a value, as JSONata. */
const pathOf = (value: string, name: string): string =>
  name
    .split('.')
    .slice(0, 10)
    .reduce((code, step) => stepped(code, step), atom(value)).code;

const splitOut: Convert = (conversion) => {
  const { fieldToSplitOut = '', include, destinationFieldName } = conversion.node.parameters;
  const [name = ''] = namesOf(fieldToSplitOut);
  if (namesOf(fieldToSplitOut).length > 1) conversion.todo('It splits one field only.');
  if (name === '') conversion.todo('Enter the field that it splits.');
  const to = bag(conversion.node.parameters['options'])['destinationFieldName'] ?? destinationFieldName;

  const json = conversion.source.isList ? conversion.items : conversion.json;
  // Items of n8n are objects: other values get a field.
  const field = quoted(typeof to === 'string' && to ? to : name || 'value');
  if (name && (include === 'allOtherFields' || include === 'selectedOtherFields')) {
    const names = namesOf(conversion.node.parameters['fieldsToInclude']);
    return withOthers(conversion, { name, field, names: include === 'selectedOtherFields' ? names : undefined });
  }
  const from = name ? pathOf(json, name) : json;
  const expression = `[$map(${from}, function($item) { $type($item) = "object" ? $item : { ${field}: $item } })]`;
  return conversion.whole({ type: 'transform', config: { expression } }, true);
};

/** Items that keep other fields: all, or those with the names. */
function withOthers(
  conversion: Conversion,
  { name, field, names }: { name: string; field: string; names: readonly string[] | undefined },
): Piece {
  const { source, items, json } = conversion;
  const split = (item: string) => {
    const isKept = names
      ? `$k in [${names.map((one) => quoted(one)).join(', ')}]`
      : `$k != ${quoted(name.split('.')[0] ?? name)}`;
    const others = `$sift(${item}, function($v, $k) { ${isKept} })`;
    return `$map(${pathOf(item, name)}, function($part) { $merge([${others}, { ${field}: $part }]) })`;
  };
  const expression = source.isList
    ? `$reduce(${items}, function($all, $item) { $append($all, ${split('$item')}) }, [])`
    : `[${split(json)}]`;
  return conversion.whole({ type: 'transform', config: { expression } }, true);
}

const OPERATIONS: Readonly<Record<string, string>> = {
  sum: 'sum',
  average: 'avg',
  min: 'min',
  max: 'max',
  count: 'count',
  append: 'list',
  concatenate: 'join',
  countUnique: 'count',
};

const aggregate: Convert = (conversion) => {
  const {
    aggregate: mode = 'aggregateIndividualFields',
    fieldsToAggregate,
    destinationFieldName = 'data',
  } = conversion.node.parameters;
  if (mode === 'aggregateAllItemData') {
    const name =
      typeof destinationFieldName === 'string' && !isExpression(destinationFieldName) ? destinationFieldName : 'data';
    return conversion.whole({ type: 'transform', config: { expression: `{ ${quoted(name)}: ${conversion.all} }` } });
  }
  const measures = list(bag(fieldsToAggregate)['fieldToAggregate']).flatMap(
    ({ fieldToAggregate, renameField, outputFieldName }) => {
      const [field] = namesOf(fieldToAggregate);
      const to = renameField === true && typeof outputFieldName === 'string' ? outputFieldName : field;
      return field && to
        ? [`${quoted(to)}: [$map(${conversion.all}, function($item) { ${pathOf('$item', field)} })]`]
        : [];
    },
  );
  if (measures.length === 0) conversion.todo('Enter the fields that it collects.');
  return conversion.whole({
    type: 'transform',
    config: { expression: measures.length > 0 ? `{ ${measures.join(', ')} }` : '{}' },
  });
};

const summarize: Convert = (conversion) => {
  const { fieldsToSummarize, fieldsToSplitBy } = conversion.node.parameters;
  const measures = list(bag(fieldsToSummarize)['values']).flatMap(({ aggregation = 'count', field }) => {
    const [name] = namesOf(field);
    const operation = OPERATIONS[String(aggregation)];
    if (aggregation === 'countUnique') conversion.todo('It counts all values, not the different ones.');
    return name && operation
      ? [{ name: `${String(aggregation)}_${name}`.replaceAll('{{', ''), operation, field: name.replaceAll('{{', '') }]
      : [];
  });
  const groupBy = namesOf(fieldsToSplitBy)
    .map((name) => name.replaceAll('{{', ''))
    .filter(Boolean);
  if (measures.length === 0) conversion.todo('Enter the fields that it summarizes.');
  return conversion.whole(
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

const sort: Convert = (conversion) => {
  const { type = 'simple', sortFieldsUi } = conversion.node.parameters;
  const by = list(bag(sortFieldsUi)['sortField'])
    .slice(0, 20)
    .flatMap(({ fieldName, order }) => {
      const [field] = namesOf(fieldName);
      return field
        ? [{ field: field.replaceAll('{{', ''), ...(order === 'descending' ? { direction: 'desc' } : {}) }]
        : [];
    });
  if (type === 'random') {
    const config = { expression: `$shuffle(${conversion.all})` };
    return conversion.selected(conversion.whole({ type: 'transform', config }, true));
  }
  if (by.length === 0) conversion.todo('Enter what it sorts by.');
  const config = { items: conversion.items, ...(by.length > 0 ? { by } : {}) };
  return conversion.selected(conversion.whole({ type: 'sort', config }, true));
};

const limit: Convert = (conversion) => {
  const { maxItems = 1, keep = 'firstItems' } = conversion.node.parameters;
  const most = Math.max(Math.round(Number(maxItems)) || 1, 1);
  const test = keep === 'lastItems' ? `$k >= $count(${conversion.all}) - ${most}` : `$k < ${most}`;
  const expression = `[$filter(${conversion.all}, function($v, $k) { ${test} })]`;
  return conversion.selected(conversion.whole({ type: 'transform', config: { expression } }, true));
};

const removeDuplicates: Convert = (conversion) => {
  const {
    compare = 'allFields',
    fieldsToCompare,
    operation = 'removeDuplicateInputItems',
  } = conversion.node.parameters;
  if (operation !== 'removeDuplicateInputItems') {
    const key = `seen-${conversion.id}`;
    if (operation !== 'removeItemsSeenInPreviousExecutions') return conversion.placeholder('Use the node remember.');
    conversion.todo('Enter the key of an item by which it remembers what was seen.');
    return conversion.whole(
      { type: 'remember', config: { operation: 'seen', key: key.slice(0, 200), items: conversion.items } },
      true,
    );
  }
  if (compare === 'allFieldsExcept') conversion.todo('Enter the fields that it compares.');
  const by =
    compare === 'selectedFields'
      ? namesOf(
          bag(fieldsToCompare)['fields']
            ? list(bag(fieldsToCompare)['fields']).map((one) => one['fieldName'])
            : fieldsToCompare,
        )
      : [];
  const names = by.map((name) => name.replaceAll('{{', '')).filter(Boolean);
  const config = { items: conversion.items, ...(names.length > 0 ? { by: names } : {}) };
  return conversion.selected(conversion.whole({ type: 'dedupe', config }, true));
};

const codes = (conversion: Conversion): Source[] => conversion.around.inputs.filter((one) => one !== undefined);

/** One after the other. Inputs that nothing came to add nothing. */
const appended = (inputs: readonly Source[]): string => `[${inputs.map(({ code }) => code).join(', ')}]`;

const merge: Convert = (conversion) => {
  const { parameters, version } = conversion.node;
  const inputs = codes(conversion);
  const { mode = 'append', combineBy, combinationMode } = parameters;
  const [left, right] = inputs;
  const how =
    version >= 3 ? (combineBy ?? 'combineByFields') : version >= 2 ? (combinationMode ?? 'mergeByFields') : mode;
  if (mode === 'append' || mode === 'passThrough' || !left || !right) {
    return conversion.whole({ type: 'transform', config: { expression: appended(inputs) } }, true);
  }
  if (mode === 'chooseBranch' || mode === 'wait') {
    const index =
      parameters['useDataOfInput'] === 2 || parameters['useDataOfInput'] === '2' || parameters['output'] === 'input2'
        ? 1
        : 0;
    const chosen = inputs[index] ?? left;
    return conversion.whole({ type: 'transform', config: { expression: chosen.code } }, chosen.isList);
  }
  if (how === 'combineByPosition' || how === 'mergeByPosition' || how === 'mergeByIndex') {
    return byPosition(conversion, left, right);
  }
  if (how === 'combineByFields' || how === 'mergeByFields' || how === 'mergeByKey')
    return byFields(conversion, left, right);
  conversion.todo('Check how it joins its inputs.');
  return conversion.whole({ type: 'transform', config: { expression: appended(inputs) } }, true);
};

function byPosition(conversion: Conversion, left: Source, right: Source): Piece {
  if (!left.isList && !right.isList) {
    const expression = `$merge([${left.code}, ${right.code}])`;
    return conversion.whole({ type: 'transform', config: { expression } });
  }
  const outer = bag(conversion.node.parameters['options'])['includeUnpaired'] === true;
  const config = { mode: 'by_position', left: left.code, right: right.code, ...(outer ? { join: 'outer' } : {}) };
  return conversion.whole({ type: 'merge', config }, true);
}

const JOINS: Readonly<Record<string, string>> = { keepMatches: 'inner', enrichInput1: 'left', keepEverything: 'outer' };

function byFields(conversion: Conversion, left: Source, right: Source): Piece {
  const { parameters } = conversion.node;
  const { fieldsToMatchString, joinMode = 'keepMatches', propertyName1, propertyName2 } = parameters;
  const pair = list(bag(parameters['mergeByFields'])['values'])[0] ?? {};
  const [both] = namesOf(fieldsToMatchString);
  const named = (...given: unknown[]) =>
    namesOf(given.find((one) => typeof one === 'string' && one))[0]
      ?.replaceAll('{{', '')
      .slice(0, 500);
  const leftKey = named(both, pair['field1'], propertyName1);
  const rightKey = named(both, pair['field2'], propertyName2);
  if (!leftKey || !rightKey) conversion.todo('Enter the fields by which it joins.');
  if (namesOf(fieldsToMatchString).length > 1) conversion.todo('It joins by the first field only.');
  const join = JOINS[String(joinMode)];
  if (!join) conversion.todo('Check which items it keeps.');
  const config = { mode: 'by_key', left: left.code, right: right.code, leftKey, rightKey, join: join ?? 'outer' };
  return conversion.whole({ type: 'merge', config }, true);
}

const itemLists: Convert = (conversion) => {
  const { operation = 'splitOutItems' } = conversion.node.parameters;
  const found: Readonly<Record<string, Convert>> = {
    splitOutItems: splitOut,
    aggregateItems: aggregate,
    concatenateItems: aggregate,
    sort,
    limit,
    removeDuplicates,
    summarize,
  };
  const convert = Object.hasOwn(found, String(operation)) ? found[String(operation)] : undefined;
  return convert ? convert(conversion) : conversion.placeholder('Use a node for lists.');
};

export const LISTS: Readonly<Record<string, Convert>> = {
  splitOut,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates,
  merge,
  itemLists,
};
