import { bagOf, fieldOf, isBag, lineOf, listOf, type Bag, type References } from './document';
import type { ValueSchema } from './record';

/** Schemas inside of schemas that are read; below them any value is taken. */
const MAX_DEPTH = 6;
/** Schemas that are read for one operation. */
const MAX_SCHEMAS = 2000;
const MAX_PROPERTIES = 100;
const MAX_CHOICES = 200;
const MAX_CHOICE = 200;

/** What reading the schemas of one operation may still cost. */
export class Budget {
  private left = MAX_SCHEMAS;

  spend(): boolean {
    this.left -= 1;
    return this.left >= 0;
  }
}

/** A schema with its parts of `allOf` joined. */
export function joined(schema: unknown, references: References, depth = 0): Bag {
  const found = references.resolve(schema)?.value ?? {};
  const parts = listOf(fieldOf(found, 'allOf'));
  if (parts.length === 0 || depth > MAX_DEPTH) return found;
  const all = [...parts.slice(0, MAX_PROPERTIES).map((part) => joined(part, references, depth + 1)), found];
  const properties = Object.assign({}, ...all.map((part) => bagOf(fieldOf(part, 'properties')))) as Bag;
  const required = all.flatMap((part) => listOf(fieldOf(part, 'required')));
  return {
    ...(Object.assign({}, ...all) as Bag),
    ...(Object.keys(properties).length > 0 ? { properties, type: 'object' } : {}),
    ...(required.length > 0 ? { required } : {}),
    allOf: undefined,
  };
}

/** The type of a schema; a list of types is one type or null. */
function typeIn(schema: Bag): string | undefined {
  const type = fieldOf(schema, 'type');
  const types = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string' && one !== 'null');
  if (types.length === 1) return types[0];
  if (types.length > 1) return undefined;
  return isBag(fieldOf(schema, 'properties')) ? 'object' : undefined;
}

/** The alternatives of a schema, without that of null. */
function alternativesOf(schema: Bag, references: References): Bag[] {
  const all = [...listOf(fieldOf(schema, 'oneOf')), ...listOf(fieldOf(schema, 'anyOf'))];
  return all
    .slice(0, MAX_PROPERTIES)
    .map((one) => joined(one, references))
    .filter((one) => fieldOf(one, 'type') !== 'null');
}

const wordsOf = (schema: Bag): Pick<ValueSchema, 'title' | 'description'> => {
  const title = lineOf(fieldOf(schema, 'title'), 100);
  const format = fieldOf(schema, 'format');
  const hint = typeof format === 'string' ? FORMATS[format] : undefined;
  const description = [lineOf(fieldOf(schema, 'description'), 300), hint].filter(Boolean).join(' ');
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) };
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'ISO 8601.',
  date: 'e.g. 2026-03-01.',
  uuid: 'A UUID.',
  email: 'An email address.',
  uri: 'An address.',
};

const choicesIn = (schema: Bag): (string | number)[] | undefined => {
  const constant = fieldOf(schema, 'const');
  const all = constant === undefined ? listOf(fieldOf(schema, 'enum')) : [constant];
  const choices = all.filter(
    (one): one is string | number => typeof one === 'number' || (typeof one === 'string' && one.length <= MAX_CHOICE),
  );
  return choices.length > 0 && choices.length <= MAX_CHOICES && choices.every((one) => typeof one === typeof choices[0])
    ? [...new Set(choices)]
    : undefined;
};

const isFile = (schema: Bag): boolean =>
  fieldOf(schema, 'format') === 'binary' || fieldOf(schema, 'contentMediaType') === 'application/octet-stream';

/** A schema of the document as the form and the check of a value. What it cannot say becomes any value. */
export function valueSchema(schema: unknown, references: References, budget: Budget, depth = 0): ValueSchema {
  if (!budget.spend() || depth > MAX_DEPTH) return { type: 'any' };
  const found = joined(schema, references);
  const words = wordsOf(found);
  const [only, second] = alternativesOf(found, references);
  if (only && !second) return { ...valueSchema(only, references, budget, depth + 1), ...words };
  if (only) return { type: 'any', ...words };
  const standard = fieldOf(found, 'default');
  const common = { ...words, ...(isScalar(standard) ? { default: standard } : {}) };
  const type = typeIn(found);
  switch (type) {
    case 'string': {
      if (isFile(found)) return { type: 'file', ...words };
      const choices = choicesIn(found);
      return { type, ...common, ...(choices ? { enum: choices } : {}) };
    }
    case 'integer':
    case 'number': {
      const choices = choicesIn(found);
      return { type, ...common, ...boundsOf(found), ...(choices ? { enum: choices } : {}) };
    }
    case 'boolean':
      return { type, ...common };
    case 'array':
      return { type, ...words, items: valueSchema(fieldOf(found, 'items'), references, budget, depth + 1) };
    case 'object':
      return { type, ...words, ...propertiesOf(found, references, budget, depth) };
    default: {
      const choices = choicesIn(found);
      return choices && typeof choices[0] === 'string' ? { type: 'string', ...common, enum: choices } : { type: 'any', ...words };
    }
  }
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= MAX_CHOICE);

function boundsOf(schema: Bag): Pick<ValueSchema, 'minimum' | 'maximum'> {
  const [minimum, maximum] = [fieldOf(schema, 'minimum'), fieldOf(schema, 'maximum')];
  return {
    ...(typeof minimum === 'number' && Number.isFinite(minimum) ? { minimum } : {}),
    ...(typeof maximum === 'number' && Number.isFinite(maximum) ? { maximum } : {}),
  };
}

function propertiesOf(schema: Bag, references: References, budget: Budget, depth: number): Partial<ValueSchema> {
  const entries = Object.entries(bagOf(fieldOf(schema, 'properties'))).filter(
    ([name, property]) =>
      name !== '__proto__' && name.length <= MAX_CHOICE && fieldOf(references.resolve(property)?.value, 'readOnly') !== true,
  );
  if (entries.length === 0 || entries.length > MAX_PROPERTIES) return {};
  const properties = Object.fromEntries(
    entries.map(([name, property]) => [name, valueSchema(property, references, budget, depth + 1)]),
  );
  const required = listOf(fieldOf(schema, 'required')).filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(properties, name),
  );
  return { properties, ...(required.length > 0 ? { required: [...new Set(required)] } : {}) };
}
