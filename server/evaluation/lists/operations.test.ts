import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { computeListOperation, type ListOperation } from './operations';
import { ListRules } from './rules';

const free = () => undefined;
const compute = (operation: ListOperation, ...lists: unknown[][]) => computeListOperation(operation, lists, free).items;
const sort = (items: unknown[], direction: 'asc' | 'desc' = 'asc', field = '') =>
  compute({ kind: 'sort', by: [{ field, direction }] }, items);
const filter = (items: unknown[], rules: unknown) => compute({ kind: 'filter', rules: ListRules.parse(rules) }, items);

const PEOPLE = [
  { name: 'Zoe', age: 41, address: { city: 'Bern' }, tags: ['a'] },
  { name: 'anna', age: null, address: { city: 'Basel' }, tags: [] },
  { name: 'Ben', age: 9, tags: ['a', 'b'] },
];
const names = (people: unknown[]) => people.map((person) => (person as { name: string }).name);

describe('filter', () => {
  test.each([
    ['eq', { field: 'name', operator: 'eq', value: 'Ben' }, ['Ben']],
    ['ne counts missing values', { field: 'age', operator: 'ne', value: 9 }, ['Zoe', 'anna']],
    ['eq null finds missing fields', { field: 'address', operator: 'eq', value: null }, ['Ben']],
    ['eq compares lists', { field: 'tags', operator: 'eq', value: ['a', 'b'] }, ['Ben']],
    ['lt', { field: 'age', operator: 'lt', value: 41 }, ['Ben']],
    ['gte', { field: 'age', operator: 'gte', value: 41 }, ['Zoe']],
    ['an order between types is never true', { field: 'age', operator: 'gt', value: '1' }, []],
    ['in', { field: 'age', operator: 'in', value: [9, 10] }, ['Ben']],
    ['not_in', { field: 'age', operator: 'not_in', value: [9, 10] }, ['Zoe', 'anna']],
    ['contains in a text', { field: 'address.city', operator: 'contains', value: 'as' }, ['anna']],
    ['contains in a list', { field: 'tags', operator: 'contains', value: 'b' }, ['Ben']],
    ['not_contains', { field: 'tags', operator: 'not_contains', value: 'a' }, ['anna']],
    ['starts_with', { field: 'address.city', operator: 'starts_with', value: 'Be' }, ['Zoe']],
    ['ends_with', { field: 'name', operator: 'ends_with', value: 'n' }, ['Ben']],
    ['is_null', { field: 'age', operator: 'is_null' }, ['anna']],
    ['is_not_null', { field: 'address', operator: 'is_not_null' }, ['Zoe', 'anna']],
    ['is_empty', { field: 'tags', operator: 'is_empty' }, ['anna']],
    ['is_not_empty', { field: 'tags', operator: 'is_not_empty' }, ['Zoe', 'Ben']],
    ['a path into a list', { field: 'tags.1', operator: 'eq', value: 'b' }, ['Ben']],
    ['eq without case', { field: 'name', operator: 'eq', value: 'BEN', ignoreCase: true }, ['Ben']],
    ['ne without case', { field: 'name', operator: 'ne', value: 'zoe', ignoreCase: true }, ['anna', 'Ben']],
    ['in without case', { field: 'name', operator: 'in', value: ['ANNA', 9], ignoreCase: true }, ['anna']],
    [
      'contains without case',
      { field: 'address.city', operator: 'contains', value: 'B', ignoreCase: true },
      ['Zoe', 'anna'],
    ],
    ['case counts for texts only', { field: 'age', operator: 'eq', value: 9, ignoreCase: true }, []],
    ['starts_with without case', { field: 'name', operator: 'starts_with', value: 'A', ignoreCase: true }, ['anna']],
    ['matches', { field: 'name', operator: 'matches', value: '^[A-Z]..$' }, ['Zoe', 'Ben']],
    ['matches without case', { field: 'name', operator: 'matches', value: '^A', ignoreCase: true }, ['anna']],
    ['not_matches', { field: 'name', operator: 'not_matches', value: 'n' }, ['Zoe']],
    ['between', { field: 'age', operator: 'between', value: [9, 40] }, ['Ben']],
    ['between texts', { field: 'address.city', operator: 'between', value: ['Ba', 'Bb'] }, ['anna']],
    ['a name of the prototype', { field: 'constructor', operator: 'is_not_null' }, []],
  ])('%s', (_, rule, expected) => expect(names(filter(PEOPLE, [rule]))).toEqual(expected));

  it('combines rules: a list needs all, groups nest', () => {
    const adult = { field: 'age', operator: 'gt', value: 18 };
    const tagged = { field: 'tags', operator: 'contains', value: 'b' };
    expect(filter(PEOPLE, [adult, tagged])).toEqual([]);
    expect(names(filter(PEOPLE, { or: [adult, tagged] }))).toEqual(['Zoe', 'Ben']);
    expect(names(filter(PEOPLE, { and: [{ or: [adult, tagged] }, tagged] }))).toEqual(['Ben']);
    expect(names(filter(PEOPLE, []))).toEqual(['Zoe', 'anna', 'Ben']);
  });

  it('refuses patterns and ranges that can’t be', () => {
    const issue = (rule: object) => ListRules.safeParse([{ field: 'a', ...rule }]).error?.issues[0]?.message;
    expect(issue({ operator: 'matches', value: '(' })).toBeDefined();
    expect(issue({ operator: 'matches', value: '(a)\\1' })).toBeDefined();
    expect(issue({ operator: 'matches', value: 5 })).toMatch(/regular expression/);
    expect(issue({ operator: 'between', value: [1] })).toMatch(/two values/);
    expect(issue({ operator: 'gt', value: 1, ignoreCase: true })).toMatch(/no meaning/);
    expect(issue({ operator: 'matches', value: '{{ input.pattern }}' })).toBeUndefined();
    // Computed by an expression, it is known only now.
    const late = { kind: 'filter' as const, rules: [{ field: '', operator: 'matches' as const, value: '(' }] };
    expect(() => compute(late, ['a'])).toThrow(/config.rules/);
  });

  it('compares items that are not objects by the empty field', () => {
    expect(filter([1, 5, null], [{ field: '', operator: 'gt', value: 2 }])).toEqual([5]);
  });
});

