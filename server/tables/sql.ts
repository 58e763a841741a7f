import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

export interface QueryOptions {
  /** Of a statement whose text is always the same: a connection prepares it once, where the client can do so. */
  name?: string;
}

/**
 * What statements on tables run on: a connection or transaction of either client, so that a caller commits changes of rows together with its
 * own. Parameters are strings or null; each statement casts them.
 */
export interface Sql {
  query<Row>(text: string, values?: readonly (string | null)[], options?: QueryOptions): Promise<Row[]>;
  /** The same for many rows: times may be texts in ISO 8601, which are cheaper. */
  rows<Row>(text: string, values?: readonly (string | null)[]): Promise<Row[]>;
}

/** Such as 2026-01-31 08:15:30.5+00, where the session has the time zone UTC. */
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** A `timestamptz(3)` of PostgreSQL as text in ISO 8601. */
export function isoTime(text: string): string {
  const [, day, time, fraction = ''] = UTC.exec(text) ?? [];
  if (day !== undefined) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  const parsed: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text);
  return parsed instanceof Date ? parsed.toISOString() : text;
}

const ISO_TIMES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? isoTime
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export const sqlOfPg = (client: pg.ClientBase | pg.Pool): Sql => ({
  query: async <Row>(text: string, values: readonly (string | null)[] = [], options: QueryOptions = {}) =>
    (await client.query({ text, values: [...values], ...options })).rows as Row[],
  rows: async <Row>(text: string, values: readonly (string | null)[] = []) =>
    (await client.query({ text, values: [...values], types: ISO_TIMES })).rows as Row[],
});

export const sqlOfPrisma = (db: Db): Sql => {
  const query = <Row>(text: string, values: readonly (string | null)[] = []) =>
    db.$queryRawUnsafe<Row[]>(text, ...values);
  return { query, rows: query };
};

/** The values of one statement. Nothing that a user writes becomes text of a statement. */
export class Parameters {
  readonly values: (string | null)[] = [];

  /** SQL of a value. */
  add(value: string | null, type = 'text'): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

const ID = /^tbl_[\w-]{1,40}$/;

/** The quoted name of the PostgreSQL table that has the rows. */
export function tableName(id: string): string {
  if (!ID.test(id)) throw new Error('not the id of a table');
  return `"${id}"`;
}

const COLUMN = /^c\d{1,4}$/;

/** The name of a column in PostgreSQL, which is its id. */
export function columnName(id: string): string {
  if (!COLUMN.test(id)) throw new Error('not the id of a column');
  return id;
}

/** What PostgreSQL says about a failed statement, from either client. */
export interface DatabaseFault {
  /** SQLSTATE */
  state: string;
  message: string;
}

/** The SQLSTATE and message of a database error; null for other errors. */
export function faultOf(error: unknown): DatabaseFault | null {
  if (error instanceof pg.DatabaseError) {
    return { state: error.code ?? '', message: [error.message, error.constraint, error.column].join(' ') };
  }
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const text = `${JSON.stringify(error.meta ?? {})} ${error.message}`;
  const [, state = ''] = /(?:[cC]ode"?: ?[`"])(\d\w{4})[`"]/.exec(text) ?? [];
  return { state, message: text };
}
