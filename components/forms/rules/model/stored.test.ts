import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { printObjectFields, parseObjectFields } from './assignments';
import { concernsItemOnly, readStoredFilter, writeStoredFilter } from './filter-rules';
import type { ParseJsonata, JsonataTree } from './parse-rules';

const parse: ParseJsonata = (source) => jsonata(source).ast() as unknown as JsonataTree;

describe('fields as an expression', () => {
  const anyText = fc.string({ maxLength: 6, unit: 'grapheme' }).filter((text) => !/[{}]/.test(text));
  const anyTemplate = fc
    .array(fc.oneof(anyText, fc.constantFrom('{{ input.a }}', '{{ nodes.b.`c d`[0] }}')), { maxLength: 4 })
    .map((parts) => parts.join(''));
  const anyValue = fc.oneof(
    anyTemplate,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.oneof(anyText, fc.integer()), { maxLength: 2 }),
    fc
      .dictionary(anyText, anyText, { maxKeys: 2, noNullPrototype: true })
      .filter((one) => !Object.hasOwn(one, '__proto__')),
  );
  const anyFields = fc
    .dictionary(anyText, anyValue, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    .filter((one) => !Object.hasOwn(one, '__proto__'));

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        expect(parseObjectFields(printObjectFields(fields, parse), parse)).toEqual({ fields });
      }),
    );
  });

  it('have the same values', async () => {
    const fields = {
      a: '{{ input.n }}',
      b: 'n: {{ input.n + 1 }}, "{{ input.t }}"',
      c: [1, { d: '{{ input.t }}' }],
      e: '',
    };
    const value: unknown = await jsonata(printObjectFields(fields, parse)).evaluate({ input: { n: 1, t: 'é"' } });
    expect(value).toEqual({ a: 1, b: 'n: 2, "é""', c: [1, { d: 'é"' }], e: '' });
  });

  it.each([
    ['input.items', /object/],
    ['{"a": $sum(input.n)}', /more than/],
    ['{input.name: 1}', /more than/],
    ['{"a": "{{ x }}"}', /more than/],
    ['{"a": ', /error/],
  ])('says why %s is no list of fields', (source, reason) =>
    expect(parseObjectFields(source, parse)).toMatchObject({ reason: expect.stringMatching(reason) as string }),
  );
});

describe('rules of the filter node', () => {
  it('are stored as they were read', () => {
    const stored = [
      { field: 'customer.name', operator: 'eq' as const, value: 'Ada' },
      { field: 'tags.0', operator: 'is_null' as const },
      {
        or: [
          { field: '', operator: 'gt' as const, value: 1 },
          { field: 'a b', operator: 'in' as const, value: [1] },
        ],
      },
      { field: 'limit', operator: 'lt' as const, value: '{{ input.max }}' },
      { field: 'city', operator: 'eq' as const, value: 'Bern', ignoreCase: true },
      { field: 'age', operator: 'between' as const, value: [1, 9] },
      { field: 'sku', operator: 'matches' as const, value: '^A' },
    ];
    const rules = readStoredFilter(stored);
    expect(rules).toMatchObject({
      join: 'and',
      members: [
        { field: 'item.customer.name' },
        { field: 'item.tags[0]' },
        { join: 'or', members: [{ field: 'item' }, { field: 'item.`a b`' }] },
        { value: { path: 'input.max' } },
        { ignoreCase: true },
        { operator: 'between', value: { fixed: [1, 9] } },
        { operator: 'matches' },
      ],
    });
    expect(rules && writeStoredFilter(rules)).toEqual(stored);
    expect(rules && concernsItemOnly(rules)).toBe(false);
  });

  it('keep braces in texts apart from expressions', () => {
    const fixed = 'a {{ "b" }} }} \\';
    const rules = {
      join: 'and' as const,
      members: [{ field: 'item', operator: 'in' as const, value: { fixed: [fixed, 'c'] } }],
    };
    const stored = writeStoredFilter(rules);
    expect(stored).toEqual([{ field: '', operator: 'in', value: [`{{ ${JSON.stringify(fixed)} }}`, 'c'] }]);
    expect(stored && readStoredFilter(stored)).toEqual(rules);
    expect(readStoredFilter([{ field: 'a', operator: 'eq', value: 'Dear {{ input.name }}' }])).toBeUndefined();
  });

  it('cannot be stored with groups in groups, and not be shown with values that rows lack', () => {
    const rule = { field: 'item.a', operator: 'is_null' as const };
    const inner = { join: 'or' as const, members: [rule, { join: 'and' as const, members: [rule, rule] }] };
    expect(writeStoredFilter({ join: 'and', members: [rule, inner] })).toBeUndefined();
    expect(writeStoredFilter(inner)).toBeDefined();
    expect(readStoredFilter([{ field: 'a', operator: 'in', value: [1, 'x'], ignoreCase: true }])).toBeUndefined();
  });

  it('cannot be stored for names that the node splits', () => {
    const rule = (field: string) => ({ join: 'and' as const, members: [{ field, operator: 'is_null' as const }] });
    expect(writeStoredFilter(rule('item.`a.b`'))).toBeUndefined();
    expect(writeStoredFilter(rule('input.a'))).toBeUndefined();
    expect(concernsItemOnly(rule('item.`a.b`'))).toBe(true);
    expect(readStoredFilter([{ field: 'a`b', operator: 'is_null' }])).toBeUndefined();
  });
});
