import type { N8nItem } from '../items';
import type { Parameters } from '../parameters';
import { areEqual, getField } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

type ItemComparison = (one: N8nItem, other: N8nItem) => number;

interface SortRule {
  fieldName: string;
  order: string;
}

function compareBy(rules: readonly SortRule[], hasDots: boolean): ItemComparison {
  const key = ({ json }: N8nItem, name: string) => {
    const value = getField(json, name, hasDots);
    return typeof value === 'string' ? value.toLowerCase() : value;
  };
  return (one, other) => {
    for (const { fieldName, order } of rules) {
      const [left, right] = [key(one, fieldName), key(other, fieldName)];
      if (areEqual(left, right)) continue;
      return ((left as number) < (right as number) ? -1 : 1) * (order === 'ascending' ? 1 : -1);
    }
    return 0;
  };
}

function shuffle(items: N8nItem[]): N8nItem[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    const [one, two] = [shuffled[index], shuffled[other]];
    if (one && two) [shuffled[index], shuffled[other]] = [two, one];
  }
  return shuffled;
}

/** The items in the order that the node `sort` gives them. `compare` of the parameters: a function made of its code. */
export function sortList(parameters: Parameters, given: N8nItem[]): N8nItem[] {
  const items = given.map((item, index) => ({ ...item, pairedItem: index }));
  const type = readTypedParameter(parameters, 'type', 'simple');
  if (type === 'random') return shuffle(items);
  if (type === 'code') return items.sort(parameters['compare'] as ItemComparison);
  const hasDots = !readTypedParameter(parameters, 'options.disableDotNotation', false);
  const rules = readParameterRows(parameters, 'sortFieldsUi.sortField', { fieldName: '', order: 'ascending' });
  if (rules.length === 0) throw new Error('No sorting specified. Please add a field to sort by');
  for (const { fieldName } of rules) {
    if (!items.some(({ json }) => getField(json, fieldName, hasDots) !== undefined))
      throw new Error(`Couldn't find the field '${fieldName}' in the input data`);
  }
  return items.sort(compareBy(rules, hasDots));
}

/** The items that the node `limit` keeps. */
export function limitList(parameters: Parameters, items: N8nItem[]): N8nItem[] {
  const count = readTypedParameter(parameters, 'maxItems', 1);
  const all = items.map((item, index) => ({ ...item, pairedItem: index }));
  if (count > all.length) return all;
  const isFirst = readTypedParameter(parameters, 'keep', 'firstItems') === 'firstItems';
  return isFirst ? all.slice(0, count) : all.slice(all.length - count);
}
