import { expect, test } from 'vitest';
import { foundZones, offsetOf, zones } from './zones';

test('time zones are found by the beginnings of their words', () => {
  const names = zones(null);
  expect(foundZones(names, 'new y')).toEqual(['America/New_York']);
  expect(foundZones(names, 'America/New_York')).toEqual(['America/New_York']);
  expect(foundZones(names, 'berl')).toEqual(['Europe/Berlin']);
  expect(foundZones(names, 'mars')).toEqual([]);
  expect(foundZones(names, ' ')).toHaveLength(names.length);
});

test('a name that is stored stays among the choices, once', () => {
  expect(zones('Europe/Kiev').filter((name) => name === 'Europe/Kiev')).toHaveLength(1);
  expect(zones('UTC').filter((name) => name === 'UTC')).toHaveLength(1);
  expect(offsetOf('Asia/Tokyo')).toBe('GMT+9');
});
