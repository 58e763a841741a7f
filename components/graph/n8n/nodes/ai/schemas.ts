import type { Conversion } from '../../conversion';
import { bag, cut, list } from '../../file';

type Schema = Record<string, unknown>;

const MAX_DEPTH = 12;
const MAX_FIELDS = 200;
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const KEPT = new Set([
  'type',
  'description',
  'properties',
  'items',
  'required',
  'enum',
  'additionalProperties',
  '$schema',
]);

const isBag = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const entriesOf = (value: unknown): [string, unknown][] =>
  Object.entries(bag(value))
    .filter(([name]) => name !== '__proto__')
    .slice(0, MAX_FIELDS);
const scalars = (value: unknown): unknown[] =>
  Array.isArray(value) ? [...new Set(value.filter((one) => one === null || typeof one !== 'object'))] : [];

/** The parts of a JSON Schema that every provider knows. `lose` is called for each other part. */
export function plainSchema(given: unknown, lose: () => void, depth = 0): Schema {
  if (!isBag(given) || depth > MAX_DEPTH) return {};
  if (Object.keys(given).some((name) => !KEPT.has(name))) lose();
  const { type, description, properties, items, required, additionalProperties } = given;
  const types = [type].flat().filter((one) => typeof one === 'string' && TYPES.has(one));
  const fields = entriesOf(properties).map(([name, one]) => [name, plainSchema(one, lose, depth + 1)]);
  const names = new Set(fields.map(([name]) => name));
  const needed = scalars(required).filter((name) => typeof name === 'string' && names.has(name));
  const values = scalars(given['enum']);
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : [...new Set(types)] }),
    ...(typeof description === 'string' ? { description: cut(description, 4000) } : {}),
    ...(isBag(properties) ? { properties: Object.fromEntries(fields) as Schema } : {}),
    ...(isBag(items) ? { items: plainSchema(items, lose, depth + 1) } : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(values.length > 0 ? { enum: values } : {}),
    ...(typeof additionalProperties === 'boolean' ? { additionalProperties } : {}),
  };
}

/** The schema of values like an example. */
function schemaLike(example: unknown, depth = 0): Schema {
  if (depth > MAX_DEPTH || example === null || example === undefined) return {};
  if (Array.isArray(example)) return { type: 'array', items: schemaLike(example[0], depth + 1) };
  if (!isBag(example)) return { type: typeof example };
  const fields = entriesOf(example);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, one]) => [name, schemaLike(one, depth + 1)])),
    ...(fields.length > 0 ? { required: fields.map(([name]) => name) } : {}),
  };
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.startsWith('=')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The schema that parameters of n8n describe, by an example, by fields or as written; undefined: there is none of an object. */
export function schemaIn(conversion: Conversion, parameters: Schema): Schema | undefined {
  const { schemaType = 'fromJson', attributes } = parameters;
  const fields = list(bag(attributes)['attributes']);
  const isByFields = schemaType === 'fromAttributes' || (schemaType === 'fromJson' && fields.length > 0);
  const written = parsed(parameters['inputSchema'] ?? parameters['jsonSchema']);
  const schema = isByFields
    ? ofFields(fields)
    : schemaType === 'manual' || parameters['jsonSchemaExample'] === undefined
      ? plainSchema(written, () => conversion.say('Parts of its schema, such as patterns, are left out.'))
      : schemaLike(parsed(parameters['jsonSchemaExample']));
  if (schema['type'] === 'object') return schema;
  conversion.todo('Enter the schema of its answer.');
  return undefined;
}

const FIELD_TYPES: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean' };

function ofFields(fields: readonly Schema[]): Schema {
  const named = fields.filter(({ name }) => typeof name === 'string' && name !== '' && name !== '__proto__');
  const properties = named.slice(0, MAX_FIELDS).map(({ name, type, description }) => [
    name,
    {
      type: Object.hasOwn(FIELD_TYPES, String(type)) ? FIELD_TYPES[String(type)] : 'string',
      ...(typeof description === 'string' && description !== '' ? { description: cut(description, 4000) } : {}),
    },
  ]);
  const required = [...new Set(named.filter((one) => one['required'] === true).map(({ name }) => name))];
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Schema,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The schema of the answer of a node, by its output parser. */
export function parserSchema(conversion: Conversion): Schema | undefined {
  const { node, around } = conversion;
  const [parser] = around.attached(node, 'ai_outputParser');
  if (!parser) return undefined;
  // It repairs answers of another parser. Weft gives an answer that does not match back to the model.
  const [inner] = around.attached(parser, 'ai_outputParser');
  const own = inner ?? parser;
  for (const one of new Set([parser, own]))
    around.tell(one, 'converted', `It is the output schema of “${cut(node.name, 60)}”.`);
  for (const model of around.attached(parser, 'ai_languageModel'))
    around.tell(model, 'left out', 'Weft gives an answer that does not match the schema back to the same model.');
  return schemaIn(conversion, own.parameters);
}
