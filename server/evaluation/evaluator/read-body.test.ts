import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseBodyByType, showBodyText } from './read-body';

const XML = '<?xml version="1.0" encoding="ISO-8859-1"?><a>café</a>';

describe('the text of an answer is read in its encoding', () => {
  test.each<[string, string, Buffer, string]>([
    [
      'that of the content type',
      'text/plain; charset="windows-1251"',
      iconv.encode('Привет', 'windows-1251'),
      'Привет',
    ],
    ['that of XML, if the type has none', 'text/xml', Buffer.from(XML, 'latin1'), XML],
    ['that of XML in an application type', 'application/rss+xml', Buffer.from(XML, 'latin1'), XML],
    ['that of the type before that of XML', 'text/xml; charset=utf-8', Buffer.from(XML), XML],
    [
      'that of HTML',
      'text/html',
      iconv.encode('<meta charset=shift_jis>日本', 'shift_jis'),
      '<meta charset=shift_jis>日本',
    ],
    ['a byte order mark before all', 'text/html; charset=latin1', Buffer.from('\ufeffü'), 'ü'],
    ['UTF-16 without a mark', 'text/csv', Buffer.from('a;ü', 'utf16le'), 'a;ü'],
    ['UTF-8', 'text/plain', Buffer.from('ü€'), 'ü€'],
    [
      'windows-1252 for undeclared text that is no UTF-8, as in browsers',
      'text/plain',
      Buffer.from([0x80, 0xfc]),
      '€ü',
    ],
    ['UTF-8 instead of one that is not known', 'text/plain; charset=klingon', Buffer.from('ü'), 'ü'],
  ])('%s', (_, type, body, text) => {
    expect(parseBodyByType(body, type, 'auto')).toBe(text);
    expect(parseBodyByType(body, type, 'text')).toBe(text);
  });
});

test.each<[string, unknown]>([
  ['application/x-ndjson', '{"a":1}\n'],
  ['application/ndjson; charset=utf-8', '{"a":1}\n'],
  ['application/jsonl', '{"a":1}\n'],
  ['application/x-jsonlines', '{"a":1}\n'],
  ['application/json-seq', '{"a":1}\n'],
  ['application/geo+json-seq', '{"a":1}\n'],
  ['application/yaml', '{"a":1}\n'],
  ['application/x-javascript', '{"a":1}\n'],
  ['application/json', { a: 1 }],
  ['Application/Problem+JSON; charset=utf-8', { a: 1 }],
  ['application/vnd.api+json', { a: 1 }],
  ['application/json-patch+json', { a: 1 }],
  ['application/x-json', { a: 1 }],
  ['', '{"a":1}\n'],
  ['application/octet-stream', 'eyJhIjoxfQo='],
  ['image/json; x=application/json', { a: 1 }],
])('of the type %s it is %j', (type, value) =>
  expect(parseBodyByType(Buffer.from('{"a":1}\n'), type, 'auto')).toEqual(value),
);

describe('bytes that are not in the encoding are no text', () => {
  test.each<[string, Buffer, string]>([
    ['text/html; charset=utf-8', Buffer.from('<p>\n\xe9', 'latin1'), 'The byte 0xE9 in line 2, column 1 is not UTF-8.'],
    ['application/json', Buffer.from('{"a":"\xe9"}', 'latin1'), 'The byte 0xE9 in line 1, column 7 is not UTF-8.'],
    ['text/xml', Buffer.from('<a>\xe9</a>', 'latin1'), 'The byte 0xE9 in line 1, column 4 is not UTF-8.'],
    ['text/plain; charset=shift_jis', Buffer.from([0x82]), 'is not shift_jis.'],
  ])('%s', (type, body, message) => {
    expect(() => parseBodyByType(body, type, 'auto')).toThrow(
      expect.objectContaining({ code: 'RESPONSE_ENCODING', message: expect.stringContaining(message) }),
    );
    expect(parseBodyByType(body, type, 'base64')).toBe(body.toString('base64'));
    expect(showBodyText(body, type)).toContain('\ufffd');
  });
});
