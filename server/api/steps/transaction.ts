import { prisma, type Db } from '../../db/client';

/** How long a call waits for a connection, and how long it may keep one. */
const LIMITS = { maxWait: 10_000, timeout: 30_000 };

/** Runs `work` in one transaction, or on the plain client where none is needed. */
export const transaction = <T>(isNeeded: boolean, work: (db: Db) => Promise<T>): Promise<T> =>
  isNeeded ? prisma().$transaction(work, LIMITS) : work(prisma());
