import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  PROPERTY_TYPE_OPTIONS,
  parseSchemaProperties,
  buildObjectSchema,
  type SchemaProperty,
} from './schema-properties';

const property = fc.record<SchemaProperty>({
  name: fc.string({ minLength: 1 }).filter((name) => name !== '__proto__' && !/^\d+$/.test(name)),
  type: fc.constantFrom(...PROPERTY_TYPE_OPTIONS.map(({ value }) => value)),
  description: fc.string(),
  isRequired: fc.boolean(),
  choices: fc.constant([]),
});

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(property, { minLength: 1, selector: ({ name }) => name }), (properties) => {
      expect(parseSchemaProperties(buildObjectSchema(properties))).toEqual(properties);
    }),
  );
});

it.each([
  ['a nested object', { type: 'object', properties: { a: { type: 'object' } } }],
  ['a list', { type: 'array' }],
  ['limits', { type: 'object', properties: { a: { type: 'number', minimum: 1 } } }],
  ['other keywords', { type: 'object', properties: {}, minProperties: 1 }],
  ['numbers to choose from', { type: 'object', properties: { a: { enum: [1, 2] } } }],
  ['a text', '{{ input }}'],
])('leaves %s to JSON', (_, schema) => {
  expect(parseSchemaProperties(schema)).toBeNull();
});

it('takes a choice without a type, and no schema as no properties', () => {
  expect(parseSchemaProperties({ type: 'object', properties: { a: { enum: ['x'] } }, required: ['a'] })).toEqual([
    { name: 'a', type: 'choice', choices: ['x'], description: '', isRequired: true },
  ]);
  expect(parseSchemaProperties(undefined)).toEqual([]);
  expect(buildObjectSchema([])).toBeUndefined();
});
