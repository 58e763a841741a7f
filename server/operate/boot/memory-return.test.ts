import { expect, test } from 'vitest';
import { isMemoryReturnDue } from './memory-return';

const MIB = 1024 * 1024;
const rested = { utilization: 0.01, usedBytes: 80 * MIB, reservedBytes: 130 * MIB, reservedBeforeBytes: 0 };

test('memory is returned by a process that rests and has reserved more than it had after the last time', () => {
  expect(isMemoryReturnDue(rested)).toBe(true);
  expect(isMemoryReturnDue({ ...rested, reservedBeforeBytes: 120 * MIB })).toBe(false);
});

test('a process that works, or has so many objects that a collection would stop it for long, keeps its memory', () => {
  expect(isMemoryReturnDue({ ...rested, utilization: 0.2 })).toBe(false);
  expect(isMemoryReturnDue({ ...rested, usedBytes: 300 * MIB, reservedBytes: 400 * MIB })).toBe(false);
});
