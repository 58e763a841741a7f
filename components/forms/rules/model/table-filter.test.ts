import { expect, it } from 'vitest';
import { groupOperatorChoices } from './operator-choices';
import { parseTableFilter, TABLE_ROW_OPERATORS, exampleRowScope, printTableFilter } from './table-filter';

const written = (filter: unknown) => {
  const rules = parseTableFilter(filter);
  return 'reason' in rules ? rules.reason : printTableFilter(rules);
};

it.each([
  { column: 'visits', operator: 'gt', value: 10 },
  { column: 'due at', operator: 'is_null' },
  { column: 'email', operator: 'in', value: ['a', 'b'] },
  {
    and: [
      { column: 'name', operator: 'eq', value: '{{ input.name }}' },
      { column: 'id', operator: 'is_null', value: false },
    ],
  },
  {
    or: [
      { column: 'paid', operator: 'eq', value: true },
      {
        and: [
          { column: 'a', operator: 'lt', value: 1 },
          { column: 'b', operator: 'starts_with', value: 'x' },
        ],
      },
    ],
  },
])('a filter is read and written as it was: %j', (filter) => {
  expect(written(filter)).toEqual(filter);
});

it.each([
  '{{ input.filter }}',
  [],
  { column: 'a', operator: 'ends_with', value: 'x' },
  { column: 'a', operator: 'is_not_null' },
  { column: 'a', operator: 'eq', value: null },
  { column: 'a', operator: 'eq', value: '{{ input.a + 1 }}' },
  { column: 'a', operator: 'eq', value: 1, extra: true },
  { column: '{{ input.a }}`', operator: 'eq', value: 1 },
  { and: { column: 'a', operator: 'eq', value: 1 } },
])('what rules can’t show stays as it is: %j', (filter) => {
  expect(parseTableFilter(filter)).toHaveProperty('reason');
});

it('no rules are no filter, and rules on other data are left out', () => {
  expect(written(undefined)).toBeUndefined();
  const fixed = { fixed: 1 };
  const members = [
    { field: 'row.a', operator: 'eq', value: fixed } as const,
    { field: 'input.b', operator: 'eq', value: fixed } as const,
  ];
  expect(printTableFilter({ join: 'and', members })).toEqual({ column: 'a', operator: 'eq', value: 1 });
});

it('offers columns that can be compared, and the operators of tables', () => {
  const columns = [
    { name: 'due at', type: 'timestamp' },
    { name: 'more', type: 'json' },
  ] as const;
  expect(Object.keys(exampleRowScope(columns)['row'] as object)).toEqual(['due at', 'id', 'createdAt', 'updatedAt']);
  const labels = groupOperatorChoices('text', TABLE_ROW_OPERATORS).flatMap(({ items }) =>
    items.map(({ label }) => label),
  );
  expect(labels).toContain('begins with');
  expect(labels).not.toContain('ends with');
});
