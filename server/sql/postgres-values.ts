import pg from 'pg';
import { parseExactJson } from '@/contract/exact-json';
import { exactNumber, floatNumber, JsonText } from './values';

type Read = (text: string) => unknown;

const BOOL = 16;
const BYTEA = 17;
const JSON_OID = 114;
const JSONB = 3802;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

/** `2026-01-02 03:04:05.6+00` in ISO 8601. Other texts, such as `infinity` and years before Christ, stay. */
function isoTime(text: string): string {
  const [, date, time, zone] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? [];
  return date ? `${date}T${time}${zone ? 'Z' : ''}` : text;
}

const READERS: Record<number, Read> = {
  [BOOL]: (text) => text === 't',
  [BYTEA]: (text) => Buffer.from(text.replace(/^\\x/, ''), 'hex').toString('base64'),
  // int8, int2, int4, oid, numeric
  20: exactNumber,
  21: exactNumber,
  23: exactNumber,
  26: exactNumber,
  1700: exactNumber,
  // float4, float8
  700: floatNumber,
  701: floatNumber,
  [JSON_OID]: (text) => new JsonText(text),
  [JSONB]: (text) => new JsonText(text),
  [TIMESTAMP]: isoTime,
  [TIMESTAMPTZ]: isoTime,
};

const asText: Read = (text) => text;

/** Types of lists, by the type of their elements: `pg_type.typarray`. */
const ELEMENTS: Record<number, number> = {
  1000: BOOL,
  1001: BYTEA,
  1005: 21,
  1007: 23,
  1016: 20,
  1028: 26,
  1231: 1700,
  1021: 700,
  1022: 701,
  199: JSON_OID,
  3807: JSONB,
  1115: TIMESTAMP,
  1185: TIMESTAMPTZ,
  // text, varchar, bpchar, uuid, date, time, timetz, interval, inet, name
  1009: 25,
  1015: 1043,
  1014: 1042,
  2951: 2950,
  1182: 1082,
  1183: 1083,
  1270: 1266,
  1187: 1186,
  1041: 869,
  1003: 19,
};

/** The types of the driver describe a function. */
const lists = pg.types.arrayParser as unknown as { create(text: string, read: Read): { parse(): unknown[] } };

/** Reads the text of a value of a type. Types that are not listed, also those of users, stay text. */
export function readerOf(oid: number): Read {
  const element = ELEMENTS[oid];
  if (element === undefined) return READERS[oid] ?? asText;
  // JSON inside of a list is parsed at once.
  const read = element === JSON_OID || element === JSONB ? parseExactJson : (READERS[element] ?? asText);
  return (text) => lists.create(text, read).parse();
}

/** A value as the driver binds it. A list is an array, a list of objects is JSON, and so is any list where `oid`, the type of the parameter, is. */
export function boundValue(value: unknown, oid?: number): unknown {
  const isArray =
    oid !== JSON_OID &&
    oid !== JSONB &&
    Array.isArray(value) &&
    !value.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
  return typeof value === 'object' && value !== null && !isArray ? JSON.stringify(value) : value;
}
