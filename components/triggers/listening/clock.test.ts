import { expect, test } from 'vitest';
import { formatCountdown } from './clock';

test.each([
  [300_000, '5:00'],
  [299_001, '5:00'],
  [61_000, '1:01'],
  [999, '0:01'],
  [0, '0:00'],
  [-5000, '0:00'],
])('%i ms are %s', (ms, text) => expect(formatCountdown(ms)).toBe(text));
