import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';
import { sqlStateOf } from './sql-state';

/** SQLSTATEs of a database that is unavailable: no connection, shutting down, out of disk or other resources, read-only. */
const STATES = /^(08|53|57P|25006)/;
/** Prisma's codes for the same: unreachable, timed out, connection closed, no free connection. */
const CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
/** Codes of the operating system. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']);
/** Errors of the client without a code. */
const WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered)/;

/** Whether the database itself is at fault and not the query: a later retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return STATES.test(error.code ?? '');
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (CODES.has(error.code)) return true;
    return STATES.test(sqlStateOf(error));
  }
  if (!(error instanceof Error)) return false;
  return SYSTEM.has((error as NodeJS.ErrnoException).code ?? '') || WORDS.test(error.message);
}
