import { z } from 'zod';
import { ErrorResponse } from '@/contract/error-response';
import { querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { bodySchema, jsonReplyIn } from '@/server/api/operation/operation-parts';
import { listNodeConfigs, withNodeTypeUnions } from './node-schemas';
import { withNullableSchemas, type OpenApiSchema } from './nullable';
import { findCheckPatterns, replacePatterns } from './patterns';
import { answersIn, otherReplyKey } from './responses';

export type { OpenApiSchema };

export interface OperationSchemas {
  /** The schemas of inputs. Their keys are `<operation id> query` and `<operation id> body`. */
  inputs: Map<string, OpenApiSchema>;
  /** The schemas of responses, by operation id. Keys of further responses also contain their position. */
  outputs: Map<string, OpenApiSchema>;
  /** Every schema with an id, by that id. */
  components: Record<string, OpenApiSchema>;
}

/**
 * The schemas of all operations for OpenAPI 3.0. Clients may leave out fields with a default, the service never does: a
 * schema whose two sides differ is listed twice, the one that clients send as `<id>Input`.
 */
export function convertOperationSchemas(operations: readonly OperationRecord[]): OperationSchemas {
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
  const configs = listNodeConfigs();
  const sent = convertSchemas('input', [...inputs, ...configs]);
  const converted = convertSchemas('output', [...outputs, ['error', ErrorResponse]]);
  const twofold = findDifferingIds(sent.components, converted.components);
  const nameOf = (id: string) => (twofold.has(id) ? `${id}Input` : id);
  const renamed = (schema: OpenApiSchema) => rewriteReferences(schema, nameOf);
  const described = withNullableSchemas({
    inputs: mapEntries(Object.fromEntries(sent.schemas), (name, schema) => [name, renamed(schema)]),
    outputs: mapEntries(Object.fromEntries(converted.schemas), (name, schema) => [
      name,
      rewriteReferences(schema, (id) => id),
    ]),
    components: {
      ...mapEntries(sent.components, (id, schema) => [nameOf(id), renamed(schema)]),
      ...mapEntries(converted.components, (id, schema) => [id, rewriteReferences(schema, (other) => other)]),
    },
  });
  const all = new Map(Object.entries(described.inputs));
  return {
    inputs: all,
    outputs: new Map(Object.entries(described.outputs)),
    components: withNodeTypeUnions(described.components, all),
  };
}

interface ConvertedSchemas {
  schemas: Map<string, OpenApiSchema>;
  components: Record<string, OpenApiSchema>;
}

/** All at once, so that a schema with an id becomes one definition that the others refer to. */
function convertSchemas(io: 'input' | 'output', schemas: [string, z.ZodType | undefined][]): ConvertedSchemas {
  const present = schemas.filter((entry): entry is [string, z.ZodType] => entry[1] !== undefined);
  const all = z.toJSONSchema(z.object(Object.fromEntries(present)), {
    target: 'openapi-3.0',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      replacePatterns(jsonSchema, findCheckPatterns(zodSchema));
      // `format` is enough; zod's pattern spells out the calendar.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'email') delete jsonSchema.pattern;
      // Digits of a query parameter: a number for clients.
      if (jsonSchema.type === 'integer') delete jsonSchema.pattern;
      removeSafeBounds(jsonSchema);
      addNullToEnum(jsonSchema);
      if (jsonSchema.allOf?.length === 1) unwrapSingleReference(jsonSchema);
      withApiDescription(jsonSchema);
    },
  });
  const components = mapEntries(
    (all.definitions ?? {}) as Record<string, OpenApiSchema>,
    (id, { id: _, ...schema }) => [id, schema],
  );
  return { schemas: new Map(Object.entries(all.properties ?? {}) as [string, OpenApiSchema][]), components };
}

/** Fields of node types have a title in forms, and a sentence for the API description alone. */
function withApiDescription(schema: OpenApiSchema): void {
  if (schema['apiDescription'] !== undefined) schema['description'] ??= schema['apiDescription'];
  delete schema['apiDescription'];
}

/** Every number of JavaScript has these bounds; they say nothing about the field. */
function removeSafeBounds(schema: OpenApiSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/** In OpenAPI 3.0 an enum refuses the null that `nullable` permits, unless it lists it. */
function addNullToEnum(schema: OpenApiSchema): void {
  const { nullable, enum: values } = schema as { nullable?: boolean; enum?: unknown[] };
  if (nullable && values && !values.includes(null)) schema['enum'] = [...values, null];
}

const NULL_SCHEMA = { type: 'object', nullable: true, enum: [null] };

/** A reference must stand alone; with `nullable` beside it, OpenAPI 3.0 readers would still refuse a null. */
function unwrapSingleReference(schema: OpenApiSchema): void {
  const { allOf, nullable, $ref: _, ...rest } = schema as { allOf: [OpenApiSchema]; nullable?: boolean; $ref?: string };
  const [reference] = allOf;
  delete schema['allOf'];
  delete schema['nullable'];
  // Left over from the schema inside this one, which has nothing beside its reference.
  delete schema['$ref'];
  if (nullable) schema['anyOf'] = [reference, NULL_SCHEMA];
  else Object.assign(schema, Object.keys(rest).length > 0 ? { allOf } : reference);
}

/** The ids whose two sides differ, directly or through a reference. */
function findDifferingIds(one: Record<string, OpenApiSchema>, other: Record<string, OpenApiSchema>): Set<string> {
  const found = new Set<string>();
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const [id, schema] of Object.entries(one)) {
      const isOther = id in other && JSON.stringify(schema) !== JSON.stringify(other[id]);
      if (isOther || (id in other && findReferencedIds(schema).some((ref) => found.has(ref)))) found.add(id);
    }
  }
  return found;
}

const DEFINITION_REFERENCE = /"\$ref":"#\/definitions\/([^"]+)"/g;

const findReferencedIds = (schema: OpenApiSchema): string[] =>
  [...JSON.stringify(schema).matchAll(DEFINITION_REFERENCE)].map(([, id = '']) => id);

const rewriteReferences = (schema: OpenApiSchema, nameOf: (id: string) => string): OpenApiSchema =>
  JSON.parse(
    JSON.stringify(schema).replace(
      DEFINITION_REFERENCE,
      (_, id: string) => `"$ref":"#/components/schemas/${nameOf(id)}"`,
    ),
  ) as OpenApiSchema;

const mapEntries = <Value>(
  record: Record<string, Value>,
  map: (key: string, value: Value) => [string, Value],
): Record<string, Value> => Object.fromEntries(Object.entries(record).map(([key, value]) => map(key, value)));
