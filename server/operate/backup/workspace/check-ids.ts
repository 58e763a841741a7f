import type pg from 'pg';
import { SYSTEM_ROLES } from '@/server/people/access/permissions';
import { PARTITIONED_TABLES, RUN_PART_TABLES } from '@/server/platform/db/run-tables';
import { quoteSqlName } from '../catalogue';
import { BackupFault } from '../fault';
import { EXPORTED_TABLES } from './content';
import { refusedExportFault, stagedTableName, type ImportStage } from './stage';

interface ForeignKeyColumn {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
}

const FOREIGN_KEYS_QUERY = `
SELECT c.conrelid::regclass::text AS "table", a.attname AS "column", c.confrelid::regclass::text AS parent, p.attname AS "parentColumn"
FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
JOIN pg_attribute p ON p.attrelid = c.confrelid AND p.attnum = c.confkey[1]
WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND c.conrelid::regclass::text = ANY($1)
  AND c.confrelid <> 'execution'::regclass ORDER BY 1, 2`;

const { execution: _, ...MORE } = PARTITIONED_TABLES;
/** The columns that refer to runs. They are listed here because partitioned runs have no foreign keys. */
const RUN_FOREIGN_KEYS: ForeignKeyColumn[] = Object.entries({ ...MORE, ...RUN_PART_TABLES }).flatMap(
  ([table, column]) => (table in EXPORTED_TABLES ? { table, column, parent: 'execution', parentColumn: 'id' } : []),
);

/** Foreign keys of the exported tables; each has one column. */
export async function listForeignKeyColumns(client: pg.ClientBase): Promise<ForeignKeyColumn[]> {
  const { rows } = await client.query<ForeignKeyColumn>(FOREIGN_KEYS_QUERY, [Object.keys(EXPORTED_TABLES)]);
  return [...rows, ...RUN_FOREIGN_KEYS];
}

const ROW_ID_PATTERN = '^[a-z]+_[A-Za-z0-9_-]{1,64}$';

/** Ids that are part of a name elsewhere: of a PostgreSQL table, of a stored file. */
const STRICT_ID_PATTERNS: Record<string, string> = {
  data_table: '^tbl_[A-Za-z0-9_-]{1,40}$',
  file: '^file_[A-Za-z0-9_-]{1,64}$',
};

/**
 * Throws a BackupFault unless every staged row belongs to the workspace and every id in it is that of a staged row. Ids
 * that may name what has been removed, and name nothing here, become null.
 */
export async function checkStagedIds(stage: ImportStage, workspaceId: string): Promise<void> {
  const workspaces = await stage.client.query<{ id: string }>(`SELECT id FROM ${stagedTableName('workspace')}`);
  if (workspaces.rows.length !== 1 || workspaces.rows[0]?.id !== workspaceId)
    throw refusedExportFault('it does not have exactly the workspace that its header names');
  for (const table of stage.columns.keys()) {
    if (stage.column(table, 'workspace_id'))
      await stage.refuse(
        `SELECT workspace_id AS found FROM ${stagedTableName(table)} WHERE workspace_id IS DISTINCT FROM $1`,
        (found) => `${table} has a row of the workspace ${found}`,
        [workspaceId],
      );
    if (stage.column(table, 'id')?.type === 'text')
      await stage.refuse(
        `SELECT id AS found FROM ${stagedTableName(table)} WHERE id IS NULL OR id !~ $1`,
        (found) => `${table} has the id ${found}`,
        [STRICT_ID_PATTERNS[table] ?? ROW_ID_PATTERN],
      );
  }
  for (const { table, column, parent, parentColumn } of await listForeignKeyColumns(stage.client)) {
    if (!stage.column(table, column)) continue;
    await stage.refuse(
      `SELECT t.${quoteSqlName(column)} AS found FROM ${stagedTableName(table)} t WHERE t.${quoteSqlName(column)} IS NOT NULL
       AND NOT EXISTS (SELECT FROM ${stagedTableName(parent)} p WHERE p.${quoteSqlName(parentColumn)} = t.${quoteSqlName(column)})`,
      (found) => `${table}.${column} names ${found}, which is not in it`,
    );
  }
  await checkUnconstrainedIds(stage);
  await checkRoleReferences(stage, workspaceId);
}

