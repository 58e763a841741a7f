import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/**
 * What statements on tables run on: a connection or transaction of either client, so that a caller commits changes of rows together with its
 * own. Parameters are strings or null; each statement casts them.
 */
export interface Sql {
  query<Row>(text: string, values?: readonly (string | null)[]): Promise<Row[]>;
}

export const sqlOfPg = (client: pg.ClientBase | pg.Pool): Sql => ({
  query: async <Row>(text: string, values: readonly (string | null)[] = []) =>
    (await client.query(text, [...values])).rows as Row[],
});

export const sqlOfPrisma = (db: Db): Sql => ({
  query: <Row>(text: string, values: readonly (string | null)[] = []) => db.$queryRawUnsafe<Row[]>(text, ...values),
});

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
