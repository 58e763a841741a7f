import { databasePool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';
import { LocalStorage } from './local-storage';
import { removeAbandonedFiles } from './spool';
import { openFileStorage } from './storage';

/** Bytes are gone within a minute of their last owner. */
const FILE_CLEANUP_INTERVAL_MS = 20_000;
const FILE_CLEANUP_BATCH_SIZE = 200;
/** Interval between two comparisons of the folder with the rows. */
const ORPHAN_CHECK_INTERVAL_MS = 24 * 3_600_000;
/** A row is written before its bytes, so bytes without a row are left from another database. */
const MIN_ORPHAN_AGE_MS = 24 * 3_600_000;
/** A check of a file that was in use at that moment is repeated after so long. */
const RECHECK_INTERVAL_SQL = `interval '30 seconds'`;

const DUE_CHECKS_QUERY = `
SELECT c.id, c.file_id AS "fileId" FROM file_check c WHERE c.due_at <= now() ORDER BY c.due_at LIMIT ${FILE_CLEANUP_BATCH_SIZE} FOR UPDATE SKIP LOCKED`;

/** A transaction that is about to name a file holds a lock on its row. */
const LOCK_FILES_QUERY =
  'SELECT id FROM file WHERE id = ANY($1) AND removed_at IS NULL ORDER BY id FOR UPDATE SKIP LOCKED';

const MARK_UNUSED_STATEMENT = `
UPDATE file f SET removed_at = now() WHERE id = ANY($1) AND NOT EXISTS (SELECT FROM file_use u WHERE u.file_id = f.id)
  AND NOT EXISTS (SELECT FROM row_file_use u WHERE u.file_id = f.id)`;

/** Checks of files that could not be locked are repeated. */
const FINISH_CHECKS_STATEMENT = `
WITH postponed AS (
  UPDATE file_check c SET due_at = now() + ${RECHECK_INTERVAL_SQL} FROM file f
  WHERE c.id = ANY($1) AND f.id = c.file_id AND f.removed_at IS NULL AND f.id <> ALL($2)
  RETURNING c.id
)
DELETE FROM file_check WHERE id = ANY($1) AND id NOT IN (SELECT id FROM postponed)`;

/**
 * Marks the files that are due and that no execution or row names as removed. The statements see what was committed
 * before the locks were taken, so no file is removed that has just been named. Returns how many checks were due.
 */
async function markUnusedFiles(): Promise<number> {
  const client = await databasePool().connect();
  try {
    await client.query('BEGIN');
    const { rows: due } = await client.query<{ id: string; fileId: string }>(DUE_CHECKS_QUERY);
    if (due.length > 0) {
      const { rows: locked } = await client.query<{ id: string }>(LOCK_FILES_QUERY, [due.map(({ fileId }) => fileId)]);
      const ids = locked.map(({ id }) => id);
      await client.query(MARK_UNUSED_STATEMENT, [ids]);
      await client.query(FINISH_CHECKS_STATEMENT, [due.map(({ id }) => id), ids]);
    }
    await client.query('COMMIT');
    return due.length;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

const REMOVED_FILES_QUERY = `SELECT id FROM file WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT ${FILE_CLEANUP_BATCH_SIZE}`;

const DELETE_FILE_ROWS_STATEMENT = `
WITH gone AS (DELETE FROM file WHERE id = ANY($1) RETURNING workspace_id, size),
freed AS (SELECT workspace_id, sum(size) AS bytes FROM gone GROUP BY workspace_id ORDER BY workspace_id)
UPDATE file_tally t SET bytes = t.bytes - freed.bytes FROM freed WHERE t.workspace_id = freed.workspace_id`;

/** Removes the bytes of files that are marked as removed, then their rows. Returns how many. */
async function removeMarkedFiles(): Promise<number> {
  const { rows } = await databasePool().query<{ id: string }>(REMOVED_FILES_QUERY);
  const ids: string[] = [];
  let failure: unknown;
  for (const { id } of rows) {
    try {
      await openFileStorage().remove(id);
      ids.push(id);
    } catch (error) {
      failure = error;
    }
  }
  if (ids.length > 0) await databasePool().query(DELETE_FILE_ROWS_STATEMENT, [ids]);
  // The others are tried again in the next round.
  if (failure) throw failure;
  return ids.length;
}

/** Removes files in the folder that have no row. Nothing, if the database has no files: it may be the wrong one. */
async function removeOrphanedBytes(now: number): Promise<void> {
  const storage = openFileStorage();
  if (!(storage instanceof LocalStorage)) return;
  const { rowCount } = await databasePool().query('SELECT FROM file LIMIT 1');
  if (rowCount === 0) return;
  for await (const keys of storage.keys(new Date(now - MIN_ORPHAN_AGE_MS))) {
    const { rows } = await databasePool().query<{ id: string }>('SELECT id FROM file WHERE id = ANY($1)', [keys]);
    const known = new Set(rows.map(({ id }) => id));
    for (const key of keys) if (!known.has(key)) await storage.remove(key);
  }
}

/**
 * One round: removes what is no longer needed, until nothing is left to remove. Any number of processes may do it at
 * once.
 */
export async function removeUnneededFiles(): Promise<void> {
  while ((await markUnusedFiles()) === FILE_CLEANUP_BATCH_SIZE);
  while ((await removeMarkedFiles()) === FILE_CLEANUP_BATCH_SIZE);
}

/** The daily part: temporary files and bytes that nothing leads to. */
export async function tidyStorage(now = Date.now()): Promise<void> {
  await removeAbandonedFiles(now);
  await removeOrphanedBytes(now);
}

/** Starts the rounds of this process. */
export function startFileKeeper(): { stop(): Promise<void> } {
  const rounds = repeatAction(removeUnneededFiles, FILE_CLEANUP_INTERVAL_MS, (error) =>
    serviceLog().warn({ err: error }, 'removing unused files failed'),
  );
  const daily = repeatAction(
    () => tidyStorage(),
    ORPHAN_CHECK_INTERVAL_MS,
    (error) => serviceLog().warn({ err: error }, 'tidying the file storage failed'),
  );
  rounds.wake();
  daily.wake();
  return {
    async stop() {
      await Promise.all([rounds.stop(), daily.stop()]);
    },
  };
}
