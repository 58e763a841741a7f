import type pg from 'pg';
import { listSessionLimits } from './session';

/**
 * A connection through a pooler in transaction mode: the session behind it is another one after each transaction. So
 * its statements have no names, because the session that prepared one does not execute it the next time.
 */
export function dropStatementNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown;
  const unnamed = (first: unknown, ...rest: unknown[]) =>
    query(isNamedStatement(first) ? { ...first, name: undefined } : first, ...rest);
  client.query = unnamed as typeof client.query;
}

/** A statement as an object; one that is an instance of a class, such as a cursor, has no name of ours. */
const isNamedStatement = (statement: unknown): statement is { name: string } =>
  typeof statement === 'object' &&
  statement !== null &&
  Object.getPrototypeOf(statement) === Object.prototype &&
  'name' in statement;

/** The settings of each session of the service, also of one that a pooler opens. */
const POOLED_SESSION_SETTINGS = { enable_seqscan: 'off', ...listSessionLimits('service') };

/** Key of the advisory lock under which the settings of the role are changed: processes start together. */
const ROLE_SETTINGS_LOCK_KEY = 72_707_370;

const STORED_SETTINGS_QUERY = `SELECT unnest(s.setconfig) AS setting FROM pg_db_role_setting s
  WHERE s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND s.setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)`;

/** The settings, by name, that the role of a pool or connection lacks in this database. */
export async function findMissingSettings(client: pg.Pool | pg.ClientBase): Promise<[string, string][]> {
  const { rows } = await client.query<{ setting: string }>(STORED_SETTINGS_QUERY);
  const stored = new Set(rows.map(({ setting }) => setting));
  return Object.entries(POOLED_SESSION_SETTINGS).filter(([name, value]) => !stored.has(`${name}=${value}`));
}

/**
 * Stores the limits of sessions with the role, in this database only: the sessions that a pooler opens from then on
 * have them, whichever transaction comes. Sessions that it has open already get them from the connections of the pool.
 * It goes through the pooler, because that may use a role of its own.
 */
export async function storeRoleSettings(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [ROLE_SETTINGS_LOCK_KEY]);
    const lacking = await findMissingSettings(client);
    const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
    for (const [name, value] of lacking) {
      await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${rows[0]?.name} SET ${name} = '${value}'`);
    }
    await client.query('COMMIT');
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(failure);
  }
}
