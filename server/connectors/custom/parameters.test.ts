import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiOperation, ApiParameter } from '@/server/evaluation/openapi/record';
import { operationParameters } from '../operation';
import { toDataOperation } from './operation';
import { parametersJsonSchema } from './parameters';

const parameter = (name: string, place: ApiParameter['in'], schema: ApiParameter['schema'], isRequired = false) => ({
  name,
  theirs: name,
  in: place,
  isRequired,
  schema,
});

const operation = (parameters: ApiParameter[]): ApiOperation => ({
  id: 'op',
  title: 'Op',
  help: '',
  group: null,
  method: 'POST',
  path: '/x',
  parameters,
  body: { as: 'json' },
});

const isTaken = (one: ApiParameter, value: unknown) =>
  operationParameters(toDataOperation(operation([one]))).safeParse({ [one.name]: value }).success;

describe('the values of parameters', () => {
  it.each<[string, ApiParameter, unknown[], unknown[]]>([
    ['a number in a query, also as text', parameter('n', 'query', { type: 'integer' }), [1, '2'], ['x', [], {}]],
    ['a flag in a query, also as text', parameter('f', 'query', { type: 'boolean' }), [true, 'false'], ['yes', 1]],
    ['a text in a header', parameter('h', 'header', { type: 'string' }), ['a', 1], ['a\r\nHost: evil', '\u20ac']],
    ['a name in a path', parameter('p', 'path', { type: 'string' }), ['a/b', 7], ['', null, []]],
    ['a list in a query, also of one', parameter('l', 'query', { type: 'array' }), [['a', 1], 'a'], [{}]],
    ['a number in a body', parameter('n', 'body', { type: 'integer' }), [1], ['1', 1.5]],
    ['a choice, which the API judges', parameter('c', 'body', { type: 'string', enum: ['a'] }), ['a', 'b'], [1]],
    [
      'an object with what it needs',
      parameter('o', 'body', {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a'],
      }),
      [
        { a: 'x', more: 1 },
        { a: 'x', b: null },
      ],
      [{ b: 1 }, 'x'],
    ],
    ['anything', parameter('a', 'body', { type: 'any' }), [null, 1, 'x', {}], []],
    [
      'a file',
      parameter('f', 'body', { type: 'file' }),
      [{ $file: 'file_1', name: 'a', contentType: 'text/plain', size: 1, sha256: '0'.repeat(64) }],
      ['file_1'],
    ],
  ])('%s', (_, one, good, bad) => {
    expect(good.filter((value) => !isTaken(one, value))).toEqual([]);
    expect(bad.filter((value) => isTaken(one, value))).toEqual([]);
  });
});

it('describes parameters for forms and models: what is needed first, headers last', () => {
  const schema = parametersJsonSchema(
    operation([
      parameter('trace', 'header', { type: 'string' }),
      parameter('note', 'body', { type: 'string' }),
      parameter('id', 'path', { type: 'string' }, true),
      parameter('owner', 'body', { type: 'object', properties: { name: { type: 'string' } } }),
    ]),
  );
  expect(Object.keys(schema['properties'] as object)).toEqual(['id', 'note', 'owner', 'trace']);
  expect(schema).toMatchObject({
    required: ['id'],
    additionalProperties: false,
    properties: {
      note: { 'x-editor': 'multiline' },
      owner: { 'x-editor': 'json', properties: { name: { type: 'string' } } },
    },
  });
  expect(z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse({ id: 'a' }).success).toBe(true);
});
