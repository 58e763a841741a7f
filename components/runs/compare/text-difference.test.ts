import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTextDifference } from './text-difference';

it('shows what differs, with a little of what is around it', () => {
  expect(findTextDifference('The order 12 is paid', 'The order 17 is paid')).toEqual({
    start: 'The order 1',
    before: '2',
    after: '7',
    end: ' is paid',
  });
  expect(findTextDifference('aa', 'aaa')).toMatchObject({ before: '', after: 'a' });
  const long = 'x'.repeat(100);
  expect(findTextDifference(`${long}a${long}`, `${long}b${long}`)).toMatchObject({ start: `…${'x'.repeat(24)}` });
});

it('loses nothing of short texts', () => {
  const anyText = fc.string({ maxLength: 20, unit: fc.constantFrom('a', 'b', 'é') });
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const { start, end, ...parts } = findTextDifference(before, after);
      expect([start + parts.before + end, start + parts.after + end]).toEqual([before, after]);
    }),
  );
});
