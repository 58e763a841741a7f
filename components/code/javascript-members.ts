import { CODE_NODE_HELPERS } from './expression-functions';

/** A method that completion offers: name, parameters, summary. Without parameters (undefined) it is a property. */
export type MemberRow = readonly [name: string, parameters: string | undefined, summary: string];

/** An object that is known by its members only, such as a time or `Math`. */
export class KnownObject {
  /** `results`: example values of what members are or return. */
  constructor(
    readonly typeName: string,
    readonly members: readonly MemberRow[],
    readonly results: Readonly<Record<string, unknown>> = {},
  ) {}
}

/** The result of a method is the object itself, an item of it, or a value that is not known. */
export const SAME_OBJECT = Symbol('same object');
export const ITEM_OF_LIST = Symbol('item of the list');

export const LIST_METHODS: readonly MemberRow[] = [
  ['map', 'item => …', 'A value for each item'],
  ['filter', 'item => …', 'The items for which the function is true'],
  ['find', 'item => …', 'The first item for which the function is true'],
  ['some', 'item => …', 'Whether the function is true for an item'],
  ['every', 'item => …', 'Whether the function is true for all items'],
  ['reduce', '(sum, item) => …, first', 'One value from all items'],
  ['flatMap', 'item => …', 'The values of all items in one list'],
  ['slice', 'start, end', 'A part of the list'],
  ['includes', 'value', 'Whether the value is in the list'],
  ['indexOf', 'value', 'The place of the value in the list, from 0; -1: it is not in it'],
  ['join', 'separator', 'The items as one text'],
  ['at', 'place', 'The item at a place; -1 is the last one'],
  ['concat', 'list', 'Both lists, one after the other'],
  ['flat', 'depth', 'The items of lists in the list, in one list'],
  ['toSorted', '(a, b) => …', 'The list in order'],
  ['toReversed', '', 'The list in reverse order'],
];
export const TEXT_METHODS: readonly MemberRow[] = [
  ['trim', '', 'The text without spaces around it'],
  ['split', 'separator', 'The parts of the text'],
  ['includes', 'text', 'Whether the text is in it'],
  ['startsWith', 'text', 'Whether it begins with the text'],
  ['endsWith', 'text', 'Whether it ends with the text'],
  ['replace', 'pattern, by', 'The text with the first match replaced'],
  ['replaceAll', 'text, by', 'The text with each match replaced'],
  ['match', 'pattern', 'The match of a pattern with its groups, or null'],
  ['slice', 'start, end', 'A part of the text'],
  ['padStart', 'length, text', 'The text filled at its start up to a length'],
  ['toLowerCase', '', 'The text in lower case'],
  ['toUpperCase', '', 'The text in upper case'],
];
const NUMBER_METHODS: readonly MemberRow[] = [
  ['toFixed', 'digits', 'The number as text, with so many digits after the point'],
  ['toLocaleString', 'locale, options', 'The number as people of a country write it'],
];

/** Example values of what methods of lists and texts return. */
export const LIST_RESULTS: Readonly<Record<string, unknown>> = {
  length: 0,
  filter: SAME_OBJECT,
  slice: SAME_OBJECT,
  concat: SAME_OBJECT,
  toSorted: SAME_OBJECT,
  toReversed: SAME_OBJECT,
  find: ITEM_OF_LIST,
  at: ITEM_OF_LIST,
  map: [],
  flatMap: [],
  flat: [],
  join: '',
  some: true,
  every: true,
  includes: true,
  indexOf: 0,
};
export const TEXT_RESULTS: Readonly<Record<string, unknown>> = {
  length: 0,
  split: [''],
  includes: true,
  startsWith: true,
  endsWith: true,
  ...Object.fromEntries(
    ['trim', 'replace', 'replaceAll', 'slice', 'padStart', 'toLowerCase', 'toUpperCase'].map((name) => [name, '']),
  ),
};
export const NUMBER_OBJECT = new KnownObject('number', NUMBER_METHODS, { toFixed: '', toLocaleString: '' });

const DATE_OBJECT = new KnownObject(
  'Date',
  [
    ['toISOString', '', 'The time as ISO 8601 in UTC'],
    ['getTime', '', 'Milliseconds since 1970'],
    ['getUTCFullYear', '', 'The year'],
    ['getUTCMonth', '', 'The month, from 0'],
    ['getUTCDate', '', 'The day of the month'],
    ['getUTCDay', '', 'The day of the week, Sunday is 0'],
    ['toLocaleDateString', 'locale, options', 'The day as people of a country write it'],
    ['toLocaleTimeString', 'locale, options', 'The time of day as people of a country write it'],
  ],
  { toISOString: '', toLocaleDateString: '', toLocaleTimeString: '', getTime: 0, getUTCFullYear: 0 },
);

