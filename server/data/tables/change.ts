import type { UpdateTableRequest } from '@/contract/tables/table';
import type { DatabaseClient } from '@/server/platform/db/client';
import { databasePool } from '@/server/platform/db/client';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { uniqueIndexSql, uniqueIndexName, withTableSchemaLock } from './indexes';
import {
  alterRowStorage,
  explainNameError,
  listNewlyUnique,
  planSchemaChange,
  explainSchemaError,
  type TableSchemaChange,
} from './schema';
import { createPgSql, createPrismaSql } from './sql';
import { findDataTable, type DataTableRecord } from './table';

const UPDATE_TABLE_SQL = `
UPDATE data_table SET name = $2, columns = $3::json, next_column = $4::int, is_indexed = is_indexed AND $5::boolean, updated_at = now() WHERE id = $1`;

/**
 * Writes further data in the transaction of a change, such as its audit entry. `change`: null if only the name changes.
 */
type TableChangeHook = (db: DatabaseClient, change: TableSchemaChange | null) => Promise<void>;

interface TableRef {
  workspaceId: string;
  id: string;
}

/**
 * Changes the name and the columns of a table, all or nothing. Throws 400, 404, and 409 if the rows do not permit it.
 */
export async function changeTable(
  place: TableRef,
  update: UpdateTableRequest,
  also: TableChangeHook,
): Promise<DataTableRecord> {
  const found = await findDataTable(createPgSql(databasePool()), place.workspaceId, place.id);
  if (!update.columns) return storeTableChange(place, update, also);
  // Refuses what is invalid before it waits for others.
  planSchemaChange(found, update.columns);
  return withTableSchemaLock(found.id, async (client) => {
    const sql = createPgSql(client);
    const table = await findDataTable(sql, place.workspaceId, place.id);
    const change = planSchemaChange(table, update.columns ?? []);
    const unique = listNewlyUnique(change).map(({ after }) => after);
    try {
      // Without a lock that would keep others from writing to the table.
      for (const { id } of unique) await sql.query(uniqueIndexSql(table.id, id, 'CONCURRENTLY'));
      return await storeTableChange(place, update, also);
    } catch (error) {
      for (const { id } of unique) {
        await sql.query(`DROP INDEX CONCURRENTLY IF EXISTS ${uniqueIndexName(table.id, id)}`);
      }
      throw explainSchemaError(change, error);
    }
  });
}

const storeTableChange = (
  place: TableRef,
  update: UpdateTableRequest,
  also: TableChangeHook,
): Promise<DataTableRecord> => runInDatabaseTransaction(true, (db) => storeTableChangeInside(db, place, update, also));

async function storeTableChangeInside(
  db: DatabaseClient,
  { workspaceId, id }: TableRef,
  update: UpdateTableRequest,
  also: TableChangeHook,
): Promise<DataTableRecord> {
  const sql = createPrismaSql(db);
  const table = await findDataTable(sql, workspaceId, id, { lock: true });
  const change = update.columns ? planSchemaChange(table, update.columns) : null;
  if (change) await alterRowStorage(sql, table, change);
  const { columns, nextColumn } = change ?? table;
  const hasIndexes = !change || change.added.length === 0;
  await sql
    .query(UPDATE_TABLE_SQL, [
      id,
      update.name ?? table.name,
      JSON.stringify(columns),
      String(nextColumn),
      String(hasIndexes),
    ])
    .catch((error: unknown) => {
      throw explainNameError(error);
    });
  await also(db, change);
  return findDataTable(sql, workspaceId, id);
}

/**
 * The same in a transaction of the caller, for changes that only add columns. Throws 400, 404, and 409 if the rows do
 * not permit it.
 */
export async function addColumnsInside(
  db: DatabaseClient,
  place: TableRef,
  columns: NonNullable<UpdateTableRequest['columns']>,
  also: TableChangeHook,
): Promise<DataTableRecord> {
  const change = planSchemaChange(await findDataTable(createPrismaSql(db), place.workspaceId, place.id), columns);
  try {
    return await storeTableChangeInside(db, place, { columns }, also);
  } catch (error) {
    throw explainSchemaError(change, error);
  }
}
