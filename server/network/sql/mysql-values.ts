import mysql from 'mysql2';
import { parseExactNumber, UnparsedJson } from './values';

/** The description of a column. */
export interface MysqlColumn {
  name: string;
  columnType: number;
  extendedFormat?: string;
}

const { Types } = mysql;

/** The number with the fewest digits that a single-precision column stores as the same value. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Binary data: a bit field is a number, anything else base64. */
const readBinaryValue = (bytes: Buffer, type: number): unknown =>
  type === Types.BIT
    ? parseExactNumber(BigInt(`0x${bytes.toString('hex') || '0'}`).toString())
    : bytes.toString('base64');

/** A value as the driver reads it, in the form of the output. */
export function readMysqlValue(value: unknown, { columnType, extendedFormat }: MysqlColumn): unknown {
  if (value === null) return null;
  if (Buffer.isBuffer(value)) return readBinaryValue(value, columnType);
  if (typeof value === 'number') return columnType === Types.FLOAT ? shortestFloat(value) : value;
  if (typeof value !== 'string') return value;
  if (extendedFormat === 'json') return new UnparsedJson(value);
  switch (columnType) {
    case Types.JSON:
      return new UnparsedJson(value);
    case Types.LONGLONG:
    case Types.DECIMAL:
    case Types.NEWDECIMAL:
      return parseExactNumber(value);
    case Types.DATETIME:
      return value.replace(' ', 'T');
    // The time zone of the session is UTC.
    case Types.TIMESTAMP:
      return `${value.replace(' ', 'T')}Z`;
    default:
      return value;
  }
}

const ZONED_TIME_PATTERN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:?\d\d)$/i;
/** The start of the message of ER_TRUNCATED_WRONG_VALUE (1292). The server shortens long values. */
const REFUSED_TIME_PATTERN = /^Incorrect (?:datetime|timestamp|date|time) value: '([^']*)'/;
/**
 * Statements that change rows by themselves: a refused one has done nothing and may be repeated. A procedure may have
 * done something before.
 */
const REPEATABLE_STATEMENT = /^\s*(?:INSERT|UPDATE|REPLACE|DELETE|SELECT|WITH)\b/i;

/** A time in ISO 8601 with a zone as MySQL takes it, in UTC like the session. Undefined for other texts. */
function toMysqlTime(text: string): string | undefined {
  const [, date, clock = ''] = ZONED_TIME_PATTERN.exec(text) ?? [];
  if (date === undefined) return undefined;
  const at = new Date(text.replace(' ', 'T'));
  if (Number.isNaN(at.getTime())) return undefined;
  // A date has milliseconds, a column up to six digits.
  const [, fraction = ''] = clock.split('.');
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}`;
}

/**
 * Values for another try of a statement that the server refused for a time with a zone, which it cannot read. The types
 * of its columns are not known before, and in a column of texts the time stays as it is. Undefined: another try does
 * not help.
 */
export function replaceRefusedTimes(statement: string, bound: unknown[], error: unknown): unknown[] | undefined {
  if (!(error instanceof Error) || !REPEATABLE_STATEMENT.test(statement)) return undefined;
  const [, refused] = REFUSED_TIME_PATTERN.exec(error.message) ?? [];
  const time = refused === undefined ? undefined : toMysqlTime(refused);
  if (time === undefined || !bound.includes(refused)) return undefined;
  return bound.map((value) => (value === refused ? time : value));
}

/** A value as the driver binds it. Lists and objects are JSON. */
export const toMysqlParameter = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