describe('sort', () => {
  it('orders numbers, then texts alphabetically, then missing values, in both directions', () => {
    expect(sort([null, 'b', 10, 'A', 2, 'a'])).toEqual([2, 10, 'a', 'A', 'b', null]);
    expect(sort([null, 'b', 10, 'A', 2, 'a'], 'desc')).toEqual(['b', 'A', 'a', 10, 2, null]);
    expect(names(sort(PEOPLE, 'asc', 'name'))).toEqual(['anna', 'Ben', 'Zoe']);
    expect(names(sort(PEOPLE, 'desc', 'age'))).toEqual(['Zoe', 'Ben', 'anna']);
  });

  it('uses the next key for equal values, and keeps the order of equal items', () => {
    const items = [
      { a: 1, b: 2, n: 1 },
      { a: 1, b: 1, n: 2 },
      { a: 0, b: 9, n: 3 },
      { a: 1, b: 1, n: 4 },
    ];
    const by = [
      { field: 'a', direction: 'desc' as const },
      { field: 'b', direction: 'asc' as const },
    ];
    expect(compute({ kind: 'sort', by }, items)).toEqual([items[1], items[3], items[0], items[2]]);
  });

  it('keeps all items', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (items) => {
        expect(sort(items)).toHaveLength(items.length);
        expect(new Set(sort(items))).toEqual(new Set(items));
      }),
    );
  });
});

describe('dedupe', () => {
  it('keeps the first of equal items; the order of fields does not count', () => {
    expect(
      compute({ kind: 'dedupe', by: [] }, [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
        { a: 1, b: ['2'] },
      ]),
    ).toEqual([
      { a: 1, b: [2] },
      { a: 1, b: ['2'] },
    ]);
    expect(names(compute({ kind: 'dedupe', by: ['tags.0'] }, PEOPLE))).toEqual(['Zoe', 'anna']);
  });
});

it('splits a list into lists of a size', () => {
  expect(compute({ kind: 'split', size: 2 }, [1, 2, 3])).toEqual([[1, 2], [3]]);
  expect(compute({ kind: 'split', size: 2 }, [])).toEqual([]);
});

describe('aggregate', () => {
  const SALES = [
    { country: 'CH', price: 3, name: 'x' },
    { country: 'DE', price: null, name: 'y' },
    { country: 'CH', price: 5, name: 'z' },
  ];
  const measures = (['count', 'sum', 'avg', 'min', 'max', 'list', 'first', 'last'] as const).map((operation) => ({
    name: operation,
    operation,
    field: 'price',
  }));

  it('computes the measures of each group', () => {
    expect(compute({ kind: 'aggregate', groupBy: ['country'], measures }, SALES)).toEqual([
      { country: 'CH', count: 2, sum: 8, avg: 4, min: 3, max: 5, list: [3, 5], first: 3, last: 5 },
      { country: 'DE', count: 0, sum: 0, avg: null, min: null, max: null, list: [], first: null, last: null },
    ]);
  });

  it('treats all items as one group, also none', () => {
    const join = { name: 'names', operation: 'join' as const, field: 'name' };
    expect(compute({ kind: 'aggregate', groupBy: [], measures: [join] }, SALES)).toEqual([{ names: 'x, y, z' }]);
    const all = { name: 'n', operation: 'count' as const };
    expect(compute({ kind: 'aggregate', groupBy: [], measures: [all] }, [])).toEqual([{ n: 0 }]);
    expect(compute({ kind: 'aggregate', groupBy: ['country'], measures: [all] }, [])).toEqual([]);
  });

  it('fails for a sum of something else than numbers', () => {
    const sum = { name: 'total', operation: 'sum' as const, field: 'name' };
    expect(() => compute({ kind: 'aggregate', groupBy: [], measures: [sum] }, SALES)).toThrow(
      'The measure total needs numbers, but name is "x".',
    );
  });

  it('has groups and measures of any name', () => {
    const named = JSON.parse('[{"__proto__": "x"}]') as unknown[];
    const result = compute(
      { kind: 'aggregate', groupBy: ['__proto__'], measures: [{ name: 'constructor', operation: 'count' }] },
      named,
    );
    expect(JSON.stringify(result)).toBe('[{"__proto__":"x","constructor":1}]');
  });
});

