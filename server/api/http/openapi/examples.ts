import type { OpenApiSchema } from './schemas';
import {
  EXAMPLE_BODIES,
  ID_PREFIX_PATTERNS,
  TYPICAL_VALUES,
  EXAMPLE_OBJECTS,
  EXAMPLE_FIELD_VALUES,
} from './descriptions';

/** 24 characters of the alphabet of ids. */
const EXAMPLE_ID_TEXT = '7Zk2mQ9xT4bL0aWc8RsYdE1u';
/** Maximum depth of recursive schemas, for example a workflow in a loop. */
const MAX_EXAMPLE_NESTING = 8;

interface ExampleContext {
  /** The name of the field, and of the schema around it. */
  field: string;
  owner: string;
  depth: number;
  /** Requests show the required fields, answers all fields. */
  isRequest: boolean;
}

/** A realistic value that matches the schema. `components` are the schemas that it may refer to. */
export function buildSchemaExample(
  schema: OpenApiSchema,
  components: Record<string, OpenApiSchema>,
  isRequest: boolean,
  owner = '',
): unknown {
  return buildExampleValue(schema, components, { field: '', owner, depth: 0, isRequest });
}

function buildExampleValue(
  schema: OpenApiSchema,
  components: Record<string, OpenApiSchema>,
  context: ExampleContext,
): unknown {
  const { $ref, example, enum: choices, anyOf, oneOf, allOf, default: preset, type } = schema;
  if (typeof $ref === 'string') {
    const id = $ref.slice($ref.lastIndexOf('/') + 1);
    const owner = id.replace(/^Nullable/, '');
    return EXAMPLE_OBJECTS[owner] ?? buildExampleValue(components[id] ?? {}, components, { ...context, owner });
  }
  if (example !== undefined) return example;
  if (Array.isArray(choices)) return choices.find((choice) => TYPICAL_VALUES.has(choice)) ?? choices[0];
  const word = EXAMPLE_FIELD_VALUES[context.field];
  if (word !== undefined && isExampleOfType(word, schema)) return word;
  const [branch] = [anyOf, oneOf, allOf].flatMap((list) => (list as OpenApiSchema[] | undefined) ?? []);
  if (branch) return buildExampleValue(branch, components, context);
  if (preset !== undefined) return preset;
  if (type === 'object') return buildExampleObject(schema, components, context);
  if (type === 'array') {
    const isEmpty = context.depth >= MAX_EXAMPLE_NESTING || (context.isRequest && !schema['minItems']);
    const item = () => buildExampleValue(schema['items'] as OpenApiSchema, components, { ...context, field: '' });
    return isEmpty ? [] : Array.from({ length: Number(schema['minItems'] ?? 1) }, item);
  }
  if (type === 'string') return buildExampleText(schema, context);
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1);
  return type === 'boolean' ? true : {};
}

function buildExampleObject(
  schema: OpenApiSchema,
  components: Record<string, OpenApiSchema>,
  context: ExampleContext,
): unknown {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, OpenApiSchema>);
  const required = (schema['required'] ?? []) as string[];
  const requiredProperties = properties.filter(([name]) => required.includes(name));
  // A change shows one of its optional fields.
  const requestProperties = requiredProperties.length > 0 ? requiredProperties : properties.slice(0, 1);
  const exampleProperties = context.isRequest || context.depth >= MAX_EXAMPLE_NESTING ? requestProperties : properties;
  const depth = context.depth + 1;
  return Object.fromEntries(
    exampleProperties.map(([field, inner]) => [
      field,
      buildExampleValue(inner, components, { ...context, field, depth }),
    ]),
  );
}

function buildExampleText({ format, minLength }: OpenApiSchema, { field, owner }: ExampleContext): string {
  if (format === 'uri' || /(Url|Uri)$|^(icon|issuer)$/.test(field)) return 'https://login.example.com/sso';
  if (format === 'email') return 'ada@example.com';
  if (format === 'date-time') return '2026-01-31T08:15:30.000Z';
  const prefix = ID_PREFIX_PATTERNS.find(([pattern]) => pattern.test(field === 'id' ? owner : field))?.[1];
  if (prefix && (field === 'id' || /(Id|By|Of)$|_id$/.test(field))) return `${prefix}_${EXAMPLE_ID_TEXT}`;
  return (field || 'text').padEnd(Number(minLength ?? 0), 'x');
}

function isExampleOfType(word: unknown, { type, nullable, items, anyOf }: OpenApiSchema): boolean {
  if (word === null) return nullable === true || JSON.stringify(anyOf ?? []).includes('"nullable":true');
  if (Array.isArray(word)) {
    const isText = (items as OpenApiSchema | undefined)?.['type'] === 'string';
    return type === 'array' && isText === (typeof word[0] === 'string');
  }
  return typeof word === (type === 'integer' ? 'number' : type);
}

/** The body of a request. */
export const requestBodyExample = (
  id: string,
  schema: OpenApiSchema,
  components: Record<string, OpenApiSchema>,
): unknown => EXAMPLE_BODIES[id] ?? buildSchemaExample(schema, components, true);
