import { expect, test } from 'vitest';
import { matchesEntityTag } from './unchanged';

const asked = (header: string | undefined, tag = '"7"') =>
  matchesEntityTag(new Headers(header === undefined ? {} : { 'If-None-Match': header }), tag);

test.each(['"7"', 'W/"7"', ' "7" ', '"1", "7"', '"1",W/"7" , "x"', '*', ' * '])('%s names the tag "7"', (header) => {
  expect(asked(header)).toBe(true);
  expect(asked(header, 'W/"7"')).toBe(true);
});

test.each([undefined, '', '"70"', '"1"', '7', '"1", "2"', 'W/7', '"*"', '**'])('%s does not', (header) => {
  expect(asked(header)).toBe(false);
});
