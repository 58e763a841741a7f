import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { areFuzzilyEqual } from './fuzzy-equality';
import { areEqual, copyValue, getField, hasField, listNames, assignField, unsetField } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

interface FieldPair {
  field1: string;
  field2: string;
}

interface CompareRules {
  version: number;
  pairs: FieldPair[];
  isFuzzy: boolean;
  hasDots: boolean;
  takesAll: boolean;
  skipped: string[];
  resolve: string;
  prefersFirst: boolean;
  excepted: string[];
}

function readCompareRules(version: number, parameters: N8nParameters): CompareRules {
  const pairs = readParameterRows(parameters, 'mergeByFields.values', { field1: '', field2: '' });
  if (pairs.some(({ field1, field2 }) => field1 === '' || field2 === ''))
    throw new Error('You need to define both fields in "Fields to Match" for each pair');
  const skipped = String(readTypedParameter<unknown>(parameters, 'options.skipFields', ''));
  return {
    version,
    pairs,
    isFuzzy: readTypedParameter(parameters, version >= 2 ? 'fuzzyCompare' : 'options.fuzzyCompare', false),
    hasDots: !readTypedParameter(parameters, 'options.disableDotNotation', false),
    takesAll: readTypedParameter(parameters, 'options.multipleMatches', 'first') === 'all',
    skipped: skipped.split(',').map((name) => name.trim()),
    resolve: readTypedParameter(parameters, 'resolve', version >= 2 ? 'includeBoth' : 'preferInput2'),
    prefersFirst: readTypedParameter(parameters, 'preferWhenMix', 'input1') === 'input1',
    excepted: listNames(readTypedParameter<unknown>(parameters, 'exceptWhenMix', '')),
  };
}

const isSame = (one: unknown, other: unknown, { isFuzzy, version }: CompareRules): boolean =>
  isFuzzy ? areFuzzilyEqual(one, other, version) : areEqual(one, other);

function withoutSkipped(json: Fields, { skipped }: CompareRules): Fields {
  const kept = copyValue(json);
  for (const name of skipped) if (name !== '') unsetField(kept, name);
  return kept;
}

function areItemsEqual(one: N8nItem, other: N8nItem, rules: CompareRules): boolean {
  const [left, right] = [withoutSkipped(one.json, rules), withoutSkipped(other.json, rules)];
  if (!rules.isFuzzy) return areEqual(left, right);
  return Object.keys(left).every((name) => isSame(left[name], right[name], rules));
}

/** The parts of two values that are not compared, which are taken out of both. */
function takeSkipped(name: string, sides: [unknown, unknown], { skipped }: CompareRules): [Fields, Fields] | undefined {
  const paths = skipped.filter((path) => path.startsWith(name) && path.includes('.'));
  if (paths.length === 0) return undefined;
  const taken: [Fields, Fields] = [{}, {}];
  for (const path of paths) {
    const inner = path.replace(`${name}.`, '');
    for (const [index, side] of sides.entries()) {
      if (typeof side !== 'object' || side === null) throw new Error(`The field '${name}' is not an object`);
      assignField(taken[index] ?? {}, inner, getField(side, inner));
      unsetField(side as Fields, inner);
    }
  }
  return taken;
}