/** Ids without a foreign key. */
async function checkUnconstrainedIds(stage: ImportStage): Promise<void> {
  for (const [table, { names = {} }] of Object.entries(EXPORTED_TABLES))
    for (const [column, parent] of Object.entries(names)) {
      const isStrange = `t.${quoteSqlName(column)} IS NOT NULL AND NOT EXISTS (SELECT FROM ${stagedTableName(parent)} p WHERE p.id = t.${quoteSqlName(column)})`;
      await stage.client.query(
        stage.column(table, column)?.isRequired
          ? `DELETE FROM ${stagedTableName(table)} t WHERE ${isStrange}`
          : `UPDATE ${stagedTableName(table)} t SET ${quoteSqlName(column)} = NULL WHERE ${isStrange}`,
      );
    }
}

/** Tables whose objects roles are assigned on. */
const ROLE_ASSIGNABLE_TABLES = [
  'workflow',
  'execution',
  'credential',
  'webhook',
  'form',
  'chat',
  'schedule',
  'poll',
  'data_table',
];

async function checkRoleReferences(stage: ImportStage, workspaceId: string): Promise<void> {
  const systemRoles = SYSTEM_ROLES.map(({ id }) => id);
  const isRole = (value: string) => `(${value} = ANY($1) OR ${value} IN (SELECT id FROM ${stagedTableName('role')}))`;
  await stage.refuse(
    `SELECT role_id AS found FROM ${stagedTableName('role_assignment')} WHERE NOT coalesce(${isRole('role_id')}, false)`,
    (found) => `a role ${found} is assigned that is not in it`,
    [systemRoles],
  );
  await stage.refuse(
    `SELECT one AS found FROM ${stagedTableName('role')}, unnest(inherits || lineage) AS one WHERE NOT coalesce(${isRole('one')}, false)`,
    (found) => `a role inherits from ${found}, which is not in it`,
    [systemRoles],
  );
  // The roles of objects that have been deleted are left out.
  const objects = ROLE_ASSIGNABLE_TABLES.map((table) => `SELECT id FROM ${stagedTableName(table)}`).join(' UNION ALL ');
  await stage.client.query(
    `DELETE FROM ${stagedTableName('role_assignment')} WHERE resource_id IS NOT NULL AND resource_id NOT IN (${objects})`,
  );
  await stage.refuse(
    `SELECT scope AS found FROM ${stagedTableName('execution_tally')}
     WHERE scope <> $1 AND scope NOT IN (SELECT id FROM ${stagedTableName('workflow')})`,
    (found) => `it counts runs of ${found}`,
    [workspaceId],
  );
  await stage.refuse(
    `SELECT scope_id AS found FROM ${stagedTableName('remembered')} WHERE scope_id IS DISTINCT FROM coalesce(workflow_id, workspace_id)`,
    (found) => `values are remembered for ${found}`,
  );
  await stage.refuse(
    `SELECT only_workspace_id AS found FROM ${stagedTableName('app_user')} WHERE only_workspace_id <> $1`,
    (found) => `it has a user of the workspace ${found}`,
    [workspaceId],
  );
  await stage.refuse(
    `SELECT id AS found FROM ${stagedTableName('node_result')} r CROSS JOIN LATERAL (VALUES (r.child_id), (readable_json(r.held)->>'childId')) child(id)
     WHERE NOT EXISTS (SELECT FROM ${stagedTableName('execution')} c WHERE c.id = child.id AND c.parent_id = r.execution_id)
     AND EXISTS (SELECT FROM execution c WHERE c.id = child.id)`,
    (found) => `a run waits for the run ${found}, which it did not start`,
  );
  const isStrange = `settings->>'errorWorkflowId' IS NOT NULL AND settings->>'errorWorkflowId' NOT IN (SELECT id FROM ${stagedTableName('workflow')})`;
  for (const table of ['workspace', 'workflow'])
    await stage.client.query(
      `UPDATE ${stagedTableName(table)} SET settings = settings - 'errorWorkflowId' WHERE ${isStrange}`,
    );
}

/** Throws a BackupFault if one of the ids exists already. */
export async function requireUnusedIds(stage: ImportStage): Promise<void> {
  for (const table of stage.columns.keys()) {
    if (stage.column(table, 'id')?.type !== 'text' || table === 'app_user') continue;
    const { rows } = await stage.client.query<{ id: string }>(
      `SELECT t.id FROM ${stagedTableName(table)} t JOIN ${quoteSqlName(table)} o ON o.id = t.id LIMIT 1`,
    );
    if (rows[0])
      throw new BackupFault(
        `This installation has ${rows[0].id} (${table}) already: the workspace, or a part of it, was imported or restored before. Nothing was imported.`,
      );
  }
}
