import { expect, test } from 'vitest';
import { filterTimeZones, utcOffsetText, listTimeZones } from './time-zones';

test('time zones are found by the beginnings of their words', () => {
  const names = listTimeZones(null);
  expect(filterTimeZones(names, 'new y')).toEqual(['America/New_York']);
  expect(filterTimeZones(names, 'America/New_York')).toEqual(['America/New_York']);
  expect(filterTimeZones(names, 'berl')).toEqual(['Europe/Berlin']);
  expect(filterTimeZones(names, 'mars')).toEqual([]);
  expect(filterTimeZones(names, ' ')).toHaveLength(names.length);
});

test('a name that is stored stays among the choices, once', () => {
  expect(listTimeZones('Europe/Kiev').filter((name) => name === 'Europe/Kiev')).toHaveLength(1);
  expect(listTimeZones('UTC').filter((name) => name === 'UTC')).toHaveLength(1);
  expect(utcOffsetText('Asia/Tokyo')).toBe('GMT+9');
});
