import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { log } from '../log';
import { runtime } from '../runtime';
import { removeDeleted } from './removal';
import { repeat } from './repeat';

const DAY_MS = 86_400_000;
/** Rows of one statement; each takes its own results and log along. */
const BATCH = 200;
/** What runs have the database to themselves for, between two batches. */
const PAUSE_MS = 50;
/** One process of the fleet cleans up at a time. */
const LOCK = 7_207_002;

/** The moment before which things of a workspace are past their time: it may keep them shorter than the service does. */
const beforeIn = (workspace: string) => `
  greatest(before, (SELECT now() - make_interval(days => (settings->>'executionRetentionDays')::int)
    FROM workspace WHERE id = ${workspace}))`;
const OF_WEBHOOK =
  '(SELECT f.workspace_id FROM webhook h JOIN workflow f ON f.id = h.workflow_id WHERE h.id = webhook_id)';

/** What is past its time; `before` is the moment before which executions must have ended. */
const STALE: { table: string; key: string; condition: string }[] = [
  {
    table: 'execution',
    key: 'id',
    condition: `status IN ('completed', 'failed') AND completed_at < ${beforeIn('execution.workspace_id')}`,
  },
  { table: 'webhook_delivery', key: 'id', condition: `received_at < ${beforeIn(OF_WEBHOOK)}` },
  { table: 'outbox_mail', key: 'id', condition: 'created_at < before' },
  { table: 'stored_reply', key: 'scope', condition: `created_at < now() - interval '24 hours'` },
  // An ended session is kept for a while, so that reuse of its tokens is still recognised.
  { table: 'session', key: 'id', condition: 'expires_at < before OR ended_at < before' },
];

/** What removals leave empty pages in. */
const VACUUMED = ['execution', 'node_result', 'log_entry', 'decision', 'refresh_token'];

const isStopped = (signal: AbortSignal | undefined) => signal?.aborted === true;

/** Removes in batches, so that nobody waits for it; answers how many. */
async function prune(
  client: pg.Client,
  stale: (typeof STALE)[number],
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  const { table, key, condition } = stale;
  let last = '';
  for (let removed = 0; ; await pause(PAUSE_MS)) {
    // By the key: executions' begin with the time, so the oldest come first.
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
 * Removes executions that ended more than `days` ago with all that belongs to them, and what else has no use any more,
 * and gives the space back: to the tables at once, to the disk where whole ends of files are empty. Answers how many
 * rows of each table; null when another process is at it.
 */
export async function cleanUp(days: number, signal?: AbortSignal): Promise<Map<string, number> | null> {
  // A connection of its own: VACUUM may take longer than statements of the pool may.
  const client = new pg.Client({ connectionString: runtime().env.databaseUrl });
  // A connection that breaks fails the statement under way; without a listener it would end the process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [LOCK]);
    if (!rows[0]?.mine) return null;
    const before = new Date(Date.now() - days * DAY_MS);
    const removed = new Map<string, number>();
    for (const stale of STALE) {
      if (isStopped(signal)) return removed;
      removed.set(stale.table, await prune(client, stale, before, signal));
    }
    const tables = [...removed].flatMap(([table, count]) => (count > 0 ? table : []));
    const emptied = tables.length > 0 ? new Set([...tables, ...VACUUMED]) : [];
    for (const table of emptied) if (!isStopped(signal)) await client.query(`VACUUM ${table}`);
    return removed;
  } finally {
    await client.end();
  }
}

/** Cleans up once a day, in every worker process; they take turns. */
export function startRetention(): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const daily = repeat(
    async () => {
      const removed = await cleanUp(runtime().env.executionRetentionDays, stopping.signal);
      const total = [...(removed?.values() ?? [])].reduce((sum, count) => sum + count, 0);
      await removeDeleted();
      if (removed && total > 0) log().info({ removed: Object.fromEntries(removed) }, 'removed what was past its time');
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
