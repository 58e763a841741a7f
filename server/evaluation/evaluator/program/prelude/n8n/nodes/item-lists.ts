import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { aggregateList } from './aggregate';
import { getField, listNames } from './paths';
import { removeDuplicateItems } from './remove-duplicates';
import { limitList, sortList } from './sort';
import { splitOutItems } from './split-out';
import { summarizeList } from './summarize';
import { readParameterRows, readTypedParameter } from './typed-parameters';

/** From this version on, a missing field is no failure. */
const LENIENT_VERSION = 2.1;
/** From this version on, a value that is no list is split into itself. */
const SCALAR_VERSION = 2.2;

const notFound = (name: string) => new Error(`Couldn't find the field '${name}' in the input data`);

/** Throws where the earlier versions do: a field is missing, or is no list. */
function requireLists(version: number, parameters: N8nParameters, items: readonly N8nItem[]): void {
  const hasDots = !readTypedParameter(parameters, 'options.disableDotNotation', false);
  for (const { json } of items)
    for (const name of listNames(readTypedParameter<unknown>(parameters, 'fieldToSplitOut', ''))) {
      const value = getField(json, name, hasDots);
      if (value === undefined && version < LENIENT_VERSION) throw notFound(name);
      const isList = version < 2 ? Array.isArray(value) : typeof value === 'object' && value !== null;
      if (value !== undefined && !isList && version < SCALAR_VERSION)
        throw new Error(`The provided field '${name}' is not an array`);
    }
}

function requireAggregated(parameters: N8nParameters, items: readonly N8nItem[]): void {
  const hasDots = !readTypedParameter(parameters, 'options.disableDotNotation', false);
  const keepsMissing = readTypedParameter(parameters, 'options.keepMissing', false);
  for (const { fieldToAggregate: name } of readParameterRows(parameters, 'fieldsToAggregate.fieldToAggregate', {
    fieldToAggregate: '',
  }))
    if (!keepsMissing && !items.some(({ json }) => getField(json, name, hasDots) !== undefined)) throw notFound(name);
}

/** The items that the former node `itemLists` makes of a list. */
export function applyItemLists(version: number, parameters: N8nParameters, items: N8nItem[]): N8nItem[] {
  const operation = readTypedParameter(parameters, 'operation', 'splitOutItems');
  if (operation === 'splitOutItems') {
    requireLists(version, parameters, items);
    return splitOutItems(parameters, items);
  }
  if (operation === (version < 3 ? 'aggregateItems' : 'concatenateItems')) {
    const isFields =
      readTypedParameter(parameters, 'aggregate', 'aggregateIndividualFields') === 'aggregateIndividualFields';
    if (version < LENIENT_VERSION && isFields) requireAggregated(parameters, items);
    return aggregateList(parameters, items);
  }
  if (operation === 'removeDuplicates') {
    const own = { ...parameters, operation: 'removeDuplicateInputItems' };
    return removeDuplicateItems(version < 3 ? 1 : version, own, items);
  }
  if (operation === 'sort') return sortList(parameters, items);
  if (operation === 'limit') return limitList(parameters, items);
  if (operation === 'summarize') {
    // Groups have texts as keys in all versions; only the earlier ones fail where a field is missing.
    const options = { ...(parameters['options'] as object | undefined) };
    const isLenient = version >= LENIENT_VERSION;
    return summarizeList(
      1,
      isLenient ? { ...parameters, options: { ...options, continueIfFieldNotFound: true } } : parameters,
      items,
    );
  }
  throw new Error(`The operation ${operation} is not known`);
}
