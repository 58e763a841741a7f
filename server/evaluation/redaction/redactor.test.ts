import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from './redactor';

const secret = 'p@ss "w&rd"/+<ü>';
const { text, value } = createRedactor([secret]);

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
  const masked = createRedactor(['tok_12345', '987654']).value({
    a: [{ tok_12345: 'x tok_12345 y' }, 987654],
    b: 5,
    c: null,
  });
  expect(masked).toEqual({ a: [{ '••••••': 'x •••••• y' }, '••••••'], b: 5, c: null });
});

it('masks any secret in any of the usual encodings', () => {
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
        const masked = createRedactor([any]).text(`<${spell(any)}>`);
        expect(masked.replace(/=+>$/, '>')).toBe('<••••••>');
      },
    ),
  );
});

it('leaves everything else unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      fc.pre(!JSON.stringify(data).includes('w&rd'));
      expect(value(data)).toEqual(data);
    }),
  );
});

it('ignores values too short to be secrets', () => {
  expect(createRedactor(['ab', '']).text('ab ab')).toBe('ab ab');
});

it('masks secrets with backslashes that were escaped repeatedly', () => {
  const odd = 'a\\"b\\\\c\\é/d';
  const { text: mask } = createRedactor([odd]);
  let spelling = odd;
  for (let depth = 0; depth < 4; depth += 1) {
    expect(mask(`x ${spelling} y`)).toBe('x •••••• y');
    spelling = JSON.stringify(spelling).slice(1, -1);
  }
  expect(mask(encodeURIComponent(odd))).toBe('••••••');
});

it.each([
  ['backslashes', '\\'.repeat(1024 * 1024)],
  ['one letter', 'a'.repeat(1024 * 1024)],
  ['ampersands', '&'.repeat(1024 * 1024)],
  ['unfinished entities', '&#0'.repeat(350_000)],
  ['percent signs', '%'.repeat(1024 * 1024)],
  ['a percent sign encoded over and over', `%${'25'.repeat(512 * 1024)}`],
  ['an ampersand encoded over and over', `&${'amp;'.repeat(256 * 1024)}`],
  ['what is base64 at every alignment', 'V'.repeat(1024 * 1024)],
  ['2 MiB of base64', Buffer.alloc(1_572_864, 'some text').toString('base64')],
  ['lines of one letter', 'a\n'.repeat(512 * 1024)],
])('takes time linear in the text: %s', (_, long) => {
  const { text: mask } = createRedactor([
    '\\\\"\\\\"x"\\\\y',
    'aaaaaaaaaaaaaaaab',
    '&&&&&&&&&&&&&&&&<',
    '"'.repeat(20_000),
    'b'.repeat(20_000),
  ]);
  expect(mask(long)).toBe(long);
});

it('takes time linear in the secrets', () => {
  const secrets = Array.from({ length: 100 }, (_, index) => `${'"\\'.repeat(1300)}${index}`);
  const { text: mask } = createRedactor(secrets);
  expect(mask(`{"a":"${secrets[77]}"}`)).not.toContain('"\\"\\');
  expect(mask('"\\'.repeat(200_000))).toBe('••••••');
});

it('masks strings in a list of many, and returns the same list if there is nothing to mask', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => `item ${index}`);
  expect(value(many)).toBe(many);
  expect(value([...many, secret]).at(-1)).toBe('••••••');
});

it('returns the same value if there is nothing to mask', () => {
  const data = { a: [1, { b: 'c', at: new Date(0) }], d: null, e: undefined };
  expect(value(data)).toBe(data);
});

it('examines the JSON form of a value', () => {
  const { value: mask } = createRedactor(['a-secret']);
  expect(mask({ url: new URL('https://x.example/?a-secret') })).toEqual({ url: 'https://x.example/?••••••' });
});

it('masks numbers that are read from a secret', () => {
  const { value: mask } = createRedactor(['12345678901234567890', '0042', '4.50']);
  expect(mask([JSON.parse('12345678901234567890'), 42, 4.5, 4])).toEqual(['••••••', 42, '••••••', 4]);
});

const body = Buffer.from(Array.from({ length: 900 }, (_, index) => (index * 7919) % 251)).toString('base64');
const pem = `-----BEGIN PRIVATE KEY-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;

it.each([
  ['as it is', pem],
  ['in JSON', JSON.stringify(pem).slice(1, -1)],
  ['as base64', Buffer.from(pem).toString('base64')],
])('masks a long secret as a whole: %s', (_, text) => {
  expect(createRedactor([pem]).text(`<${text}>`)).toMatch(/^<••••••=*>$/);
});

it.each([
  ['a line', body.slice(64, 128)],
  ['broken into other lines', body.replace(/.{76}/g, '$&\r\n').split('\r\n', 4).join('\r\n')],
  ['broken into no lines', body.slice(30, 400)],
  ['only its beginning', pem.slice(0, 700)],
])('masks parts of a long secret: %s', (_, part) => {
  const masked = createRedactor([pem]).text(part);
  const left = masked.replaceAll(/-----BEGIN PRIVATE KEY-----|\s/g, '').split('••••••');
  expect(Math.max(...left.map(({ length }) => length))).toBeLessThan(90);
});

it('masks the secret fields of a JSON secret, and not the others', () => {
  const account = { type: 'service_account', token_uri: 'https://oauth2.example.com/token', private_key: pem };
  const { text: mask } = createRedactor([JSON.stringify(account)]);
  expect(mask(`key: ${pem}`)).toBe('key: ••••••');
  expect(mask(account.token_uri)).toBe(account.token_uri);
});

it('masks the token of a header without its scheme', () => {
  expect(createRedactor(['Bearer a-long-token']).text('{"token":"a-long-token"}')).toBe('{"token":"••••••"}');
});

it('is shared between runs with the same secrets', () => {
  expect(createRedactor(['one secret', 'another'])).toBe(
    createRedactor(new Set(['another', 'one secret', 'one secret'])),
  );
  expect(createRedactor(['one secret'])).not.toBe(createRedactor(['another']));
});
