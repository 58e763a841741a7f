import { expect, test } from 'vitest';
import { z } from 'zod';
import { JsonObject } from '@/contract/text';
import { deriveFieldLists } from './field-lists';
import {
  choiceField,
  connectorReference,
  deferredField,
  expressionField,
  innerDefinitionField,
  jsonSchemaField,
  largeValueField,
  literalField,
  markupField,
  portsField,
  requiredField,
  scopedExpressionField,
  tableReference,
  workflowReference,
} from './field-traits';

const ANY = z.unknown().optional();
const TEXT = z.string().optional();
const OBJECT = JsonObject.optional();

const setLists = (config: z.ZodObject) =>
  Object.fromEntries(Object.entries(deriveFieldLists(config)).filter(([, list]) => list !== undefined));

test('a field keeps its traits when it gets metadata or becomes optional', () => {
  const config = z.strictObject({
    first: ANY.apply(expressionField).meta({ title: 'First' }),
    second: ANY.apply(expressionField, { pathMustExist: true }).optional(),
    third: ANY,
  });
  expect(setLists(config)).toEqual({ required: [], expressions: ['first', 'second'], paths: ['second'] });
});

test('what is taken literally is in a list of its own as well', () => {
  const config = z.strictObject({
    mode: choiceField({ all: 'All', one: 'One' }, { title: 'Mode' }),
    text: TEXT.apply(literalField),
    schema: OBJECT.apply(jsonSchemaField),
    body: OBJECT.apply(innerDefinitionField),
    where: TEXT.apply(scopedExpressionField, ['item']),
    html: TEXT.apply(markupField),
  });
  expect(setLists(config)).toEqual({
    required: [],
    expressions: [],
    literals: ['mode', 'text', 'schema', 'body', 'where'],
    schemas: ['schema'],
    inner: 'body',
    ownExpressions: { where: ['item'] },
    markup: ['html'],
  });
  expect(config.shape.mode.meta()).toEqual({ title: 'Mode', 'x-labels': { all: 'All', one: 'One' } });
  expect([config.safeParse({ mode: 'one' }).success, config.safeParse({ mode: 'two' }).success]).toEqual([true, false]);
});

test('an expression inside an object has a path', () => {
  const pagination = z.strictObject({ items: TEXT.apply(scopedExpressionField, ['input']), from: TEXT }).optional();
  expect(deriveFieldLists(z.strictObject({ pagination })).ownExpressions).toEqual({ 'pagination.items': ['input'] });
});

test('references name the editor of the form, and what they need', () => {
  const tableAction = ({ operation }: Record<string, unknown>) => (operation === 'get' ? 'read' : 'write');
  const listPorts = (value: unknown) => [String(value)];
  const config = z.strictObject({
    workflowId: TEXT.apply(workflowReference),
    connectorId: TEXT.apply(literalField).apply(connectorReference),
    tableId: TEXT.apply(tableReference, tableAction),
    cases: ANY.apply(portsField, listPorts),
  });
  const { table, dynamicOutputs, ...lists } = deriveFieldLists(config);
  expect(lists).toMatchObject({
    workflowField: 'workflowId',
    connectorField: 'connectorId',
    literals: ['connectorId'],
  });
  expect([table?.field, table?.action({ operation: 'get' }), table?.action({})]).toEqual(['tableId', 'read', 'write']);
  expect([dynamicOutputs?.field, dynamicOutputs?.ports({ cases: 'a' })]).toEqual(['cases', ['a']]);
  const { workflowId, connectorId, tableId } = config.shape;
  expect([workflowId, connectorId, tableId].map((field) => field.meta())).toEqual([
    { 'x-editor': 'workflow' },
    { 'x-editor': 'connector' },
    { 'x-editor': 'table' },
  ]);
});

test('a field has several traits, and an inner definition is the first of those that are required', () => {
  const config = z.strictObject({
    until: TEXT.apply(deferredField).apply(requiredField),
    items: ANY.apply(expressionField).apply(largeValueField),
    fields: OBJECT.apply(largeValueField),
    body: OBJECT.apply(innerDefinitionField).apply(requiredField),
  });
  expect(setLists(config)).toEqual({
    required: ['body', 'until'],
    expressions: ['items'],
    literals: ['body'],
    inner: 'body',
    largeFields: ['items', 'fields'],
    deferred: ['until'],
  });
});

test('a schema that node types share has no traits in those that give it none', () => {
  const shared = ANY.meta({ title: 'Value' });
  const config = z.strictObject({ expression: shared.apply(expressionField), value: shared });
  expect(setLists(config)).toEqual({ required: [], expressions: ['expression'] });
  expect(config.shape.expression.meta()).toEqual({ title: 'Value' });
});

test('traits are no part of a JSON Schema', () => {
  const described = z.strictObject({ value: ANY.meta({ title: 'Value' }) });
  const config = z.strictObject({ value: described.shape.value.apply(expressionField).apply(requiredField) });
  expect(z.toJSONSchema(config)).toEqual(z.toJSONSchema(described));
});

test('the lists of a config are computed once', () => {
  const config = z.strictObject({ text: TEXT.apply(literalField) });
  expect(deriveFieldLists(config)).toBe(deriveFieldLists(config));
});

test('the compiler refuses what does not fit', () => {
  const refused = [
    // @ts-expect-error The value of an expression can have any type.
    () => TEXT.apply(expressionField),
    // @ts-expect-error A scoped expression is written as text.
    () => ANY.apply(scopedExpressionField, ['item']),
    // @ts-expect-error A field has one syntax.
    () => TEXT.apply(literalField).apply(markupField),
    // @ts-expect-error A literal value is never parsed by the engine, so it cannot be large.
    () => ANY.apply(literalField).apply(largeValueField),
    // @ts-expect-error Other values are parsed, because their schema has to see them.
    () => TEXT.apply(largeValueField),
    // @ts-expect-error The id of an object is a text.
    () => z.number().optional().apply(workflowReference),
    // @ts-expect-error What the node does to a table has to be known.
    () => TEXT.apply(tableReference),
    // @ts-expect-error A draft may lack any field.
    () => z.string().apply(requiredField),
    // @ts-expect-error A JSON Schema is an object.
    () => TEXT.apply(jsonSchemaField),
  ];
  // The types alone forbid them.
  expect(refused.map((make) => make() instanceof z.ZodType)).toEqual(refused.map(() => true));
});
