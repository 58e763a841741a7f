import { databasePool, prismaClient, type DatabaseClient } from './client';
import { CallSemaphore } from './semaphore';

/** Timeouts of a call's transaction in milliseconds: waiting for a connection, and holding one. */
const TRANSACTION_TIMEOUTS = { maxWait: 10_000, timeout: 30_000 };
type TransactionTimeouts = typeof TRANSACTION_TIMEOUTS;

/** Connections that are reserved for statements beside the calls' transactions, and for everything else. */
const RESERVED_CONNECTIONS = 4;

let transactionSlots: CallSemaphore | undefined;

/** Runs `work` in one transaction, or on the plain client if none is needed. */
export const runInDatabaseTransaction = <T>(
  isNeeded: boolean,
  work: (db: DatabaseClient) => Promise<T>,
  limits: Partial<TransactionTimeouts> = {},
): Promise<T> =>
  isNeeded ? prismaClient().$transaction(work, { ...TRANSACTION_TIMEOUTS, ...limits }) : work(prismaClient());

/**
 * The same for a whole call. Calls never hold all connections: otherwise statements beside their transactions would
 * wait for connections that only they can free (deadlock).
 */
export async function runCallInTransaction<T>(
  isNeeded: boolean,
  work: (db: DatabaseClient) => Promise<T>,
  timeout = TRANSACTION_TIMEOUTS.timeout,
): Promise<T> {
  if (!isNeeded) return runInDatabaseTransaction(false, work);
  transactionSlots ??= new CallSemaphore(
    Math.max(1, (databasePool().options.max ?? 10) - RESERVED_CONNECTIONS),
    TRANSACTION_TIMEOUTS.maxWait,
  );
  return transactionSlots.run(() => runInDatabaseTransaction(true, work, { timeout }));
}
