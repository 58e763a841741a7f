import type { Db } from '@/server/db/client';
import { sqlStateOf } from '@/server/db/sql-state';
import { NodeFailure } from '@/server/errors/node-failure';
import { requireRoomForKeys } from './quota';

/** The SQLSTATE of a number that is too large. */
const OUT_OF_RANGE = '22003';

/** The workflow that remembers, and its workspace. */
export interface Rememberer {
  workspaceId: string;
  workflowId: string;
}

/** A key, for one workflow or for all of the workspace. */
export interface Place {
  scope: 'workflow' | 'workspace';
  key: string;
}

/** The columns that identify a place. */
const columnsOf = ({ workspaceId, workflowId }: Rememberer, { scope, key }: Place) =>
  scope === 'workflow'
    ? { workspaceId, workflowId, scopeId: workflowId, key }
    : { workspaceId, workflowId: null, scopeId: workspaceId, key };

const expiryOf = (ttlMs: number | null): Date | null => (ttlMs === null ? null : new Date(Date.now() + ttlMs));

/**
 * What workflows remember, read and changed in one transaction. Rows that have expired count as missing; they are removed later. A change
 * of a row waits for other transactions that change it, so no addition is lost, and an item is new to one of them only.
 */
export const memory = (db: Db, owner: Rememberer) => ({
  /** The value of a key; null: none. */
  async get(place: Place): Promise<unknown> {
    const { scopeId, key } = columnsOf(owner, place);
    const [row] = await db.$queryRaw<{ value: string }[]>`
      SELECT value::text FROM remembered WHERE scope_id = ${scopeId} AND key = ${key} AND NOT is_list
        AND (expires_at IS NULL OR expires_at > now())`;
    return row ? JSON.parse(row.value) : null;
  },

  async set(place: Place, value: unknown, ttlMs: number | null): Promise<void> {
    const { workspaceId, workflowId, scopeId, key } = columnsOf(owner, place);
    const [row] = await db.$queryRaw<{ isNew: boolean }[]>`
      INSERT INTO remembered (workspace_id, workflow_id, scope_id, key, is_list, value, expires_at)
      VALUES (${workspaceId}, ${workflowId}, ${scopeId}, ${key}, false, ${JSON.stringify(value)}::json, ${expiryOf(ttlMs)})
      ON CONFLICT (scope_id, key, is_list) DO UPDATE
      SET value = excluded.value, expires_at = excluded.expires_at, updated_at = now()
      RETURNING xmax = 0 AS "isNew"`;
    if (row?.isNew) await requireRoomForKeys(db, workspaceId, 1);
  },

  /** The expiry is set when the number is created. */
  async add(place: Place, by: number, ttlMs: number | null): Promise<number> {
    const { workspaceId, workflowId, scopeId, key } = columnsOf(owner, place);
    const [row] = await db.$queryRaw<{ value: string; isNew: boolean }[]>`
      INSERT INTO remembered AS r (workspace_id, workflow_id, scope_id, key, is_list, value, expires_at)
      VALUES (${workspaceId}, ${workflowId}, ${scopeId}, ${key}, false, to_json(${by}::float8), ${expiryOf(ttlMs)})
      ON CONFLICT (scope_id, key, is_list) DO UPDATE SET
        value = CASE WHEN r.expires_at <= statement_timestamp() THEN excluded.value
          ELSE to_json(r.value::text::float8 + ${by}::float8) END,
        expires_at = CASE WHEN r.expires_at <= statement_timestamp() THEN excluded.expires_at ELSE r.expires_at END,
        updated_at = now()
      WHERE r.expires_at <= statement_timestamp() OR json_typeof(r.value) = 'number'
      RETURNING value::text, xmax = 0 AS "isNew"`.catch((error: unknown) => {
      if (sqlStateOf(error) !== OUT_OF_RANGE) throw error;
      throw new NodeFailure('NOT_A_NUMBER', `The sum of the key "${key}" is too large.`, false);
    });
    if (!row) throw new NodeFailure('NOT_A_NUMBER', `The value of the key "${key}" is not a number.`, false);
    if (row.isNew) await requireRoomForKeys(db, workspaceId, 1);
    return Number(row.value);
  },

  /** Adds items to a list. `items`: their keys, as text of a PostgreSQL array. Returns the positions of those that are new, each once. */
  async see(place: Place, items: string, ttlMs: number | null): Promise<number[]> {
    const { workspaceId } = owner;
    const { listId, isNew } = await listOf(db, owner, place);
    // In the order of their keys: transactions that add the same items wait for each other without a deadlock.
    const rows = await db.$queryRaw<{ position: number; isNew: boolean }[]>`
      WITH given AS (
        SELECT item, min(position)::int - 1 AS position
        FROM unnest(${items}::text[]) WITH ORDINALITY AS g(item, position) GROUP BY item
      ),
      seen AS (
        INSERT INTO remembered_item AS r (list_id, item, expires_at)
        SELECT ${listId}, item, ${expiryOf(ttlMs)} FROM given ORDER BY item
        ON CONFLICT (list_id, item) DO UPDATE SET expires_at = excluded.expires_at
        WHERE r.expires_at <= statement_timestamp()
        RETURNING item, xmax = 0 AS is_new
      )
      SELECT given.position, seen.is_new AS "isNew" FROM seen JOIN given USING (item) ORDER BY given.position`;
    const added = rows.filter((row) => row.isNew).length + (isNew ? 1 : 0);
    if (added > 0) await requireRoomForKeys(db, workspaceId, added);
    return rows.map(({ position }) => position);
  },
});

/** The list of a key. It is not locked, so that transactions that add other items need not wait. */
async function listOf(db: Db, owner: Rememberer, place: Place): Promise<{ listId: bigint; isNew: boolean }> {
  const { workspaceId, workflowId, scopeId, key } = columnsOf(owner, place);
  const find = () => db.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM remembered WHERE scope_id = ${scopeId} AND key = ${key} AND is_list`;
  const [found] = await find();
  if (found) return { listId: found.id, isNew: false };
  const [created] = await db.$queryRaw<{ id: bigint }[]>`
    INSERT INTO remembered (workspace_id, workflow_id, scope_id, key, is_list)
    VALUES (${workspaceId}, ${workflowId}, ${scopeId}, ${key}, true)
    ON CONFLICT (scope_id, key, is_list) DO NOTHING RETURNING id`;
  // Another transaction has just created it.
  const [row] = created ? [created] : await find();
  if (!row) throw new NodeFailure('CONFLICT', `The list "${key}" is being removed. Try again later.`);
  return { listId: row.id, isNew: created !== undefined };
}
