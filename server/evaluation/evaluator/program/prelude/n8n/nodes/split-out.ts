import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { copyValue, getField, listNames, unsetField } from './paths';
import { readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

const FILES_NAME = '$binary';

/** The elements of a value: those of a list, the values of an object, or the value itself. */
function listElements(value: unknown): unknown[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [value];
  return Array.isArray(value) ? value : Object.values(value);
}

interface SplitRules {
  names: string[];
  destinations: string[];
  include: string;
  hasDots: boolean;
}

function readRules(parameters: N8nParameters): SplitRules {
  const names = listNames(readTypedParameter<unknown>(parameters, 'fieldToSplitOut', '')).map((name) =>
    name.replace(/^\$json\./, ''),
  );
  const destinations = listNames(readTypedParameter<unknown>(parameters, 'options.destinationFieldName', ''));
  if (destinations.length > 0 && destinations.length !== names.length)
    throw new Error('If multiple fields to split out are given, the same number of destination fields must be given');
  return {
    names,
    destinations,
    include: readTypedParameter(parameters, 'include', 'noOtherFields'),
    hasDots: !readTypedParameter(parameters, 'options.disableDotNotation', false),
  };
}

/** The items that the fields of an item are split into, without other fields. */
function splitFields(item: N8nItem, { names, destinations, include, hasDots }: SplitRules): N8nItem[] {
  const made: N8nItem[] = [];
  for (const [place, name] of names.entries()) {
    const destination = destinations[place] ?? '';
    const elements =
      name === FILES_NAME
        ? Object.entries(item.binary ?? {}).map(([file, value]) => ({ [file]: value }))
        : listElements(getField(item.json, name, hasDots));
    for (const [index, element] of elements.entries()) {
      const own = (made[index] ??= { json: {} });
      const isObject = typeof element === 'object' && element !== null;
      if (name === FILES_NAME) own.binary = { ...own.binary, ...(element as Fields) };
      else if (isObject && include === 'noOtherFields' && destination === '' && names.length === 1)
        own.json = { ...own.json, ...(element as Fields) };
      else own.json[destination || name] = element;
    }
  }
  return made;
}

/** The items that the node `splitOut` makes of an item. */
export function splitOutItem(parameters: N8nParameters, item: N8nItem): N8nItem[] {
  const rules = readRules(parameters);
  const { names, include, hasDots } = rules;
  const kept = include === 'allOtherFields' ? copyValue(item.json) : {};
  if (include === 'allOtherFields') for (const name of names) unsetField(kept, name, hasDots);
  const included =
    include === 'selectedOtherFields' ? listNames(readTypedParameter<unknown>(parameters, 'fieldsToInclude', '')) : [];
  if (include === 'selectedOtherFields' && included.length === 0) throw new Error('No fields specified');
  const more = Object.fromEntries(included.map((name) => [name, getField(item.json, name, hasDots)]));
  const keepsFiles = readTypedParameter(parameters, 'options.includeBinary', false);
  return splitFields(item, rules).map(({ json, binary }) => ({
    json: { ...kept, ...json, ...more },
    binary: binary ?? (keepsFiles ? item.binary : undefined),
  }));
}

/** The items that the node `splitOut` makes of a list. */
export const splitOutItems = (parameters: N8nParameters, items: readonly N8nItem[]): N8nItem[] =>
  items.flatMap((item, index) => splitOutItem(parameters, item).map((one) => ({ ...one, pairedItem: index })));
