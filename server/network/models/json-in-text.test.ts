import { expect, it } from 'vitest';
import { findJsonValues } from './json-in-text';

it.each([
  ['{"a":1}', [{ a: 1 }]],
  ['Sure! {"a":1}', [{ a: 1 }]],
  ['Sure! {"a":1} Is that what you need?', [{ a: 1 }]],
  ['{"a":1,}', [{ a: 1 }]],
  ['{"list":[1,2,\n],"text":"a,}"}', [{ list: [1, 2], text: 'a,}' }]],
  ['```json\n{"a":1}\n```', [{ a: 1 }, { a: 1 }]],
  ['First {"draft":true}. Then:\n```json\n{"a":1,}\n```\nDone {ok}.', [{ a: 1 }, { a: 1 }, { draft: true }]],
  ['For example {"a":0}. The answer: {"a":1}', [{ a: 1 }, { a: 0 }]],
  ['A brace } and { one more. {"text":"with } and \\" quotes"}', [{ text: 'with } and " quotes' }]],
  ['[1,2] and [3]', [[3], [1, 2]]],
  ['{"id":7615917337495251231}', [{ id: '7615917337495251231' }]],
  ['no JSON', []],
  ['{"a":1', []],
  ['{'.repeat(10_000), []],
])('%j', (text, values) => {
  expect(findJsonValues(text)).toEqual(values);
});
