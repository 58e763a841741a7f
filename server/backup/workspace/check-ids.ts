import type pg from 'pg';
import { SYSTEM_ROLES } from '@/server/access/permissions';
import { PARTITIONED, PARTS } from '@/server/db/run-tables';
import { quoted } from '../catalogue';
import { BackupFault } from '../fault';
import { EXPORTED } from './content';
import { refused, staged, type Stage } from './stage';

interface ForeignKey {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
}

const FOREIGN_KEYS = `
SELECT c.conrelid::regclass::text AS "table", a.attname AS "column", c.confrelid::regclass::text AS parent, p.attname AS "parentColumn"
FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
JOIN pg_attribute p ON p.attrelid = c.confrelid AND p.attnum = c.confkey[1]
WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND c.conrelid::regclass::text = ANY($1)
  AND c.confrelid <> 'execution'::regclass ORDER BY 1, 2`;

const { execution: _, ...MORE } = PARTITIONED;
/** What refers to runs. Partitioned runs have no foreign keys. */
const OF_RUNS: ForeignKey[] = Object.entries({ ...MORE, ...PARTS }).flatMap(([table, column]) =>
  table in EXPORTED ? { table, column, parent: 'execution', parentColumn: 'id' } : [],
);

/** Foreign keys of the exported tables; each has one column. */
export async function foreignKeysOf(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(FOREIGN_KEYS, [Object.keys(EXPORTED)]);
  return [...rows, ...OF_RUNS];
}

const ID = '^[a-z]+_[A-Za-z0-9_-]{1,64}$';

/** Ids that are part of a name elsewhere: of a PostgreSQL table, of a stored file. */
const STRICT_IDS: Record<string, string> = {
  data_table: '^tbl_[A-Za-z0-9_-]{1,40}$',
  file: '^file_[A-Za-z0-9_-]{1,64}$',
};

/**
 * Throws a BackupFault unless every staged row belongs to the workspace and every id in it is that of a staged row. Ids that may name what
 * has been removed, and name nothing here, become null.
 */
export async function checkIds(stage: Stage, workspaceId: string): Promise<void> {
  const workspaces = await stage.client.query<{ id: string }>(`SELECT id FROM ${staged('workspace')}`);
  if (workspaces.rows.length !== 1 || workspaces.rows[0]?.id !== workspaceId)
    throw refused('it does not have exactly the workspace that its header names');
  for (const table of stage.columns.keys()) {
    if (stage.column(table, 'workspace_id'))
      await stage.refuse(
        `SELECT workspace_id AS found FROM ${staged(table)} WHERE workspace_id IS DISTINCT FROM $1`,
        (found) => `${table} has a row of the workspace ${found}`,
        [workspaceId],
      );
    if (stage.column(table, 'id')?.type === 'text')
      await stage.refuse(
        `SELECT id AS found FROM ${staged(table)} WHERE id IS NULL OR id !~ $1`,
        (found) => `${table} has the id ${found}`,
        [STRICT_IDS[table] ?? ID],
      );
  }
  for (const { table, column, parent, parentColumn } of await foreignKeysOf(stage.client)) {
    if (!stage.column(table, column)) continue;
    await stage.refuse(
      `SELECT t.${quoted(column)} AS found FROM ${staged(table)} t WHERE t.${quoted(column)} IS NOT NULL
       AND NOT EXISTS (SELECT FROM ${staged(parent)} p WHERE p.${quoted(parentColumn)} = t.${quoted(column)})`,
      (found) => `${table}.${column} names ${found}, which is not in it`,
    );
  }
  await checkNames(stage);
  await checkOtherIds(stage, workspaceId);
}

/** Ids without a foreign key. */
async function checkNames(stage: Stage): Promise<void> {
  for (const [table, { names = {} }] of Object.entries(EXPORTED))
    for (const [column, parent] of Object.entries(names)) {
      const isStrange = `t.${quoted(column)} IS NOT NULL AND NOT EXISTS (SELECT FROM ${staged(parent)} p WHERE p.id = t.${quoted(column)})`;
      await stage.client.query(
        stage.column(table, column)?.isRequired
          ? `DELETE FROM ${staged(table)} t WHERE ${isStrange}`
          : `UPDATE ${staged(table)} t SET ${quoted(column)} = NULL WHERE ${isStrange}`,
      );
    }
}

