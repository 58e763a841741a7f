import type { TableUpdate } from '@/contract/tables/table';
import type { Db } from '@/server/db/client';
import { pool } from '@/server/db/client';
import { transaction } from '@/server/db/transaction';
import { createUniqueIndex, uniqueIndexName, withExclusiveLock } from './indexes';
import { alterStorage, nameProblem, newlyUnique, planChange, schemaProblem, type SchemaChange } from './schema';
import { sqlOfPg, sqlOfPrisma } from './sql';
import { findTable, type DataTable } from './table';

const UPDATE = `
UPDATE data_table SET name = $2, columns = $3::json, next_column = $4::int, is_indexed = is_indexed AND $5::boolean, updated_at = now() WHERE id = $1`;

/** What is written in the transaction of a change, such as its audit entry. `change`: null if only the name changes. */
type InSameTransaction = (db: Db, change: SchemaChange | null) => Promise<void>;

interface Place {
  workspaceId: string;
  id: string;
}

/** Changes the name and the columns of a table, all or nothing. Throws 400, 404, and 409 if the rows do not permit it. */
export async function changeTable(place: Place, update: TableUpdate, also: InSameTransaction): Promise<DataTable> {
  const found = await findTable(sqlOfPg(pool()), place.workspaceId, place.id);
  if (!update.columns) return store(place, update, also);
  // Refuses what is invalid before it waits for others.
  planChange(found, update.columns);
  return withExclusiveLock(found.id, async (client) => {
    const sql = sqlOfPg(client);
    const table = await findTable(sql, place.workspaceId, place.id);
    const change = planChange(table, update.columns ?? []);
    const unique = newlyUnique(change).map(({ after }) => after);
    try {
      // Without a lock that would keep others from writing to the table.
      for (const { id } of unique) await sql.query(createUniqueIndex(table.id, id, 'CONCURRENTLY'));
      return await store(place, update, also);
    } catch (error) {
      for (const { id } of unique) {
        await sql.query(`DROP INDEX CONCURRENTLY IF EXISTS ${uniqueIndexName(table.id, id)}`);
      }
      throw schemaProblem(change, error);
    }
  });
}

const store = (place: Place, update: TableUpdate, also: InSameTransaction): Promise<DataTable> =>
  transaction(true, (db) => storeIn(db, place, update, also));

async function storeIn(
  db: Db,
  { workspaceId, id }: Place,
  update: TableUpdate,
  also: InSameTransaction,
): Promise<DataTable> {
  const sql = sqlOfPrisma(db);
  const table = await findTable(sql, workspaceId, id, { lock: true });
  const change = update.columns ? planChange(table, update.columns) : null;
  if (change) await alterStorage(sql, table, change);
  const { columns, nextColumn } = change ?? table;
  const hasIndexes = !change || change.added.length === 0;
  await sql
    .query(UPDATE, [id, update.name ?? table.name, JSON.stringify(columns), String(nextColumn), String(hasIndexes)])
    .catch((error: unknown) => {
      throw nameProblem(error);
    });
  await also(db, change);
  return findTable(sql, workspaceId, id);
}

/** The same in a transaction of the caller, for changes that only add columns. Throws 400, 404, and 409 if the rows do not permit it. */
export async function addColumnsIn(
  db: Db,
  place: Place,
  columns: NonNullable<TableUpdate['columns']>,
  also: InSameTransaction,
): Promise<DataTable> {
  const change = planChange(await findTable(sqlOfPrisma(db), place.workspaceId, place.id), columns);
  try {
    return await storeIn(db, place, { columns }, also);
  } catch (error) {
    throw schemaProblem(change, error);
  }
}
