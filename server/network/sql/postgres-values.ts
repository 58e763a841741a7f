import pg from 'pg';
import { parseExactJson } from '@/contract/exact-json';
import { parseExactNumber, parseFloatNumber, UnparsedJson } from './values';

type ReadText = (text: string) => unknown;

const BOOL_OID = 16;
const BYTEA_OID = 17;
const JSON_OID = 114;
const JSONB_OID = 3802;
const TIMESTAMP_OID = 1114;
const TIMESTAMPTZ_OID = 1184;

/** `2026-01-02 03:04:05.6+00` in ISO 8601. Other texts, such as `infinity` and years before Christ, stay. */
function postgresTimeToIso(text: string): string {
  const [, date, time, zone] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? [];
  return date ? `${date}T${time}${zone ? 'Z' : ''}` : text;
}

const VALUE_READERS: Record<number, ReadText> = {
  [BOOL_OID]: (text) => text === 't',
  [BYTEA_OID]: (text) => Buffer.from(text.replace(/^\\x/, ''), 'hex').toString('base64'),
  // int8, int2, int4, oid, numeric
  20: parseExactNumber,
  21: parseExactNumber,
  23: parseExactNumber,
  26: parseExactNumber,
  1700: parseExactNumber,
  // float4, float8
  700: parseFloatNumber,
  701: parseFloatNumber,
  [JSON_OID]: (text) => new UnparsedJson(text),
  [JSONB_OID]: (text) => new UnparsedJson(text),
  [TIMESTAMP_OID]: postgresTimeToIso,
  [TIMESTAMPTZ_OID]: postgresTimeToIso,
};

const readAsText: ReadText = (text) => text;

/** Types of lists, by the type of their elements: `pg_type.typarray`. */
const LIST_ELEMENT_OIDS: Record<number, number> = {
  1000: BOOL_OID,
  1001: BYTEA_OID,
  1005: 21,
  1007: 23,
  1016: 20,
  1028: 26,
  1231: 1700,
  1021: 700,
  1022: 701,
  199: JSON_OID,
  3807: JSONB_OID,
  1115: TIMESTAMP_OID,
  1185: TIMESTAMPTZ_OID,
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
const postgresListParser = pg.types.arrayParser as unknown as {
  create(text: string, read: ReadText): { parse(): unknown[] };
};

/** Reads the text of a value of a type. Types that are not listed, also those of users, stay text. */
export function postgresValueReader(oid: number): ReadText {
  const element = LIST_ELEMENT_OIDS[oid];
  if (element === undefined) return VALUE_READERS[oid] ?? readAsText;
  // JSON inside of a list is parsed at once.
  const read = element === JSON_OID || element === JSONB_OID ? parseExactJson : (VALUE_READERS[element] ?? readAsText);
  return (text) => postgresListParser.create(text, read).parse();
}

/**
 * A value as the driver binds it. A list is an array, a list of objects is JSON, and so is any list where `oid`, the
 * type of the parameter, is.
 */
export function toPostgresParameter(value: unknown, oid?: number): unknown {
  const isArray =
    oid !== JSON_OID &&
    oid !== JSONB_OID &&
    Array.isArray(value) &&
    !value.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
  return typeof value === 'object' && value !== null && !isArray ? JSON.stringify(value) : value;
}
