import type pg from 'pg';
import { lockTablesBriefly } from '@/server/platform/db/lock-briefly';
import { PARTITIONED_TABLES, RUN_PART_TABLES } from '@/server/platform/db/run-tables';
import {
  runIdAtTime,
  PARTITION_DAY_MS,
  HISTORY_PARTITION,
  describePartition,
  readRunPartitions,
  REST_PARTITION,
  readStorageOptions,
  RUN_TABLES,
} from './layout';
import { PARTITIONS_AHEAD, createRunPartition } from './upkeep';

/** The first partition begins at least this long after the preparation, which takes a while for large tables. */
const PREPARATION_MS = 2 * 3_600_000;
/**
 * Every unique index of a partitioned table needs the partition key, so the trigger `admit_child` replaces this index.
 */
const CHILD_UNIQUE_INDEX = 'execution_child_key';
const CHILD_PLAIN_INDEX = 'execution_child_idx';
const CHILD_INDEX_COLUMNS = 'ON execution (parent_id, parent_node, parent_attempt) WHERE parent_id IS NOT NULL';

/** A problem that the operator can solve. */
export class PartitioningError extends Error {}

/** The start of the day that is PREPARATION_MS away or more, in milliseconds since 1970. */
const firstPartitionStart = (now: number): number =>
  Math.ceil((now + PREPARATION_MS) / PARTITION_DAY_MS) * PARTITION_DAY_MS;

export interface PartitionOptions {
  /** Where the first partition begins, in milliseconds since 1970. Default: a midnight in UTC, in 2 to 26 hours */
  start?: number;
  /** How often to try to lock the tables. Default: 5 */
  attempts?: number;
}

/**
 * Partitions the tables of runs by time, while the service runs. Rows stay where they are: the tables become the first
 * partition of new ones. Each of the others has `days` days. Throws a PartitionFault.
 */
export async function partitionRunTables(
  client: pg.Client,
  days: number,
  { start = firstPartitionStart(Date.now()), attempts }: PartitionOptions = {},
): Promise<void> {
  if (await readRunPartitions(client)) throw new PartitioningError('The tables are partitioned already.');
  const bound = runIdAtTime(start);
  await requireOlderRuns(client, bound);
  await undoPreparation(client);
  try {
    await preparePartitioning(client, bound, attempts);
    await lockTablesBriefly(client, () => exchangeAllTables(client, bound, start, days), attempts);
  } catch (error) {
    await undoPreparation(client);
    throw error;
  }
  for (const table of RUN_TABLES) await client.query(`ANALYZE ${table}`);
}

async function requireOlderRuns(client: pg.Client, bound: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM execution WHERE id >= $1',
    [bound],
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0) {
    throw new PartitioningError(
      `${count} runs have ids that do not begin with their time, as earlier versions made them. Partition when they have been removed.`,
    );
  }
}

/**
 * Does the slow work without locks for which statements would wait: constraints that prove the range of the rows, and
 * an index.
 */
