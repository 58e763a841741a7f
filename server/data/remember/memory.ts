import type pg from 'pg';
import { findSqlState } from '@/server/platform/db/failures/sql-state';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { requireKeyQuota } from './quota';

/** The SQLSTATE of a number that is too large. */
const NUMBER_OUT_OF_RANGE = '22003';

/** The workflow that remembers, and its workspace. */
export interface RememberingWorkflow {
  workspaceId: string;
  workflowId: string;
}

/** A key, for one workflow or for all of the workspace. */
export interface StoredMemoryKey {
  scope: 'workflow' | 'workspace';
  key: string;
}

/** The columns that identify a place. */
const memoryKeyColumns = ({ workspaceId, workflowId }: RememberingWorkflow, { scope, key }: StoredMemoryKey) =>
  scope === 'workflow'
    ? { workspaceId, workflowId, scopeId: workflowId, key }
    : { workspaceId, workflowId: null, scopeId: workspaceId, key };

const expiryDate = (ttlMs: number | null): Date | null => (ttlMs === null ? null : new Date(Date.now() + ttlMs));

const GET_VALUE_QUERY = {
  name: 'remember.get',
  text: `SELECT value::text FROM remembered WHERE scope_id = $1 AND key = $2 AND NOT is_list
    AND (expires_at IS NULL OR expires_at > now())`,
};

const SET_VALUE_STATEMENT = {
  name: 'remember.set',
  text: `INSERT INTO remembered (workspace_id, workflow_id, scope_id, key, is_list, value, expires_at)
    VALUES ($1, $2, $3, $4, false, $5::json, $6)
    ON CONFLICT (scope_id, key, is_list) DO UPDATE
    SET value = excluded.value, expires_at = excluded.expires_at, updated_at = now()
    RETURNING xmax = 0 AS "isNew"`,
};

const ADD_NUMBER_STATEMENT = {
  name: 'remember.add',
  text: `INSERT INTO remembered AS r (workspace_id, workflow_id, scope_id, key, is_list, value, expires_at)
    VALUES ($1, $2, $3, $4, false, to_json($5::float8), $6)
    ON CONFLICT (scope_id, key, is_list) DO UPDATE SET
      value = CASE WHEN r.expires_at <= statement_timestamp() THEN excluded.value
        ELSE to_json(r.value::text::float8 + $5::float8) END,
      expires_at = CASE WHEN r.expires_at <= statement_timestamp() THEN excluded.expires_at ELSE r.expires_at END,
      updated_at = now()
    WHERE r.expires_at <= statement_timestamp() OR json_typeof(r.value) = 'number'
    RETURNING value::text, xmax = 0 AS "isNew"`,
};

/**
 * Items are added in the order of their keys, so that transactions that add the same items wait for each other without
 * a deadlock.
 */
const ADD_ITEMS_STATEMENT = {
  name: 'remember.see',
  text: `WITH given AS (
      SELECT item, min(position)::int - 1 AS position
      FROM unnest($2::text[]) WITH ORDINALITY AS g(item, position) GROUP BY item
    ),
    seen AS (
      INSERT INTO remembered_item AS r (list_id, item, expires_at)
      SELECT $1::bigint, item, $3::timestamptz FROM given ORDER BY item
      ON CONFLICT (list_id, item) DO UPDATE SET expires_at = excluded.expires_at
      WHERE r.expires_at <= statement_timestamp()
      RETURNING item, xmax = 0 AS is_new
    )
    SELECT given.position, seen.is_new AS "isNew" FROM seen JOIN given USING (item) ORDER BY given.position`,
};

const FIND_LIST_QUERY = {
  name: 'remember.find-list',
  text: 'SELECT id FROM remembered WHERE scope_id = $1 AND key = $2 AND is_list',
};

const CREATE_LIST_STATEMENT = {
  name: 'remember.create-list',
  text: `INSERT INTO remembered (workspace_id, workflow_id, scope_id, key, is_list) VALUES ($1, $2, $3, $4, true)
    ON CONFLICT (scope_id, key, is_list) DO NOTHING RETURNING id`,
};

