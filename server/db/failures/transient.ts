import pg from 'pg';

/** SQLSTATEs of temporary failures: connection, shutdown, too many connections, read-only standby, deadlock. */
const NOT_NOW = /^(08|57P|53|40|25006)/;

/**
 * Whether the same statement may work a moment later: the database is unreachable, is shutting down, or chose this transaction to break a
 * deadlock. Programming errors (TypeError and the like) are not transient.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return NOT_NOW.test(error.code ?? '');
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}