/** Both versions of an item, field by field. */
function describeDifference(one: N8nItem, other: N8nItem, rules: CompareRules): N8nItem {
  const { version, hasDots } = rules;
  const names = [...new Set([...Object.keys(one.json), ...Object.keys(other.json)])];
  const isShared = (name: string) => name in one.json && name in other.json;
  const isCompared = (name: string) => (rules.isFuzzy && version >= 2.1) || isShared(name);
  const sides = version >= 2 ? ['inputA', 'inputB'] : ['input1', 'input2'];
  const both = (values: readonly unknown[]) => Object.fromEntries(sides.map((side, index) => [side, values[index]]));
  const toValue = (value: unknown) => (version >= 2 ? (value ?? null) : value || null);
  const [same, different, skipped]: [Fields, Fields, Fields] = [{}, {}, {}];
  for (const name of names) {
    if (isCompared(name) && isSame(one.json[name], other.json[name], rules)) {
      same[name] = one.json[name];
      continue;
    }
    const values: [unknown, unknown] = [copyValue(toValue(one.json[name])), copyValue(toValue(other.json[name]))];
    if (rules.skipped.includes(name)) {
      skipped[name] = both(values);
      continue;
    }
    const taken = version >= 2.1 && hasDots ? takeSkipped(name, values, rules) : undefined;
    if (taken) skipped[name] = both(taken);
    different[name] = both(values);
  }
  const keys = Object.fromEntries(rules.pairs.map(({ field1 }) => [field1, one.json[field1]]));
  return { json: { keys, same, different, ...(Object.keys(skipped).length > 0 ? { skipped } : {}) } };
}

function mixItems(one: N8nItem, other: N8nItem, { prefersFirst, excepted, hasDots }: CompareRules): N8nItem {
  const [kept, from] = prefersFirst ? [one, other] : [other, one];
  const json = copyValue(kept.json);
  for (const name of excepted) {
    const value = getField(from.json, name, hasDots);
    assignField(json, name, hasDots ? (value ?? null) : value, hasDots);
  }
  return { ...kept, json };
}

function resolveDifference(one: N8nItem, other: N8nItem, rules: CompareRules): N8nItem {
  if (rules.resolve === 'preferInput1') return one;
  if (rules.resolve === 'preferInput2') return other;
  return rules.resolve === 'mix' ? mixItems(one, other, rules) : describeDifference(one, other, rules);
}

function requireFields(items: readonly N8nItem[], names: string[], hasDots: boolean, label: string): void {
  if (items.length === 0) return;
  for (const name of names) {
    const isThere = ({ json }: N8nItem) => (hasDots ? getField(json, name) !== undefined : hasField(json, name, false));
    if (!items.some(isThere)) throw new Error(`Field '${name}' is not present in any of items in '${label}'`);
  }
}

/** What the node `compareDatasets` gives at its four outputs: only in A, the same, different, only in B. */
export function compareLists(version: number, parameters: N8nParameters, lists: N8nItem[][]): N8nItem[][] {
  const rules = readCompareRules(version, parameters);
  const [first = [], second = []] = lists.map((list) => list.filter(({ json }) => Object.keys(json).length > 0));
  if (version < 2.2) {
    requireFields(
      first,
      rules.pairs.map(({ field1 }) => field1),
      rules.hasDots,
      'Input A',
    );
    requireFields(
      second,
      rules.pairs.map(({ field2 }) => field2),
      rules.hasDots,
      'Input B',
    );
  }
  const [onlyFirst, same, different]: [N8nItem[], N8nItem[], N8nItem[]] = [[], [], []];
  const taken = new Set<N8nItem>();
  for (const one of first) {
    const values = rules.pairs.map(({ field1 }) => getField(one.json, field1, rules.hasDots));
    const isMatch = ({ json }: N8nItem) =>
      rules.pairs.every(({ field2 }, index) => isSame(values[index], getField(json, field2, rules.hasDots), rules));
    const found = values.some((value) => value === undefined) ? [] : second.filter(isMatch);
    const others = rules.takesAll ? found : found.slice(0, 1);
    if (others.length === 0) onlyFirst.push(one);
    for (const other of others) taken.add(other);
    const equal = others.find((other) => areItemsEqual(one, other, rules));
    if (equal) same.push(rules.isFuzzy && rules.resolve === 'preferInput2' ? equal : one);
    for (const other of others)
      if (!areItemsEqual(one, other, rules)) different.push(resolveDifference(one, other, rules));
  }
  return [onlyFirst, same, different, second.filter((item) => !taken.has(item))];
}
