import type { NodeConversion } from '../../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nNode } from '../../file';

type N8nJsonSchema = Record<string, unknown>;

const MAX_SCHEMA_DEPTH = 12;
const MAX_SCHEMA_FIELDS = 200;
const JSON_SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const KEPT_SCHEMA_KEYWORDS = new Set([
  'type',
  'description',
  'properties',
  'items',
  'required',
  'enum',
  'additionalProperties',
  '$schema',
]);

const isSchemaObject = (value: unknown): value is N8nJsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemaEntries = (value: unknown): [string, unknown][] =>
  Object.entries(asN8nObject(value))
    .filter(([name]) => name !== '__proto__')
    .slice(0, MAX_SCHEMA_FIELDS);
const uniqueScalars = (value: unknown): unknown[] =>
  Array.isArray(value) ? [...new Set(value.filter((one) => one === null || typeof one !== 'object'))] : [];

/** The parts of a JSON Schema that every provider knows. `lose` is called for each other part. */
export function simplifySchema(given: unknown, lose: () => void, depth = 0): N8nJsonSchema {
  if (!isSchemaObject(given) || depth > MAX_SCHEMA_DEPTH) return {};
  if (Object.keys(given).some((name) => !KEPT_SCHEMA_KEYWORDS.has(name))) lose();
  const { type, description, properties, items, required, additionalProperties } = given;
  const types = [type].flat().filter((one) => typeof one === 'string' && JSON_SCHEMA_TYPES.has(one));
  const fields = schemaEntries(properties).map(([name, one]) => [name, simplifySchema(one, lose, depth + 1)]);
  const names = new Set(fields.map(([name]) => name));
  const needed = uniqueScalars(required).filter((name) => typeof name === 'string' && names.has(name));
  const values = uniqueScalars(given['enum']);
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : [...new Set(types)] }),
    ...(typeof description === 'string' ? { description: cutWellFormed(description, 4000) } : {}),
    ...(isSchemaObject(properties) ? { properties: Object.fromEntries(fields) as N8nJsonSchema } : {}),
    ...(isSchemaObject(items) ? { items: simplifySchema(items, lose, depth + 1) } : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(values.length > 0 ? { enum: values } : {}),
    ...(typeof additionalProperties === 'boolean' ? { additionalProperties } : {}),
  };
}

/** The schema of values like an example. */
function inferSchemaFromExample(example: unknown, depth = 0): N8nJsonSchema {
  if (depth > MAX_SCHEMA_DEPTH || example === null || example === undefined) return {};
  if (Array.isArray(example)) return { type: 'array', items: inferSchemaFromExample(example[0], depth + 1) };
  if (!isSchemaObject(example)) return { type: typeof example };
  const fields = schemaEntries(example);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, one]) => [name, inferSchemaFromExample(one, depth + 1)])),
    ...(fields.length > 0 ? { required: fields.map(([name]) => name) } : {}),
  };
}

function parseSchemaText(text: unknown): unknown {
  if (typeof text !== 'string' || text.startsWith('=')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The schema that parameters of n8n describe, by an example, by fields or as written; undefined: there is none of an
 * object.
 */
export function readOutputSchema(conversion: NodeConversion, parameters: N8nJsonSchema): N8nJsonSchema | undefined {
  const schema = readDescribedSchema(conversion, parameters);
  if (schema['type'] === 'object') return schema;
  conversion.addTodo('Enter the schema of its answer.');
  return undefined;
}

function readDescribedSchema(conversion: NodeConversion, parameters: N8nJsonSchema): N8nJsonSchema {
  const { schemaType = 'fromJson', attributes } = parameters;
  const fields = asN8nObjects(asN8nObject(attributes)['attributes']);
  const isByFields = schemaType === 'fromAttributes' || (schemaType === 'fromJson' && fields.length > 0);
  const written = parseSchemaText(parameters['inputSchema'] ?? parameters['jsonSchema']);
  return isByFields
    ? schemaFromAttributes(fields)
    : schemaType === 'manual' || parameters['jsonSchemaExample'] === undefined
      ? simplifySchema(written, () => conversion.addRemark('Parts of its schema, such as patterns, are left out.'))
      : inferSchemaFromExample(parseSchemaText(parameters['jsonSchemaExample']));
}

const ATTRIBUTE_TYPES: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean' };

function schemaFromAttributes(fields: readonly N8nJsonSchema[]): N8nJsonSchema {
  const named = fields.filter(({ name }) => typeof name === 'string' && name !== '' && name !== '__proto__');
  const properties = named.slice(0, MAX_SCHEMA_FIELDS).map(({ name, type, description }) => [
    name,
    {
      type: Object.hasOwn(ATTRIBUTE_TYPES, String(type)) ? ATTRIBUTE_TYPES[String(type)] : 'string',
      ...(typeof description === 'string' && description !== ''
        ? { description: cutWellFormed(description, 4000) }
        : {}),
    },
  ]);
  const required = [...new Set(named.filter((one) => one['required'] === true).map(({ name }) => name))];
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as N8nJsonSchema,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The reply that an output parser expects. */
interface ParsedReply {
  /** The schema of an object. */
  schema: N8nJsonSchema;
  /** JavaScript for what n8n gives of the object. */
  read(answer: string): string;
}

/** The reply that the output parser of a node expects: an object, or a list, which a field of an object has. */
export function readOutputParser(conversion: NodeConversion): ParsedReply | undefined {
  const { node, context: around } = conversion;
  const [parser] = around.attachedParts(node, 'ai_outputParser');
  if (!parser) return undefined;
  // The parser repairs replies for another parser. Weft instead returns a reply that does not match to the model.
  const [inner] = around.attachedParts(parser, 'ai_outputParser');
  const own = inner ?? parser;
  for (const one of new Set([parser, own]))
    around.reportPart(one, 'converted', `It is the output schema of “${cutWellFormed(node.name, 60)}”.`);
  for (const model of around.attachedParts(parser, 'ai_languageModel'))
    around.reportPart(
      model,
      'converted',
      'Weft gives an answer that does not match the schema back to the same model.',
    );
  const parameters = withDefaultSchema(own);
  const list = own.version > 1 ? readDescribedSchema(conversion, parameters) : {};
  if (list['type'] === 'array') {
    const schema = { type: 'object', properties: { output: list }, required: ['output'] };
    return { schema, read: (answer) => `${answer}.output` };
  }
  const schema = readOutputSchema(conversion, parameters);
  return schema && { schema, read: (answer) => answer };
}

/** n8n leaves the schema of its first example out of its files. */
function withDefaultSchema({ type, parameters }: N8nNode): N8nJsonSchema {
  const { schemaType = 'fromJson', inputSchema, jsonSchema, jsonSchemaExample } = parameters;
  const isGiven = [inputSchema, jsonSchema, jsonSchemaExample].some((one) => one !== undefined);
  if (isGiven || !type.endsWith('.outputParserStructured')) return parameters;
  return schemaType === 'manual'
    ? { ...parameters, inputSchema: JSON.stringify(DEFAULT_PARSER_SCHEMA) }
    : { ...parameters, jsonSchemaExample: JSON.stringify({ state: 'a', cities: ['a'] }) };
}

const DEFAULT_PARSER_SCHEMA = {
  type: 'object',
  properties: { state: { type: 'string' }, cities: { type: 'array', items: { type: 'string' } } },
};
