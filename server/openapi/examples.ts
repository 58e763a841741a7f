import { bagOf, fieldOf, isBag, listOf, textOf, type Bag } from './document';
import type { References } from './references';
import { alternativesOf, mergedSchema } from './schemas';

const MAX_DEPTH = 4;
const MAX_FIELDS = 20;
const MAX_ITEMS = 3;
const MAX_TEXT = 300;
/** Characters of JSON. */
const MAX_EXAMPLE = 4000;

const SCALARS: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 1.5, boolean: true };
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T08:15:30Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** A value of the document, cut to a size that is shown. Aliases of YAML may make a value endless. */
function cut(value: unknown, references: References, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT).replaceAll('\u0000', '').toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth > MAX_DEPTH || !references.spend()) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => cut(item, references, depth + 1));
  return entriesIn(value, ([name, inner]) => [name, cut(inner, references, depth + 1)]);
}

/** A field with this name could not be stored. */
const isUnstorable = (name: string) => name.includes('\u0000') || !name.isWellFormed() || name === '__proto__';

const entriesIn = (value: unknown, of: (entry: [string, unknown]) => [string, unknown]) =>
  Object.fromEntries(
    Object.entries(bagOf(value))
      .filter(([name]) => !isUnstorable(name))
      .slice(0, MAX_FIELDS)
      .map(of),
  );

/** A value that fits a schema. */
function sample(schema: unknown, references: References, depth = 0): unknown {
  if (depth > MAX_DEPTH || !references.spend()) return null;
  const found = mergedSchema(schema, references);
  const written = [fieldOf(found, 'example'), listOf(fieldOf(found, 'examples'))[0], fieldOf(found, 'default')].find(
    (one) => one !== undefined,
  );
  if (written !== undefined) return cut(written, references, depth);
  const [choice] = listOf(fieldOf(found, 'enum'));
  if (choice !== undefined) return cut(choice, references, depth);
  const [alternative] = alternativesOf(found, references);
  if (alternative) return sample(alternative, references, depth + 1);
  const properties = fieldOf(found, 'properties');
  if (isBag(properties)) return entriesIn(properties, ([name, inner]) => [name, sample(inner, references, depth + 1)]);
  const items = fieldOf(found, 'items');
  if (items !== undefined) return [sample(items, references, depth + 1)];
  const [type] = [fieldOf(found, 'type')].flat();
  return FORMATS[textOf(found, 'format') ?? ''] ?? SCALARS[String(type)] ?? null;
}

/** The first written example of a media type, or one that fits its schema; undefined: there is none, or it is too large. */
export function exampleOf(media: Bag, references: References): unknown {
  const [first] = Object.values(bagOf(fieldOf(media, 'examples')));
  const written = fieldOf(media, 'example') ?? fieldOf(references.find(first), 'value');
  const schema = fieldOf(media, 'schema');
  const candidates = [
    written === undefined ? undefined : cut(written, references),
    schema && sample(schema, references),
  ];
  return candidates.find((one) => one !== undefined && one !== null && JSON.stringify(one).length <= MAX_EXAMPLE);
}