describe('merge', () => {
  const LEFT = [{ id: 1, l: 'a' }, { id: 2, l: 'b' }, { l: 'c' }];
  const RIGHT = [{ key: 2, r: 'x' }, { key: 2, r: 'y' }, { key: 3, r: 'z' }, { r: 'w' }];
  const byKey = (join: 'inner' | 'left' | 'outer') =>
    compute({ kind: 'merge', mode: 'by_key', leftKey: 'id', rightKey: 'key', join }, LEFT, RIGHT);
  const BOTH = [
    { id: 2, key: 2, l: 'b', r: 'x' },
    { id: 2, key: 2, l: 'b', r: 'y' },
  ];

  it('joins items with equal keys; missing keys match nothing', () => {
    expect(byKey('inner')).toEqual(BOTH);
    expect(byKey('left')).toEqual([LEFT[0], ...BOTH, LEFT[2]]);
    expect(byKey('outer')).toEqual([LEFT[0], ...BOTH, LEFT[2], RIGHT[2], RIGHT[3]]);
  });

  it('joins items at equal positions', () => {
    const merge = (join: 'inner' | 'left' | 'outer', left: unknown[], right: unknown[]) =>
      compute({ kind: 'merge', mode: 'by_position', join }, left, right);
    expect(merge('inner', [{ a: 1 }, { a: 2 }], [{ a: 3, b: 4 }])).toEqual([{ a: 3, b: 4 }]);
    expect(merge('left', [{ a: 1 }], [{ b: 4 }, { b: 5 }])).toEqual([{ a: 1, b: 4 }]);
    expect(merge('outer', [1], [2, 3])).toEqual([{ left: 1, right: 2 }, 3]);
  });

  it('appends', () => expect(compute({ kind: 'merge', mode: 'append' }, [1], [2, 1])).toEqual([1, 2, 1]));
});

it('counts its steps, so that long work can be stopped', () => {
  const items = Array.from({ length: 100 }, () => ({ k: 1 }));
  let steps = 0;
  const operation = { kind: 'merge', mode: 'by_key', leftKey: 'k', rightKey: 'k', join: 'inner' } as const;
  computeListOperation(operation, [items, items], () => void (steps += 1));
  expect(steps).toBeGreaterThan(10_000);
});

describe('integers that are kept as their digits', () => {
  const [small, large, larger] = [{ id: 12 }, { id: '9007199254740993' }, { id: '10000000000000000000' }];

  it('have their place among numbers, and among each other', () => {
    expect(sort([larger, small, large], 'asc', 'id')).toEqual([small, large, larger]);
    expect(sort([large, larger], 'desc', 'id')).toEqual([larger, large]);
    // Among texts they are texts.
    expect(sort([{ id: 'b' }, large, { id: '1x' }], 'asc', 'id')).toEqual([{ id: '1x' }, large, { id: 'b' }]);
    const measures = [{ name: 'most', operation: 'max' as const, field: 'id' }];
    expect(compute({ kind: 'aggregate', groupBy: [], measures }, [small, larger, large])).toEqual([
      { most: '10000000000000000000' },
    ]);
  });

  it('are compared by value in rules', () => {
    const match = (operator: string, value: unknown) =>
      filter([small, large, larger], [{ field: 'id', operator, value }]);
    expect(match('gt', 100)).toEqual([large, larger]);
    expect(match('lt', '10000000000000000000')).toEqual([small, large]);
    expect(match('eq', 1e19)).toEqual([larger]);
    expect(match('ne', 9007199254740992)).toEqual([small, large, larger]);
    expect(match('in', [1e19, 12])).toEqual([small, larger]);
    expect(match('between', [12, 9007199254740994])).toEqual([small, large]);
  });

  it('are one with the number of the same value, and differ from their neighbours', () => {
    const items = [{ id: '7615917337495251231' }, { id: '7615917337495251232' }, { id: 1e19 }, larger];
    expect(compute({ kind: 'dedupe', by: ['id'] }, items)).toEqual(items.slice(0, 3));
    const merge = { kind: 'merge', mode: 'by_key', leftKey: 'id', rightKey: 'id', join: 'inner' } as const;
    expect(compute(merge, items.slice(0, 2), [{ id: '7615917337495251232', n: 2 }])).toEqual([
      { id: '7615917337495251232', n: 2 },
    ]);
  });
});
