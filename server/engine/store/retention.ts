import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { directUrl, pool } from '@/server/db/client';
import { openSession } from '@/server/db/session';
import { log } from '@/server/log';
import { runtime } from '@/server/runtime';
import { removeDeleted } from './removal';
import { removeRuns, removeRunsOf, type Owner } from './expired-runs';
import { repeat } from '@/server/repeat';

const DAY_MS = 86_400_000;
/** Rows per statement; each cascades to its results and log. */
const BATCH = 200;
/** Pause between two batches, so that the database serves runs. */
const PAUSE_MS = 50;
/** Advisory lock: one process at a time cleans up. */
const LOCK = 7_207_002;

/** SQL: the retention limit of a workspace, which may be shorter than that of the service. */
const beforeIn = (workspace: string) => `
  greatest(before, (SELECT now() - make_interval(days => (settings->>'executionRetentionDays')::int)
    FROM workspace WHERE id = ${workspace}))`;
const OF_WEBHOOK =
  '(SELECT f.workspace_id FROM webhook h JOIN workflow f ON f.id = h.workflow_id WHERE h.id = webhook_id)';

/** Rows beyond their retention, besides runs. */
const STALE: { table: string; key: string; condition: string }[] = [
  { table: 'webhook_delivery', key: 'id', condition: `received_at < ${beforeIn(OF_WEBHOOK)}` },
  { table: 'outbox_mail', key: 'id', condition: 'created_at < before' },
  { table: 'stored_reply', key: 'scope', condition: `created_at < now() - interval '24 hours'` },
  // An ended session is kept for a while to detect the reuse of its tokens.
  { table: 'session', key: 'id', condition: 'expires_at < before OR ended_at < before' },
  { table: 'api_key', key: 'id', condition: 'revoked_at < before' },
  { table: 'daily_use', key: 'scope', condition: `day < (now() AT TIME ZONE 'UTC')::date - 1` },
];

/** Tables in which removals leave empty pages. */
const VACUUMED = [
  'execution',
  'node_result',
  'log_entry',
  'decision',
  'received_call',
  'execution_answer',
  'refresh_token',
];

const isStopped = (signal: AbortSignal | undefined) => signal?.aborted === true;

/** Removes rows in batches, so that other statements do not wait; returns their number. */
async function removeStale(
  client: pg.Client,
  stale: (typeof STALE)[number],
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  const { table, key, condition } = stale;
  let last = '';
  for (let removed = 0; ; await pause(PAUSE_MS)) {
    // In the order of keys: the ids of executions begin with the time, so the oldest come first.
    const { rows } = await client.query<{ last: string | null; removed: number }>(
      `WITH batch AS (SELECT ${key} AS key FROM ${table}, (SELECT $1::timestamptz AS before) time WHERE ${key} > $2 AND (${condition}) ORDER BY ${key} LIMIT ${BATCH}),
        gone AS (DELETE FROM ${table} USING batch WHERE ${key} = batch.key RETURNING 1)
      SELECT (SELECT max(key) FROM batch) AS last, (SELECT count(*)::int FROM gone) AS removed`,
      [before, last],
    );
    removed += rows[0]?.removed ?? 0;
    last = rows[0]?.last ?? '';
    if (last === '' || isStopped(signal)) return removed;
  }
}

/**
 * Removes executions that ended more than `days` ago with all their rows, and other rows beyond their retention. VACUUM
 * makes the space available to the tables, and returns it to the disk where the end of a file is empty. Returns the
 * number of rows per table; null when another process cleans up.
 */
export async function cleanUp(days: number, signal?: AbortSignal): Promise<Map<string, number> | null> {
  // A separate connection: VACUUM may exceed the statement timeout of the pool.
  const client = await openSession(directUrl(), 'command');
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [LOCK]);
    if (!rows[0]?.mine) return null;
    const before = new Date(Date.now() - days * DAY_MS);
    const removed = new Map([['execution', await removeRuns(client, before, signal)]]);
    for (const stale of STALE) {
      if (isStopped(signal)) return removed;
      removed.set(stale.table, await removeStale(client, stale, before, signal));
    }
    const tables = [...removed].flatMap(([table, count]) => (count > 0 ? table : []));
    const emptied = tables.length > 0 ? new Set([...tables, ...VACUUMED]) : [];
    for (const table of emptied) if (!isStopped(signal)) await client.query(`VACUUM ${table}`);
    return removed;
  } finally {
    await client.end();
  }
}

/**
 * Removes the runs of one workspace, or of one of its workflows, that ended more than `days` ago, without waiting for the daily clean-up. Called when
 * a user shortens the retention.
 */
export async function cleanUpRuns(owner: Owner, days: number): Promise<void> {
  await removeRunsOf(pool(), owner, new Date(Date.now() - days * DAY_MS));
}

/** Cleans up once a day. Every worker process tries; the lock admits one at a time. */
export function startRetention(): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const daily = repeat(
    async () => {
      const removed = await cleanUp(runtime().env.executionRetentionDays, stopping.signal);
      const total = [...(removed?.values() ?? [])].reduce((sum, count) => sum + count, 0);
      await removeDeleted();
      if (removed && total > 0)
        log().info({ removed: Object.fromEntries(removed) }, 'removed rows beyond their retention');
    },
    DAY_MS,
    (error) => log().warn({ err: error }, 'the daily clean-up failed'),
  );
  daily.now();
  return {
    stop() {
      stopping.abort();
      return daily.stop();
    },
  };
}
