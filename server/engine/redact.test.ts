import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactor } from './redact';

const secret = 'p@ss "w&rd"/+<ü>';
const { text, value } = redactor([secret]);

it.each([
  ['raw', secret],
  ['in a URL', encodeURIComponent(secret)],
  ['in a form', new URLSearchParams({ a: secret }).toString()],
  ['as base64', Buffer.from(secret).toString('base64')],
  ['as base64url', Buffer.from(secret).toString('base64url')],
  ['inside JSON', JSON.stringify({ deep: secret })],
  ['inside JSON inside JSON', JSON.stringify(JSON.stringify({ deep: secret }))],
  ['inside HTML', '<b>p@ss &quot;w&amp;rd&quot;/+&lt;ü&gt;</b>'],
])('masks a secret %s', (_, spelt) => {
  const masked = text(`before ${spelt} after`);
  expect(masked).toContain('••••••');
  expect(masked).not.toContain('w&rd');
  expect(masked).not.toContain(spelt);
});

it.each(['', 'a', 'ab', 'abc', 'abcd'])('masks a secret inside a longer text that is base64 as a whole (after "%s")', (before) => {
  const masked = text(Buffer.from(`${before}${secret} and more`).toString('base64'));
  expect(masked).toContain('••••••');
  expect(Buffer.from(masked, 'base64').toString()).not.toContain('w&rd');
});

it('masks keys, strings and numbers at any depth', () => {
  const masked = redactor(['tok_12345', '987654']).value({ a: [{ tok_12345: 'x tok_12345 y' }, 987654], b: 5, c: null });
  expect(masked).toEqual({ a: [{ '••••••': 'x •••••• y' }, '••••••'], b: 5, c: null });
});

it('leaves everything else as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      fc.pre(!JSON.stringify(data).includes('w&rd'));
      expect(value(data)).toEqual(data);
    }),
  );
});

it('ignores values too short to be secrets', () => {
  expect(redactor(['ab', '']).text('ab ab')).toBe('ab ab');
});
