import { QUOTAS_BY_TIER } from '@/contract/quota';
import type { WorkspaceTier } from '@/contract/tier';
import { databasePool } from '@/server/platform/db/client';
import { quotaExceededProblem } from '@/server/platform/quotas/quota';
import { rowColumnName, SqlParameters, rowTableName, type SqlClient } from './sql';
import type { DataTableRecord } from './table';

/** A row counts this many bytes besides its values. */
const BYTES_PER_ROW = 100;

/**
 * SQL of the bytes that a row counts: a function of its values, so that a removal gives back what an insertion took.
 * `of`: `t.`
 */
export const rowSizeSql = ({ columns }: Pick<DataTableRecord, 'columns'>, of = ''): string =>
  [String(BYTES_PER_ROW), ...columns.map((column) => cellSizeSql(column, of))].join(' + ');

/** SQL of the bytes that a cell counts. */
export function cellSizeSql({ id, type }: DataTableRecord['columns'][number], of = ''): string {
  const cell = of + rowColumnName(id);
  if (type === 'text') return `coalesce(octet_length(${cell}), 0)`;
  if (type === 'json') return `coalesce(octet_length(${cell}::text), 0)`;
  return `CASE WHEN ${cell} IS NULL THEN 0 ELSE 8 END`;
}

/** SQL of a change of a table's tally. `from`: a source with a column `size` for each row. */
export const addToTallySql = (tableId: string, from: string, sign: '' | '-' = ''): string => `
  INSERT INTO data_table_tally (table_id, rows, bytes)
  SELECT ${tableIdLiteral(tableId)}, ${sign}count(*), ${sign}sum(size) FROM ${from} HAVING count(*) > 0`;

/** The id is quoted like the name of its table: it has been checked. */
const tableIdLiteral = (tableId: string) => `'${rowTableName(tableId).slice(1, -1)}'`;

export interface TableUsage {
  rows: number;
  bytes: number;
}

const TABLE_USAGE_SQL = `
SELECT w.tier, coalesce(sum(y.rows), 0)::float8 AS rows, coalesce(sum(y.bytes), 0)::float8 AS bytes
FROM workspace w LEFT JOIN data_table t ON t.workspace_id = w.id LEFT JOIN data_table_tally y ON y.table_id = t.id
WHERE w.id = $1 GROUP BY w.tier`;

/** Below this distance from the limit, insertions of a workspace follow each other. */
const NEAR_LIMIT_ROWS = 5000;
const NEAR_LIMIT_BYTES = 64 * 1024 * 1024;

/** Approximate size of new rows in bytes, before they are stored. */
export interface RowGrowth {
  rows: number;
  bytes: number;
}

/**
 * Throws FORBIDDEN if the rows of the workspace would exceed its quota. Near the limit it takes a lock until the
 * transaction ends, so that it is exact; far from it, concurrent insertions do not wait for each other.
 */
export async function requireRowQuota(sql: SqlClient, workspaceId: string, growth: RowGrowth): Promise<void> {
  const use = await readUsageWithTier(sql, workspaceId);
  const { tableBytes } = QUOTAS_BY_TIER[use.tier];
  // A lower tier leaves what is there, also to be changed.
  const tableRows = growth.rows > 0 ? QUOTAS_BY_TIER[use.tier].tableRows : null;
  const isNear =
    (tableRows !== null && use.rows + growth.rows + NEAR_LIMIT_ROWS > tableRows) ||
    (tableBytes !== null && use.bytes + growth.bytes + NEAR_LIMIT_BYTES > tableBytes);
  if (!isNear) return;
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text`, [`count:tableRows:${workspaceId}`]);
  const { rows, bytes } = await readUsageWithTier(sql, workspaceId);
  if (tableRows !== null && rows + growth.rows > tableRows) throw quotaExceededProblem('tableRows', rows, tableRows);
  if (tableBytes !== null && bytes + growth.bytes > tableBytes)
    throw quotaExceededProblem('tableBytes', bytes, tableBytes);
}

async function readUsageWithTier(sql: SqlClient, workspaceId: string): Promise<TableUsage & { tier: WorkspaceTier }> {
  const [row] = await sql.query<TableUsage & { tier: WorkspaceTier }>(TABLE_USAGE_SQL, [workspaceId], {
    name: 'tables.use',
  });
  return row ?? { tier: 'free', rows: 0, bytes: 0 };
}

/** Returns how many rows and bytes the tables of a workspace have. */
export async function readTableUsage(workspaceId: string): Promise<TableUsage> {
  const { rows } = await databasePool().query<TableUsage>(TABLE_USAGE_SQL, [workspaceId]);
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** Numbers of rows by the ids of tables. */
export async function countRowsByTable(sql: SqlClient, tableIds: readonly string[]): Promise<Map<string, number>> {
  if (tableIds.length === 0) return new Map();
  const parameters = new SqlParameters();
  const ids = tableIds.map((id) => parameters.add(id)).join(', ');
  const rows = await sql.query<{ id: string; rows: number }>(
    `SELECT table_id AS id, sum(rows)::float8 AS rows FROM data_table_tally WHERE table_id IN (${ids}) GROUP BY table_id`,
    parameters.values,
  );
  return new Map(rows.map(({ id, rows: count }) => [id, count]));
}

const MAX_TALLY_CHANGES = 10_000;

/**
 * Adds the changes of tables up; returns how many there were. A concurrent count sees either the changes or their sum.
 */
export async function addUpTableTallies(): Promise<number> {
  const { rows } = await databasePool().query<{ changes: number }>(
    `WITH change AS (
      DELETE FROM data_table_tally WHERE id IN (
        SELECT id FROM data_table_tally WHERE table_id IN (
          SELECT table_id FROM data_table_tally GROUP BY table_id HAVING count(*) > 1 LIMIT 100
        ) ORDER BY id LIMIT ${MAX_TALLY_CHANGES} FOR UPDATE SKIP LOCKED)
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
