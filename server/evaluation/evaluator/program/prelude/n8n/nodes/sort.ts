import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
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

/** Lists below this length are sorted by insertion, as in V8. */
const INSERTION_LENGTH = 64;

/**
 * Sorts a list as V8 does. It makes a difference where a comparison is not consistent, as that of a missing value with
 * a number: the result then follows from the order of the comparisons.
 */
function sortAsV8(items: N8nItem[], compare: ItemComparison): N8nItem[] {
  if (items.length >= INSERTION_LENGTH) return items.sort(compare);
  const sorted = takeRun(items, compare);
  for (const item of items.slice(sorted.length)) {
    let [left, right] = [0, sorted.length];
    while (left < right) {
      const middle = left + ((right - left) >> 1);
      const other = sorted[middle];
      if (other && compare(item, other) < 0) right = middle;
      else left = middle + 1;
    }
    sorted.splice(left, 0, item);
  }
  return sorted;
}

/** The items at the beginning that are in order, or in the opposite order, which is turned round. */
function takeRun(items: N8nItem[], compare: ItemComparison): N8nItem[] {
  const isNext = (index: number, isDescending: boolean) => {
    const [before, item] = [items[index - 1], items[index]];
    return before !== undefined && item !== undefined && compare(item, before) < 0 === isDescending;
  };
  const isDescending = isNext(1, true);
  let length = Math.min(items.length, 1);
  while (length < items.length && isNext(length, isDescending)) length += 1;
  const run = items.slice(0, length);
  return isDescending ? run.toReversed() : run;
}

/** The items in the order that the node `sort` gives them. `compare` of the parameters: a function made of its code. */
export function sortList(parameters: N8nParameters, given: N8nItem[]): N8nItem[] {
  const items = given.map((item, index) => ({ ...item, pairedItem: index }));
  const type = readTypedParameter(parameters, 'type', 'simple');
  if (type === 'random') return shuffle(items);
  if (type === 'code') return sortAsV8(items, parameters['compare'] as ItemComparison);
  const hasDots = !readTypedParameter(parameters, 'options.disableDotNotation', false);
  const rules = readParameterRows(parameters, 'sortFieldsUi.sortField', { fieldName: '', order: 'ascending' });
  if (rules.length === 0) throw new Error('No sorting specified. Please add a field to sort by');
  for (const { fieldName } of rules) {
    if (!items.some(({ json }) => getField(json, fieldName, hasDots) !== undefined))
      throw new Error(`Couldn't find the field '${fieldName}' in the input data`);
  }
  return sortAsV8(items, compareBy(rules, hasDots));
}

/** The items that the node `limit` keeps. */
export function limitList(parameters: N8nParameters, items: N8nItem[]): N8nItem[] {
  const count = readTypedParameter(parameters, 'maxItems', 1);
  const all = items.map((item, index) => ({ ...item, pairedItem: index }));
  if (count > all.length) return all;
  const isFirst = readTypedParameter(parameters, 'keep', 'firstItems') === 'firstItems';
  return isFirst ? all.slice(0, count) : all.slice(all.length - count);
}
