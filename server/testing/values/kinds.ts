/** Kinds of values, as the JSON in which they come from outside. `file` stands for an uploaded one. */
export const KINDS = {
  text: '"plain"',
  'empty text': '""',
  'digits as text': '"007"',
  'text with emoji': '"Zoë 👩‍💻 𝟘"',
  'text of 2 MB': JSON.stringify('x'.repeat(2_000_000)),
  'text with NUL': String.raw`"a\u0000b"`,
  'half a surrogate pair': String.raw`"a\ud800b"`,
  time: '"2026-01-02T03:04:05.678Z"',
  date: '"2026-01-02"',
  integer: '42',
  '2^53 + 1': '9007199254740993',
  '2^63 − 1': '9223372036854775807',
  decimal: '19.99',
  'minus zero': '-0',
  true: 'true',
  null: 'null',
  bytes: '"AP+AfwA="',
  file: '"$file"',
  list: '[1,"a",null]',
  object: '{"a":1,"b":[true],"__proto__":"p"}',
} as const;

export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** Bodies of requests have at most 1 MiB; workflows get this one from a server. */
export const LONG: Kind = 'text of 2 MB';

/** Why a place did not take a value. */
export class Refusal {
  constructor(
    readonly code: string,
    readonly reason: string,
  ) {}
}

/** What a place gave back for each kind. */
export type Given = Record<Kind, unknown>;

/**
 * Somewhere that takes values and gives them back. `json`: the values as JSON, by kind; `values`: as the service reads
 * it.
 */
export type Place = (json: Record<Kind, string>, values: Given) => Promise<Given>;

export const idOf = (kind: Kind): string => `k${KIND_NAMES.indexOf(kind)}`;

/** Something for each kind. */
export const givenOf = (give: (kind: Kind) => unknown): Given =>
  Object.fromEntries(KIND_NAMES.map((kind) => [kind, give(kind)])) as Given;
