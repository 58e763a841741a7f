import { z } from 'zod';
import { TableColumn } from '@/contract/tables/table';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { createRowStorage } from '@/server/data/tables/schema';
import { createPgSql, rowTableName } from '@/server/data/tables/sql';
import { addToTallySql, rowSizeSql } from '@/server/data/tables/tally';
import type { TableRecord } from '../records';
import { copyTableRows } from '../restore';
import { EXPORTED_TABLES } from './content';
import { refusedExportFault, stagedTableName, type ImportStage } from './stage';

const IS_RUN_OVER_SQL = `t.status IN ('completed', 'failed')`;

/** A run that was being executed continues as after a crash. */
const ACTIVE_RUN_CHANGES = {
  worker_id: 'NULL',
  available_at: `CASE WHEN t.worker_id IS NOT NULL AND NOT ${IS_RUN_OVER_SQL} THEN now() ELSE t.available_at END`,
};
/** A run of an inactive import continues only after a decision, a call or a cancellation. */
const INACTIVE_RUN_CHANGES = {
  worker_id: 'NULL',
  available_at: 'NULL',
  queued_at: `CASE WHEN ${IS_RUN_OVER_SQL} THEN t.queued_at END`,
};

/**
 * Stores all staged rows. `isActive`: workflows keep their state and runs go on. Otherwise active workflows are paused,
 * webhooks of drafts disabled, and runs rest.
 */
export async function storeStagedRows(stage: ImportStage, workspaceId: string, isActive: boolean): Promise<number> {
  await renumberRememberedLists(stage);
  // Stored runs are neither limited nor followed by others, whatever the settings: they get them last.
  const quiet = { concurrency_limit: 'NULL', settings: `'{}'` };
  const status = isActive ? 't.status' : `CASE t.status WHEN 'active' THEN 'paused' ELSE t.status END`;
  const isDraft = `EXISTS (SELECT FROM ${stagedTableName('workflow')} w WHERE w.id = t.workflow_id AND w.status = 'draft')`;
  const changes: Record<string, Record<string, string>> = {
    workspace: quiet,
    workflow: { ...quiet, status },
    webhook: isActive ? {} : { enabled: `t.enabled AND NOT ${isDraft}` },
    execution: isActive ? ACTIVE_RUN_CHANGES : INACTIVE_RUN_CHANGES,
  };
  let rows = 0;
  for (const table of Object.keys(EXPORTED_TABLES)) {
    // The database has counted the runs that are stored; the file also counts those that were removed.
    if (table === 'execution_tally')
      await stage.client.query(
        'DELETE FROM execution_tally WHERE scope = $1 OR scope IN (SELECT id FROM workflow WHERE workspace_id = $1)',
        [workspaceId],
      );
    rows += await stage.store(table, changes[table]);
  }
  for (const table of ['workspace', 'workflow'])
    await stage.client.query(
      `UPDATE ${table} o SET concurrency_limit = t.concurrency_limit, settings = t.settings FROM ${stagedTableName(table)} t WHERE t.id = o.id`,
    );
  await stage.client.query(
    `INSERT INTO file_tally (workspace_id, bytes) SELECT workspace_id, sum(size) FROM file WHERE workspace_id = $1 GROUP BY workspace_id`,
    [workspaceId],
  );
  await stage.client.query(
    `INSERT INTO file_check (file_id, due_at) SELECT id, now() + interval '24 hours' FROM file WHERE workspace_id = $1`,
    [workspaceId],
  );
  if (isActive)
    await stage.client.query('SELECT admit_runs($1), pg_notify($2, $3)', [workspaceId, NOTIFY_CHANNELS.work, '']);
  return rows;
}

/** Lists of remembered items get numbers of this database. */
async function renumberRememberedLists({ client }: ImportStage): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE import_numbers ON COMMIT DROP AS
     SELECT id AS old, nextval(pg_get_serial_sequence('remembered', 'id')) AS number FROM ${stagedTableName('remembered')}`,
  );
  for (const [table, column] of [
    ['remembered_item', 'list_id'],
    ['remembered', 'id'],
  ] as const)
    await client.query(
      `UPDATE ${stagedTableName(table)} t SET ${column} = n.number FROM import_numbers n WHERE n.old = t.${column}`,
    );
}

/** Creates a table of the workspace and takes its rows. Its row in `data_table` has been stored. */
export async function storeWorkspaceTable(
  { client }: ImportStage,
  workspaceId: string,
  table: TableRecord,
  rows: AsyncIterable<Buffer>,
) {
  const found = await client.query<{ columns: unknown }>(
    'SELECT columns FROM data_table WHERE id = $1 AND workspace_id = $2',
    [table.name, workspaceId],
  );
  const columns = z.array(TableColumn).safeParse(found.rows[0]?.columns);
  if (!columns.success) throw refusedExportFault(`it has rows of ${table.name}, which is not one of its tables`);
  const { name: id } = table;
  await createRowStorage(createPgSql(client), { id, columns: columns.data, indexes: [] });
  // Records the files that the rows name.
  await client.query('SELECT watch_row_files($1)', [id]);
  const count = await copyTableRows(client, table, rows);
  const name = rowTableName(id);
  await client.query(
    `SELECT setval(pg_get_serial_sequence($1, 'n'), greatest(max(n), 1), max(n) IS NOT NULL) FROM ${name}`,
    [name],
  );
  await client.query(addToTallySql(id, `(SELECT ${rowSizeSql({ columns: columns.data })} AS size FROM ${name}) sizes`));
  return count;
}
