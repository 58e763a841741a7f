import { expect, it } from 'vitest';
import { listAnswerItems, listHttpItems, readJsonText, writeBodyFields } from './answers';

const source = { id: 1, $files: { old: { $file: 'file_1' } } };
const answer = (output: unknown, more: object = {}) =>
  listAnswerItems({ output, source, path: 'body', isList: false, ...more });

it('what a service answers becomes items', () => {
  expect(answer({ body: { a: 1 } })).toEqual([{ json: { a: 1 } }]);
  expect(answer({ body: [{ a: 1 }, 'x'] })).toEqual([{ json: { a: 1 } }, { json: { data: 'x' } }]);
  expect(answer({ body: null })).toEqual([{ json: {} }]);
  expect(answer({ body: { list: [{ item: { a: 1 } }, { item: { a: 2 } }] } }, { path: 'body.list.item' })).toEqual([
    { json: { a: 1 } },
    { json: { a: 2 } },
  ]);
  expect(answer([{ a: 1 }], { path: '' })).toEqual([{ json: { a: 1 } }]);
});

it('a shape makes what n8n gives, of each value of a list or of the value', () => {
  const shape = (value: unknown, item: object) => ({ value, item });
  const item = { id: 1 };
  expect(answer({ body: [1, 2] }, { shape, isList: true })).toEqual([
    { json: { value: 1, item } },
    { json: { value: 2, item } },
  ]);
  expect(answer({ body: [1, 2] }, { shape })).toEqual([{ json: { value: [1, 2], item } }]);
});

it('a file is added to the item, and a failure is an error', () => {
  const file = { $file: 'file_2' };
  expect(answer({ body: file }, { fileField: 'new' })).toEqual([
    { json: { id: 1 }, binary: { old: { $file: 'file_1' }, new: file } },
  ]);
  expect(answer({ error: 'It failed' })).toEqual([{ json: { error: 'It failed' } }]);
  expect(listHttpItems(4.2, { output: { error: 'It failed' }, source })).toEqual([
    { json: { error: { message: 'It failed' } } },
  ]);
});

it('an answer that is a file is refused as text', () => {
  const output = { status: 200, headers: { 'content-type': 'image/png' }, body: 'x' };
  expect(() => listHttpItems(4.2, { output, source })).toThrow('let the node read it as a file');
});

it('fields of a body may be paths; JSON that is none is refused', () => {
  const rows = [
    { name: 'a.b', value: 1 },
    { name: 'c', value: () => undefined },
  ];
  expect(writeBodyFields({ rows, nests: true })).toEqual({ a: { b: 1 }, c: undefined });
  expect(writeBodyFields({ rows, nests: false })).toEqual({ 'a.b': 1, c: undefined });
  expect(readJsonText('{"a": 1}')).toEqual({ a: 1 });
  expect(() => readJsonText('{')).toThrow('JSON parameter needs to be valid JSON');
});
