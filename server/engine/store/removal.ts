import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '@/server/db/client';
import { retryCollision } from '@/server/db/failures/retry-collision';
import { deleteRuns } from './expired-runs';

/** Runs per statement; each cascades to its results and log. */
const BATCH = 200;
/** Pause between two batches, so that the database serves other work. */
const PAUSE_MS = 20;

/** Workers may still write the runs that are removed. */
const query = <Row extends pg.QueryResultRow>(text: string, id: string) =>
  retryCollision(() => pool().query<Row>(text, [id]));

/** Removes the data of deleted workspaces: their runs in batches, then everything else. */
export async function removeDeleted(): Promise<void> {
  const { rows } = await pool().query<{ id: string }>('SELECT id FROM workspace WHERE deleted_at IS NOT NULL');
  for (const { id } of rows) await removeWorkspace(id);
}

async function removeWorkspace(id: string): Promise<void> {
  for (let isMore = true; isMore; await pause(PAUSE_MS)) {
    const { rows: runs } = await query<{ id: string }>(
      `SELECT id FROM execution WHERE workspace_id = $1 ORDER BY created_at LIMIT ${BATCH}`,
      id,
    );
    await deleteRuns(
      pool(),
      runs.map((run) => run.id),
    );
    isMore = runs.length === BATCH;
  }
  // Their bytes and rows are removed by the keeper of files.
  await query('UPDATE file SET removed_at = now() WHERE workspace_id = $1 AND removed_at IS NULL', id);
  await query('DELETE FROM outbox_mail WHERE workspace_id = $1', id);
  // One after another: each is dropped with its indexes, and a transaction can lock a limited number of them.
  const { rows: tables } = await query<{ id: string }>('SELECT id FROM data_table WHERE workspace_id = $1', id);
  for (const table of tables) await query('DELETE FROM data_table WHERE id = $1', table.id);
  // Cascades to workflows with their versions and webhooks.
  await query('DELETE FROM workspace WHERE id = $1 AND deleted_at IS NOT NULL', id);
}