async function preparePartitioning(client: pg.Client, bound: string, attempts?: number): Promise<void> {
  for (const table of RUN_TABLES) {
    const check = `CHECK (${PARTITIONED_TABLES[table]} < '${bound}') NOT VALID`;
    await executeWithLock(client, `ALTER TABLE ${table} ADD CONSTRAINT ${table}_bound ${check}`, attempts);
    await client.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_bound`);
  }
  await client.query(`CREATE INDEX CONCURRENTLY ${CHILD_PLAIN_INDEX} ${CHILD_INDEX_COLUMNS}`);
}

async function undoPreparation(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT conrelid::regclass::text AS table FROM pg_constraint WHERE conname = conrelid::regclass::text || '_bound' AND contype = 'c'`,
  );
  for (const { table } of rows) await executeWithLock(client, `ALTER TABLE ${table} DROP CONSTRAINT ${table}_bound`);
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${CHILD_PLAIN_INDEX}`);
}

/** Executes a statement that locks a table for a moment. */
const executeWithLock = (client: pg.Client, sql: string, attempts?: number) =>
  lockTablesBriefly(client, () => client.query(sql), attempts);

/** Runs in a transaction. New tables take the names of the old ones, which become their first partitions. */
async function exchangeAllTables(client: pg.Client, bound: string, start: number, days: number): Promise<void> {
  for (const table of RUN_TABLES) await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  await dropRunForeignKeys(client);
  await client.query(`DROP INDEX ${CHILD_UNIQUE_INDEX}`);
  for (const table of RUN_TABLES) await exchangeRunTable(client, table, bound);
  await client.query('ALTER SEQUENCE log_entry_id_seq OWNED BY log_entry.id');
  await client.query(
    `INSERT INTO run_child SELECT parent_id, parent_node, parent_attempt FROM execution
     WHERE parent_id IS NOT NULL AND parent_node IS NOT NULL AND parent_attempt IS NOT NULL ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `CREATE TRIGGER execution_child BEFORE INSERT ON execution FOR EACH ROW
     WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_node IS NOT NULL AND NEW.parent_attempt IS NOT NULL) EXECUTE FUNCTION admit_child()`,
  );
  for (let index = 0; index < PARTITIONS_AHEAD; index += 1) {
    const from = start + index * days * PARTITION_DAY_MS;
    await createRunPartition(client, describePartition(from, from + days * PARTITION_DAY_MS));
  }
}

/**
 * Removes the foreign keys that refer to runs: `remove_run_parts` cascades, and partitions leave without a check of all
 * rows.
 */
async function dropRunForeignKeys(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
     WHERE contype = 'f' AND confrelid = 'execution'::regclass ORDER BY 1`,
  );
  const known: string[] = [...RUN_TABLES, ...Object.keys(RUN_PART_TABLES)];
  const unknown = rows.find(({ table }) => !known.includes(table));
  if (unknown) throw new Error(`remove_run_parts does not know the table ${unknown.table}, which refers to runs`);
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
}

async function exchangeRunTable(client: pg.Client, table: (typeof RUN_TABLES)[number], bound: string): Promise<void> {
  const old = `${table}_${HISTORY_PARTITION}`;
  const storage = await readStorageOptions(client, table);
  const read = async (sql: string) => (await client.query<{ name: string; definition: string }>(sql, [table])).rows;
  // One sequence numbers the entries of the log. A key would need the id of the run as well, and serves no query.
  if (table === 'log_entry') await client.query('ALTER TABLE log_entry DROP CONSTRAINT log_entry_pkey');
  const indexes = await read(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = $1::regclass AND NOT i.indisprimary`,
  );
  const keys = await read(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = $1::regclass AND contype IN ('p', 'f') ORDER BY contype DESC`,
  );
  const triggers = await read(
    `SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal`,
  );
  for (const { name } of triggers) await client.query(`DROP TRIGGER ${name} ON ${table}`);
  for (const { name } of indexes) await client.query(`ALTER INDEX ${name} RENAME TO ${name}_${HISTORY_PARTITION}`);
  if (keys.some(({ definition }) => definition.startsWith('PRIMARY KEY')))
    await client.query(`ALTER TABLE ${table} RENAME CONSTRAINT ${table}_pkey TO ${old}_pkey`);
  await client.query(`ALTER TABLE ${table} RENAME TO ${old}`);
  await client.query(
    `CREATE TABLE ${table} (LIKE ${old} INCLUDING DEFAULTS) PARTITION BY RANGE (${PARTITIONED_TABLES[table]})`,
  );
  for (const { name, definition } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query(`ALTER TABLE ${table} ATTACH PARTITION ${old} FOR VALUES FROM (MINVALUE) TO ('${bound}')`);
  await client.query(`ALTER TABLE ${old} DROP CONSTRAINT ${table}_bound`);
  await client.query(`CREATE TABLE ${table}_${REST_PARTITION} PARTITION OF ${table} DEFAULT${storage}`);
  for (const { definition } of triggers) await client.query(definition);
}
