import { QUOTAS } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { pool } from '@/server/db/client';
import { quotaExceeded } from '@/server/quotas/quota';
import { columnName, Parameters, tableName, type Sql } from './sql';
import type { DataTable } from './table';

/** Bytes that a row counts besides its values. */
const ROW_BYTES = 100;

/** SQL of the bytes that a row counts: a function of its values, so that a removal gives back what an insertion took. `of`: `t.` */
export const sizeSql = ({ columns }: Pick<DataTable, 'columns'>, of = ''): string =>
  [String(ROW_BYTES), ...columns.map((column) => cellSizeSql(column, of))].join(' + ');

/** SQL of the bytes that a cell counts. */
export function cellSizeSql({ id, type }: DataTable['columns'][number], of = ''): string {
  const cell = of + columnName(id);
  if (type === 'text') return `coalesce(octet_length(${cell}), 0)`;
  if (type === 'json') return `coalesce(octet_length(${cell}::text), 0)`;
  return `CASE WHEN ${cell} IS NULL THEN 0 ELSE 8 END`;
}

/** SQL of a change of a table's tally. `from`: a source with a column `size` for each row. */
export const addToTally = (tableId: string, from: string, sign: '' | '-' = ''): string => `
  INSERT INTO data_table_tally (table_id, rows, bytes)
  SELECT ${literal(tableId)}, ${sign}count(*), ${sign}sum(size) FROM ${from} HAVING count(*) > 0`;

/** The id is quoted like the name of its table: it has been checked. */
const literal = (tableId: string) => `'${tableName(tableId).slice(1, -1)}'`;

export interface TableUse {
  rows: number;
  bytes: number;
}

const USE = `
SELECT w.tier, coalesce(sum(y.rows), 0)::float8 AS rows, coalesce(sum(y.bytes), 0)::float8 AS bytes
FROM workspace w LEFT JOIN data_table t ON t.workspace_id = w.id LEFT JOIN data_table_tally y ON y.table_id = t.id
WHERE w.id = $1 GROUP BY w.tier`;

/** Below this distance from the limit, insertions of a workspace follow each other. */
const NEAR_ROWS = 5000;
const NEAR_BYTES = 64 * 1024 * 1024;

/** Approximate size of new rows in bytes, before they are stored. */
export interface Growth {
  rows: number;
  bytes: number;
}

/**
 * Throws FORBIDDEN if the rows of the workspace would exceed its quota. Near the limit it takes a lock until the transaction ends, so that it
 * is exact; far from it, concurrent insertions do not wait for each other.
 */
export async function requireRoomForRows(sql: Sql, workspaceId: string, growth: Growth): Promise<void> {
  const use = await useWithTier(sql, workspaceId);
  const { tableBytes } = QUOTAS[use.tier];
  // A lower tier leaves what is there, also to be changed.
  const tableRows = growth.rows > 0 ? QUOTAS[use.tier].tableRows : null;
  const isNear =
    (tableRows !== null && use.rows + growth.rows + NEAR_ROWS > tableRows) ||
    (tableBytes !== null && use.bytes + growth.bytes + NEAR_BYTES > tableBytes);
  if (!isNear) return;
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text`, [`count:tableRows:${workspaceId}`]);
  const { rows, bytes } = await useWithTier(sql, workspaceId);
  if (tableRows !== null && rows + growth.rows > tableRows) throw quotaExceeded('tableRows', rows, tableRows);
  if (tableBytes !== null && bytes + growth.bytes > tableBytes) throw quotaExceeded('tableBytes', bytes, tableBytes);
}

async function useWithTier(sql: Sql, workspaceId: string): Promise<TableUse & { tier: Tier }> {
  const [row] = await sql.query<TableUse & { tier: Tier }>(USE, [workspaceId], { name: 'tables.use' });
  return row ?? { tier: 'free', rows: 0, bytes: 0 };
}

/** What the tables of a workspace have. */
export async function tableUse(workspaceId: string): Promise<TableUse> {
  const { rows } = await pool().query<TableUse>(USE, [workspaceId]);
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** Numbers of rows by the ids of tables. */
export async function rowCounts(sql: Sql, tableIds: readonly string[]): Promise<Map<string, number>> {
  if (tableIds.length === 0) return new Map();
  const parameters = new Parameters();
  const ids = tableIds.map((id) => parameters.add(id)).join(', ');
  const rows = await sql.query<{ id: string; rows: number }>(
    `SELECT table_id AS id, sum(rows)::float8 AS rows FROM data_table_tally WHERE table_id IN (${ids}) GROUP BY table_id`,
    parameters.values,
  );
  return new Map(rows.map(({ id, rows: count }) => [id, count]));
}

const BATCH = 10_000;

/** Adds the changes of tables up; returns how many there were. A concurrent count sees either the changes or their sum. */
export async function addUpTables(): Promise<number> {
  const { rows } = await pool().query<{ changes: number }>(
    `WITH change AS (
      DELETE FROM data_table_tally WHERE id IN (
        SELECT id FROM data_table_tally WHERE table_id IN (
          SELECT table_id FROM data_table_tally GROUP BY table_id HAVING count(*) > 1 LIMIT 100
        ) ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING table_id, rows, bytes
    ),
    added AS (
      INSERT INTO data_table_tally (table_id, rows, bytes)
      SELECT c.table_id, sum(c.rows), sum(c.bytes) FROM change c JOIN data_table t ON t.id = c.table_id GROUP BY c.table_id
    )
    SELECT count(*)::int AS changes FROM change`,
  );
  return rows[0]?.changes ?? 0;
}