const DATE_TIME_RESULTS: Record<string, unknown> = {
  ...Object.fromEntries(['toISO', 'toISODate', 'toFormat', 'toLocaleString'].map((name) => [name, ''])),
  ...Object.fromEntries(['year', 'month', 'day', 'hour', 'minute', 'weekday', 'toMillis'].map((name) => [name, 0])),
};
const DATE_TIME_OBJECT: KnownObject = new KnownObject(
  'DateTime',
  [
    ['toISO', '', 'The time as ISO 8601'],
    ['toISODate', '', 'The day, such as 2026-01-31'],
    ['toFormat', 'pattern', 'The time by a pattern, such as yyyy-MM-dd HH:mm'],
    ['toMillis', '', 'Milliseconds since 1970'],
    ['toLocaleString', 'options', 'The time as people of a country write it'],
    ['plus', '{ days: 1 }', 'A later time'],
    ['minus', '{ days: 1 }', 'An earlier time'],
    ['startOf', 'unit', 'The first moment of a unit, such as month'],
    ['endOf', 'unit', 'The last millisecond of a unit'],
    ['diff', 'other, unit', 'The time between two times'],
    ['set', '{ hour: 9 }', 'The time with other parts'],
    ['setZone', 'zone', 'The same moment in another time zone'],
    ['setLocale', 'locale', 'The time in the words of another language'],
    ['toUTC', '', 'The same moment in UTC'],
    ['year', undefined, 'The year'],
    ['month', undefined, 'The month, from 1'],
    ['day', undefined, 'The day of the month'],
    ['hour', undefined, 'The hour'],
    ['minute', undefined, 'The minute'],
    ['weekday', undefined, 'The day of the week, Monday is 1'],
  ],
  DATE_TIME_RESULTS,
);
for (const name of ['plus', 'minus', 'startOf', 'endOf', 'set', 'setZone', 'setLocale', 'toUTC'])
  DATE_TIME_RESULTS[name] = DATE_TIME_OBJECT;

/** Objects that expressions and programs in JavaScript have besides their data. */
const SHARED_OBJECTS: Readonly<Record<string, KnownObject>> = {
  helpers: new KnownObject(
    'functions',
    CODE_NODE_HELPERS.map(({ name, parameters, summary }) => [name, parameters, summary] as const),
    {
      ...Object.fromEntries(
        ['formatDate', 'parseDate', 'addTime', 'startOf', 'endOf', 'hash', 'hmac', 'uuid', 'now', 'urlEncode'].map(
          (name) => [name, ''],
        ),
      ),
      diffTime: 0,
      parseCsv: [],
    },
  ),
  Math: new KnownObject(
    'object',
    [
      ['round', 'number', 'The nearest whole number'],
      ['floor', 'number', 'The number rounded down'],
      ['ceil', 'number', 'The number rounded up'],
      ['abs', 'number', 'The number without its sign'],
      ['max', '...numbers', 'The largest of the numbers'],
      ['min', '...numbers', 'The smallest of the numbers'],
    ],
    Object.fromEntries(['round', 'floor', 'ceil', 'abs', 'max', 'min'].map((name) => [name, 0])),
  ),
  JSON: new KnownObject(
    'object',
    [
      ['parse', 'text', 'The value that a text of JSON describes'],
      ['stringify', 'value', 'A value as a text of JSON'],
    ],
    { stringify: '' },
  ),
  Object: new KnownObject(
    'object',
    [
      ['keys', 'object', 'The names of the fields'],
      ['values', 'object', 'The values of the fields'],
      ['entries', 'object', 'Names and values in pairs'],
      ['fromEntries', 'pairs', 'An object of pairs of names and values'],
    ],
    { keys: [''], values: [], entries: [['']] },
  ),
  Intl: new KnownObject('object', [
    ['NumberFormat', 'locale, options', 'Writes numbers and amounts of money'],
    ['DateTimeFormat', 'locale, options', 'Writes times'],
    ['ListFormat', 'locale, options', 'Joins texts as a sentence does'],
    ['PluralRules', 'locale, options', 'Chooses between singular and plural'],
    ['RelativeTimeFormat', 'locale, options', 'Writes distances of time'],
    ['Collator', 'locale, options', 'Compares texts for sorting'],
  ]),
};

/** Objects that expressions in JavaScript have, and programs lack. */
const EXPRESSION_OBJECTS: Readonly<Record<string, KnownObject>> = {
  DateTime: new KnownObject(
    'class of luxon',
    [
      ['now', '', 'The current time'],
      ['fromISO', 'text, { zone }', 'A time written as ISO 8601'],
      ['fromFormat', 'text, pattern, { zone }', 'A time written by a pattern'],
      ['fromMillis', 'number', 'A time of milliseconds since 1970'],
      ['fromJSDate', 'date', 'A time of a Date'],
      ['utc', 'year, month, day', 'A time in UTC'],
    ],
    Object.fromEntries(
      ['now', 'fromISO', 'fromFormat', 'fromMillis', 'fromJSDate', 'utc'].map((name) => [name, DATE_TIME_OBJECT]),
    ),
  ),
};

/** What `new` makes of a name. */
export const CONSTRUCTED_OBJECTS: Readonly<Record<string, KnownObject>> = { Date: DATE_OBJECT };

export const knownObjects = (isExpression: boolean): Readonly<Record<string, KnownObject>> =>
  isExpression ? { ...SHARED_OBJECTS, ...EXPRESSION_OBJECTS } : SHARED_OBJECTS;
