import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';

/** What the database raises when a limit on runs at a time refuses one. */
const REFUSED = 'WF001';

/** True for the failure to store a run that is one too many, where its limit refuses instead of queueing. */
export const isOverLimit = (error: unknown): boolean =>
  (error instanceof pg.DatabaseError && error.code === REFUSED) ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === 'P2010' &&
    JSON.stringify(error.meta).includes(REFUSED));
