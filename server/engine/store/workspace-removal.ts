import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { databasePool } from '@/server/platform/db/client';
import { retryCollision } from '@/server/platform/db/failures/retry-collision';
import { deleteRunRows } from './expired-runs';

/** Runs per statement; each cascades to its results and log. */
const REMOVAL_BATCH_SIZE = 200;
/** Pause between two batches, so that the database serves other work. */
const REMOVAL_PAUSE_MS = 20;

/** Repeats a statement on a collision: workers may still write the runs that it removes. */
const queryWithRetry = <Row extends pg.QueryResultRow>(text: string, id: string) =>
  retryCollision(() => databasePool().query<Row>(text, [id]));

/** Removes the data of deleted workspaces: their runs in batches, then everything else. */
export async function removeDeletedWorkspaces(): Promise<void> {
  const { rows } = await databasePool().query<{ id: string }>('SELECT id FROM workspace WHERE deleted_at IS NOT NULL');
  for (const { id } of rows) await removeWorkspaceData(id);
}

async function removeWorkspaceData(id: string): Promise<void> {
  for (let isMore = true; isMore; await pause(REMOVAL_PAUSE_MS)) {
    const { rows: runs } = await queryWithRetry<{ id: string }>(
      `SELECT id FROM execution WHERE workspace_id = $1 ORDER BY created_at LIMIT ${REMOVAL_BATCH_SIZE}`,
      id,
    );
    await deleteRunRows(
      databasePool(),
      runs.map((run) => run.id),
    );
    isMore = runs.length === REMOVAL_BATCH_SIZE;
  }
  // The daily maintenance of files removes their bytes and rows.
  await queryWithRetry('UPDATE file SET removed_at = now() WHERE workspace_id = $1 AND removed_at IS NULL', id);
  await queryWithRetry('DELETE FROM outbox_mail WHERE workspace_id = $1', id);
  // One after another: each is dropped with its indexes, and a transaction can lock a limited number of them.
  const { rows: tables } = await queryWithRetry<{ id: string }>(
    'SELECT id FROM data_table WHERE workspace_id = $1',
    id,
  );
  for (const table of tables) await queryWithRetry('DELETE FROM data_table WHERE id = $1', table.id);
  // Cascades to workflows with their versions and webhooks.
  await queryWithRetry('DELETE FROM workspace WHERE id = $1 AND deleted_at IS NOT NULL', id);
}
