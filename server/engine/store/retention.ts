import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { directDatabaseUrl, databasePool } from '@/server/platform/db/client';
import { openDatabaseSession } from '@/server/platform/db/session';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import { removeDeletedWorkspaces } from './workspace-removal';
import { removeExpiredRuns, removeOwnedRuns, type RunOwner } from './expired-runs';
import { repeatAction } from '@/server/platform/timers/repeat';

const CLEAN_UP_INTERVAL_MS = 86_400_000;
/** Rows per statement; each cascades to its results and log. */
const STALE_BATCH_SIZE = 200;
/** Pause between two batches, so that the database serves runs. */
const STALE_PAUSE_MS = 50;
/** Advisory lock: one process at a time cleans up. */
const CLEAN_UP_LOCK = 7_207_002;

/** SQL: the retention limit of a workspace, which may be shorter than that of the service. */
const retentionBoundSql = (workspace: string) => `
  greatest(before, (SELECT now() - make_interval(days => (settings->>'executionRetentionDays')::int)
    FROM workspace WHERE id = ${workspace}))`;
const WEBHOOK_WORKSPACE_SQL =
  '(SELECT f.workspace_id FROM webhook h JOIN workflow f ON f.id = h.workflow_id WHERE h.id = webhook_id)';

/** Rows beyond their retention, besides runs. */
const STALE_ROWS: { table: string; key: string; condition: string }[] = [
  { table: 'webhook_delivery', key: 'id', condition: `received_at < ${retentionBoundSql(WEBHOOK_WORKSPACE_SQL)}` },
  { table: 'outbox_mail', key: 'id', condition: 'created_at < before' },
  { table: 'stored_reply', key: 'scope', condition: `created_at < now() - interval '24 hours'` },
  // An ended session is kept for a while to detect the reuse of its tokens.
  { table: 'session', key: 'id', condition: 'expires_at < before OR ended_at < before' },
  { table: 'api_key', key: 'id', condition: 'revoked_at < before' },
  { table: 'daily_use', key: 'scope', condition: `day < (now() AT TIME ZONE 'UTC')::date - 1` },
];

/** Tables in which removals leave empty pages. */
const VACUUMED_TABLES = [
  'execution',
  'node_result',
  'log_entry',
  'decision',
  'received_call',
  'execution_answer',
  'refresh_token',
];

const isCleanUpStopped = (signal: AbortSignal | undefined) => signal?.aborted === true;

/** Removes rows in batches, so that other statements do not wait; returns their number. */
async function removeStaleRows(
  client: pg.Client,
  stale: (typeof STALE_ROWS)[number],
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  const { table, key, condition } = stale;
  let last = '';
  for (let removed = 0; ; await pause(STALE_PAUSE_MS)) {
    // In the order of keys: the ids of executions begin with the time, so the oldest come first.
    const { rows } = await client.query<{ last: string | null; removed: number }>(
      `WITH batch AS (SELECT ${key} AS key FROM ${table}, (SELECT $1::timestamptz AS before) time WHERE ${key} > $2 AND (${condition}) ORDER BY ${key} LIMIT ${STALE_BATCH_SIZE}),
        gone AS (DELETE FROM ${table} USING batch WHERE ${key} = batch.key RETURNING 1)
      SELECT (SELECT max(key) FROM batch) AS last, (SELECT count(*)::int FROM gone) AS removed`,
      [before, last],
    );
    removed += rows[0]?.removed ?? 0;
    last = rows[0]?.last ?? '';
    if (last === '' || isCleanUpStopped(signal)) return removed;
  }
}

/**
 * Removes executions that ended more than `days` ago with all their rows, and other rows beyond their retention. VACUUM
 * makes the space available to the tables, and returns it to the disk where the end of a file is empty. Returns the
 * number of rows per table; null when another process cleans up.
 */
export async function removeExpiredRows(days: number, signal?: AbortSignal): Promise<Map<string, number> | null> {
  // A separate connection: VACUUM may exceed the statement timeout of the pool.
  const client = await openDatabaseSession(directDatabaseUrl(), 'command');
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [CLEAN_UP_LOCK]);
    if (!rows[0]?.mine) return null;
    const before = new Date(Date.now() - days * CLEAN_UP_INTERVAL_MS);
    const removed = new Map([['execution', await removeExpiredRuns(client, before, signal)]]);
    for (const stale of STALE_ROWS) {
      if (isCleanUpStopped(signal)) return removed;
      removed.set(stale.table, await removeStaleRows(client, stale, before, signal));
    }
    const tables = [...removed].flatMap(([table, count]) => (count > 0 ? table : []));
    const emptied = tables.length > 0 ? new Set([...tables, ...VACUUMED_TABLES]) : [];
    for (const table of emptied) if (!isCleanUpStopped(signal)) await client.query(`VACUUM ${table}`);
    return removed;
  } finally {
    await client.end();
  }
}

/**
 * Removes the runs of one workspace, or of one of its workflows, that ended more than `days` ago, without waiting for
 * the daily clean-up. Called when a user shortens the retention.
 */
export async function applyShorterRetention(owner: RunOwner, days: number): Promise<void> {
  await removeOwnedRuns(databasePool(), owner, new Date(Date.now() - days * CLEAN_UP_INTERVAL_MS));
}

/** Cleans up once a day. Every worker process tries; the lock admits one at a time. */
export function startDailyCleanUp(): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const daily = repeatAction(
    async () => {
      const removed = await removeExpiredRows(getRuntime().env.executionRetentionDays, stopping.signal);
      const total = [...(removed?.values() ?? [])].reduce((sum, count) => sum + count, 0);
      await removeDeletedWorkspaces();
      if (removed && total > 0)
        serviceLog().info({ removed: Object.fromEntries(removed) }, 'removed rows beyond their retention');
    },
    CLEAN_UP_INTERVAL_MS,
    (error) => serviceLog().warn({ err: error }, 'the daily clean-up failed'),
  );
  daily.wake();
  return {
    stop() {
      stopping.abort();
      return daily.stop();
    },
  };
}
