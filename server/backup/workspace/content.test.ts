import { expect, it } from 'vitest';
import { pool } from '@/server/db/client';
import { useDatabase } from '@/server/testing/database';
import { tablesOf } from '../catalogue';
import { foreignKeysOf } from './check-ids';
import { EXPORTED, LEFT_OUT } from './content';
import { sealedColumnsOf } from './reseal';

useDatabase();

async function inDatabase<Result>(work: (client: Parameters<typeof tablesOf>[0]) => Promise<Result>): Promise<Result> {
  const client = await pool().connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const columns = async () =>
  (
    await pool().query<{ table: string; name: string; type: string }>(
      `SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relname = ANY($1) AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`,
      [Object.keys(EXPORTED)],
    )
  ).rows;

it('every table of the schema is exported, or left out for a reason', async () => {
  const tables = (await inDatabase(tablesOf)).filter((name) => !name.startsWith('tbl_'));
  const listed = [...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)];
  expect(listed.toSorted()).toEqual(tables.toSorted());
});

it('every id in an exported table is checked: by a foreign key, as a user or as a name', async () => {
  const keys = await inDatabase(foreignKeysOf);
  const unchecked = (await columns()).filter(({ table, name }) => {
    const { users = [], names = {}, texts = [], without = [] } = EXPORTED[table]!;
    const known = [...users, ...Object.keys(names), ...texts, ...without, 'id', 'workspace_id'];
    const isId = /_id$|_by$|_of$|_node$/.test(name);
    return isId && !known.includes(name) && !keys.some((key) => key.table === table && key.column === name);
  });
  expect(unchecked.map(({ table, name }) => `${table}.${name}`)).toEqual([]);
});

it('foreign keys have one column and lead to tables that come before, or to the table itself', async () => {
  const order = Object.keys(EXPORTED);
  const { rows } = await pool().query(
    `SELECT conname FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) > 1 AND connamespace = current_schema()::regnamespace`,
  );
  expect(rows).toEqual([]);
  for (const { table, parent } of await inDatabase(foreignKeysOf)) {
    expect(order).toContain(parent);
    expect(order.indexOf(parent)).toBeLessThanOrEqual(order.indexOf(table));
  }
});

it('columns that get their default exist, and every sealed column is sealed again or not exported', async () => {
  const present = (await columns()).map(({ table, name }) => `${table}.${name}`);
  for (const [table, { without = [], users = [], names = {}, texts = [] }] of Object.entries(EXPORTED))
    for (const name of [...without, ...users, ...Object.keys(names), ...texts])
      expect(present).toContain(`${table}.${name}`);
  for (const table of Object.keys(EXPORTED)) {
    const sealed = sealedColumnsOf(table);
    expect(sealed.every(({ keys }) => keys === 'encryptionKeys')).toBe(true);
    // A row is sealed again with one context.
    expect(new Set(sealed.map(({ boundTo }) => boundTo)).size).toBeLessThanOrEqual(1);
  }
  expect(sealedColumnsOf('webhook').map(({ column }) => column)).toEqual(['secret', 'old_secret']);
});
