import type { ZodType } from 'zod';
import { nodeKinds } from '@/server/nodes';
import type { NodeKind } from '@/server/nodes/node';
import type { JsonSchema } from './nullable';

const REF = '#/components/schemas/';

/** `http_request` → `HttpRequest`. */
const pascal = (type: string): string => type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const configId = (kind: NodeKind): string => `${pascal(kind.type)}Config`;

/** The configs of all node types, by the id under which the description lists them. */
export const nodeConfigs = (): [string, ZodType][] => nodeKinds.map((kind) => [configId(kind), kind.config]);

const EXPRESSION: JsonSchema = {
  type: 'string',
  pattern: '\\{\\{',
  description: 'A text with an expression in `{{ }}`, which has the value at run time.',
};

/**
 * `Node` and `NodeInput` as a union of one schema for each node type, so that a client’s compiler checks a node’s config.
 *
 * @param components every schema with an id
 * @param configs the configs of all node types, by id
 */
export function withNodeTypes(
  components: Record<string, JsonSchema>,
  configs: ReadonlyMap<string, JsonSchema>,
): Record<string, JsonSchema> {
  const added: Record<string, JsonSchema> = { Expression: EXPRESSION };
  for (const kind of nodeKinds) added[configId(kind)] = configOf(kind, configs.get(configId(kind)) ?? {});
  const unions = Object.fromEntries(
    ['Node', 'NodeInput'].map((id) => {
      const { properties, description, ...node } = components[id] as {
        properties: Record<string, JsonSchema>;
        description?: string;
      };
      const mapping: Record<string, string> = {};
      for (const kind of nodeKinds) {
        const name = `${pascal(kind.type)}${id}`;
        const type = { type: 'string', enum: [kind.type], description: `Always \`${kind.type}\`` };
        const config = { $ref: REF + configId(kind) };
        added[name] = { ...node, description: kind.summary, properties: { ...properties, type, config } };
        mapping[kind.type] = REF + name;
      }
      const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
      return [id, { oneOf, discriminator: { propertyName: 'type', mapping }, description }];
    }),
  );
  return { ...components, ...unions, ...added };
}

/** The config as authors write it: most fields take a text with expressions in place of their value. */
function configOf(kind: NodeKind, schema: JsonSchema): JsonSchema {
  const isBare = (name: string) =>
    [...kind.expressions, ...(kind.itemExpressions ?? []), ...Object.keys(kind.ownExpressions ?? {})].includes(name);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) => {
      if (isBare(name)) return [name, described({ type: 'string' }, property)];
      if (name === kind.inner) return [name, { $ref: `${REF}DefinitionInput` }];
      return [name, kind.literals?.includes(name) ? plain(property) : open(property)];
    },
  );
  return {
    ...schema,
    description: `Settings of a node of the type \`${kind.type}\`.`,
    properties: Object.fromEntries(properties),
  };
}

const described = (schema: JsonSchema, { description }: JsonSchema): JsonSchema =>
  description === undefined ? schema : { ...schema, description };

/** Without the words that only the form of the console reads. */
function plain(value: unknown): JsonSchema {
  if (Array.isArray(value)) return value.map(plain) as unknown as JsonSchema;
  if (typeof value !== 'object' || value === null) return value as JsonSchema;
  const { properties, ...rest } = value as JsonSchema;
  const words = Object.entries(rest).filter(([word]) => !/^x-|^(?:title|examples|default)$/.test(word));
  return {
    ...Object.fromEntries(words.map(([word, inner]) => [word, word === 'enum' ? inner : plain(inner)])),
    ...(properties ? { properties: eachOf(properties as Record<string, JsonSchema>, plain) } : {}),
  };
}

/** The schema, or a text with an expression in its place. */
function open(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = inside(plain(schema));
  const branches =
    Array.isArray(rest['anyOf']) && Object.keys(rest).length === 1 ? (rest['anyOf'] as JsonSchema[]) : [rest];
  if (branches.some((branch) => isAny(branch) || isText(branch))) return described(rest, { description });
  return described({ anyOf: [...branches, { $ref: `${REF}Expression` }] }, { description });
}

const isAny = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;
const isText = (schema: JsonSchema): boolean =>
  schema['type'] === 'string' && !['enum', 'pattern', 'format'].some((word) => word in schema);

/** The schema whose inner values are open. */
function inside(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...(properties ? { properties: eachOf(properties as Record<string, JsonSchema>, open) } : {}),
    ...(items ? { items: open(items as JsonSchema) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: open(additionalProperties) } : {}),
    ...(anyOf ? { anyOf: (anyOf as JsonSchema[]).map(inside) } : {}),
  };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const eachOf = (properties: Record<string, JsonSchema>, change: (schema: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property)]));
