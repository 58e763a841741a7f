import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '@/generated/prisma/client';
import { runtime } from '../runtime';

/** Prisma inside or outside a transaction. */
export type Db = Prisma.TransactionClient;

/** Prisma for everything that isn't hot. */
export const prisma = (): PrismaClient => runtime().prisma;

/** Hand-written SQL for the hot paths: identify, submit, claim, checkpoint. Named statements are prepared once. */
export const pool = (): pg.Pool => runtime().pool;

/**
 * One pool and one Prisma client on it. Without the two timeouts node-postgres leaves a promise pending for ever
 * when the server dies at the wrong moment.
 */
export function connect(url: string, { max = 15 } = {}): { pool: pg.Pool; prisma: PrismaClient } {
  const shared = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    idleTimeoutMillis: 30_000,
    // Plans are made once and kept: one made while a table was empty would read the whole of it ever after.
    onConnect: async (client) => void (await client.query('SET enable_seqscan = off')),
  });
  // A connection that breaks is replaced by the pool, and whoever waits for it hears of it by the query. Without
  // listeners, for the idle ones and for those handed out between two queries, it would end the process.
  shared.on('error', () => undefined);
  shared.on('connect', (client) => client.on('error', () => undefined));
  // A burst of transactions waits for its connections as long as statements do, instead of failing after two seconds.
  const transactionOptions = { maxWait: 10_000, timeout: 30_000 };
  return { pool: shared, prisma: new PrismaClient({ adapter: new PrismaPg(shared), transactionOptions }) };
}
