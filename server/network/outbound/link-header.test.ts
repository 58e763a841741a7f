import { expect, it } from 'vitest';
import { findNextLink } from './link-header';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['<https://a.example/?page=2>; rel="next"', 'https://a.example/?page=2'],
  ['<a>; rel=prev, <b,c;d>; rel=next; title="x"', 'b,c;d'],
  ['<a>;rel="prev Next";type=x , <b>; rel=next', 'a'],
  ['<a>; REL = next', 'a'],
  ['<a>; title="rel=next; \\"<b>; rel=next"; rel="last",<c>;rel=next', 'c'],
  ['<a>; rel=prev; rel=next, <b>', undefined],
  ['<a>;; hreflang; rel=next,', 'a'],
  ['<a>; rel="nextpage"', undefined],
])('%s leads to %s', (header, address) => {
  expect(findNextLink(header)).toBe(address);
});

it.each(['a', '<a', '<a> b', '<a>; rel="next', '<a>; rel=last, b'])('%s is malformed', (header) => {
  expect(() => findNextLink(header)).toThrow(/The Link header of the answer cannot be read at character/);
});

it.each([
  `<a>;${' '.repeat(100_000)}rel=next`,
  `<a>${'; a=b'.repeat(20_000)}; rel=next`,
  `<a>; rel="${'x '.repeat(50_000)}next"`,
  `${'<b>; rel=x, '.repeat(10_000)}<a>; rel=next`,
])('a header of many characters is read', (header) => {
  expect(findNextLink(header)).toBe('a');
});
