import { expect, it } from 'vitest';
import {
  findChoiceByKey,
  defaultChoice,
  operatorChoiceKey,
  operandFromInput,
  groupOperatorChoices,
  displayedChoice,
  applyOperatorChoice,
} from './operator-choices';
import { shortExampleText, matchesFieldSearch, groupPickableFields } from './pickable-fields';

const labelOf = (key: string) => findChoiceByKey(key)?.label;

it('offers the operators for the type of the field first', () => {
  expect(groupOperatorChoices('number')[0]?.group).toBe('Number');
  expect(defaultChoice(3)?.label).toBe('equals');
  expect(defaultChoice(true)).toMatchObject({ label: 'is true', fixed: true });
  expect(defaultChoice('2026-01-31T10:00:00Z')?.label).toBe('is before');
  expect(defaultChoice(['x'])?.label).toBe('contains');
  expect(defaultChoice(undefined)?.label).toBe('is');
  const keys = groupOperatorChoices('text').flatMap(({ items }) => items.map(({ value }) => value));
  expect(new Set(keys).size).toBe(keys.length);
  expect(labelOf('presence is_null ')).toBe('has no value');
});

it('shows a stored rule by the type of its value, else by that of its field', () => {
  const label = (rule: Parameters<typeof displayedChoice>[0], example?: unknown) =>
    displayedChoice(rule, example)?.label;
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
    applyOperatorChoice({ field: 'a', operator: 'eq', value: { fixed } }, findChoiceByKey(key)!).value;
  expect(change('12', 'number gt ')).toEqual({ fixed: 12 });
  expect(change('x', 'number gt ')).toBeUndefined();
  expect(change(12, 'text contains ')).toEqual({ fixed: '12' });
  expect(change(12, 'number in ')).toEqual({ fixed: [12] });
  expect(change([1, 2], 'number eq ')).toEqual({ fixed: 1 });
  expect(change('x', 'boolean eq false')).toEqual({ fixed: false });
  expect(change('x', 'presence is_null ')).toBeUndefined();
  expect(operatorChoiceKey(findChoiceByKey('boolean eq false')!)).toBe('boolean eq false');
  expect(change(3, 'number between ')).toEqual({ fixed: [3, undefined] });
  expect(change([3, 5], 'number between ')).toEqual({ fixed: [3, 5] });
  const path = { field: 'a', operator: 'eq' as const, value: { path: 'b' } };
  expect(applyOperatorChoice(path, findChoiceByKey('text matches ')!).value).toBeUndefined();
  expect(applyOperatorChoice({ ...path, ignoreCase: true }, findChoiceByKey('text contains ')!).ignoreCase).toBe(true);
  expect(applyOperatorChoice({ ...path, ignoreCase: true }, findChoiceByKey('number gt ')!).ignoreCase).toBeUndefined();
  expect(operandFromInput('')).toBeUndefined();
  expect(operandFromInput(0)).toEqual({ fixed: 0 });
});

it('lists the fields of a scope as a tree', () => {
  const scope = {
    input: { body: { 'a b': [{ id: 1 }, { id: 2 }], 'x`y': 1 } },
    nodes: { start: { n: null }, later: undefined },
  };
  const [input, start] = groupPickableFields(scope);
  expect(input?.fields.map(({ path, depth }) => [path, depth])).toEqual([
    ['input', 0],
    ['input.body', 1],
    ['input.body.`a b`', 2],
    ['input.body.`a b`[0]', 3],
    ['input.body.`a b`[0].id', 4],
  ]);
  expect(start).toMatchObject({
    root: 'nodes.start',
    label: 'start',
    fields: [{ path: 'nodes.start' }, { path: 'nodes.start.n' }],
  });
  expect(matchesFieldSearch('input.body.total', 'bod tot')).toBe(true);
  expect(matchesFieldSearch('input.body.total', 'status')).toBe(false);
  expect([shortExampleText([1]), shortExampleText({}), shortExampleText('é'), shortExampleText(undefined)]).toEqual([
    '1 item',
    '{ }',
    '"é"',
    '',
  ]);
});
