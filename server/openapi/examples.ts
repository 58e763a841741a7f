import { bagOf, fieldOf, listOf, type Bag, type References } from './document';
import { joined, type Budget } from './schemas';

const MAX_DEPTH = 4;
const MAX_FIELDS = 20;
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

/** A value that fits a schema. */
function sample(schema: unknown, references: References, budget: Budget, depth: number): unknown {
  if (!budget.spend() || depth > MAX_DEPTH) return null;
  const found = joined(schema, references);
  const [written] = [fieldOf(found, 'example'), listOf(fieldOf(found, 'examples'))[0], fieldOf(found, 'default')].filter(
    (one) => one !== undefined,
  );
  if (written !== undefined) return written;
  const [choice] = listOf(fieldOf(found, 'enum'));
  if (choice !== undefined) return choice;
  const [alternative] = [...listOf(fieldOf(found, 'oneOf')), ...listOf(fieldOf(found, 'anyOf'))];
  if (alternative !== undefined) return sample(alternative, references, budget, depth + 1);
  const properties = Object.entries(bagOf(fieldOf(found, 'properties')));
  if (properties.length > 0) {
    const some = properties.filter(([name]) => name !== '__proto__').slice(0, MAX_FIELDS);
    return Object.fromEntries(some.map(([name, property]) => [name, sample(property, references, budget, depth + 1)]));
  }
  const items = fieldOf(found, 'items');
  if (items !== undefined) return [sample(items, references, budget, depth + 1)];
  const [type] = [fieldOf(found, 'type')].flat();
  const format = fieldOf(found, 'format');
  return (typeof format === 'string' && FORMATS[format]) || (SCALARS[String(type)] ?? null);
}

/** The first written example of a media type, or one that fits its schema; undefined: there is none, or it is too large. */
export function exampleOf(media: Bag, references: References, budget: Budget): unknown {
  const [first] = Object.values(bagOf(fieldOf(media, 'examples')));
  const written = fieldOf(media, 'example') ?? fieldOf(references.resolve(first)?.value, 'value');
  const candidates = [written, fieldOf(media, 'schema') && sample(fieldOf(media, 'schema'), references, budget, 0)];
  return candidates.find((one) => {
    const json = one === undefined || one === null ? undefined : JSON.stringify(one);
    return json !== undefined && json.length <= MAX_EXAMPLE && !/\\u0000|\\ud[89a-f]/i.test(json);
  });
}
