import pg from 'pg';

/** SQLSTATEs that say "not now": connection, shutdown, too many connections, read-only standby, deadlock. */
const NOT_NOW = /^(08|57P|53|40|25006)/;

/**
 * True when the same statement may well work a moment later: the database can't be reached, is going down, or chose
 * this transaction to break a deadlock. Errors of our own making (TypeError and the like) are not.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return NOT_NOW.test(error.code ?? '');
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}
