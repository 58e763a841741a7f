import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';

export interface SqlQueryOptions {
  /**
   * The name of a statement whose text is always the same. A connection prepares it once, where the client can do so.
   */
  name?: string;
}

/**
 * Runs statements on tables on a connection or transaction of either client, so that a caller commits changes of rows
 * together with its own. Parameters are strings or null; each statement casts them.
 */
export interface SqlClient {
  query<Row>(text: string, values?: readonly (string | null)[], options?: SqlQueryOptions): Promise<Row[]>;
  /** The same for many rows: times may be texts in ISO 8601, which are cheaper. */
  rows<Row>(text: string, values?: readonly (string | null)[]): Promise<Row[]>;
}

/** Matches a time such as 2026-01-31 08:15:30.5+00, where the session has the time zone UTC. */
const UTC_TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** A `timestamptz(3)` of PostgreSQL as text in ISO 8601. */
export function toIsoTimestamp(text: string): string {
  const [, day, time, fraction = ''] = UTC_TIMESTAMP.exec(text) ?? [];
  if (day !== undefined) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  const parsed: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text);
  return parsed instanceof Date ? parsed.toISOString() : text;
}

const ISO_TIME_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? toIsoTimestamp
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export const createPgSql = (client: pg.ClientBase | pg.Pool): SqlClient => ({
  query: async <Row>(text: string, values: readonly (string | null)[] = [], options: SqlQueryOptions = {}) =>
    (await client.query({ text, values: [...values], ...options })).rows as Row[],
  rows: async <Row>(text: string, values: readonly (string | null)[] = []) =>
    (await client.query({ text, values: [...values], types: ISO_TIME_TYPES })).rows as Row[],
});

export const createPrismaSql = (db: DatabaseClient): SqlClient => {
  const query = <Row>(text: string, values: readonly (string | null)[] = []) =>
    db.$queryRawUnsafe<Row[]>(text, ...values);
  return { query, rows: query };
};

/** The values of one statement. Nothing that a user writes becomes text of a statement. */
export class SqlParameters {
  readonly values: (string | null)[] = [];

  /** SQL of a value. */
  add(value: string | null, type = 'text'): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

const TABLE_ID = /^tbl_[\w-]{1,40}$/;

/** The quoted name of the PostgreSQL table that has the rows. */
export function rowTableName(id: string): string {
  if (!TABLE_ID.test(id)) throw new Error('not the id of a table');
  return `"${id}"`;
}

const COLUMN_ID = /^c\d{1,4}$/;

/** The name of a column in PostgreSQL, which is its id. */
export function rowColumnName(id: string): string {
  if (!COLUMN_ID.test(id)) throw new Error('not the id of a column');
  return id;
}

/** The message of PostgreSQL about a failed statement, from either client. */
export interface DatabaseFault {
  /** SQLSTATE */
  state: string;
  message: string;
}

/** The SQLSTATE and message of a database error; null for other errors. */
export function readDatabaseFault(error: unknown): DatabaseFault | null {
  if (error instanceof pg.DatabaseError) {
    return { state: error.code ?? '', message: [error.message, error.constraint, error.column].join(' ') };
  }
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const text = `${JSON.stringify(error.meta ?? {})} ${error.message}`;
  const [, state = ''] = /(?:[cC]ode"?: ?[`"])(\d\w{4})[`"]/.exec(text) ?? [];
  return { state, message: text };
}
