import { expect, it } from 'vitest';
import { choiceOf, firstChoice, keyOf, operandOf, operatorGroups, shownChoice, withChoice } from './operators';
import { exampleText, isFound, pickables } from './pickable';

const labelOf = (key: string) => choiceOf(key)?.label;

it('offers the operators for the type of the field first', () => {
  expect(operatorGroups('number')[0]?.group).toBe('Number');
  expect(firstChoice(3)?.label).toBe('equals');
  expect(firstChoice(true)).toMatchObject({ label: 'is true', fixed: true });
  expect(firstChoice('2026-01-31T10:00:00Z')?.label).toBe('is before');
  expect(firstChoice(['x'])?.label).toBe('contains');
  expect(firstChoice(undefined)?.label).toBe('is');
  const keys = operatorGroups('text').flatMap(({ items }) => items.map(({ value }) => value));
  expect(new Set(keys).size).toBe(keys.length);
  expect(labelOf('presence is_null ')).toBe('has no value');
});

it('shows a stored rule by the type of its value, else by that of its field', () => {
  const label = (rule: Parameters<typeof shownChoice>[0], example?: unknown) => shownChoice(rule, example)?.label;
  expect(label({ operator: 'eq', value: { fixed: 3 } })).toBe('equals');
  expect(label({ operator: 'eq', value: { fixed: 'x' } })).toBe('is');
  expect(label({ operator: 'eq', value: { fixed: false } }, true)).toBe('is false');
  expect(label({ operator: 'gte', value: { fixed: '2026-01-31' } })).toBe('is at or after');
  expect(label({ operator: 'gt', value: { path: 'input.a' } }, 3)).toBe('is greater than');
  expect(label({ operator: 'in', value: { fixed: [1] } })).toBe('is one of');
  expect(label({ operator: 'is_empty' }, [])).toBe('is empty');
  expect(label({ operator: 'is_null' })).toBe('has no value');
});

it('keeps the value of a rule as far as it has the type of the operator', () => {
  const change = (fixed: unknown, key: string) =>
    withChoice({ field: 'a', operator: 'eq', value: { fixed } }, choiceOf(key)!).value;
  expect(change('12', 'number gt ')).toEqual({ fixed: 12 });
  expect(change('x', 'number gt ')).toBeUndefined();
  expect(change(12, 'text contains ')).toEqual({ fixed: '12' });
  expect(change(12, 'number in ')).toEqual({ fixed: [12] });
  expect(change([1, 2], 'number eq ')).toEqual({ fixed: 1 });
  expect(change('x', 'boolean eq false')).toEqual({ fixed: false });
  expect(change('x', 'presence is_null ')).toBeUndefined();
  expect(keyOf(choiceOf('boolean eq false')!)).toBe('boolean eq false');
  expect(change(3, 'number between ')).toEqual({ fixed: [3, undefined] });
  expect(change([3, 5], 'number between ')).toEqual({ fixed: [3, 5] });
  const path = { field: 'a', operator: 'eq' as const, value: { path: 'b' } };
  expect(withChoice(path, choiceOf('text matches ')!).value).toBeUndefined();
  expect(withChoice({ ...path, ignoreCase: true }, choiceOf('text contains ')!).ignoreCase).toBe(true);
  expect(withChoice({ ...path, ignoreCase: true }, choiceOf('number gt ')!).ignoreCase).toBeUndefined();
  expect(operandOf('')).toBeUndefined();
  expect(operandOf(0)).toEqual({ fixed: 0 });
});

it('lists the fields of a scope as a tree', () => {
  const scope = {
    input: { body: { 'a b': [{ id: 1 }, { id: 2 }], 'x`y': 1 } },
    nodes: { start: { n: null }, later: undefined },
  };
  const [input, start] = pickables(scope);
  expect(input?.fields.map(({ path, depth }) => [path, depth])).toEqual([
    ['input', 0],
    ['input.body', 1],
    ['input.body.`a b`', 2],
    ['input.body.`a b`[0]', 3],
    ['input.body.`a b`[0].id', 4],
  ]);
  expect(start).toMatchObject({ label: 'nodes.start', fields: [{ path: 'nodes.start' }, { path: 'nodes.start.n' }] });
  expect(isFound('input.body.total', 'bod tot')).toBe(true);
  expect(isFound('input.body.total', 'status')).toBe(false);
  expect([exampleText([1]), exampleText({}), exampleText('é'), exampleText(undefined)]).toEqual([
    '1 item',
    '{ }',
    '"é"',
    '',
  ]);
});
