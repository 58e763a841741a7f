import type pg from 'pg';
import { timeOf } from '@/server/db/ids';
import { lockBriefly } from '@/server/db/lock-briefly';
import { PARTITIONED, PARTS } from '@/server/db/run-tables';
import { HISTORY, rangeOf, readPartitions, REST, storageOf, TABLES, type Partition } from './layout';

/** Partitions that exist before their time: runs are stored while no process makes new ones. */
export const AHEAD = 3;

/** Makes the partitions of the next time, each as long as the last one, where runs are partitioned. */
export async function addPartitions(client: pg.Client, now = Date.now()): Promise<void> {
  const last = (await readPartitions(client))?.at(-1);
  if (!last?.from) return;
  const length = timeOf(last.to) - timeOf(last.from);
  let isNew = false;
  for (let from = timeOf(last.to); from < now + AHEAD * length; from += length) {
    const range = rangeOf(from, from + length);
    await lockBriefly(client, () => createPartition(client, range));
    isNew = true;
  }
  // PostgreSQL analyzes partitions by itself, but not the tables they belong to.
  if (isNew) for (const table of TABLES) await client.query(`ANALYZE ${table}`);
}

/** In a transaction. Rows that were stored before their partition existed are moved to it. */
export async function createPartition(client: pg.Client, { name, from, to }: Partition): Promise<void> {
  for (const table of TABLES) {
    const key = PARTITIONED[table];
    const part = `${table}_${name}`;
    const rest = `${table}_${REST}`;
    const inRange = `${key} >= '${from}' AND ${key} < '${to}'`;
    await client.query(`LOCK TABLE ${rest} IN ACCESS EXCLUSIVE MODE`);
    await client.query(`CREATE TABLE ${part} (LIKE ${table} INCLUDING DEFAULTS)${await storageOf(client, rest)}`);
    await client.query(`INSERT INTO ${part} SELECT * FROM ${rest} WHERE ${inRange}`);
    // Triggers on statements belong to the partitioned table: this counts as no removal.
    await client.query(`DELETE FROM ${rest} WHERE ${inRange}`);
    await client.query(`ALTER TABLE ${table} ATTACH PARTITION ${part} FOR VALUES FROM ('${from}') TO ('${to}')`);
  }
}

/**
 * Drops the partitions of whose time all runs ended before `before`. The tables are locked for the moment in which partitions leave them;
 * counting and removing happen afterwards. Returns the number of removed runs.
 */
export async function dropPartitions(client: pg.Client, before: Date): Promise<number> {
  let removed = 0;
  for (const name of await leftPartitions(client)) removed += await finish(client, name);
  for (const partition of (await readPartitions(client)) ?? []) {
    if (timeOf(partition.to) > before.getTime() || (await hasOther(client, partition, before))) continue;
    if (await lockBriefly(client, () => leave(client, partition))) removed += await finish(client, partition.name);
  }
  return removed;
}

/** Whether it has runs that are not over, ended later, or are kept. */
async function hasOther(client: pg.Client, partition: Partition, before: Date): Promise<boolean> {
  const { rows } = await client.query<{ hasOther: boolean }>(
    `SELECT EXISTS (SELECT FROM execution_${partition.name} WHERE completed_at IS NULL OR completed_at >= $1) AS "hasOther"`,
    [before],
  );
  return rows[0]?.hasOther !== false || (await hasKept(client, partition));
}

async function hasKept(client: pg.Client, { name }: Partition): Promise<boolean> {
  const { rows } = await client.query<{ hasKept: boolean }>(
    `SELECT EXISTS (
       SELECT FROM execution_annotation a JOIN execution_${name} run ON run.id = a.execution_id WHERE a.is_kept) AS "hasKept"`,
  );
  return rows[0]?.hasKept !== false;
}

/**
 * Detached, a partition is found by nothing but `finish`. False: it stays, because a user has asked to keep one of its runs since `hasOther`
 * looked. Nobody can do so while the tables are locked: an annotation holds its run.
 */
async function leave(client: pg.Client, partition: Partition): Promise<boolean> {
  for (const table of TABLES) await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  if (await hasKept(client, partition)) return false;
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_${partition.name}`);
  return true;
}

/** The partitions that a process has detached and not dropped, because it ended meanwhile. */
async function leftPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT substr(c.relname, length('execution_') + 1) AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ '^execution_(${HISTORY}|[0-9]{8})$'`,
  );
  return rows.map(({ name }) => name);
}

/** Takes the runs of a detached partition out of the counts, removes their parts in other tables, and drops it. */
async function finish(client: pg.Client, name: string): Promise<number> {
  const runs = `execution_${name}`;
  return lockBriefly(client, async () => {
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
    for (const [table, key] of Object.entries({ ...PARTS, run_child: 'parent_id' }))
      await client.query(`DELETE FROM ${table} part USING ${runs} run WHERE part.${key} = run.id`);
    for (const table of TABLES) await client.query(`DROP TABLE ${table}_${name}`);
    return rows[0]?.count ?? 0;
  });
}

/** Ids from `from` on, without `to` and those after it; absent: no limit. */
export interface IdRange {
  from?: string;
  to?: string;
}

/**
 * Where runs that ended before `before` are removed one by one: outside of the partitions that will be dropped later. Null: everywhere.
 */
export async function rangesOfRows(client: pg.Client, before: Date): Promise<IdRange[] | null> {
  const partitions = await readPartitions(client);
  const later = partitions?.filter(({ from, to }) => from !== null && timeOf(to) > before.getTime());
  const [first, last] = [later?.[0]?.from, later?.at(-1)?.to];
  return first && last ? [{ to: first }, { from: last }] : null;
}
