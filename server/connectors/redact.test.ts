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
  ['inside HTML, spelt otherwise', '<b>p@ss "w&#38;rd"&#x2F;+&lt;&#252;></b>'],
  ['inside JSON that is safe in HTML', 'p@ss \\u0022w\\u0026rd\\u0022/+\\u003c\\u00fc\\u003E'],
  ['percent-encoded throughout', 'p%40ss%20%22w%26rd%22%2f%2b%3c%c3%bc%3e'],
])('masks a secret %s', (_, spelt) => {
  const masked = text(`before ${spelt} after`);
  expect(masked).toContain('••••••');
  expect(masked).not.toContain('w&rd');
  expect(masked).not.toContain(spelt);
});

it.each(['', 'a', 'ab', 'abc', 'abcd'])(
  'masks a secret inside a longer text that is base64 as a whole (after "%s")',
  (before) => {
    const masked = text(Buffer.from(`${before}${secret} and more`).toString('base64'));
    expect(masked).toContain('••••••');
    expect(Buffer.from(masked, 'base64').toString()).not.toContain('w&rd');
  },
);

it('masks keys, strings and numbers at any depth', () => {
  const masked = redactor(['tok_12345', '987654']).value({
    a: [{ tok_12345: 'x tok_12345 y' }, 987654],
    b: 5,
    c: null,
  });
  expect(masked).toEqual({ a: [{ '••••••': 'x •••••• y' }, '••••••'], b: 5, c: null });
});

it('masks any secret in any of the usual spellings', () => {
  const html = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const json = (value: string) => JSON.stringify(value).slice(1, -1);
  const ways: ((value: string) => string)[] = [
    (value) => value,
    json,
    (value) => json(json(value)),
    encodeURIComponent,
    (value) => new URLSearchParams({ '': value }).toString().slice(1),
    html,
    (value) => json(html(value)),
    (value) => Buffer.from(value).toString('base64'),
    (value) => Buffer.from(value).toString('base64url'),
  ];
  fc.assert(
    fc.property(
      fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }),
      fc.constantFrom(...ways),
      (any, spell) => {
        const masked = redactor([any]).text(`<${spell(any)}>`);
        expect(masked.replace(/=+>$/, '>')).toBe('<••••••>');
      },
    ),
    { numRuns: 1000 },
  );
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

it('masks secrets with backslashes, however often they were doubled', () => {
  const odd = 'a\\"b\\\\c\\é/d';
  const { text: mask } = redactor([odd]);
  let spelling = odd;
  for (let depth = 0; depth < 4; depth += 1) {
    expect(mask(`x ${spelling} y`)).toBe('x •••••• y');
    spelling = JSON.stringify(spelling).slice(1, -1);
  }
  expect(mask(encodeURIComponent(odd))).toBe('••••••');
});

it('takes no longer than its text is long, whatever the text', () => {
  const { text: mask } = redactor(['\\\\"\\\\"x"\\\\y', 'aaaaaaaaaaaaaaaab', '&&&&&&&&&&&&&&&&<']);
  for (const piece of ['\\', 'a', '&', '&#0', '%']) {
    const long = piece.repeat(500_000);
    expect(mask(long)).toBe(long);
  }
});
