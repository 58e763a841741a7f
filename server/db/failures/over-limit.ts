import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';

/** The SQLSTATE that the database raises when a concurrency limit refuses a run. */
const REFUSED = 'WF001';

/** Whether storing a run failed because of a concurrency limit that refuses instead of queueing. */
export const isOverLimit = (error: unknown): boolean =>
  (error instanceof pg.DatabaseError && error.code === REFUSED) ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === 'P2010' &&
    JSON.stringify(error.meta).includes(REFUSED));
