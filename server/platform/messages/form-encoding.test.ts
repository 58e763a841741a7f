import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseFormPairs } from './form-encoding';

const pairsOf = (form: string | Buffer, charset?: string) => parseFormPairs(Buffer.from(form as string), charset);

describe('the encoding of a form', () => {
  test.each<[string, string | Buffer, string | undefined, string]>([
    ['is UTF-8', 'a=Gr%C3%BC%C3%9Fe+%E2%82%AC', undefined, 'Grüße €'],
    ['is UTF-8 without escapes', 'a=Grüße €', undefined, 'Grüße €'],
    ['is windows-1252 if it is no UTF-8', 'a=Gr%FC%DFe+%80', undefined, 'Grüße €'],
    ['is that also without escapes', Buffer.from('a=Gr\xfc\xdfe', 'latin1'), undefined, 'Grüße'],
    ['is that of the content type', 'a=%CF%F0%E8%E2%E5%F2', 'windows-1251', 'Привет'],
    ['is that of the field _charset_', 'a=%CF%F0%E8%E2%E5%F2&_charset_=windows-1251', 'utf-8', 'Привет'],
    ['is that of the field, also of several bytes', '_charset_=Shift_JIS&a=%93%FA%96%7B', undefined, '日本'],
    ['is UTF-8 if the one that is named is not known', 'a=%C3%BC&_charset_=klingon', undefined, 'ü'],
  ])('%s', (_, form, charset, value) => expect(new Map(pairsOf(form, charset)).get('a')).toBe(value));
});

test('what is not in the encoding that the sender names is refused', () => {
  expect(() => pairsOf('a=%82&_charset_=shift_jis')).toThrow('is not shift_jis');
});

test('names, values, signs and empty parts are those of a form in any encoding', () => {
  const encoded = (text: string, encoding: string) =>
    [...iconv.encode(text, encoding)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const text = fc.string({ unit: fc.constantFrom('a', '&', '=', '+', '%', ' ', 'ü', '€', '\n') });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), fc.constantFrom('utf-8', 'windows-1252'), (pairs, encoding) => {
      const form = pairs.map(([name, value]) => `${encoded(name, encoding)}=${encoded(value, encoding)}`).join('&');
      expect(pairsOf(form, encoding)).toEqual(
        pairs.filter(([name, value]) => pairs.length > 0 && `${name}=${value}` !== ''),
      );
    }),
  );
  // No escapes beyond ASCII that are not UTF-8: they are read as windows-1252, which URLSearchParams cannot.
  const odd = fc.string({ unit: fc.constantFrom('g', '&', '=', '+', '%', '%41', '%C3%BC', '%zz') });
  fc.assert(
    fc.property(odd, (form) => {
      expect(pairsOf(form)).toEqual([...new URLSearchParams(form)]);
    }),
  );
});
