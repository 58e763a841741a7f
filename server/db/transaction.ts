import { pool, prisma, type Db } from './client';
import { Semaphore } from './semaphore';

/** Timeouts of a call's transaction in milliseconds: waiting for a connection, and holding one. */
const LIMITS = { maxWait: 10_000, timeout: 30_000 };
type Limits = typeof LIMITS;

/** Connections that are reserved for statements beside the calls' transactions, and for everything else. */
const RESERVED = 4;

let slots: Semaphore | undefined;

/** Runs `work` in one transaction, or on the plain client if none is needed. */
export const transaction = <T>(
  isNeeded: boolean,
  work: (db: Db) => Promise<T>,
  limits: Partial<Limits> = {},
): Promise<T> => (isNeeded ? prisma().$transaction(work, { ...LIMITS, ...limits }) : work(prisma()));

/**
 * The same for a whole call. Calls never hold all connections: otherwise statements beside their transactions would wait for connections
 * that only they can free (deadlock).
 */
export async function callTransaction<T>(
  isNeeded: boolean,
  work: (db: Db) => Promise<T>,
  timeout = LIMITS.timeout,
): Promise<T> {
  if (!isNeeded) return transaction(false, work);
  slots ??= new Semaphore(Math.max(1, (pool().options.max ?? 10) - RESERVED), LIMITS.maxWait);
  return slots.run(() => transaction(true, work, { timeout }));
}
