import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { areFuzzilyEqual } from './fuzzy-equality';
import { mergeFieldSets, type ClashRules } from './merge-fields';
import { mergeFormerly } from './merge-version-1';
import { areEqual, getField, hasField } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

interface FieldPair {
  field1: string;
  field2: string;
}

interface Match {
  one: N8nItem;
  others: N8nItem[];
}

const addSuffix = (items: readonly N8nItem[], suffix: string): N8nItem[] =>
  items.map((item) => ({
    ...item,
    json: Object.fromEntries(Object.entries(item.json).map(([name, value]) => [`${name}_${suffix}`, value])),
  }));

const combineItems = (rules: ClashRules, items: readonly N8nItem[]): N8nItem => ({
  pairedItem: Math.min(...items.flatMap(({ pairedItem }) => pairedItem ?? [])),
  json: mergeFieldSets(
    rules,
    items.map(({ json }) => json),
  ),
  binary: mergeFieldSets(
    rules,
    items.map(({ binary }) => binary ?? {}),
  ),
});

const readClashRules = (parameters: N8nParameters): ClashRules =>
  readTypedParameter<ClashRules>(parameters, 'options.clashHandling.values', {});

/** Since version 3 the second input is called the last one: with its former name, n8n gives empty items. */
const hasFormerName = (version: number, { resolveClash }: ClashRules) =>
  version >= 3 && resolveClash === 'preferInput2';

/** The two lists in the order in which the second one wins. */
function orderLists({ resolveClash }: ClashRules, lists: readonly N8nItem[][]): [N8nItem[], N8nItem[]] {
  const [first = [], second = []] = lists;
  if (resolveClash === 'preferInput1') return [second, first];
  return resolveClash === 'addSuffix' ? [addSuffix(first, '1'), addSuffix(second, '2')] : [first, second];
}

function combineAll(parameters: N8nParameters, lists: readonly N8nItem[][]): N8nItem[] {
  const rules = readClashRules(parameters);
  const [first, second] = orderLists(rules, lists);
  return first.flatMap((one) => second.map((other) => combineItems(rules, [one, other])));
}

/** The lists whose items are combined by position, of which the last one wins. */
function orderByPreference(version: number, rules: ClashRules, given: readonly N8nItem[][]): readonly N8nItem[][] {
  if (version < 3) return orderLists(rules, given);
  const { resolveClash } = rules;
  const preferred = resolveClash?.startsWith('preferInput')
    ? Number(resolveClash.replace('preferInput', ''))
    : given.length;
  const lists = resolveClash === 'addSuffix' ? given.map((list, index) => addSuffix(list, String(index + 1))) : given;
  // Since version 3 the fields of the preferred input are also added without a suffix.
  return [...lists, given[preferred - 1] ?? []];
}

function combineByPosition(version: number, parameters: N8nParameters, given: readonly N8nItem[][]): N8nItem[] {
  const rules = readClashRules(parameters);
  const takesUnpaired = readTypedParameter(parameters, 'options.includeUnpaired', false);
  if (version < 3 && given.some(({ length }) => length === 0)) return given.flat();
  const lists = orderByPreference(version, rules, given);
  const lengths = lists.map(({ length }) => length);
  const count = takesUnpaired ? Math.max(...lengths) : Math.min(...lengths);
  return Array.from({ length: count }, (_, index) =>
    combineItems(
      rules,
      lists.flatMap((list) => list[index] ?? []),
    ),
  );
}

function readFieldPairs(version: number, parameters: N8nParameters): FieldPair[] {
  const isList = version < 3 || readTypedParameter(parameters, 'advanced', false);
  const pairs = isList
    ? readParameterRows(parameters, 'mergeByFields.values', { field1: '', field2: '' })
    : String(readTypedParameter<unknown>(parameters, 'fieldsToMatchString', ''))
        .split(',')
        .map((name) => ({ field1: name.trim(), field2: name.trim() }));
  if (pairs.some(({ field1, field2 }) => field1 === '' || field2 === ''))
    throw new Error('You need to define both fields in "Fields to Match" for each pair');
  return pairs;
}

function findMatches(lists: readonly N8nItem[][], pairs: FieldPair[], parameters: N8nParameters, isGrouped: boolean) {
  const [first = [], second = []] = lists;
  const hasDots = !readTypedParameter(parameters, 'options.disableDotNotation', false);
  const isFuzzy = readTypedParameter(parameters, 'options.fuzzyCompare', false);
  // What remains without a match does not depend on which match is taken.
  const takesAll =
    readTypedParameter(parameters, 'options.multipleMatches', 'all') === 'all' ||
    readTypedParameter(parameters, 'joinMode', 'keepMatches') === 'keepNonMatches';
  const isSame = (one: unknown, other: unknown) => (isFuzzy ? areFuzzilyEqual(one, other, 1) : areEqual(one, other));
  const matched: Match[] = [];
  const unmatched: N8nItem[] = [];
  const taken = new Set<N8nItem>();
  for (const one of first) {
    const values = pairs.map(({ field1 }) => getField(one.json, field1, hasDots));
    const matches = ({ json }: N8nItem) =>
      pairs.every(({ field2 }, index) => isSame(values[index], getField(json, field2, hasDots)));
    const isWhole = values.every((value) => value !== undefined);
    const found = isWhole ? second.filter(matches) : [];
    const others = takesAll ? found : found.slice(0, 1);
    for (const other of others) taken.add(other);
    if (others.length === 0) unmatched.push(one);
    else if (isGrouped) matched.push({ one, others });
    else for (const other of others) matched.push({ one, others: [other] });
  }
  return {
    matched,
    unmatched: [unmatched, second.filter((item) => !taken.has(item))] as const,
    taken: second.filter((item) => taken.has(item)),
  };
}

