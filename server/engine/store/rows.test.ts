import { expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { queryInTransaction } from '@/server/platform/db/within';
import { useDatabase } from '@/server/testing/database';
import { ColumnArrays } from './rows';

useDatabase();

const COLUMNS = { id: 'text', value: 'json' } as const;
const TEXTS = ['', 'NULL', '"\\', 'a,b}{', 'ä€😀', '\n\t'];
const LONG = `"\\ä😀${'x'.repeat(100_000)}`;

/** The rows as the database receives them. */
async function received(rows: [string | null, unknown][], client: 'pool' | 'prisma') {
  const arrays = new ColumnArrays(COLUMNS);
  for (const [id, value] of rows) arrays.add([id, value === null ? null : JSON.stringify(value)]);
  const statement = {
    name: 'test.rows',
    text: 'SELECT id, value FROM unnest($1::text[], $2::json[]) AS row(id, value)',
    values: arrays.parameters,
  };
  const found =
    client === 'pool'
      ? (await databasePool().query<{ id: string; value: unknown }>(statement)).rows
      : await prismaClient().$transaction((db) => queryInTransaction<{ id: string; value: unknown }>(db, statement));
  return found.map(({ id, value }) => [id, value]);
}

test.each(['pool', 'prisma'] as const)('texts of any length arrive as they are: %s', async (client) => {
  const short = [...TEXTS.map((text): [string, unknown] => [text, { text }]), [null, null] as [null, null]];
  expect(await received(short, client)).toEqual(short);
  const long = [...short, [LONG, { [LONG]: LONG }] as [string, unknown], [null, [LONG]] as [null, unknown]];
  expect(await received(long, client)).toEqual(long);
});
