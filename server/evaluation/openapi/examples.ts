import { objectOrEmpty, readOwnField, isOpenApiObject, listOrEmpty, textField, type OpenApiObject } from './document';
import type { ReferenceResolver } from './references';
import { schemaAlternatives, mergeCombinedSchemas } from './schemas';

const MAX_EXAMPLE_DEPTH = 4;
const MAX_EXAMPLE_FIELDS = 20;
const MAX_EXAMPLE_ITEMS = 3;
const MAX_EXAMPLE_TEXT = 300;
/** The maximum length of an example as JSON. */
const MAX_EXAMPLE_JSON = 4000;

const SCALAR_EXAMPLES: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 1.5, boolean: true };
const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T08:15:30Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** Cuts a value of the document to a size that can be shown. Aliases of YAML may make a value endless. */
function truncateExample(value: unknown, references: ReferenceResolver, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_EXAMPLE_TEXT).replaceAll('\u0000', '').toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth > MAX_EXAMPLE_DEPTH || !references.spendStep()) return null;
  if (Array.isArray(value))
    return value.slice(0, MAX_EXAMPLE_ITEMS).map((item) => truncateExample(item, references, depth + 1));
  return mapStorableFields(value, ([name, inner]) => [name, truncateExample(inner, references, depth + 1)]);
}

/** A field with this name could not be stored. */
const isUnstorableName = (name: string) => name.includes('\u0000') || !name.isWellFormed() || name === '__proto__';

const mapStorableFields = (value: unknown, of: (entry: [string, unknown]) => [string, unknown]) =>
  Object.fromEntries(
    Object.entries(objectOrEmpty(value))
      .filter(([name]) => !isUnstorableName(name))
      .slice(0, MAX_EXAMPLE_FIELDS)
      .map(of),
  );

/** Makes a value that fits a schema: its example, its default or its first choice, else one by its type. */
function exampleFromSchema(schema: unknown, references: ReferenceResolver, depth = 0): unknown {
  if (depth > MAX_EXAMPLE_DEPTH || !references.spendStep()) return null;
  const found = mergeCombinedSchemas(schema, references);
  const written = [
    readOwnField(found, 'example'),
    listOrEmpty(readOwnField(found, 'examples'))[0],
    readOwnField(found, 'default'),
  ].find((one) => one !== undefined);
  if (written !== undefined) return truncateExample(written, references, depth);
  const [choice] = listOrEmpty(readOwnField(found, 'enum'));
  if (choice !== undefined) return truncateExample(choice, references, depth);
  const [alternative] = schemaAlternatives(found, references);
  if (alternative) return exampleFromSchema(alternative, references, depth + 1);
  const properties = readOwnField(found, 'properties');
  if (isOpenApiObject(properties))
    return mapStorableFields(properties, ([name, inner]) => [name, exampleFromSchema(inner, references, depth + 1)]);
  const items = readOwnField(found, 'items');
  if (items !== undefined) return [exampleFromSchema(items, references, depth + 1)];
  const [type] = [readOwnField(found, 'type')].flat();
  return FORMAT_EXAMPLES[textField(found, 'format') ?? ''] ?? SCALAR_EXAMPLES[String(type)] ?? null;
}

/**
 * The first written example of a media type, or one that fits its schema; undefined: there is none, or it is too large.
 */
export function responseExample(media: OpenApiObject, references: ReferenceResolver): unknown {
  const [first] = Object.values(objectOrEmpty(readOwnField(media, 'examples')));
  const written = readOwnField(media, 'example') ?? readOwnField(references.resolveOrEmpty(first), 'value');
  const schema = readOwnField(media, 'schema');
  const candidates = [
    written === undefined ? undefined : truncateExample(written, references),
    schema && exampleFromSchema(schema, references),
  ];
  return candidates.find((one) => one !== undefined && one !== null && JSON.stringify(one).length <= MAX_EXAMPLE_JSON);
}
