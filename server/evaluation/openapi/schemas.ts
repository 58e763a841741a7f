import {
  objectOrEmpty,
  readOwnField,
  isOpenApiObject,
  toSingleLine,
  listOrEmpty,
  textField,
  type OpenApiObject,
} from './document';
import type { ValueSchema } from './record';
import type { ReferenceResolver } from './references';

/** Schemas are read down to this depth; below it any value is accepted. */
const MAX_VALUE_SCHEMA_DEPTH = 5;
const MAX_SCHEMA_PARTS = 50;
const MAX_SCHEMA_PROPERTIES = 100;
const MAX_ENUM_VALUES = 200;
const MAX_SCHEMA_TEXT = 200;

/** Merges the parts of `allOf` into a schema. */
export function mergeCombinedSchemas(schema: unknown, references: ReferenceResolver, depth = 0): OpenApiObject {
  const found = references.resolveOrEmpty(schema);
  const parts = listOrEmpty(readOwnField(found, 'allOf'));
  if (parts.length === 0 || depth > MAX_VALUE_SCHEMA_DEPTH || !references.spendStep()) return found;
  const { allOf: _, ...own } = found;
  const all: OpenApiObject[] = [
    ...parts.slice(0, MAX_SCHEMA_PARTS).map((part) => mergeCombinedSchemas(part, references, depth + 1)),
    own,
  ];
  const properties = all.flatMap((part) => Object.entries(objectOrEmpty(readOwnField(part, 'properties'))));
  const required = all.flatMap((part) => listOrEmpty(readOwnField(part, 'required')));
  return {
    ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties), type: 'object' } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The type of a schema. A list of types is one type or null. */
function singleSchemaType(schema: OpenApiObject): string | undefined {
  const types = [readOwnField(schema, 'type')].flat().filter((one) => typeof one === 'string' && one !== 'null');
  if (types.length === 1) return String(types[0]);
  if (types.length > 1) return undefined;
  return isOpenApiObject(readOwnField(schema, 'properties'))
    ? 'object'
    : readOwnField(schema, 'items')
      ? 'array'
      : undefined;
}

/** The alternatives of a schema, without that of null. */
export const schemaAlternatives = (schema: OpenApiObject, references: ReferenceResolver): OpenApiObject[] =>
  [...listOrEmpty(readOwnField(schema, 'oneOf')), ...listOrEmpty(readOwnField(schema, 'anyOf'))]
    .slice(0, MAX_SCHEMA_PARTS)
    .map((one) => mergeCombinedSchemas(one, references))
    .filter((one) => readOwnField(one, 'type') !== 'null');

const FORMAT_HINTS: Readonly<Record<string, string>> = {
  'date-time': 'A time as ISO 8601.',
  date: 'A date such as 2026-03-01.',
  uuid: 'A UUID.',
  email: 'An email address.',
  uri: 'A URL.',
};

/** Title and description of a field, for its form. */
export function titleAndDescription(schema: OpenApiObject): Pick<ValueSchema, 'title' | 'description'> {
  const title = toSingleLine(readOwnField(schema, 'title'), 100);
  const format = FORMAT_HINTS[textField(schema, 'format') ?? ''];
  const description = [toSingleLine(readOwnField(schema, 'description'), 300), format].filter(Boolean).join(' ');
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) };
}

function enumChoices(schema: OpenApiObject): (string | number)[] | undefined {
  const constant = readOwnField(schema, 'const');
  const all = constant === undefined ? listOrEmpty(readOwnField(schema, 'enum')) : [constant];
  const choices = all.filter(
    (one): one is string | number =>
      typeof one === 'number' || (typeof one === 'string' && one !== '' && one.length <= MAX_SCHEMA_TEXT),
  );
  const isUsable = choices.length > 0 && choices.length <= MAX_ENUM_VALUES;
  return isUsable && choices.every((one) => typeof one === typeof choices[0]) ? [...new Set(choices)] : undefined;
}

