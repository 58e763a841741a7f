import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { getField, listNames, assignField } from './paths';
import { readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

/** The paths of all values in an object that are neither objects nor lists. */
function listPaths(value: unknown, before: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [before.join('.')];
  return Object.entries(value).flatMap(([name, one]) => listPaths(one, [...before, name]));
}

function comparedPaths(parameters: N8nParameters, items: readonly N8nItem[], hasDots: boolean): string[] {
  const paths = ({ json }: N8nItem) => (hasDots ? listPaths(json) : Object.keys(json));
  const compare = readTypedParameter(parameters, 'compare', 'allFields');
  const names = (parameter: string) => {
    const found = listNames(readTypedParameter<unknown>(parameters, parameter, ''));
    if (found.length === 0) throw new Error('No fields specified. Please add a field to compare');
    return found;
  };
  if (compare === 'selectedFields') return names('fieldsToCompare');
  if (compare !== 'allFieldsExcept') return [...new Set(items.flatMap(paths))];
  const excluded = names('fieldsToExclude');
  const [first] = items;
  const all = hasDots && first ? paths(first) : [...new Set(items.flatMap(paths))];
  return all.filter((name) => !excluded.includes(name));
}

/** Throws where n8n does: a field is missing, or has values of several types. */
function requireComparable(
  version: number,
  items: readonly N8nItem[],
  paths: readonly string[],
  hasDots: boolean,
): void {
  for (const path of paths) {
    const types = new Set<string>();
    for (const { json } of items) {
      const value = getField(json, path, hasDots);
      if (value === null && version > 1) continue;
      if (value === undefined) throw new Error(`'${path}' field is missing from some input items`);
      types.add(typeof value);
    }
    if (types.size > 1) throw new Error(`'${path}' isn't always the same type`);
  }
}

/** A text that is the same for equal values. */
const toKey = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([left], [right]) => (left < right ? -1 : 1)))
      : one,
  ) ?? 'undefined';

/** The items without those that are equal to an earlier one in the fields that the node compares. */
export function removeDuplicateItems(version: number, parameters: N8nParameters, items: N8nItem[]): N8nItem[] {
  const operation = readTypedParameter(parameters, 'operation', 'removeDuplicateInputItems');
  if (operation !== 'removeDuplicateInputItems') throw new Error(`The operation ${operation} has no counterpart`);
  const hasDots = !readTypedParameter(parameters, 'options.disableDotNotation', false);
  const paths = comparedPaths(parameters, items, hasDots);
  requireComparable(version, items, paths, hasDots);
  const known = new Set<string>();
  const kept: N8nItem[] = [];
  for (const [index, item] of items.entries()) {
    const key = toKey(paths.map((path) => getField(item.json, path, hasDots)));
    if (!known.has(key)) kept.push({ ...item, pairedItem: index });
    known.add(key);
  }
  if (!readTypedParameter(parameters, 'options.removeOtherFields', false)) return kept;
  return kept.map(({ json: all, pairedItem }) => {
    const json: Fields = {};
    for (const path of paths) assignField(json, path, getField(all, path));
    return { json, pairedItem };
  });
}
