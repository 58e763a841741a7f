import { expect, test } from 'vitest';
import { withNullableSchemas } from './nullable';

const NULL = { type: 'object', nullable: true, enum: [null] };
const ref = (id: string) => ({ $ref: `#/components/schemas/${id}` });

test('a reference or null refers to a variant that permits null', () => {
  const components = {
    Problem: { type: 'object', properties: { text: { type: 'string' } } },
    Color: { type: 'string', enum: ['red', 'blue'] },
    Run: {
      type: 'object',
      properties: {
        problem: { anyOf: [ref('Problem'), NULL], description: 'Why it failed' },
        color: { anyOf: [ref('Color'), NULL] },
        background: ref('Color'),
      },
    },
  };
  expect(withNullableSchemas({ components })).toEqual({
    components: {
      NullableProblem: { ...components.Problem, nullable: true },
      Color: components.Color,
      NullableColor: { type: 'string', enum: ['red', 'blue', null], nullable: true },
      Run: {
        type: 'object',
        properties: {
          problem: { allOf: [ref('NullableProblem')], description: 'Why it failed' },
          color: ref('NullableColor'),
          background: ref('Color'),
        },
      },
    },
  });
});

test('a union with null has a nullable branch; one without is unchanged', () => {
  const value = { anyOf: [{ type: 'string' }, { type: 'number' }] };
  const nothing = { anyOf: [{ type: 'string' }, { type: 'number' }, { ...NULL, type: 'string' }] };
  expect(withNullableSchemas({ components: { Value: value, Nothing: nothing } }).components).toEqual({
    Value: value,
    Nothing: { anyOf: [{ type: 'string', nullable: true }, { type: 'number' }] },
  });
});

test('a schema without a type cannot be nullable', () => {
  const components = { Either: { oneOf: [{ type: 'string' }] }, Run: { anyOf: [ref('Either'), NULL] } };
  expect(() => withNullableSchemas({ components })).toThrow('Either has no type that could be nullable');
});
