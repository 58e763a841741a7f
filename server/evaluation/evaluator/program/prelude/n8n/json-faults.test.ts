import { expect, test } from 'vitest';
import { describeJsonFault } from './json-faults';

// What n8n says, on Node.js 24.
test.each([
  ['Sure! Here is it', `Unexpected token 'S', "Sure! Here is it" is not valid JSON`],
  ['Zweite Zeile mit Text', `Unexpected token 'Z', "Zweite Zei"... is not valid JSON`],
  ['{"a":1,"b":[1,t,{"c":"d\\n"}]}', `Unexpected token ',', ..."1,"b":[1,t,{"c":"d\\n"... is not valid JSON`],
  ['{"a": 1,}', 'Expected double-quoted property name in JSON at position 8 (line 1 column 9)'],
  ['{\n  "a": 1', "Expected ',' or '}' after property value in JSON at position 10 (line 2 column 9)"],
  ['[1 2]', "Expected ',' or ']' after array element in JSON at position 3 (line 1 column 4)"],
  ['{"a" 1}', "Expected ':' after property name in JSON at position 5 (line 1 column 6)"],
  ["{'a': 1}", "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ['{} x', 'Unexpected non-whitespace character after JSON at position 3 (line 1 column 4)'],
  ['"a', 'Unterminated string in JSON at position 2 (line 1 column 3)'],
  ['"a\n"', 'Bad control character in string literal in JSON at position 2 (line 1 column 3)'],
  ['"\\x"', 'Bad escaped character in JSON at position 2 (line 1 column 3)'],
  ['"\\u12"', 'Bad Unicode escape in JSON at position 5 (line 1 column 6)'],
  ['01', 'Unexpected number in JSON at position 1 (line 1 column 2)'],
  ['-', 'No number after minus sign in JSON at position 1 (line 1 column 2)'],
  ['1.', 'Unterminated fractional number in JSON at position 2 (line 1 column 3)'],
  ['1e', 'Exponent part is missing a number in JSON at position 2 (line 1 column 3)'],
  ['', 'Unexpected end of JSON input'],
  ['tru', 'Unexpected end of JSON input'],
  ['undefined', '"undefined" is not valid JSON'],
])('%j', (text, message) => {
  expect(describeJsonFault(text)).toBe(message);
});

test('what is JSON has no fault', () => {
  expect(describeJsonFault(' {"a": [1, -0.5e3, true, "\\u00e4"]} ')).toBeUndefined();
});

test('deep texts are read without calls of their own', () => {
  expect(describeJsonFault('['.repeat(200_000))).toBe('Unexpected end of JSON input');
});
