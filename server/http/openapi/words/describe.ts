import type { JsonSchema } from '../nullable';
import { FIELDS } from './fields';
import { PARAMETERS } from './parameters';
import { SCHEMAS } from './schemas';

/** Adds a description to each schema with an id, and to each field, that has none of its own. */
export const describeComponents = (components: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(components).map(([id, schema]) => {
      const base = id.replace(/^Nullable/, '').replace(/(?<=.)Input$/, '');
      const description = schema['description'] ?? sentenceOf(id);
      return [id, { ...describeFields(schema, base), ...(description ? { description } : {}) }];
    }),
  );

function sentenceOf(id: string): string | undefined {
  if (SCHEMAS[id]) return SCHEMAS[id];
  if (id.startsWith('Nullable')) return joined(sentenceOf(id.slice('Nullable'.length)), 'Or null.');
  if (id.endsWith('Input')) return sentenceOf(id.slice(0, -'Input'.length));
  return id.endsWith('Page') ? 'One page of the list.' : undefined;
}

const joined = (one: string | undefined, other: string) => one && `${one} ${other}`;

/** Adds the descriptions of all fields inside a schema. `owner`: the id of the schema or operation, for names with several meanings. */
export function describeFields(schema: JsonSchema, owner: string): JsonSchema {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    additionalProperties?: JsonSchema | boolean;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
  };
  const all = (schemas: JsonSchema[]) => schemas.map((one) => describeFields(one, owner));
  return {
    ...schema,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, describeField(name, field, owner)]),
          ),
        }
      : {}),
    ...(items ? { items: describeFields(items, owner) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: describeFields(additionalProperties, owner) }
      : {}),
    ...(anyOf ? { anyOf: all(anyOf) } : {}),
    ...(oneOf ? { oneOf: all(oneOf) } : {}),
    ...(allOf ? { allOf: all(allOf) } : {}),
  };
}

/** A reference stands alone in OpenAPI 3.0: the schema that it names has the description. */
function describeField(name: string, field: JsonSchema, owner: string): JsonSchema {
  if ('$ref' in field) return field;
  const description = field['description'] ?? FIELDS[`${owner}.${name}`] ?? FIELDS[name];
  return { ...describeFields(field, owner), ...(description ? { description } : {}) };
}

/** What a parameter of the query is. */
export const parameterSentence = (operation: string, name: string): string | undefined =>
  PARAMETERS[`${operation}.${name}`] ?? PARAMETERS[name] ?? FIELDS[name];
