import { givenOf, Refusal, type Given, type Kind } from './kinds';

/** Places with columns of a type, which take the texts in which others write a value of that type. */
export const TYPED = ['sql: PostgreSQL', 'sql: MySQL, MariaDB', 'table: a column of its type', 'table: json'];

/** Kinds that places write in ways of their own. */
export const CHAINED: Kind[] = [
  'time',
  'date',
  'integer',
  '2^53 + 1',
  '2^63 − 1',
  'decimal',
  'true',
  'bytes',
  'list',
  'object',
];

/** Places that give all that they take as a text. */
const WRITES_TEXT = /^(?:form|http_request|convert: (?:csv|xml|xlsx)$|expression: mixed|send_email)/;

const DIGITS = 'has more digits than a number column can hold: use a text column';

/** What a place refuses, with its reason. */
export const REFUSED: Record<string, string> = {
  'table: a column of its type: 2^53 + 1 9007199254740993': DIGITS,
  'table: a column of its type: 2^63 − 1 9223372036854775807': DIGITS,
  'table: a column of its type: true 1': 'must be true or false',
};

/** All ways in which places wrote the values: the first one of each kind, the second one, and so on. */
export function variantsOf(given: ReadonlyMap<string, Given>): Given[] {
  const typed = [...given].filter(([name]) => !WRITES_TEXT.test(name)).map(([, back]) => back);
  const ways = givenOf((kind) => {
    const all = typed.map((back) => back[kind]).filter((value) => !(value instanceof Refusal));
    return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
  }) as Record<Kind, unknown[]>;
  const count = Math.max(...CHAINED.map((kind) => ways[kind].length));
  return Array.from({ length: count }, (_, at) =>
    givenOf((kind) => (CHAINED.includes(kind) ? ways[kind][Math.min(at, ways[kind].length - 1)] : 'x')),
  );
}

const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;

/** What a value says, however it is written. */
export function meaningOf(kind: Kind, value: unknown): unknown {
  if (typeof value !== 'string') return kind === 'true' ? Boolean(value) : value;
  if (kind === 'date') return value.slice(0, 10);
  return kind === 'time' ? Date.parse(ZONE.test(value) ? value : `${value}Z`) : value;
}
