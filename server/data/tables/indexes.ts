import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { TableColumn } from '@/contract/tables/table';
import { directDatabaseUrl, databasePool } from '@/server/platform/db/client';
import { CallSemaphore } from '@/server/platform/db/semaphore';
import { sessionLimitsSql, openDatabaseSession } from '@/server/platform/db/session';
import { serviceLog } from '@/server/platform/log';
import { wantedColumnIndexes, type ColumnIndex } from './index-requests';
import { requestedListIndexes } from './list-indexes';
import { rowColumnName, rowTableName } from './sql';
import { indexedColumnSql, type DataTableRecord } from './table';

/** A change of a table's schema or indexes waits for another one at most so long. */
const INDEX_WAIT_MS = 20_000;

/** Connections of a process beside its pool. */
const indexConnections = new CallSemaphore(3, INDEX_WAIT_MS);

const columnIndexName = (tableId: string, columnId: string, kind: string) =>
  `"${rowTableName(tableId).slice(1, -1)}_${rowColumnName(columnId)}_${kind}"`;

/** The name of the index that makes a column unique. Errors of PostgreSQL name it. */
export const uniqueIndexName = (tableId: string, columnId: string) => columnIndexName(tableId, columnId, 'unique');

/** SQL of an index without CREATE INDEX and its name. */
const orderIndexOn = (tableId: string, column: TableColumn) =>
  `ON ${rowTableName(tableId)} (${indexedColumnSql(column)}, n)`;

/** PostgreSQL cuts names after 63 bytes. */
const listIndexName = (tableId: string, word: string) =>
  `"${rowTableName(tableId).slice(1, -1)}_${createHash('sha256').update(word).digest('hex').slice(0, 12)}_list"`;

/** SQL that makes a column unique. `how`: CONCURRENTLY for a table that others write to. */
export const uniqueIndexSql = (tableId: string, columnId: string, how: 'CONCURRENTLY' | '' = ''): string =>
  `CREATE UNIQUE INDEX ${how} ${uniqueIndexName(tableId, columnId)} ON ${rowTableName(tableId)} (${rowColumnName(columnId)})`;

/** SQL of the usual indexes of a table without rows. */
export const usualIndexesSql = (table: Pick<DataTableRecord, 'id' | 'columns' | 'indexes'>): string[] =>
  wantedColumnIndexes(table).map(
    ({ column, kind }) =>
      `CREATE INDEX ${columnIndexName(table.id, column.id, kind)} ${orderIndexOn(table.id, column)}`,
  );

const INDEX_DEFINITIONS: Record<ColumnIndex['kind'], (tableId: string, column: TableColumn) => string> = {
  order: orderIndexOn,
  search: (tableId, { id }) => `ON ${rowTableName(tableId)} USING gin (${rowColumnName(id)} gin_trgm_ops)`,
};

/**
 * Runs `work` on a connection of its own while no one else changes the schema or the indexes of this table. CREATE
 * INDEX CONCURRENTLY runs outside of transactions, and longer than the pool permits. Gives up after 20 seconds.
 */
export const withTableSchemaLock = <Result>(
  tableId: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => indexConnections.run(() => runOnOwnConnection(tableId, work));

async function runOnOwnConnection<Result>(
  tableId: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openDatabaseSession(directDatabaseUrl(), 'command');
  try {
    await client.query(`SET lock_timeout = ${INDEX_WAIT_MS}`);
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`schema:${tableId}`]);
    return await work(client);
  } finally {
    await client.end();
  }
}

const EXISTING_INDEXES_SQL = `
SELECT quote_ident(c.relname) AS name, c.relname AS plain, i.indisvalid AS "isValid"
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass($1) AND c.relname ~ '_(c[0-9]+_(order|search|unique)|[0-9a-f]{12}_list)$'`;

interface ExistingIndex {
  name: string;
  plain: string;
  isValid: boolean;
}

const INDEXED_TABLE_SQL = `SELECT id, columns, indexes, columns::text AS "columnsText", is_indexed AS "isIndexed" FROM data_table WHERE id = $1`;

type IndexedTableRow = Pick<DataTableRecord, 'id' | 'columns' | 'indexes'> & {
  columnsText: string;
  isIndexed: boolean;
};

/**
 * Whether PostgreSQL can search inside texts. The extension comes with it, but an operator may have left it out or may
 * not permit it.
 */
async function enableTextSearch(client: pg.Client): Promise<boolean> {
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    return true;
  } catch (error) {
    serviceLog().warn({ err: error }, 'pg_trgm is not available: filters with contains read whole tables');
    return false;
  }
}

async function buildMissingIndexes(client: pg.Client, table: IndexedTableRow): Promise<void> {
  const { rows: existing } = await client.query<ExistingIndex>(EXISTING_INDEXES_SQL, [rowTableName(table.id)]);
  const unique = table.columns.filter(({ isUnique }) => isUnique).map(({ id }) => uniqueIndexName(table.id, id));
  const desired = [
    ...wantedColumnIndexes(table).map(({ column, kind }) => ({
      kind,
      name: columnIndexName(table.id, column.id, kind),
      on: INDEX_DEFINITIONS[kind](table.id, column),
    })),
    ...requestedListIndexes(table).map(({ word, on }) => ({
      kind: 'list',
      name: listIndexName(table.id, word),
      on: `ON ${rowTableName(table.id)} (${on})`,
    })),
  ];
  const names = new Set([...unique, ...desired.map(({ name }) => name)]);
  const useless = existing.filter(({ plain, isValid }) => !isValid || !names.has(`"${plain}"`));
  // Drops what an interrupted build has left, and indexes of columns that are not unique any more.
  for (const { name } of useless) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  const present = new Set(existing.filter((one) => !useless.includes(one)).map(({ plain }) => `"${plain}"`));
  const missing = desired.filter(({ name }) => !present.has(name));
  for (const { kind, name, on } of missing) {
    if (kind === 'search' && !(await enableTextSearch(client))) continue;
    await client.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ${on}`);
  }
}

/** Makes the indexes of a table what they should be, without blocking it, and its statistics current. */
export async function maintainTable(tableId: string): Promise<void> {
  await withTableSchemaLock(tableId, async (client) => {
    await client.query(sessionLimitsSql('command'));
    const { rows } = await client.query<IndexedTableRow>(INDEXED_TABLE_SQL, [tableId]);
    const [table] = rows;
    if (!table) return;
    if (!table.isIndexed) await buildMissingIndexes(client, table);
    await client.query(`ANALYZE ${rowTableName(tableId)}`);
    await client.query(
      `UPDATE data_table SET is_indexed = is_indexed OR (columns::text = $2 AND indexes = $3::text[]),
         analyzed_rows = (SELECT coalesce(sum(rows), 0) FROM data_table_tally WHERE table_id = $1)
       WHERE id = $1`,
      [tableId, table.columnsText, table.indexes],
    );
  });
}

/** Tables whose indexes are not what they should be, or that have grown since their statistics were taken. */
export async function listTablesToMaintain(): Promise<string[]> {
  const { rows } = await databasePool().query<{ id: string }>(
    `SELECT t.id FROM data_table t LEFT JOIN data_table_tally y ON y.table_id = t.id
     GROUP BY t.id HAVING NOT t.is_indexed OR coalesce(sum(y.rows), 0) > 2 * t.analyzed_rows + 1000`,
  );
  return rows.map(({ id }) => id);
}