function combineMatches(matches: readonly Match[], rules: ClashRules, prefersFirst: boolean): N8nItem[] {
  return matches.map(({ one, others }) => {
    if (rules.resolveClash === 'addSuffix')
      return combineItems(rules, [...addSuffix([one], '1'), ...addSuffix(others, '2')]);
    const isFirstLast = rules.resolveClash === undefined ? prefersFirst : rules.resolveClash === 'preferInput1';
    return combineItems(rules, isFirstLast ? [...others, one] : [one, ...others]);
  });
}

/** What is given where an input has no items; undefined: both have some. */
function withoutItems([first = [], second = []]: readonly N8nItem[][], joinMode: string, from: string) {
  if (first.length > 0 && second.length > 0) return undefined;
  const isDone =
    joinMode === 'keepMatches' ||
    (joinMode === 'keepNonMatches' &&
      ((first.length === 0 && from === 'input1') || (second.length === 0 && from === 'input2'))) ||
    (joinMode === 'enrichInput1' && first.length === 0) ||
    (joinMode === 'enrichInput2' && second.length === 0);
  return isDone ? [] : [...first, ...second];
}

function requireFields(pairs: FieldPair[], lists: readonly N8nItem[][], hasDots: boolean): void {
  for (const [index, list] of lists.entries())
    for (const { field1, field2 } of pairs) {
      const name = index === 0 ? field1 : field2;
      const isThere = ({ json }: N8nItem) =>
        hasDots ? getField(json, name) !== undefined : hasField(json, name, false);
      if (!list.some(isThere))
        throw new Error(`Field '${name}' is not present in any of items in 'Input ${index + 1}'`);
    }
}

function combineByFields(version: number, parameters: N8nParameters, lists: readonly N8nItem[][]): N8nItem[] {
  const pairs = readFieldPairs(version, parameters);
  const joinMode = readTypedParameter(parameters, 'joinMode', 'keepMatches');
  const hasFrom = joinMode === 'keepMatches' || joinMode === 'keepNonMatches';
  const from = hasFrom ? readTypedParameter(parameters, 'outputDataFrom', 'both') : 'both';
  if (version < 2.1) requireFields(pairs, lists, !readTypedParameter(parameters, 'options.disableDotNotation', false));
  const given = withoutItems(lists, joinMode, from);
  if (given) return given;
  const { matched, unmatched, taken } = findMatches(lists, pairs, parameters, from !== 'both');
  const rules = readClashRules(parameters);
  const marked = unmatched.map((items, index) =>
    rules.resolveClash === 'addSuffix' ? addSuffix(items, String(index + 1)) : items,
  );
  if (joinMode === 'keepNonMatches') {
    if (from !== 'both') return unmatched[from === 'input1' ? 0 : 1];
    return unmatched.flatMap((items, index) =>
      items.map((item) => ({ ...item, json: { ...item.json, _source: `input${index + 1}` } })),
    );
  }
  if (from === 'input1') return matched.map(({ one }) => one);
  if (from === 'input2') return taken;
  const combined = hasFormerName(version, rules)
    ? matched.map(() => ({ json: {} }))
    : combineMatches(matched, rules, joinMode === 'enrichInput2');
  if (joinMode === 'keepMatches') return combined;
  if (joinMode === 'keepEverything') return [...combined, ...marked.flat()];
  return [...combined, ...(marked[joinMode === 'enrichInput1' ? 0 : 1] ?? [])];
}

function chooseBranch(version: number, parameters: N8nParameters, lists: readonly N8nItem[][]): N8nItem[] {
  const output = readTypedParameter(parameters, 'output', version < 3 ? 'input1' : 'specifiedInput');
  if (output === 'empty') return [{ json: {} }];
  const index =
    version < 3 ? (output === 'input2' ? 2 : 1) : Number(readTypedParameter<unknown>(parameters, 'useDataOfInput', 1));
  const list = lists[index - 1];
  if (!list) throw new Error(`Input ${index} doesn't exist`);
  return list;
}

/** The list that the node `merge` makes of the lists of its inputs. */
export function mergeLists(version: number, parameters: N8nParameters, lists: N8nItem[][]): N8nItem[] {
  if (version < 2) return mergeFormerly(parameters, lists);
  const mode = readTypedParameter(parameters, 'mode', 'append');
  if (mode === 'append') return lists.flat();
  if (mode === 'chooseBranch') return chooseBranch(version, parameters, lists);
  if (mode !== 'combine') throw new Error(`The mode ${mode} has no counterpart`);
  const kind =
    version < 3
      ? readTypedParameter(parameters, 'combinationMode', 'mergeByFields')
      : readTypedParameter(parameters, 'combineBy', 'combineByFields');
  if (kind === 'multiplex' || kind === 'combineAll') return combineAll(parameters, lists);
  if (kind === 'mergeByPosition' || kind === 'combineByPosition') return combineByPosition(version, parameters, lists);
  return combineByFields(version, parameters, lists);
}
