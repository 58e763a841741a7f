import { z } from 'zod';
import { isLargeInteger } from '@/contract/exact-json';
import { isFileValue, type FileValue } from '@/contract/file-value';
import type { ApiOperation, ApiParameter, ValueSchema } from '@/server/openapi/record';
import { LargeJson } from '@/server/expressions/large-json';
import { everything } from '../parameters';

/** Characters of a text in a body, and of one elsewhere. */
const MAX_TEXT = 1_000_000;
const MAX_WORD = 8000;

const file = z.custom<FileValue>(isFileValue, { error: 'must be the value of a file' });

/** An integer that is kept as its digits, and sent as digits without quotes. */
const largeInteger = z
  .string()
  .refine(isLargeInteger)
  .transform((digits) => new LargeJson(digits));

/**
 * The check of a value in a body. The API judges values by itself: only what has another type is refused, because the documents of many
 * APIs are more exact than the APIs.
 */
function bodyValue(schema: ValueSchema): z.ZodType {
  switch (schema.type) {
    case 'string':
      return z.string().max(MAX_TEXT);
    case 'integer':
      return z.union([z.number().int(), largeInteger]);
    case 'number':
      return z.union([z.number(), largeInteger]);
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(bodyValue(schema.items ?? { type: 'any' }));
    case 'object': {
      const required = new Set(schema.required);
      const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
        const value = bodyValue(property);
        return [name, required.has(name) ? value : value.nullish()] as const;
      });
      return z.looseObject(Object.fromEntries(fields) as z.ZodRawShape);
    }
    case 'file':
      return file;
    case 'any':
      return z.unknown();
  }
}

const word = z.string().max(MAX_WORD);
/** A header cannot have line breaks: they would begin another one. */
const headerText = word.regex(/^[\t\x20-\x7e]*$/, { error: 'must be one line of plain characters' });

/** The check of a value that is sent as text: numbers and flags may be texts. */
function textValue({ in: place, schema }: ApiParameter): z.ZodType {
  const text = place === 'header' ? headerText : place === 'path' ? word.min(1) : word;
  const scalar = z.union([text, z.number(), z.boolean()]);
  if (schema.type === 'integer' || schema.type === 'number')
    return z.union([z.number(), text.regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, { error: 'must be a number' })]);
  if (schema.type === 'boolean') return z.union([z.boolean(), z.enum(['true', 'false'])]);
  if (schema.type === 'string') return scalar;
  const list = z.array(z.unknown());
  return schema.type === 'array' ? z.union([list, scalar]) : z.union([scalar, list, z.record(z.string(), z.unknown())]);
}

/** The parameters in one place, as operations describe them. */
export function shapeOf(operation: ApiOperation, place: ApiParameter['in']): z.ZodRawShape | undefined {
  const parameters = operation.parameters.filter((one) => one.in === place);
  if (parameters.length === 0) return undefined;
  const fields = parameters.map((parameter) => {
    const value = place === 'body' ? bodyValue(parameter.schema) : textValue(parameter);
    return [parameter.name, parameter.isRequired ? value : value.optional()] as const;
  });
  return Object.fromEntries(fields);
}

type JsonSchema = Record<string, unknown>;

/** Texts with these words in their names are usually long. */
const LONG = /body|text|content|description|message|html|markdown|notes?$/i;

/** A value as JSON Schema (draft 7), with the marks of forms. */
function jsonSchema({ type, items, properties, required, ...facts }: ValueSchema, theirs: string): JsonSchema {
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
      return { type, ...facts, ...(facts.enum === undefined && LONG.test(theirs) ? { 'x-editor': 'multiline' } : {}) };
    case 'array':
      return { type, ...facts, items: jsonSchema(items ?? { type: 'any' }, '') };
    case 'object': {
      if (!properties) return { type, ...facts, additionalProperties: {} };
      const fields = Object.entries(properties).map(([name, inner]) => [name, jsonSchema(inner, name)]);
      // A group of fields would send an empty object: as JSON it is left out.
      return {
        type,
        ...facts,
        properties: Object.fromEntries(fields) as JsonSchema,
        ...(required ? { required } : {}),
        'x-editor': 'json',
      };
    }
    default:
      return { type, ...facts };
  }
}

/** The order of forms: what is needed first, headers last. */
const rankOf = ({ isRequired, in: place }: ApiParameter): number => (isRequired ? 0 : place === 'header' ? 2 : 1);

/** The parameters of an operation as JSON Schema (draft 7). */
export function parametersSchema({ parameters, paging }: Pick<ApiOperation, 'parameters' | 'paging'>): JsonSchema {
  const fields = parameters
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({ name, theirs, schema }): [string, JsonSchema] => [name, jsonSchema(schema, theirs)]);
  const all: [string, JsonSchema][] = paging ? [[everything, { type: 'boolean', title: 'All pages' }]] : [];
  const required = parameters.filter((one) => one.isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...fields, ...all]),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}
