import { expect, test } from 'vitest';
import { Condition } from '@/contract/access/condition';
import { conditionOf, conditionText, FIRST } from './comparison';

test('a value is another attribute, a list, or a literal', () => {
  expect(conditionOf(FIRST)).toEqual({ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' });
  expect(conditionOf({ attribute: 'resource.status', operator: 'in', value: 'draft, paused' })).toEqual({
    attribute: 'resource.status',
    operator: 'in',
    value: ['draft', 'paused'],
  });
  const plain = conditionOf({ attribute: 'resource.name', operator: 'ne', value: ' Payroll ' });
  expect(plain).toEqual({ attribute: 'resource.name', operator: 'ne', value: 'Payroll' });
  for (const condition of [conditionOf(FIRST), plain]) expect(Condition.safeParse(condition).success).toBe(true);
});

test('conditions are shown as sentences', () => {
  expect(conditionText(conditionOf(FIRST))).toBe('its creator is the caller’s id');
  expect(conditionText({ attribute: 'resource.status', operator: 'in', value: ['draft', 'paused'] })).toBe(
    'its status is one of draft, paused',
  );
  expect(conditionText({ attribute: 'caller.email', operator: 'ne', value: 'a@example.com' })).toBe(
    'the caller’s email is not “a@example.com”',
  );
});
