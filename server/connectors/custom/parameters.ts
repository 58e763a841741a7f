import { z } from 'zod';
import { isLargeInteger } from '@/contract/exact-json';
import { isFileValue, type FileValue } from '@/contract/file-value';
import type { ApiOperation, ApiParameter, ParameterChoices, ValueSchema } from '@/server/evaluation/openapi/record';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { ALL_PAGES_PARAMETER, type ParameterShape } from '../parameters';

/** The maximum length of a text in a body, and of one elsewhere. */
const MAX_BODY_TEXT = 1_000_000;
const MAX_PARAMETER_TEXT = 8000;

const fileValueSchema = z.custom<FileValue>(isFileValue, { error: 'must be the value of a file' });

/** An integer that is kept as its digits, and sent as digits without quotes. */
const largeIntegerSchema = z
  .string()
  .refine(isLargeInteger)
  .transform((digits) => new LargeJsonText(digits));

/**
 * The check of a value in a body. The API judges values by itself: only what has another type is refused, because the
 * documents of many APIs are more exact than the APIs.
 */
function bodyValueSchema(schema: ValueSchema): z.ZodType {
  switch (schema.type) {
    case 'string':
      return z.string().max(MAX_BODY_TEXT);
    case 'integer':
      return z.union([z.number().int(), largeIntegerSchema]);
    case 'number':
      return z.union([z.number(), largeIntegerSchema]);
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(bodyValueSchema(schema.items ?? { type: 'any' }));
    case 'object': {
      const required = new Set(schema.required);
      const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
        const value = bodyValueSchema(property);
        return [name, required.has(name) ? value : value.nullish()] as const;
      });
      return z.looseObject(Object.fromEntries(fields) as z.ZodRawShape);
    }
    case 'file':
      return fileValueSchema;
    case 'any':
      return z.unknown();
  }
}

const parameterTextSchema = z.string().max(MAX_PARAMETER_TEXT);
/** A header cannot have line breaks: they would begin another one. */
const headerTextSchema = parameterTextSchema.regex(/^[\t\x20-\x7e]*$/, {
  error: 'must be one line of plain characters',
});

/** The check of a value that is sent as text: numbers and flags may be texts. */
function textValueSchema({ in: place, schema }: ApiParameter): z.ZodType {
  const text =
    place === 'header' ? headerTextSchema : place === 'path' ? parameterTextSchema.min(1) : parameterTextSchema;
  const scalar = z.union([text, z.number(), z.boolean()]);
  if (schema.type === 'integer' || schema.type === 'number')
    return z.union([z.number(), text.regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, { error: 'must be a number' })]);
  if (schema.type === 'boolean') return z.union([z.boolean(), z.enum(['true', 'false'])]);
  if (schema.type === 'string') return scalar;
  const list = z.array(z.unknown());
  return schema.type === 'array' ? z.union([list, scalar]) : z.union([scalar, list, z.record(z.string(), z.unknown())]);
}

/** The parameters in one place, as operations describe them. */
export function parameterShape(operation: ApiOperation, place: ApiParameter['in']): ParameterShape | undefined {
  const parameters = operation.parameters.filter((one) => one.in === place);
  if (parameters.length === 0) return undefined;
  const fields = parameters.map((parameter) => {
    const value = place === 'body' ? bodyValueSchema(parameter.schema) : textValueSchema(parameter);
    return [parameter.name, parameter.isRequired ? value : value.optional()] as const;
  });
  // Documents do not say the kinds of their parameters.
  return Object.fromEntries(fields) as unknown as ParameterShape;
}

type JsonSchemaObject = Record<string, unknown>;

/** Texts with these words in their names are usually long. */
const LONG_TEXT_NAME = /body|text|content|description|message|html|markdown|notes?$/i;

/** A value as JSON Schema (draft 7), with the marks of forms. */
function valueJsonSchema(
  { type, items, properties, required, ...facts }: ValueSchema,
  theirs: string,
): JsonSchemaObject {
  switch (type) {
    case 'any':
      return facts;
    case 'file':
      return {
        ...facts,
        description: facts.description ?? 'The value of a file, e.g. {{ input.body }}',
        'x-editor': 'line',
      };
    case 'string':
      return {
        type,
        ...facts,
        ...(facts.enum === undefined && LONG_TEXT_NAME.test(theirs) ? { 'x-editor': 'multiline' } : {}),
      };
    case 'array':
      return { type, ...facts, items: valueJsonSchema(items ?? { type: 'any' }, '') };
    case 'object': {
      if (!properties) return { type, ...facts, additionalProperties: {} };
      const fields = Object.entries(properties).map(([name, inner]) => [name, valueJsonSchema(inner, name)]);
      // A group of fields would send an empty object: as JSON it is left out.
      return {
        type,
        ...facts,
        properties: Object.fromEntries(fields) as JsonSchemaObject,
        ...(required ? { required } : {}),
        'x-editor': 'json',
      };
    }
    default:
      return { type, ...facts };
  }
}

/** Sorts the fields of a form: required parameters come first, headers last. */
const parameterFormRank = ({ isRequired, in: place }: ApiParameter): number =>
  isRequired ? 0 : place === 'header' ? 2 : 1;

const describeParameterChoices = (choices: ParameterChoices) => ({
  'x-choices': {
    source: choices.source,
    dependsOn: Object.values(choices.from),
    search: true,
    ...(choices.isProposed ? { isProposed: true } : {}),
  },
});

/** The parameters of an operation as JSON Schema (draft 7). */
export function parametersJsonSchema({
  parameters,
  paging,
}: Pick<ApiOperation, 'parameters' | 'paging'>): JsonSchemaObject {
  const fields = parameters
    .toSorted((one, other) => parameterFormRank(one) - parameterFormRank(other))
    .map(({ name, theirs, schema, choices }): [string, JsonSchemaObject] => [
      name,
      { ...valueJsonSchema(schema, theirs), ...(choices ? describeParameterChoices(choices) : {}) },
    ]);
  const all: [string, JsonSchemaObject][] = paging
    ? [[ALL_PAGES_PARAMETER, { type: 'boolean', title: 'All pages' }]]
    : [];
  const required = parameters.filter((one) => one.isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...fields, ...all]),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}
