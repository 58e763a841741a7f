import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '@/generated/prisma/client';
import { getRuntime } from '@/server/platform/runtime';
import { noteDatabaseError } from './failures/verdict';
import { SerialConnectPool } from './frugal-pool';
import { dropStatementNames } from './pooler';
import { databaseClientConfig, sessionLimitsSql, QUERY_TIMEOUT_MS } from './session';

/** Prisma inside or outside a transaction. */
export type DatabaseClient = Prisma.TransactionClient;

/** Prisma, for everything outside the hot paths. */
export const prismaClient = (): PrismaClient => getRuntime().prisma;

/** Hand-written SQL for the hot paths: identify, submit, claim, checkpoint. Named statements are prepared once. */
export const databasePool = (): pg.Pool => getRuntime().pool;

/**
 * For statements beside an open transaction, which must be stored even if it is rolled back. If they used the main pool
 * while waiting transactions held all its connections, all of them would deadlock. They pass by a pooler for the same
 * reason.
 */
export const secondaryPool = (): pg.Pool => getRuntime().aside;

/**
 * The pool in which workers renew their leases. It bypasses a pooler, so that a renewal does not wait behind other
 * work.
 */
export const leaseRenewalPool = (): pg.Pool => (getRuntime().env.databaseDirectUrl ? secondaryPool() : databasePool());

/** The address for a session that no pooler shares: for LISTEN, locks of a session, and limits of its own. */
export const directDatabaseUrl = (): string | undefined =>
  getRuntime().env.databaseDirectUrl ?? getRuntime().env.databaseUrl;

const SECONDARY_POOL_SIZE = 2;

export interface DatabaseConnections {
  pool: pg.Pool;
  /** It is closed together with the main pool. */
  aside: pg.Pool;
  prisma: PrismaClient;
}

interface ConnectOptions {
  max?: number | undefined;
  /** The same database, if `url` leads through a pooler in transaction mode. */
  directUrl?: string | undefined;
}

/** One pool, one Prisma client on it, and a few separate connections that open on first use. */
export function openDatabaseConnections(
  url: string,
  { max = 15, directUrl: direct }: ConnectOptions = {},
): DatabaseConnections {
  const [shared, aside] = [
    openDatabasePool(url, max, direct !== undefined),
    openDatabasePool(direct ?? url, SECONDARY_POOL_SIZE),
  ];
  const end = shared.end.bind(shared) as () => Promise<void>;
  shared.end = async () => void (await Promise.all([end(), aside.end()]));
  // Transactions in a burst wait for a connection as long as statements do, instead of failing after two seconds.
  const transactionOptions = { maxWait: 10_000, timeout: 30_000 };
  const prisma = new PrismaClient({ adapter: new PrismaPg(shared), transactionOptions });
  return { pool: shared, aside, prisma };
}

/** Plans are cached: one made while a table was empty would scan all of it from then on. */
const PLANNER_SETTINGS_SQL = 'SET enable_seqscan = off';

function openDatabasePool(url: string, max: number, isThroughPooler = false): pg.Pool {
  const pool = new SerialConnectPool({
    ...databaseClientConfig(url),
    max,
    // Without it node-postgres leaves a promise pending forever if the server dies at the wrong moment.
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    onConnect: async (client) => {
      if (isThroughPooler) dropStatementNames(client);
      await client.query(`${PLANNER_SETTINGS_SQL}; ${sessionLimitsSql('service')}`);
    },
  });
  // The pool replaces a broken connection, and its user gets the error from the query. Without listeners the error
  // would end the process, for idle connections and for those between two queries.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', noteDatabaseError));
  return pool;
}
