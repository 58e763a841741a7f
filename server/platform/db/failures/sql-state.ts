import pg from 'pg';

/** An error of Prisma for a request; told by its name, because migrations do without Prisma's client. */
interface PrismaRequestError extends Error {
  code: string;
  meta?: Record<string, unknown>;
}

export const isPrismaRequestError = (error: unknown): error is PrismaRequestError =>
  error instanceof Error && error.name === 'PrismaClientKnownRequestError';

/** The SQLSTATE of an error of the database, through node-postgres or Prisma; empty: it is another error. */
export function findSqlState(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? '';
  if (!isPrismaRequestError(error)) return '';
  return /"(?:original)?[cC]ode":"(\w{5})"/.exec(JSON.stringify(error.meta ?? {}))?.[1] ?? '';
}

/** Whether a row refers to one that was deleted meanwhile: 23503 of PostgreSQL, from either client. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  findSqlState(error) === '23503' || (isPrismaRequestError(error) && error.code === 'P2003');

/** The SQLSTATE that the database raises when a concurrency limit refuses a run. */
const LIMIT_REFUSED_SQLSTATE = 'WF001';

/** Whether storing a run failed because of a concurrency limit that refuses instead of queueing. */
export const isOverConcurrencyLimit = (error: unknown): boolean => findSqlState(error) === LIMIT_REFUSED_SQLSTATE;

/**
 * The SQLSTATE of a change in a session that may only read: in maintenance, on a standby, or as an operator has set it.
 */
const READ_ONLY_SQLSTATE = '25006';

/** Whether a change failed because the database takes none now. */
export const isReadOnlyFailure = (error: unknown): boolean => findSqlState(error) === READ_ONLY_SQLSTATE;
