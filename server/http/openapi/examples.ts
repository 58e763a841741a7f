import type { JsonSchema } from './schemas';
import { BODIES, PREFIXES, TYPICAL, WHOLES, WORDS } from './descriptions';

/** 24 characters of the alphabet of ids. */
const RANDOM = '7Zk2mQ9xT4bL0aWc8RsYdE1u';
/** Maximum depth of recursive schemas, for example a workflow in a loop. */
const DEEPEST = 8;

interface Place {
  /** The name of the field, and of the schema around it. */
  field: string;
  owner: string;
  depth: number;
  /** Requests show the required fields, answers all fields. */
  isRequest: boolean;
}

/** A realistic value that matches the schema. `components` are the schemas that it may refer to. */
export function exampleOf(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  isRequest: boolean,
  owner = '',
): unknown {
  return valueAt(schema, components, { field: '', owner, depth: 0, isRequest });
}

function valueAt(schema: JsonSchema, components: Record<string, JsonSchema>, context: Place): unknown {
  const { $ref, example, enum: choices, anyOf, oneOf, allOf, default: preset, type } = schema;
  if (typeof $ref === 'string') {
    const id = $ref.slice($ref.lastIndexOf('/') + 1);
    const owner = id.replace(/^Nullable/, '');
    return WHOLES[owner] ?? valueAt(components[id] ?? {}, components, { ...context, owner });
  }
  if (example !== undefined) return example;
  if (Array.isArray(choices)) return choices.find((choice) => TYPICAL.has(choice)) ?? choices[0];
  const word = WORDS[context.field];
  if (word !== undefined && fits(word, schema)) return word;
  const [branch] = [anyOf, oneOf, allOf].flatMap((list) => (list as JsonSchema[] | undefined) ?? []);
  if (branch) return valueAt(branch, components, context);
  if (preset !== undefined) return preset;
  if (type === 'object') return objectAt(schema, components, context);
  if (type === 'array') {
    const isEmpty = context.depth >= DEEPEST || (context.isRequest && !schema['minItems']);
    const item = () => valueAt(schema['items'] as JsonSchema, components, { ...context, field: '' });
    return isEmpty ? [] : Array.from({ length: Number(schema['minItems'] ?? 1) }, item);
  }
  if (type === 'string') return textAt(schema, context);
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1);
  return type === 'boolean' ? true : {};
}

function objectAt(schema: JsonSchema, components: Record<string, JsonSchema>, context: Place): unknown {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as string[];
  const requiredProperties = properties.filter(([name]) => required.includes(name));
  // A change shows one of its optional fields.
  const requestProperties = requiredProperties.length > 0 ? requiredProperties : properties.slice(0, 1);
  const exampleProperties = context.isRequest || context.depth >= DEEPEST ? requestProperties : properties;
  const depth = context.depth + 1;
  return Object.fromEntries(
    exampleProperties.map(([field, inner]) => [field, valueAt(inner, components, { ...context, field, depth })]),
  );
}

function textAt({ format, minLength }: JsonSchema, { field, owner }: Place): string {
  if (format === 'uri' || /(Url|Uri)$|^(icon|issuer)$/.test(field)) return 'https://login.example.com/sso';
  if (format === 'email') return 'ada@example.com';
  if (format === 'date-time') return '2026-01-31T08:15:30.000Z';
  const prefix = PREFIXES.find(([pattern]) => pattern.test(field === 'id' ? owner : field))?.[1];
  if (prefix && (field === 'id' || /(Id|By|Of)$|_id$/.test(field))) return `${prefix}_${RANDOM}`;
  return (field || 'text').padEnd(Number(minLength ?? 0), 'x');
}

function fits(word: unknown, { type, nullable, items, anyOf }: JsonSchema): boolean {
  if (word === null) return nullable === true || JSON.stringify(anyOf ?? []).includes('"nullable":true');
  if (Array.isArray(word)) {
    const isText = (items as JsonSchema | undefined)?.['type'] === 'string';
    return type === 'array' && isText === (typeof word[0] === 'string');
  }
  return typeof word === (type === 'integer' ? 'number' : type);
}

/** The body of a request. */
export const bodyExample = (id: string, schema: JsonSchema, components: Record<string, JsonSchema>): unknown =>
  BODIES[id] ?? exampleOf(schema, components, true);
