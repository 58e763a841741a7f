import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isLargeInteger, parseExactIntegers, parseExactJson, quoteLargeIntegers } from './exact-json';

describe('JSON from outside', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['[7615917337495251231,7615917337495251232]', ['7615917337495251231', '7615917337495251232']],
    ['{"id":820982911946154508,"total":"1.00"}', { id: '820982911946154508', total: '1.00' }],
    ['{"12345678901234567890":"a 12345678901234567890"}', { '12345678901234567890': 'a 12345678901234567890' }],
    ['"\\\\" ', '\\'],
    [
      '["\\\\",12345678901234567890,"\\"12345678901234567890"]',
      ['\\', '12345678901234567890', '"12345678901234567890'],
    ],
    ['0.12345678901234567', Number('0.12345678901234567')],
    ['12345678901234567890.0', Number('12345678901234567890')],
    ['1e400', '1e400'],
    ['-1E+999', '-1E+999'],
    ['1e-400', 0],
    ['1e20', 1e20],
    ['{"a":1,"a":2}', { a: 2 }],
    ['-0', -0],
  ])('%s', (json, value) => {
    expect(parseExactJson(json)).toEqual(value);
  });

  it('leaves numbers that are too large to a caller that refuses them', () => {
    expect(parseExactIntegers('[1e400,12345678901234567890]')).toEqual([Infinity, '12345678901234567890']);
  });

  it('names the position in the text as it was given', () => {
    expect(() => parseExactJson('[12345678901234567890, x]')).toThrow(/position 23|"x"|Unexpected token/);
    expect(() => parseExactJson('{"a": 12345678901234567890')).toThrow(SyntaxError);
  });

  it('is JSON.parse for what a double holds, and keeps every integer', () => {
    const json = fc.json();
    fc.assert(
      fc.property(json, (text) => {
        fc.pre(!/\d{16}/.test(text));
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })), fc.string(), (integers, text) => {
        const written = `{${JSON.stringify(text)}:[${integers.join(' , ')}]}`;
        const [read] = Object.values(parseExactJson(written) as Record<string, unknown[]>);
        expect(read?.map((one) => BigInt(one as string | number))).toEqual(integers);
        for (const one of read ?? []) expect(typeof one === 'string').toBe(isLargeInteger(one));
      }),
    );
  });

  it('takes texts that are not JSON', () => {
    for (const text of ['"1234567890123456789', '1234567890123456789"', '\\'.repeat(1000), '-', '1e999e999e999']) {
      expect(() => JSON.parse(quoteLargeIntegers(text))).toThrow(SyntaxError);
    }
  });
});
