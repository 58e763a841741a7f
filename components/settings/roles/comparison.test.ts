import { expect, test } from 'vitest';
import { PermissionCondition } from '@/contract/access/condition';
import { toCondition, writeCondition, INITIAL_CONDITION } from './comparison';

test('a value is another attribute, a list, or a literal', () => {
  expect(toCondition(INITIAL_CONDITION)).toEqual({
    attribute: 'resource.createdBy',
    operator: 'eq',
    valueFrom: 'caller.id',
  });
  expect(toCondition({ attribute: 'resource.status', operator: 'in', value: 'draft, paused' })).toEqual({
    attribute: 'resource.status',
    operator: 'in',
    value: ['draft', 'paused'],
  });
  const plain = toCondition({ attribute: 'resource.name', operator: 'ne', value: ' Payroll ' });
  expect(plain).toEqual({ attribute: 'resource.name', operator: 'ne', value: 'Payroll' });
  for (const condition of [toCondition(INITIAL_CONDITION), plain])
    expect(PermissionCondition.safeParse(condition).success).toBe(true);
});

test('conditions are shown as sentences', () => {
  expect(writeCondition(toCondition(INITIAL_CONDITION))).toBe('its creator is the caller’s id');
  expect(writeCondition({ attribute: 'resource.status', operator: 'in', value: ['draft', 'paused'] })).toBe(
    'its status is one of draft, paused',
  );
  expect(writeCondition({ attribute: 'caller.email', operator: 'ne', value: 'a@example.com' })).toBe(
    'the caller’s email is not “a@example.com”',
  );
});
