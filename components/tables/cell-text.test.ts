import { expect, test } from 'vitest';
import { cellDisplayText, parseCellText } from './cell-text';

test('a cell shows words, and the time of the reader', () => {
  expect(cellDisplayText('boolean', true)).toBe('Yes');
  expect(cellDisplayText('boolean', false)).toBe('No');
  expect(cellDisplayText('boolean', null)).toBe('');
  expect(cellDisplayText('json', [true])).toBe('[true]');
  expect(cellDisplayText('json', true)).toBe('true');
  expect(cellDisplayText('timestamp', '2026-01-31T08:15:30.000Z')).toBe(
    new Date('2026-01-31T08:15:30.000Z').toLocaleString(),
  );
  expect(cellDisplayText('timestamp', 'soon')).toBe('soon');
});

test('what an editor writes is a value of its type', () => {
  expect(parseCellText('boolean', 'true')).toEqual({ value: true });
  expect(parseCellText('number', ' ')).toEqual({ value: null });
  expect(parseCellText('number', 'x')).toEqual({ fault: 'must be a number' });
});
