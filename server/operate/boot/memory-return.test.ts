import { expect, test } from 'vitest';
import { isMemoryReturnDue } from './memory-return';
import { BYTES_PER_MIB } from '@/contract/units';

const rested = {
  utilization: 0.01,
  usedBytes: 80 * BYTES_PER_MIB,
  reservedBytes: 130 * BYTES_PER_MIB,
  reservedBeforeBytes: 0,
};

test('memory is returned by a process that rests and has reserved more than it had after the last time', () => {
  expect(isMemoryReturnDue(rested)).toBe(true);
  expect(isMemoryReturnDue({ ...rested, reservedBeforeBytes: 120 * BYTES_PER_MIB })).toBe(false);
});

test('a process that works, or has so many objects that a collection would stop it for long, keeps its memory', () => {
  expect(isMemoryReturnDue({ ...rested, utilization: 0.2 })).toBe(false);
  expect(isMemoryReturnDue({ ...rested, usedBytes: 300 * BYTES_PER_MIB, reservedBytes: 400 * BYTES_PER_MIB })).toBe(
    false,
  );
});