/** Tables whose objects roles are assigned on. */
const ASSIGNABLE = ['workflow', 'execution', 'credential', 'webhook', 'form', 'chat', 'schedule', 'poll', 'data_table'];

async function checkOtherIds(stage: Stage, workspaceId: string): Promise<void> {
  const systemRoles = SYSTEM_ROLES.map(({ id }) => id);
  const isRole = (value: string) => `(${value} = ANY($1) OR ${value} IN (SELECT id FROM ${staged('role')}))`;
  await stage.refuse(
    `SELECT role_id AS found FROM ${staged('role_assignment')} WHERE NOT coalesce(${isRole('role_id')}, false)`,
    (found) => `a role ${found} is assigned that is not in it`,
    [systemRoles],
  );
  await stage.refuse(
    `SELECT one AS found FROM ${staged('role')}, unnest(inherits || lineage) AS one WHERE NOT coalesce(${isRole('one')}, false)`,
    (found) => `a role inherits from ${found}, which is not in it`,
    [systemRoles],
  );
  // Of objects that have been deleted.
  const objects = ASSIGNABLE.map((table) => `SELECT id FROM ${staged(table)}`).join(' UNION ALL ');
  await stage.client.query(
    `DELETE FROM ${staged('role_assignment')} WHERE resource_id IS NOT NULL AND resource_id NOT IN (${objects})`,
  );
  await stage.refuse(
    `SELECT scope AS found FROM ${staged('execution_tally')}
     WHERE scope <> $1 AND scope NOT IN (SELECT id FROM ${staged('workflow')})`,
    (found) => `it counts runs of ${found}`,
    [workspaceId],
  );
  await stage.refuse(
    `SELECT scope_id AS found FROM ${staged('remembered')} WHERE scope_id IS DISTINCT FROM coalesce(workflow_id, workspace_id)`,
    (found) => `values are remembered for ${found}`,
  );
  await stage.refuse(
    `SELECT only_workspace_id AS found FROM ${staged('app_user')} WHERE only_workspace_id <> $1`,
    (found) => `it has a user of the workspace ${found}`,
    [workspaceId],
  );
  await stage.refuse(
    `SELECT id AS found FROM ${staged('node_result')} r CROSS JOIN LATERAL (VALUES (r.child_id), (readable_json(r.held)->>'childId')) child(id)
     WHERE NOT EXISTS (SELECT FROM ${staged('execution')} c WHERE c.id = child.id AND c.parent_id = r.execution_id)
     AND EXISTS (SELECT FROM execution c WHERE c.id = child.id)`,
    (found) => `a run waits for the run ${found}, which it did not start`,
  );
  const isStrange = `settings->>'errorWorkflowId' IS NOT NULL AND settings->>'errorWorkflowId' NOT IN (SELECT id FROM ${staged('workflow')})`;
  for (const table of ['workspace', 'workflow'])
    await stage.client.query(`UPDATE ${staged(table)} SET settings = settings - 'errorWorkflowId' WHERE ${isStrange}`);
}

/** Throws a BackupFault if one of the ids exists already. */
export async function requireFree(stage: Stage): Promise<void> {
  for (const table of stage.columns.keys()) {
    if (stage.column(table, 'id')?.type !== 'text' || table === 'app_user') continue;
    const { rows } = await stage.client.query<{ id: string }>(
      `SELECT t.id FROM ${staged(table)} t JOIN ${quoted(table)} o ON o.id = t.id LIMIT 1`,
    );
    if (rows[0])
      throw new BackupFault(
        `This installation has ${rows[0].id} (${table}) already: the workspace, or a part of it, was imported or restored before. Nothing was imported.`,
      );
  }
}
