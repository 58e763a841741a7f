import { describe, expect, it } from 'vitest';
import {
  schemaExample,
  visibleFields,
  fieldControlKind,
  schemaLabel,
  parseNumberOrText,
  type FieldSchema,
} from './field-schema';

describe('kindOf', () => {
  const cases: [string, FieldSchema][] = [
    ['choice', { type: 'string', enum: ['GET', 'POST'] }],
    ['switch', { type: 'boolean' }],
    ['number', { type: 'integer' }],
    ['line', { type: 'string' }],
    ['text', { type: 'string', 'x-editor': 'multiline' }],
    ['map', { type: 'object', 'x-editor': 'pairs' }],
    ['line', { type: 'string', 'x-editor': 'something-newer' }],
    ['map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['list', { type: 'array', items: { type: 'string' } }],
    ['list', { type: 'array', items: { type: 'object', properties: { port: { type: 'string' } } } }],
    ['group', { type: 'object', properties: {} }],
    ['json', { type: 'object', additionalProperties: {} }],
    ['json', {}],
    ['json', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ];
  it.each(cases)('gives a %s for %j', (kind, schema) => expect(fieldControlKind(schema)).toBe(kind));
});

describe('labelOf', () => {
  it('is the title, otherwise derived from the name', () => {
    expect(schemaLabel('url', { title: 'Address' })).toBe('Address');
    expect(schemaLabel('failOnError', {})).toBe('Fail on error');
    expect(schemaLabel('api_key', {})).toBe('API key');
  });
});

describe('exampleOf', () => {
  it('is valid for the schema', () => {
    const schema: FieldSchema = {
      type: 'object',
      properties: {
        email: { type: 'string', examples: ['ada@example.com'] },
        tier: { enum: ['free', 'paid'] },
        seats: { type: 'integer', minimum: 1 },
        tags: { type: 'array' },
      },
    };
    expect(schemaExample(schema)).toEqual({ email: 'ada@example.com', tier: 'free', seats: 1, tags: [] });
  });
});

describe('numberOrText', () => {
  it.each([
    ['', undefined],
    [' 12 ', 12],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['{{ input.n }}', '{{ input.n }}'],
    ['12 apples', '12 apples'],
  ])('%j becomes %j', (typed, value) => expect(parseNumberOrText(typed)).toBe(value));
});

describe('fieldsBeside', () => {
  const schema: FieldSchema = {
    properties: {
      choice: { enum: ['a', 'b', 'c'], 'x-choices-by': { field: 'from', choices: { x: ['a'] } } },
      group: {
        type: 'object',
        properties: { one: {}, two: {}, three: {} },
        'x-shown-by': { fields: ['from', 'to'], shown: { 'x y': ['two'] } },
      },
      detail: { 'x-when': { from: ['x'] } },
    },
  };
  const beside = (values: Record<string, unknown>) => Object.fromEntries(visibleFields(schema, values));

  it('keeps the choices that another field permits, and the one that is set', () => {
    expect(beside({ from: 'x' }).choice?.enum).toEqual(['a']);
    expect(beside({ from: 'x', choice: 'b' }).choice?.enum).toEqual(['a', 'b']);
    expect(beside({}).choice?.enum).toEqual(['a', 'b', 'c']);
  });

  it('keeps the fields that have a meaning, and those that are set', () => {
    expect(Object.keys(beside({ from: 'x', to: 'y' }).group?.properties ?? {})).toEqual(['two']);
    const set = beside({ from: 'x', to: 'y', group: { one: 1 } });
    expect(Object.keys(set.group?.properties ?? {})).toEqual(['one', 'two']);
    expect(Object.keys(beside({ from: 'x' }))).toEqual(['choice', 'detail']);
    expect(Object.keys(beside({}))).toEqual(['choice']);
    expect(Object.keys(beside({ detail: 1 }))).toEqual(['choice', 'detail']);
  });
});
