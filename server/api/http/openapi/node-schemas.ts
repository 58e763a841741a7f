import type { ZodType } from 'zod';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import type { OpenApiSchema } from './nullable';

const SCHEMA_REFERENCE_PREFIX = '#/components/schemas/';

/** `http_request` → `HttpRequest`. */
const toPascalCase = (type: string): string =>
  type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const configSchemaId = (kind: NodeTypeDefinition): string => `${toPascalCase(kind.type)}Config`;

/** The configs of all node types, by the id under which the description lists them. */
export const listNodeConfigs = (): [string, ZodType][] =>
  nodeTypeDefinitions.map((kind) => [configSchemaId(kind), kind.config]);

const EXPRESSION_SCHEMA: OpenApiSchema = {
  type: 'string',
  pattern: '\\{\\{',
  description: 'A text with an expression in `{{ }}`, which has the value at run time.',
};

/**
 * `Node` and `NodeInput` as a union of one schema for each node type, so that a client’s compiler checks a node’s
 * config.
 *
 * @param components every schema with an id
 * @param configs the configs of all node types, by id
 */
export function withNodeTypeUnions(
  components: Record<string, OpenApiSchema>,
  configs: ReadonlyMap<string, OpenApiSchema>,
): Record<string, OpenApiSchema> {
  const added: Record<string, OpenApiSchema> = { Expression: EXPRESSION_SCHEMA };
  for (const kind of nodeTypeDefinitions)
    added[configSchemaId(kind)] = authoredConfigSchema(kind, configs.get(configSchemaId(kind)) ?? {});
  const unions = Object.fromEntries(
    ['Node', 'NodeInput'].map((id) => {
      const { properties, description, ...node } = components[id] as {
        properties: Record<string, OpenApiSchema>;
        description?: string;
      };
      const mapping: Record<string, string> = {};
      for (const kind of nodeTypeDefinitions) {
        const name = `${toPascalCase(kind.type)}${id}`;
        const type = { type: 'string', enum: [kind.type], description: `Always \`${kind.type}\`` };
        const config = { $ref: SCHEMA_REFERENCE_PREFIX + configSchemaId(kind) };
        added[name] = { ...node, description: kind.summary, properties: { ...properties, type, config } };
        mapping[kind.type] = SCHEMA_REFERENCE_PREFIX + name;
      }
      const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
      return [id, { oneOf, discriminator: { propertyName: 'type', mapping }, description }];
    }),
  );
  return { ...components, ...unions, ...added };
}

/** The config as authors write it: most fields take a text with expressions in place of their value. */
function authoredConfigSchema(kind: NodeTypeDefinition, schema: OpenApiSchema): OpenApiSchema {
  const isBare = (name: string) => [...kind.expressions, ...Object.keys(kind.ownExpressions ?? {})].includes(name);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, OpenApiSchema>).map(
    ([name, property]) => {
      if (isBare(name)) return [name, withDescription({ type: 'string' }, property)];
      if (name === kind.inner) return [name, { $ref: `${SCHEMA_REFERENCE_PREFIX}DefinitionInput` }];
      return [name, kind.literals?.includes(name) ? withoutFormWords(property) : allowExpressions(property)];
    },
  );
  return {
    ...schema,
    description: `Settings of a node of the type \`${kind.type}\`.`,
    properties: Object.fromEntries(properties),
  };
}

const withDescription = (schema: OpenApiSchema, { description }: OpenApiSchema): OpenApiSchema =>
  description === undefined ? schema : { ...schema, description };

/** Without the words that only the form of the console reads. */
function withoutFormWords(value: unknown): OpenApiSchema {
  if (Array.isArray(value)) return value.map(withoutFormWords) as unknown as OpenApiSchema;
  if (typeof value !== 'object' || value === null) return value as OpenApiSchema;
  const { properties, ...rest } = value as OpenApiSchema;
  const words = Object.entries(rest).filter(([word]) => !/^x-|^(?:title|examples|default)$/.test(word));
  return {
    ...Object.fromEntries(words.map(([word, inner]) => [word, word === 'enum' ? inner : withoutFormWords(inner)])),
    ...(properties ? { properties: mapProperties(properties as Record<string, OpenApiSchema>, withoutFormWords) } : {}),
  };
}

/** The schema, or a text with an expression in its place. */
function allowExpressions(schema: OpenApiSchema): OpenApiSchema {
  const { description, ...rest } = allowInnerExpressions(withoutFormWords(schema));
  const branches =
    Array.isArray(rest['anyOf']) && Object.keys(rest).length === 1 ? (rest['anyOf'] as OpenApiSchema[]) : [rest];
  if (branches.some((branch) => isAnySchema(branch) || isFreeTextSchema(branch)))
    return withDescription(rest, { description });
  return withDescription({ anyOf: [...branches, { $ref: `${SCHEMA_REFERENCE_PREFIX}Expression` }] }, { description });
}

const isAnySchema = (schema: OpenApiSchema): boolean => Object.keys(schema).length === 0;
const isFreeTextSchema = (schema: OpenApiSchema): boolean =>
  schema['type'] === 'string' && !['enum', 'pattern', 'format'].some((word) => word in schema);

/** The schema whose inner values are open. */
function allowInnerExpressions(schema: OpenApiSchema): OpenApiSchema {
  const { properties, items, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...(properties ? { properties: mapProperties(properties as Record<string, OpenApiSchema>, allowExpressions) } : {}),
    ...(items ? { items: allowExpressions(items as OpenApiSchema) } : {}),
    ...(isJsonSchema(additionalProperties) ? { additionalProperties: allowExpressions(additionalProperties) } : {}),
    ...(anyOf ? { anyOf: (anyOf as OpenApiSchema[]).map(allowInnerExpressions) } : {}),
  };
}

const isJsonSchema = (value: unknown): value is OpenApiSchema => typeof value === 'object' && value !== null;

const mapProperties = (properties: Record<string, OpenApiSchema>, change: (schema: OpenApiSchema) => OpenApiSchema) =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property)]));
