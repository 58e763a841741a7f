import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';

/** SQLSTATEs of a database that can't serve anybody: no connection, going down, out of disk or other means, read-only. */
const STATES = /^(08|53|57P|25006)/;
/** Prisma's own words for the same: can't reach it, it took too long, it hung up, no connection is free. */
const CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
/** The system's. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']);
/** Errors of the client that carry no code. */
const WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/;

/** True when the database itself is at fault, not what was asked of it: whoever asks again later may be served. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return STATES.test(error.code ?? '');
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (CODES.has(error.code)) return true;
    const [, state = ''] = /"(?:original)?[cC]ode":"(\w{5})"/.exec(JSON.stringify(error.meta ?? {})) ?? [];
    return STATES.test(state);
  }
  if (!(error instanceof Error)) return false;
  return SYSTEM.has((error as NodeJS.ErrnoException).code ?? '') || WORDS.test(error.message);
}
