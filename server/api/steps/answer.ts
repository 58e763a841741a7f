import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';
import { isOverLimit } from '../../db/over-limit';
import { isUnavailable } from '../../db/unavailable';
import { conflict, Problem } from '../problem';
import type { Operation } from '../operation';

/** What goes back, before any door has put it into its own form. Plain JSON: it may be stored and given again. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** Absent for 204. */
  body?: unknown;
  /** In place of a body: an answer that is no JSON. It is given once, never stored. */
  raw?: Response;
}

/** Last step: the handler's output, through the operation's schema. */
export function answer(operation: Operation, output: unknown): Reply {
  if (output instanceof Response) return { status: output.status, headers: {}, raw: output };
  if (!operation.output) return { status: 204, headers: {} };
  const body = operation.output.parse(output);
  return { status: operation.status ?? 200, headers: operation.headers?.(body) ?? {}, body };
}

/** Two changes that got into each other's way: PostgreSQL ended one of them. */
const isCollision = (error: unknown) => error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2034';

/** It refers to something that was removed since it was looked at: 23503 of PostgreSQL, from whichever client. */
const isOrphan = (error: unknown) =>
  (error instanceof pg.DatabaseError && error.code === '23503') ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    (error.code === 'P2003' || (error.code === 'P2010' && JSON.stringify(error.meta).includes('23503'))));

/** Seconds after which a database that is away, or whose disk is full, may be asked again. */
const RETRY_AFTER = '5';

const unavailable = (cause: unknown, requestId: string) =>
  new Problem('INTERNAL_ERROR', `The database is not available now. Try again later. Request id: ${requestId}`, [], {
    cause,
    status: 503,
    headers: { 'Retry-After': RETRY_AFTER },
  });

/** Anything thrown, as what the caller may know of it. The rest is for the log. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (isCollision(error)) return conflict('Something else changed this at the same time. Try again.');
  if (isOverLimit(error)) return conflict('As many runs as are allowed at a time are under way. Try again later.');
  if (isOrphan(error)) return conflict('Something that this belongs to was removed at the same time.');
  if (isUnavailable(error)) return unavailable(error, requestId);
  return new Problem('INTERNAL_ERROR', `Something went wrong on our side. Request id: ${requestId}`, [], {
    cause: error,
  });
}
