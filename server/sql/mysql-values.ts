import mysql from 'mysql2';
import { exactNumber, JsonText } from './values';

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
const fromBytes = (bytes: Buffer, type: number): unknown =>
  type === Types.BIT ? exactNumber(BigInt(`0x${bytes.toString('hex') || '0'}`).toString()) : bytes.toString('base64');

/** A value as the driver reads it, in the form of the output. */
export function readValue(value: unknown, { columnType, extendedFormat }: MysqlColumn): unknown {
  if (value === null) return null;
  if (Buffer.isBuffer(value)) return fromBytes(value, columnType);
  if (typeof value === 'number') return columnType === Types.FLOAT ? shortestFloat(value) : value;
  if (typeof value !== 'string') return value;
  if (extendedFormat === 'json') return new JsonText(value);
  switch (columnType) {
    case Types.JSON:
      return new JsonText(value);
    case Types.LONGLONG:
    case Types.DECIMAL:
    case Types.NEWDECIMAL:
      return exactNumber(value);
    case Types.DATETIME:
      return value.replace(' ', 'T');
    // The time zone of the session is UTC.
    case Types.TIMESTAMP:
      return `${value.replace(' ', 'T')}Z`;
    default:
      return value;
  }
}

const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:?\d\d)$/i;
/** The start of the message of ER_TRUNCATED_WRONG_VALUE (1292). The server shortens long values. */
const REFUSED_TIME = /^Incorrect (?:datetime|timestamp|date|time) value: '([^']*)'/;
/** What changes rows by itself: a refused one has done nothing and may be repeated. A procedure may have done something before. */
const REPEATABLE = /^\s*(?:INSERT|UPDATE|REPLACE|DELETE|SELECT|WITH)\b/i;

/** A time in ISO 8601 with a zone as MySQL takes it, in UTC like the session. Undefined for other texts. */
function serverTime(text: string): string | undefined {
  const [, date, clock = ''] = ISO_TIME.exec(text) ?? [];
  if (date === undefined) return undefined;
  const at = new Date(text.replace(' ', 'T'));
  if (Number.isNaN(at.getTime())) return undefined;
  // A date has milliseconds, a column up to six digits.
  const [, fraction = ''] = clock.split('.');
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}`;
}

/**
 * Values for another try of a statement that the server refused for a time with a zone, which it cannot read. The types of its columns are not
 * known before, and in a column of texts the time stays as it is. Undefined: another try does not help.
 */
export function withServerTimes(statement: string, bound: unknown[], error: unknown): unknown[] | undefined {
  if (!(error instanceof Error) || !REPEATABLE.test(statement)) return undefined;
  const [, refused] = REFUSED_TIME.exec(error.message) ?? [];
  const time = refused === undefined ? undefined : serverTime(refused);
  if (time === undefined || !bound.includes(refused)) return undefined;
  return bound.map((value) => (value === refused ? time : value));
}

/** A value as the driver binds it. Lists and objects are JSON. */
export const boundValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