/** Whether a schema is that of a file. */
export const isFileSchema = (schema: OpenApiObject): boolean =>
  readOwnField(schema, 'format') === 'binary' ||
  readOwnField(schema, 'type') === 'file' ||
  readOwnField(schema, 'contentMediaType') === 'application/octet-stream';

/** Converts a schema of the document to the schema for forms and checks. What that cannot express becomes any value. */
export function toValueSchema(schema: unknown, references: ReferenceResolver, depth = 0): ValueSchema {
  if (!references.spendStep() || depth > MAX_VALUE_SCHEMA_DEPTH) return { type: 'any' };
  const found = mergeCombinedSchemas(schema, references);
  const words = titleAndDescription(found);
  const [only, second] = schemaAlternatives(found, references);
  if (second) return { type: 'any', ...words };
  if (only) return { ...toValueSchema(only, references, depth + 1), ...words };
  if (isFileSchema(found)) return { type: 'file', ...words };
  const type = singleSchemaType(found);
  const choices = enumChoices(found);
  const scalar = { ...words, ...typedDefault(found, type), ...(choices ? { enum: choices } : {}) };
  switch (type) {
    case 'string':
      return { type, ...(typeof choices?.[0] === 'number' ? words : scalar) };
    case 'integer':
    case 'number':
      return { type, ...(typeof choices?.[0] === 'string' ? words : scalar), ...numericBounds(found) };
    case 'boolean':
      return { type, ...words, ...typedDefault(found, type) };
    case 'array':
      return { type, ...words, items: toValueSchema(readOwnField(found, 'items') ?? {}, references, depth + 1) };
    case 'object':
      return { type, ...words, ...readObjectProperties(found, references, depth) };
    default:
      return typeof choices?.[0] === 'string' ? { type: 'string', ...scalar } : { type: 'any', ...words };
  }
}

/** A default that has the type of its schema. */
function typedDefault(schema: OpenApiObject, type: string | undefined): Pick<ValueSchema, 'default'> {
  const value = readOwnField(schema, 'default');
  if (type === 'string' && typeof value === 'string' && value.length <= MAX_SCHEMA_TEXT) return { default: value };
  if ((type === 'integer' || type === 'number') && typeof value === 'number') return { default: value };
  return type === 'boolean' && typeof value === 'boolean' ? { default: value } : {};
}

function numericBounds(schema: OpenApiObject): Pick<ValueSchema, 'minimum' | 'maximum'> {
  const [minimum, maximum] = [readOwnField(schema, 'minimum'), readOwnField(schema, 'maximum')];
  return {
    ...(typeof minimum === 'number' && Number.isFinite(minimum) ? { minimum } : {}),
    ...(typeof maximum === 'number' && Number.isFinite(maximum) ? { maximum } : {}),
  };
}

/** The properties that a caller may send. */
export function writableProperties(schema: OpenApiObject, references: ReferenceResolver): [string, unknown][] {
  return Object.entries(objectOrEmpty(readOwnField(schema, 'properties'))).filter(
    ([name, property]) =>
      name !== '__proto__' &&
      name.length <= MAX_SCHEMA_TEXT &&
      readOwnField(references.resolveOrEmpty(property), 'readOnly') !== true,
  );
}

export const requiredProperties = (schema: OpenApiObject): Set<unknown> =>
  new Set(listOrEmpty(readOwnField(schema, 'required')));

function readObjectProperties(
  schema: OpenApiObject,
  references: ReferenceResolver,
  depth: number,
): Partial<ValueSchema> {
  const entries = writableProperties(schema, references);
  if (entries.length === 0 || entries.length > MAX_SCHEMA_PROPERTIES) return {};
  const properties = Object.fromEntries(
    entries.map(([name, property]) => [name, toValueSchema(property, references, depth + 1)]),
  );
  const needed = requiredProperties(schema);
  const required = Object.keys(properties).filter((name) => needed.has(name));
  return { properties, ...(required.length > 0 ? { required } : {}) };
}
