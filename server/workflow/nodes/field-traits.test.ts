import { expect, test } from 'vitest';
import { z } from 'zod';
import { deriveFieldLists, expressionField, scopedExpressionField } from './field-traits';

const ANY = z.unknown().optional();
const TEXT = z.string().optional();

test('a field keeps its traits when it gets metadata or becomes optional', () => {
  const config = z.strictObject({
    first: expressionField(ANY).meta({ title: 'First' }),
    second: expressionField(ANY, { pathMustExist: true }).optional(),
    third: ANY,
  });
  expect(deriveFieldLists(config)).toMatchObject({ expressions: ['first', 'second'], paths: ['second'] });
});

test('a schema that node types share has no traits in those that give it none', () => {
  const shared = ANY.meta({ title: 'Value' });
  const config = z.strictObject({ expression: expressionField(shared), value: shared });
  expect(deriveFieldLists(config)).toMatchObject({ expressions: ['expression'], paths: undefined });
  expect(config.shape.expression.meta()).toEqual({ title: 'Value' });
});

test('an expression inside an object has a path', () => {
  const pagination = z.strictObject({ items: scopedExpressionField(TEXT, ['input']), from: TEXT }).optional();
  const config = z.strictObject({ pagination, where: scopedExpressionField(TEXT, ['item', 'index']) });
  expect(deriveFieldLists(config).ownExpressions).toEqual({
    'pagination.items': ['input'],
    where: ['item', 'index'],
  });
});

test('traits are no part of a JSON Schema', () => {
  const described = z.strictObject({ value: ANY.meta({ title: 'Value' }) });
  const config = z.strictObject({ value: expressionField(described.shape.value) });
  expect(z.toJSONSchema(config)).toEqual(z.toJSONSchema(described));
});

test('the compiler refuses what does not fit', () => {
  // @ts-expect-error The value of an expression can have any type.
  expressionField(TEXT);
  // @ts-expect-error A field has one syntax.
  expressionField(expressionField(ANY));
  // @ts-expect-error A scoped expression is written as text.
  scopedExpressionField(z.number(), ['item']);
  expect(deriveFieldLists(z.strictObject({}))).toMatchObject({ expressions: [] });
});
