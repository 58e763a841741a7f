import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '../db/client';

/** Runs of one statement; each takes its results and log along. */
const BATCH = 200;
/** What other workspaces' runs have the database to themselves for, between two batches. */
const PAUSE_MS = 20;

/** Removes what is left of deleted workspaces: their runs in batches, then all the rest. */
export async function removeDeleted(): Promise<void> {
  const { rows } = await pool().query<{ id: string }>('SELECT id FROM workspace WHERE deleted_at IS NOT NULL');
  for (const { id } of rows) await removeWorkspace(id);
}

async function removeWorkspace(id: string): Promise<void> {
  for (let isMore = true; isMore; await pause(PAUSE_MS)) {
    const { rowCount } = await pool().query(
      `DELETE FROM execution WHERE id IN (
         SELECT id FROM execution WHERE workspace_id = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE)`,
      [id],
    );
    isMore = rowCount === BATCH;
  }
  await pool().query('DELETE FROM outbox_mail WHERE workspace_id = $1', [id]);
  // Workflows go along, with versions and webhooks.
  await pool().query('DELETE FROM workspace WHERE id = $1 AND deleted_at IS NOT NULL', [id]);
}
