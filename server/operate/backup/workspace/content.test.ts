import { expect, it } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { listTableNames } from '../catalogue';
import { listForeignKeyColumns } from './check-ids';
import { EXPORTED_TABLES, OMITTED_TABLES } from './content';
import { listSealedColumns } from './reseal';

useDatabase();

async function inDatabase<Result>(
  work: (client: Parameters<typeof listTableNames>[0]) => Promise<Result>,
): Promise<Result> {
  const client = await databasePool().connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const columns = async () =>
  (
    await databasePool().query<{ table: string; name: string; type: string }>(
      `SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relname = ANY($1) AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`,
      [Object.keys(EXPORTED_TABLES)],
    )
  ).rows;

it('every table of the schema is exported, or left out for a reason', async () => {
  const tables = (await inDatabase(listTableNames)).filter((name) => !name.startsWith('tbl_'));
  const listed = [...Object.keys(EXPORTED_TABLES), ...Object.keys(OMITTED_TABLES)];
  expect(listed.toSorted()).toEqual(tables.toSorted());
});

it('every id in an exported table is checked: by a foreign key, as a user or as a name', async () => {
  const keys = await inDatabase(listForeignKeyColumns);
  const unchecked = (await columns()).filter(({ table, name }) => {
    const { users = [], names = {}, texts = [], without = [] } = EXPORTED_TABLES[table]!;
    const known = [...users, ...Object.keys(names), ...texts, ...without, 'id', 'workspace_id'];
    const isId = /_id$|_by$|_of$|_node$/.test(name);
    return isId && !known.includes(name) && !keys.some((key) => key.table === table && key.column === name);
  });
  expect(unchecked.map(({ table, name }) => `${table}.${name}`)).toEqual([]);
});

it('foreign keys have one column and lead to tables that come before, or to the table itself', async () => {
  const order = Object.keys(EXPORTED_TABLES);
  const { rows } = await databasePool().query(
    `SELECT conname FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) > 1 AND connamespace = current_schema()::regnamespace`,
  );
  expect(rows).toEqual([]);
  for (const { table, parent } of await inDatabase(listForeignKeyColumns)) {
    expect(order).toContain(parent);
    expect(order.indexOf(parent)).toBeLessThanOrEqual(order.indexOf(table));
  }
});

it('columns that get their default exist, and every sealed column is sealed again or not exported', async () => {
  const present = (await columns()).map(({ table, name }) => `${table}.${name}`);
  for (const [table, { without = [], users = [], names = {}, texts = [] }] of Object.entries(EXPORTED_TABLES))
    for (const name of [...without, ...users, ...Object.keys(names), ...texts])
      expect(present).toContain(`${table}.${name}`);
  for (const table of Object.keys(EXPORTED_TABLES)) {
    const sealed = listSealedColumns(table);
    expect(sealed.every(({ keys }) => keys === 'encryptionKeys')).toBe(true);
    // A row is sealed again with one context.
    expect(new Set(sealed.map(({ boundTo }) => boundTo)).size).toBeLessThanOrEqual(1);
  }
  expect(listSealedColumns('webhook').map(({ column }) => column)).toEqual(['secret', 'old_secret']);
});
