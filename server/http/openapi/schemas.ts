import { z } from 'zod';
import { ErrorBody } from '@/contract/error';
import { querySchema, type Operation } from '@/server/api/operation';
import { bodySchema, jsonReplyIn } from '@/server/api/operation-parts';
import { nodeConfigs, withNodeTypes } from './node-schemas';
import { withNullables, type JsonSchema } from './nullable';
import { expressionsIn, withPortablePatterns } from './patterns';
import { answersIn, otherReplyKey } from './responses';

export type { JsonSchema };

export interface Described {
  /** By `<operation id> query` and `<operation id> body`. */
  inputs: Map<string, JsonSchema>;
  /** By operation id; those of further answers also with their place. */
  outputs: Map<string, JsonSchema>;
  /** Every schema with an id, by that id. */
  components: Record<string, JsonSchema>;
}

/**
 * The schemas of all operations for OpenAPI 3.0. Clients may leave out fields with a default, the service never does: a schema whose two
 * sides differ is listed twice, the one that clients send as `<id>Input`.
 */
export function schemasOf(operations: readonly Operation[]): Described {
  const inputs: [string, z.ZodType | undefined][] = operations.flatMap((operation) => [
    [`${operation.id} query`, querySchema(operation)],
    [`${operation.id} body`, bodySchema(operation)],
  ]);
  const outputs: [string, z.ZodType | undefined][] = operations.flatMap((operation) => [
    [operation.id, jsonReplyIn(operation)?.schema],
    ...answersIn(operation).map(({ body }, index): [string, z.ZodType | undefined] => [
      otherReplyKey(operation.id, index),
      body,
    ]),
  ]);
  const configs = nodeConfigs();
  const sent = convert('input', [...inputs, ...configs]);
  const converted = convert('output', [...outputs, ['error', ErrorBody]]);
  const twofold = differing(sent.components, converted.components);
  const nameOf = (id: string) => (twofold.has(id) ? `${id}Input` : id);
  const renamed = (schema: JsonSchema) => withRefs(schema, nameOf);
  const described = withNullables({
    inputs: mapped(Object.fromEntries(sent.schemas), (name, schema) => [name, renamed(schema)]),
    outputs: mapped(Object.fromEntries(converted.schemas), (name, schema) => [name, withRefs(schema, (id) => id)]),
    components: {
      ...mapped(sent.components, (id, schema) => [nameOf(id), renamed(schema)]),
      ...mapped(converted.components, (id, schema) => [id, withRefs(schema, (other) => other)]),
    },
  });
  const all = new Map(Object.entries(described.inputs));
  return {
    inputs: all,
    outputs: new Map(Object.entries(described.outputs)),
    components: withNodeTypes(described.components, all),
  };
}

interface Converted {
  schemas: Map<string, JsonSchema>;
  components: Record<string, JsonSchema>;
}

/** All at once, so that a schema with an id becomes one definition that the others refer to. */
function convert(io: 'input' | 'output', schemas: [string, z.ZodType | undefined][]): Converted {
  const present = schemas.filter((entry): entry is [string, z.ZodType] => entry[1] !== undefined);
  const all = z.toJSONSchema(z.object(Object.fromEntries(present)), {
    target: 'openapi-3.0',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      withPortablePatterns(jsonSchema, expressionsIn(zodSchema));
      // `format` is enough; zod's pattern spells out the calendar.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'email') delete jsonSchema.pattern;
      // Digits of a query parameter: a number for clients.
      if (jsonSchema.type === 'integer') delete jsonSchema.pattern;
      withoutSafeBounds(jsonSchema);
      withNullInEnum(jsonSchema);
      if (jsonSchema.allOf?.length === 1) withoutAllOf(jsonSchema);
      withApiDescription(jsonSchema);
    },
  });
  const components = mapped((all.definitions ?? {}) as Record<string, JsonSchema>, (id, { id: _, ...schema }) => [
    id,
    schema,
  ]);
  return { schemas: new Map(Object.entries(all.properties ?? {}) as [string, JsonSchema][]), components };
}

/** Fields of node types have a title in forms, and a sentence for the API description alone. */
function withApiDescription(schema: JsonSchema): void {
  if (schema['apiDescription'] !== undefined) schema['description'] ??= schema['apiDescription'];
  delete schema['apiDescription'];
}

/** Every number of JavaScript has these bounds; they say nothing about the field. */
function withoutSafeBounds(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/** In OpenAPI 3.0 an enum refuses the null that `nullable` permits, unless it lists it. */
function withNullInEnum(schema: JsonSchema): void {
  const { nullable, enum: values } = schema as { nullable?: boolean; enum?: unknown[] };
  if (nullable && values && !values.includes(null)) schema['enum'] = [...values, null];
}

const NULL = { type: 'object', nullable: true, enum: [null] };

/** A reference must stand alone; with `nullable` beside it, OpenAPI 3.0 readers would still refuse a null. */
function withoutAllOf(schema: JsonSchema): void {
  const { allOf, nullable, $ref: _, ...rest } = schema as { allOf: [JsonSchema]; nullable?: boolean; $ref?: string };
  const [reference] = allOf;
  delete schema['allOf'];
  delete schema['nullable'];
  // Left over from the schema inside this one, which has nothing beside its reference.
  delete schema['$ref'];
  if (nullable) schema['anyOf'] = [reference, NULL];
  else Object.assign(schema, Object.keys(rest).length > 0 ? { allOf } : reference);
}

/** The ids whose two sides differ, directly or through a reference. */
function differing(one: Record<string, JsonSchema>, other: Record<string, JsonSchema>): Set<string> {
  const found = new Set<string>();
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const [id, schema] of Object.entries(one)) {
      const isOther = id in other && JSON.stringify(schema) !== JSON.stringify(other[id]);
      if (isOther || (id in other && refsIn(schema).some((ref) => found.has(ref)))) found.add(id);
    }
  }
  return found;
}

const REF = /"\$ref":"#\/definitions\/([^"]+)"/g;

const refsIn = (schema: JsonSchema): string[] => [...JSON.stringify(schema).matchAll(REF)].map(([, id = '']) => id);

const withRefs = (schema: JsonSchema, nameOf: (id: string) => string): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replace(REF, (_, id: string) => `"$ref":"#/components/schemas/${nameOf(id)}"`),
  ) as JsonSchema;

const mapped = <Value>(
  record: Record<string, Value>,
  map: (key: string, value: Value) => [string, Value],
): Record<string, Value> => Object.fromEntries(Object.entries(record).map(([key, value]) => map(key, value)));
