import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '@/generated/prisma/client';
import { runtime } from '@/server/runtime';
import { noteDatabaseError } from './failures/verdict';
import { FrugalPool } from './frugal-pool';
import { dropStatementNames } from './pooler';
import { connectionTo, limitSession, QUERY_MS } from './session';

/** Prisma inside or outside a transaction. */
export type Db = Prisma.TransactionClient;

/** Prisma, for everything outside the hot paths. */
export const prisma = (): PrismaClient => runtime().prisma;

/** Hand-written SQL for the hot paths: identify, submit, claim, checkpoint. Named statements are prepared once. */
export const pool = (): pg.Pool => runtime().pool;

/**
 * For statements beside an open transaction, which must be stored even if it is rolled back. If they used the main pool while waiting
 * transactions held all its connections, all of them would deadlock. They pass by a pooler for the same reason.
 */
export const poolAside = (): pg.Pool => runtime().aside;

/** For the renewal of leases of workers, which must not wait in a pooler behind the work of others. */
export const poolForLeases = (): pg.Pool => (runtime().env.databaseDirectUrl ? poolAside() : pool());

/** The address for a session that no pooler shares: for LISTEN, locks of a session, and limits of its own. */
export const directUrl = (): string | undefined => runtime().env.databaseDirectUrl ?? runtime().env.databaseUrl;

const ASIDE = 2;

export interface Connections {
  pool: pg.Pool;
  /** Closed together with `pool`. */
  aside: pg.Pool;
  prisma: PrismaClient;
}

interface ConnectOptions {
  max?: number | undefined;
  /** The same database, if `url` leads through a pooler in transaction mode. */
  directUrl?: string | undefined;
}

/** One pool, one Prisma client on it, and a few separate connections that open on first use. */
export function connect(url: string, { max = 15, directUrl: direct }: ConnectOptions = {}): Connections {
  const [shared, aside] = [openPool(url, max, direct !== undefined), openPool(direct ?? url, ASIDE)];
  const end = shared.end.bind(shared) as () => Promise<void>;
  shared.end = async () => void (await Promise.all([end(), aside.end()]));
  // Transactions in a burst wait for a connection as long as statements do, instead of failing after two seconds.
  const transactionOptions = { maxWait: 10_000, timeout: 30_000 };
  const prisma = new PrismaClient({ adapter: new PrismaPg(shared), transactionOptions });
  return { pool: shared, aside, prisma };
}

/** Plans are cached: one made while a table was empty would scan all of it from then on. */
const PLANNING = 'SET enable_seqscan = off';

function openPool(url: string, max: number, isThroughPooler = false): pg.Pool {
  const pool = new FrugalPool({
    ...connectionTo(url),
    max,
    // Without it node-postgres leaves a promise pending forever if the server dies at the wrong moment.
    query_timeout: QUERY_MS,
    idleTimeoutMillis: 30_000,
    onConnect: async (client) => {
      if (isThroughPooler) dropStatementNames(client);
      await client.query(`${PLANNING}; ${limitSession('service')}`);
    },
  });
  // The pool replaces a broken connection, and its user gets the error from the query. Without listeners the error would end the process,
  // for idle connections and for those between two queries.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', noteDatabaseError));
  return pool;
}
