import type pg from 'pg';
import { orderedIdTime } from '@/server/platform/db/ids';
import { lockTablesBriefly } from '@/server/platform/db/lock-briefly';
import { PARTITIONED_TABLES, RUN_PART_TABLES } from '@/server/platform/db/run-tables';
import {
  HISTORY_PARTITION,
  describePartition,
  readRunPartitions,
  REST_PARTITION,
  readStorageOptions,
  RUN_TABLES,
  type RunPartition,
} from './layout';

/** Number of partitions that exist before their time, so that runs can be stored while no process creates new ones. */
export const PARTITIONS_AHEAD = 3;

/** Creates the next partitions, each as long as the last one. Does nothing if runs are not partitioned. */
export async function addNextPartitions(client: pg.Client, now = Date.now()): Promise<void> {
  const last = (await readRunPartitions(client))?.at(-1);
  if (!last?.from) return;
  const length = orderedIdTime(last.to) - orderedIdTime(last.from);
  let isNew = false;
  for (let from = orderedIdTime(last.to); from < now + PARTITIONS_AHEAD * length; from += length) {
    const range = describePartition(from, from + length);
    await lockTablesBriefly(client, () => createRunPartition(client, range));
    isNew = true;
  }
  // PostgreSQL analyzes partitions by itself, but not the tables they belong to.
  if (isNew) for (const table of RUN_TABLES) await client.query(`ANALYZE ${table}`);
}

/** Creates a partition, in a transaction, and moves the rows to it that were stored before it existed. */
export async function createRunPartition(client: pg.Client, { name, from, to }: RunPartition): Promise<void> {
  for (const table of RUN_TABLES) {
    const key = PARTITIONED_TABLES[table];
    const part = `${table}_${name}`;
    const rest = `${table}_${REST_PARTITION}`;
    const inRange = `${key} >= '${from}' AND ${key} < '${to}'`;
    await client.query(`LOCK TABLE ${rest} IN ACCESS EXCLUSIVE MODE`);
    await client.query(
      `CREATE TABLE ${part} (LIKE ${table} INCLUDING DEFAULTS)${await readStorageOptions(client, rest)}`,
    );
    await client.query(`INSERT INTO ${part} SELECT * FROM ${rest} WHERE ${inRange}`);
    // Triggers on statements belong to the partitioned table: this counts as no removal.
    await client.query(`DELETE FROM ${rest} WHERE ${inRange}`);
    await client.query(`ALTER TABLE ${table} ATTACH PARTITION ${part} FOR VALUES FROM ('${from}') TO ('${to}')`);
  }
}

/**
 * Drops the partitions of whose time all runs ended before `before`. The tables are locked for the moment in which
 * partitions leave them; counting and removing happen afterwards. Returns the number of removed runs.
 */
export async function dropExpiredPartitions(client: pg.Client, before: Date): Promise<number> {
  let removed = 0;
  for (const name of await findDetachedPartitions(client)) removed += await dropDetachedPartition(client, name);
  for (const partition of (await readRunPartitions(client)) ?? []) {
    if (orderedIdTime(partition.to) > before.getTime() || (await hasUnexpiredRuns(client, partition, before))) continue;
    if (await lockTablesBriefly(client, () => detachPartition(client, partition)))
      removed += await dropDetachedPartition(client, partition.name);
  }
  return removed;
}

/** Whether the partition has runs that have not ended, ended later than `before`, or are kept. */
async function hasUnexpiredRuns(client: pg.Client, partition: RunPartition, before: Date): Promise<boolean> {
  const { rows } = await client.query<{ hasOther: boolean }>(
    `SELECT EXISTS (SELECT FROM execution_${partition.name} WHERE completed_at IS NULL OR completed_at >= $1) AS "hasOther"`,
    [before],
  );
  return rows[0]?.hasOther !== false || (await hasKeptRuns(client, partition));
}

async function hasKeptRuns(client: pg.Client, { name }: RunPartition): Promise<boolean> {
  const { rows } = await client.query<{ hasKept: boolean }>(
    `SELECT EXISTS (
       SELECT FROM execution_annotation a JOIN execution_${name} run ON run.id = a.execution_id WHERE a.is_kept) AS "hasKept"`,
  );
  return rows[0]?.hasKept !== false;
}

/**
 * Detaches a partition; after that only `dropDetachedPartition` finds it. Returns false, and detaches nothing, if a
 * user has asked to keep one of its runs since `hasUnexpiredRuns` checked. Nobody can ask while the tables are locked,
 * because an annotation locks its run.
 */
async function detachPartition(client: pg.Client, partition: RunPartition): Promise<boolean> {
  for (const table of RUN_TABLES) await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  if (await hasKeptRuns(client, partition)) return false;
  for (const table of RUN_TABLES)
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_${partition.name}`);
  return true;
}

/** Finds the partitions that a process has detached but not dropped, because it ended in between. */
async function findDetachedPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT substr(c.relname, length('execution_') + 1) AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ '^execution_(${HISTORY_PARTITION}|[0-9]{8})$'`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Subtracts the runs of a detached partition from the tally, removes their rows in other tables, and drops the
 * partition.
 */
async function dropDetachedPartition(client: pg.Client, name: string): Promise<number> {
  const runs = `execution_${name}`;
  return lockTablesBriefly(client, async () => {
    const { rows } = await client.query<{ count: number }>(
      `WITH grouped AS (
         SELECT workspace_id, workflow_id, trigger, status, date_trunc('hour', created_at, 'UTC') AS hour, count(*) AS count
         FROM ${runs} GROUP BY 1, 2, 3, 4, 5
       ),
       tallied AS (
         INSERT INTO execution_tally (scope, trigger, status, hour, count)
         SELECT s.scope, g.trigger, g.status, s.hour, -sum(g.count)
         FROM grouped g CROSS JOIN LATERAL (VALUES (g.workspace_id, g.hour), (g.workflow_id, 'epoch')) s(scope, hour)
         GROUP BY 1, 2, 3, 4
       )
       SELECT coalesce(sum(count), 0)::int AS count FROM grouped`,
    );
    for (const [table, key] of Object.entries({ ...RUN_PART_TABLES, run_child: 'parent_id' }))
      await client.query(`DELETE FROM ${table} part USING ${runs} run WHERE part.${key} = run.id`);
    for (const table of RUN_TABLES) await client.query(`DROP TABLE ${table}_${name}`);
    return rows[0]?.count ?? 0;
  });
}

/** A range of ids: `from` is included, `to` is not. An absent bound is no limit. */
export interface RunIdRange {
  from?: string;
  to?: string;
}

/**
 * The ranges of ids in which runs that ended before `before` are removed one by one: outside of the partitions that
 * will be dropped later. Null: everywhere.
 */
export async function findRangesOutsidePartitions(client: pg.Client, before: Date): Promise<RunIdRange[] | null> {
  const partitions = await readRunPartitions(client);
  const later = partitions?.filter(({ from, to }) => from !== null && orderedIdTime(to) > before.getTime());
  const [first, last] = [later?.[0]?.from, later?.at(-1)?.to];
  return first && last ? [{ to: first }, { from: last }] : null;
}
