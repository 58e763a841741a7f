import { expect, test } from 'vitest';
import { nextRunNote, resolveTriggerState } from './state';

test('a trigger is enabled, disabled, or has the status of its workflow', () => {
  expect(resolveTriggerState(true, 'active')).toBe('enabled');
  expect(resolveTriggerState(true, 'draft')).toBe('draft');
  expect(resolveTriggerState(true, 'paused')).toBe('inactive');
  expect(resolveTriggerState(false, 'active')).toBe('disabled');
});

test('only the schedule of an active workflow promises a time', () => {
  expect(nextRunNote('enabled', 'Mon 08:00')).toBe('Next: Mon 08:00');
  expect(nextRunNote('enabled', null)).toBe('Never starts');
  expect(nextRunNote('disabled', null)).toBe('Never starts');
  for (const state of ['draft', 'inactive'] as const) {
    expect(nextRunNote(state, 'Mon 08:00')).toBe('Starts once live');
  }
});
