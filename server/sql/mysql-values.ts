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

/** A value as the driver binds it. Lists and objects are JSON. */
export const boundValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
