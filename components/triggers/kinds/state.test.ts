import { expect, test } from 'vitest';
import { scheduleNote, triggerState } from './state';

test('a trigger is enabled, disabled, or has the status of its workflow', () => {
  expect(triggerState(true, 'active')).toBe('enabled');
  expect(triggerState(true, 'draft')).toBe('draft');
  expect(triggerState(true, 'paused')).toBe('inactive');
  expect(triggerState(false, 'active')).toBe('disabled');
});

test('only the schedule of an active workflow promises a time', () => {
  expect(scheduleNote('enabled', 'Mon 08:00')).toBe('Next: Mon 08:00');
  expect(scheduleNote('enabled', null)).toBe('Never starts');
  expect(scheduleNote('disabled', null)).toBe('Never starts');
  for (const state of ['draft', 'inactive'] as const) {
    expect(scheduleNote(state, 'Mon 08:00')).toBe('Starts once active');
  }
});
