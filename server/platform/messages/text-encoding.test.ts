import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import {
  contentTypeCharset,
  findDeclaredEncoding,
  decodeWholeText,
  decodeTextForDisplay,
  TextByteDecoder,
  type TextEncodingHints,
} from './text-encoding';

const bytes = (...values: number[]) => Buffer.from(values);
const inParts = (text: Buffer, encoding: string, size: number) => {
  const reader = new TextByteDecoder(encoding);
  let result = '';
  for (let at = 0; at < text.length; at += size) result += reader.write(text.subarray(at, at + size));
  return result + reader.end();
};

test('a byte order mark decides, then what is said, then what is declared, then UTF-16 by its zeros', () => {
  const latin = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>café – x</a>'.replace('–', '\x96'),
    'latin1',
  );
  expect(decodeWholeText(latin, {})).toContain('café – x');
  expect(decodeWholeText(latin, { encoding: 'windows-1250' })).toContain('café – x');
  expect(decodeWholeText(Buffer.from('\ufeffü'), { encoding: 'latin1' })).toBe('ü');
  expect(decodeWholeText(Buffer.from('\ufeffü', 'utf16le'), { charset: 'utf-8' })).toBe('ü');
  expect(decodeWholeText(Buffer.from('a;b\nü;x', 'utf16le'))).toBe('a;b\nü;x');
  expect(decodeWholeText(Buffer.from('a;b\nü;x', 'utf16le').swap16())).toBe('a;b\nü;x');
  expect(decodeWholeText(bytes(0x80), { charset: 'ISO-8859-1' })).toBe('€');
  expect(decodeWholeText(bytes(0x80), { encoding: 'latin1' })).toBe('\u0080');
  expect(decodeWholeText(bytes(0xe9), { otherwise: 'windows-1252' })).toBe('é');
  expect(decodeWholeText(Buffer.from('é'), { otherwise: 'windows-1252' })).toBe('é');
  const japanese = iconv.encode(
    '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">日本',
    'shift_jis',
  );
  expect(decodeWholeText(japanese, {})).toContain('日本');
  expect(decodeWholeText(bytes(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42), { charset: 'iso-2022-jp' })).toBe('日');
});

describe('a declaration', () => {
  test.each<[string, string | undefined]>([
    ["<?xml version='1.0' encoding='windows-1251' ?><a/>", 'windows-1251'],
    ['<a encoding="x"/>', undefined],
    ['<?xml version="1.0"?><a encoding="x"/>', undefined],
    ['<?xml version="1.0" encoding="UTF-16"?><a/>', undefined],
    ['<!doctype html><head><META CHARSET=koi8-r>', 'koi8-r'],
    ['<!-- <meta charset="big5"> --><meta charset="gbk" />', 'gbk'],
    ['<p>charset=big5', undefined],
    ['a,b\n<meta charset=big5>', undefined],
  ])('of %s is %s', (text, label) => expect(findDeclaredEncoding(Buffer.from(text))).toBe(label));
});

test('for display nothing is refused', () => {
  expect(decodeTextForDisplay(bytes(0x61, 0xe9))).toBe('aé');
  expect(decodeTextForDisplay(bytes(0x61, 0xe9), { charset: 'utf-8' })).toBe('a\ufffd');
  expect(decodeTextForDisplay(bytes(0x61), { charset: 'klingon' })).toBe('a');
});

test.each([
  ['text/html;charset="utf-8"', 'utf-8'],
  ["text/plain; format=flowed; Charset = 'koi8-r'", 'koi8-r'],
  ['text/plain', undefined],
])('the charset of %s is %s', (type, charset) => expect(contentTypeCharset(type)).toBe(charset));

describe('what cannot be read is named with its place', () => {
  test.each<[Buffer, TextEncodingHints, string]>([
    [
      Buffer.concat([Buffer.from('a\nü,b'), bytes(0xe9), Buffer.from(',c')]),
      {},
      'The byte 0xE9 in line 2, column 4 is not UTF-8.',
    ],
    [bytes(0x61, 0xe2, 0x82), {}, 'The byte 0xE2 in line 1, column 2 is not UTF-8.'],
    [
      Buffer.concat([Buffer.alloc(200_000, 'ü'), bytes(0x0a, 0xff)]),
      {},
      'The byte 0xFF in line 2, column 1 is not UTF-8.',
    ],
    [bytes(0x61, 0x0a, 0x81), { encoding: 'windows-1252' }, 'A character in line 2, column 1 is not windows-1252.'],
    [bytes(0x61, 0x0a, 0x82), { encoding: 'shift_jis' }, 'The last character in line 2, column 1 is not shift_jis.'],
    [bytes(0xff, 0xfe, 0x61, 0x00, 0x00, 0xd8), {}, 'The last character in line 1, column 2 is not utf-16le.'],
    [bytes(0xff, 0xfe, 0x61, 0x00, 0x61), {}, 'The last character in line 1, column 2 is not utf-16le.'],
    [bytes(0x61), { charset: 'klingon' }, 'The encoding klingon is not known.'],
  ])('%j with %j', (text, facts, message) => expect(() => decodeWholeText(text, facts)).toThrow(message));
});

test('a text in parts is the whole text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom('日', '本', 'a', '\n', '𐀀') })),
      fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'gb18030'),
      fc.integer({ min: 1, max: 5 }),
      (text, encoding, size) => {
        const written = iconv.encode(text.toWellFormed().replaceAll(/[\ufeff\ufffd]/g, ''), encoding);
        const whole = decodeWholeText(written, { encoding });
        expect(inParts(written, encoding, size)).toBe(whole);
      },
    ),
  );
});
