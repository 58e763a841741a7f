import type pg from 'pg';
import { orderedIdBound, orderedIdTime } from '@/server/platform/db/ids';
import { PARTITIONED_TABLES } from '@/server/platform/db/run-tables';

export const RUN_TABLES = Object.keys(PARTITIONED_TABLES) as (keyof typeof PARTITIONED_TABLES)[];

/** The partition of runs from before the partitioning. */
export const HISTORY_PARTITION = 'history';
/** The partition of runs for whose time no other partition exists. */
export const REST_PARTITION = 'rest';

export const PARTITION_DAY_MS = 86_400_000;

/** A range of ids that has one partition in each of the partitioned tables. */
export interface RunPartition {
  /** `history`, or the first day as `20261124`. The partition of `execution` is named `execution_<name>`. */
  name: string;
  /** The first id; null: no lower limit. */
  from: string | null;
  /** The id after the last. */
  to: string;
}

export const runIdAtTime = (at: number): string => orderedIdBound('exec', at);

export const describePartition = (from: number, to: number): RunPartition => ({
  name: new Date(from).toISOString().slice(0, 10).replaceAll('-', ''),
  from: runIdAtTime(from),
  to: runIdAtTime(to),
});

/** Matches PostgreSQL's text for the limits of a partition. */
const PARTITION_LIMITS = /^FOR VALUES FROM \((?:MINVALUE|'(\w+)')\) TO \('(\w+)'\)$/;

/** The partitions of runs by time, without the one for other times; null: the tables are not partitioned. */
export async function readRunPartitions(client: pg.Client): Promise<RunPartition[] | null> {
  const { rows } = await client.query<{ name: string; limits: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS limits
     FROM pg_partitioned_table p JOIN pg_inherits i ON i.inhparent = p.partrelid JOIN pg_class c ON c.oid = i.inhrelid
     WHERE p.partrelid = to_regclass('execution')`,
  );
  if (rows.length === 0) return null;
  const partitions = rows.flatMap(({ name, limits }) => {
    const [, from, to] = PARTITION_LIMITS.exec(limits) ?? [];
    return to === undefined ? [] : { name: name.slice('execution_'.length), from: from ?? null, to };
  });
  return partitions.toSorted((one, other) => orderedIdTime(one.to) - orderedIdTime(other.to));
}

/** SQL: the storage options of a table, as ` WITH (…)`. A partition does not get those of the table it belongs to. */
export async function readStorageOptions(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ options: string[] | null }>(
    'SELECT reloptions AS options FROM pg_class WHERE oid = to_regclass($1)',
    [table],
  );
  const options = rows[0]?.options ?? [];
  return options.length > 0 ? ` WITH (${options.join(', ')})` : '';
}
