import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';

/** The SQLSTATE of an error of the database, through node-postgres or Prisma; empty: it is another error. */
export function sqlStateOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? '';
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return '';
  return /"(?:original)?[cC]ode":"(\w{5})"/.exec(JSON.stringify(error.meta ?? {}))?.[1] ?? '';
}

/** Prisma's code for a transaction that was chosen to break a deadlock or to resolve a write conflict. */
const COLLISION = 'P2034';

/** Whether a transaction collided with another: a deadlock, a serialization failure, or a lock that was not free in time. */
export const isCollision = (error: unknown): boolean =>
  (error instanceof Prisma.PrismaClientKnownRequestError && error.code === COLLISION) ||
  /^(?:40|55P03)/.test(sqlStateOf(error));

/** Whether a row refers to one that was deleted meanwhile: 23503 of PostgreSQL, from either client. */
export const isOrphan = (error: unknown): boolean =>
  sqlStateOf(error) === '23503' || (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003');
