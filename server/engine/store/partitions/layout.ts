import type pg from 'pg';
import { boundAt, timeOf } from '@/server/db/ids';
import { PARTITIONED } from '@/server/db/run-tables';

export const TABLES = Object.keys(PARTITIONED) as (keyof typeof PARTITIONED)[];

/** Runs from before the partitioning. */
export const HISTORY = 'history';
/** Runs for whose time no partition exists. */
export const REST = 'rest';

export const DAY_MS = 86_400_000;

/** A range of ids that has one partition in each of the partitioned tables. */
export interface Partition {
  /** `history`, or the first day as `20261124`. The partition of `execution` is named `execution_<name>`. */
  name: string;
  /** The first id; null: no lower limit. */
  from: string | null;
  /** The id after the last. */
  to: string;
}

export const boundOf = (at: number): string => boundAt('exec', at);

export const rangeOf = (from: number, to: number): Partition => ({
  name: new Date(from).toISOString().slice(0, 10).replaceAll('-', ''),
  from: boundOf(from),
  to: boundOf(to),
});

/** PostgreSQL's text of the limits of a partition. */
const LIMITS = /^FOR VALUES FROM \((?:MINVALUE|'(\w+)')\) TO \('(\w+)'\)$/;

/** The partitions of runs by time, without the one for other times; null: the tables are not partitioned. */
export async function readPartitions(client: pg.Client): Promise<Partition[] | null> {
  const { rows } = await client.query<{ name: string; limits: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS limits
     FROM pg_partitioned_table p JOIN pg_inherits i ON i.inhparent = p.partrelid JOIN pg_class c ON c.oid = i.inhrelid
     WHERE p.partrelid = to_regclass('execution')`,
  );
  if (rows.length === 0) return null;
  const partitions = rows.flatMap(({ name, limits }) => {
    const [, from, to] = LIMITS.exec(limits) ?? [];
    return to === undefined ? [] : { name: name.slice('execution_'.length), from: from ?? null, to };
  });
  return partitions.toSorted((one, other) => timeOf(one.to) - timeOf(other.to));
}

/** SQL: the storage options of a table, as ` WITH (…)`. A partition does not get those of the table it belongs to. */
export async function storageOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ options: string[] | null }>(
    'SELECT reloptions AS options FROM pg_class WHERE oid = to_regclass($1)',
    [table],
  );
  const options = rows[0]?.options ?? [];
  return options.length > 0 ? ` WITH (${options.join(', ')})` : '';
}