/**
 * Reads and changes what workflows remember, in one transaction. Rows that have expired count as missing; they are
 * removed later. A change of a row waits for other transactions that change it, so no addition is lost, and an item is
 * new to one of them only.
 */
export const openMemory = (client: pg.ClientBase, owner: RememberingWorkflow) => ({
  /** The value of a key; null: none. */
  async get(place: StoredMemoryKey): Promise<unknown> {
    const { scopeId, key } = memoryKeyColumns(owner, place);
    const { rows } = await client.query<{ value: string }>({ ...GET_VALUE_QUERY, values: [scopeId, key] });
    return rows[0] ? JSON.parse(rows[0].value) : null;
  },

  async set(place: StoredMemoryKey, value: unknown, ttlMs: number | null): Promise<void> {
    const { workspaceId, workflowId, scopeId, key } = memoryKeyColumns(owner, place);
    const values = [workspaceId, workflowId, scopeId, key, JSON.stringify(value), expiryDate(ttlMs)];
    const { rows } = await client.query<{ isNew: boolean }>({ ...SET_VALUE_STATEMENT, values });
    if (rows[0]?.isNew) await requireKeyQuota(client, workspaceId, 1);
  },

  /** The expiry is set when the number is created. */
  async add(place: StoredMemoryKey, by: number, ttlMs: number | null): Promise<number> {
    const { workspaceId, workflowId, scopeId, key } = memoryKeyColumns(owner, place);
    const values = [workspaceId, workflowId, scopeId, key, by, expiryDate(ttlMs)];
    const { rows } = await client
      .query<{ value: string; isNew: boolean }>({ ...ADD_NUMBER_STATEMENT, values })
      .catch((error: unknown) => {
        if (findSqlState(error) !== NUMBER_OUT_OF_RANGE) throw error;
        throw new NodeFailure('NOT_A_NUMBER', `The sum of the key "${key}" is too large.`, false);
      });
    const [row] = rows;
    if (!row) throw new NodeFailure('NOT_A_NUMBER', `The value of the key "${key}" is not a number.`, false);
    if (row.isNew) await requireKeyQuota(client, workspaceId, 1);
    return Number(row.value);
  },

  /**
   * Adds items to a list. `items`: their keys, as text of a PostgreSQL array. Returns the positions of those that are
   * new, each once.
   */
  async see(place: StoredMemoryKey, items: string, ttlMs: number | null): Promise<number[]> {
    const { workspaceId } = owner;
    const { listId, isNew } = await findOrCreateList(client, owner, place);
    const values = [listId, items, expiryDate(ttlMs)];
    const { rows } = await client.query<{ position: number; isNew: boolean }>({ ...ADD_ITEMS_STATEMENT, values });
    const added = rows.filter((row) => row.isNew).length + (isNew ? 1 : 0);
    if (added > 0) await requireKeyQuota(client, workspaceId, added);
    return rows.map(({ position }) => position);
  },
});

/** The list of a key. It is not locked, so that transactions that add other items need not wait. */
async function findOrCreateList(
  client: pg.ClientBase,
  owner: RememberingWorkflow,
  place: StoredMemoryKey,
): Promise<{ listId: string; isNew: boolean }> {
  const { workspaceId, workflowId, scopeId, key } = memoryKeyColumns(owner, place);
  const find = async () => (await client.query<{ id: string }>({ ...FIND_LIST_QUERY, values: [scopeId, key] })).rows[0];
  const found = await find();
  if (found) return { listId: found.id, isNew: false };
  const values = [workspaceId, workflowId, scopeId, key];
  const { rows } = await client.query<{ id: string }>({ ...CREATE_LIST_STATEMENT, values });
  // Without a row, another transaction has just created it.
  const row = rows[0] ?? (await find());
  if (!row) throw new NodeFailure('CONFLICT', `The list "${key}" is being removed. Try again later.`);
  return { listId: row.id, isNew: rows.length > 0 };
}
