import type pg from 'pg';
import { databasePool, type DatabaseClient } from './client';

/** A transaction of Prisma, or a connection in one. */
export type AnyTransaction = DatabaseClient | pg.ClientBase;

interface PreparedStatement {
  /** A connection prepares it once. */
  name: string;
  text: string;
  values: unknown[];
}

/** Executes a statement within a transaction of either client. */
export async function queryInTransaction<Row>(
  transaction: AnyTransaction,
  statement: PreparedStatement,
): Promise<Row[]> {
  if ('$queryRawUnsafe' in transaction) return transaction.$queryRawUnsafe<Row[]>(statement.text, ...statement.values);
  return (await transaction.query(statement)).rows as Row[];
}

/** Works in a transaction, which is rolled back if `work` fails. A connection whose state is unknown then is closed. */
export async function withPoolTransaction<Result>(
  begin: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await databasePool().connect();
  let isBroken = false;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.release(isBroken);
  }
}
