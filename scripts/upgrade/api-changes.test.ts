import { expect, test } from 'vitest';
import { findApiBreaks, isApiPromised, type ApiDescription } from './api-changes';

const body = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };

const described = (operation: object, more: object = {}): ApiDescription => ({
  info: { version: '1.0.0' },
  paths: { '/api/cats': { post: operation }, ...more },
  components: {
    schemas: {
      Cat: { properties: { name: text, kittens: { items: { $ref: '#/components/schemas/Cat' } } } } as object,
    },
  },
});
const cat = { $ref: '#/components/schemas/Cat' };
const BEFORE = described({
  parameters: [{ name: 'limit', in: 'query' }],
  requestBody: body({ required: ['name'], properties: { name: text, colour: text } }),
  responses: { 201: body({ properties: { data: { items: cat } } }), 400: body({}) },
});

test('additions break nothing', () => {
  const after = described(
    {
      parameters: [
        { name: 'limit', in: 'query' },
        { name: 'sort', in: 'query' },
      ],
      requestBody: body({
        required: ['name'],
        properties: { name: text, colour: text, toy: { required: ['kind'], properties: { kind: text } } },
      }),
      responses: { 201: body({ properties: { data: { items: cat }, next: text } }), 400: body({}), 409: body({}) },
    },
    { '/api/dogs': { get: {} } },
  );
  expect(findApiBreaks(BEFORE, after)).toEqual([]);
  expect(findApiBreaks(BEFORE, BEFORE)).toEqual([]);
});

test('what is gone and what must be sent is named', () => {
  const after = described({
    parameters: [{ name: 'page', in: 'query', required: true }],
    requestBody: body({ required: ['name', 'colour', 'age'], properties: { name: text, colour: text, age: text } }),
    responses: { 201: body({ properties: { data: { items: { properties: { name: text } } } } }) },
  });
  expect(findApiBreaks(BEFORE, after).toSorted()).toEqual([
    'POST /api/cats: 201 data[].kittens is gone',
    'POST /api/cats: 400 is gone',
    'POST /api/cats: body age is required',
    'POST /api/cats: body colour is required',
    'POST /api/cats: parameter limit is gone',
    'POST /api/cats: parameter page is required',
  ]);
  expect(findApiBreaks(BEFORE, { ...BEFORE, paths: {} })).toEqual(['POST /api/cats is gone']);
  const bare = described({ ...BEFORE.paths['/api/cats']?.['post'], responses: { 201: body({}), 400: body({}) } });
  expect(findApiBreaks(BEFORE, bare)).toEqual(['POST /api/cats: 201 data is gone']);
});

test.each([
  ['1.4.2', '1.4.3', true],
  ['1.4.2', '1.5.0', true],
  ['1.4.2', '2.0.0', false],
  ['0.9.0', '0.9.1', true],
  ['0.9.0', '0.10.0', false],
  ['0.9.0', '0.9.0', false],
])('from %s to %s the API is promised: %s', (earlier, current, isPromised) => {
  expect(isApiPromised(earlier, current)).toBe(isPromised);
});
