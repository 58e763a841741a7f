import { bagOf, fieldOf, isBag, lineOf, listOf, textOf, type Bag } from './document';
import type { ValueSchema } from './record';
import type { References } from './references';

/** Schemas inside of schemas that are read; below them any value is taken. */
const MAX_DEPTH = 5;
const MAX_PARTS = 50;
const MAX_PROPERTIES = 100;
const MAX_CHOICES = 200;
const MAX_TEXT = 200;

/** A schema with its parts of `allOf` merged. */
export function mergedSchema(schema: unknown, references: References, depth = 0): Bag {
  const found = references.find(schema);
  const parts = listOf(fieldOf(found, 'allOf'));
  if (parts.length === 0 || depth > MAX_DEPTH || !references.spend()) return found;
  const { allOf: _, ...own } = found;
  const all: Bag[] = [...parts.slice(0, MAX_PARTS).map((part) => mergedSchema(part, references, depth + 1)), own];
  const properties = all.flatMap((part) => Object.entries(bagOf(fieldOf(part, 'properties'))));
  const required = all.flatMap((part) => listOf(fieldOf(part, 'required')));
  return {
    ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties), type: 'object' } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The type of a schema. A list of types is one type or null. */
function typeIn(schema: Bag): string | undefined {
  const types = [fieldOf(schema, 'type')].flat().filter((one) => typeof one === 'string' && one !== 'null');
  if (types.length === 1) return String(types[0]);
  if (types.length > 1) return undefined;
  return isBag(fieldOf(schema, 'properties')) ? 'object' : fieldOf(schema, 'items') ? 'array' : undefined;
}

/** The alternatives of a schema, without that of null. */
export const alternativesOf = (schema: Bag, references: References): Bag[] =>
  [...listOf(fieldOf(schema, 'oneOf')), ...listOf(fieldOf(schema, 'anyOf'))]
    .slice(0, MAX_PARTS)
    .map((one) => mergedSchema(one, references))
    .filter((one) => fieldOf(one, 'type') !== 'null');

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'A time as ISO 8601.',
  date: 'A date such as 2026-03-01.',
  uuid: 'A UUID.',
  email: 'An email address.',
  uri: 'A URL.',
};

/** Title and description of a field, for its form. */
export function wordsOf(schema: Bag): Pick<ValueSchema, 'title' | 'description'> {
  const title = lineOf(fieldOf(schema, 'title'), 100);
  const format = FORMATS[textOf(schema, 'format') ?? ''];
  const description = [lineOf(fieldOf(schema, 'description'), 300), format].filter(Boolean).join(' ');
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) };
}

function choicesIn(schema: Bag): (string | number)[] | undefined {
  const constant = fieldOf(schema, 'const');
  const all = constant === undefined ? listOf(fieldOf(schema, 'enum')) : [constant];
  const choices = all.filter(
    (one): one is string | number =>
      typeof one === 'number' || (typeof one === 'string' && one !== '' && one.length <= MAX_TEXT),
  );
  const isUsable = choices.length > 0 && choices.length <= MAX_CHOICES;
  return isUsable && choices.every((one) => typeof one === typeof choices[0]) ? [...new Set(choices)] : undefined;
}

/** Whether a schema is that of a file. */
export const isFileSchema = (schema: Bag): boolean =>
  fieldOf(schema, 'format') === 'binary' ||
  fieldOf(schema, 'type') === 'file' ||
  fieldOf(schema, 'contentMediaType') === 'application/octet-stream';

/** A schema of the document as the form and the check of a value. What it cannot say becomes any value. */
export function valueSchema(schema: unknown, references: References, depth = 0): ValueSchema {
  if (!references.spend() || depth > MAX_DEPTH) return { type: 'any' };
  const found = mergedSchema(schema, references);
  const words = wordsOf(found);
  const [only, second] = alternativesOf(found, references);
  if (second) return { type: 'any', ...words };
  if (only) return { ...valueSchema(only, references, depth + 1), ...words };
  if (isFileSchema(found)) return { type: 'file', ...words };
  const type = typeIn(found);
  const choices = choicesIn(found);
  const scalar = { ...words, ...defaultOf(found, type), ...(choices ? { enum: choices } : {}) };
  switch (type) {
    case 'string':
      return { type, ...(typeof choices?.[0] === 'number' ? words : scalar) };
    case 'integer':
    case 'number':
      return { type, ...(typeof choices?.[0] === 'string' ? words : scalar), ...boundsOf(found) };
    case 'boolean':
      return { type, ...words, ...defaultOf(found, type) };
    case 'array':
      return { type, ...words, items: valueSchema(fieldOf(found, 'items') ?? {}, references, depth + 1) };
    case 'object':
      return { type, ...words, ...propertiesOf(found, references, depth) };
    default:
      return typeof choices?.[0] === 'string' ? { type: 'string', ...scalar } : { type: 'any', ...words };
  }
}

/** A default that has the type of its schema. */
function defaultOf(schema: Bag, type: string | undefined): Pick<ValueSchema, 'default'> {
  const value = fieldOf(schema, 'default');
  if (type === 'string' && typeof value === 'string' && value.length <= MAX_TEXT) return { default: value };
  if ((type === 'integer' || type === 'number') && typeof value === 'number') return { default: value };
  return type === 'boolean' && typeof value === 'boolean' ? { default: value } : {};
}

function boundsOf(schema: Bag): Pick<ValueSchema, 'minimum' | 'maximum'> {
  const [minimum, maximum] = [fieldOf(schema, 'minimum'), fieldOf(schema, 'maximum')];
  return {
    ...(typeof minimum === 'number' && Number.isFinite(minimum) ? { minimum } : {}),
    ...(typeof maximum === 'number' && Number.isFinite(maximum) ? { maximum } : {}),
  };
}

/** The properties that a caller may send. */
export function writableProperties(schema: Bag, references: References): [string, unknown][] {
  return Object.entries(bagOf(fieldOf(schema, 'properties'))).filter(
    ([name, property]) =>
      name !== '__proto__' && name.length <= MAX_TEXT && fieldOf(references.find(property), 'readOnly') !== true,
  );
}

export const requiredIn = (schema: Bag): Set<unknown> => new Set(listOf(fieldOf(schema, 'required')));

function propertiesOf(schema: Bag, references: References, depth: number): Partial<ValueSchema> {
  const entries = writableProperties(schema, references);
  if (entries.length === 0 || entries.length > MAX_PROPERTIES) return {};
  const properties = Object.fromEntries(
    entries.map(([name, property]) => [name, valueSchema(property, references, depth + 1)]),
  );
  const needed = requiredIn(schema);
  const required = Object.keys(properties).filter((name) => needed.has(name));
  return { properties, ...(required.length > 0 ? { required } : {}) };
}
