import { expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '@/server/testing/factories';
import { retryCollision } from './retry-collision';

useDatabase();

const LOCK = 'SELECT FROM workspace WHERE id = $1 FOR UPDATE';

/** Two attempts wait here for each other, once. */
function meeting() {
  let isOpen = () => {};
  const opened = new Promise<void>((resolve) => (isOpen = resolve));
  let present = 0;
  return async () => {
    present += 1;
    if (present >= 2) isOpen();
    await opened;
  };
}

async function inTransaction(client: PoolClient, work: () => Promise<unknown>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

test('of two transactions in a deadlock the aborted one is repeated, and both are done', async () => {
  const [first, second] = [(await buildUser()).workspaceId, (await buildUser()).workspaceId];
  const meet = meeting();
  let attempts = 0;
  const lockBoth = async (ids: string[]) => {
    const client = await databasePool().connect();
    try {
      await retryCollision(() =>
        inTransaction(client, async () => {
          attempts += 1;
          await client.query(LOCK, [ids[0]]);
          await meet();
          await client.query(LOCK, [ids[1]]);
        }),
      );
    } finally {
      client.release();
    }
  };
  await Promise.all([lockBoth([first, second]), lockBoth([second, first])]);
  expect(attempts).toBe(3);
});

test('a transaction of Prisma is repeated as well', async () => {
  const [first, second] = [(await buildUser()).workspaceId, (await buildUser()).workspaceId];
  const meet = meeting();
  const lockBoth = (ids: string[]) =>
    retryCollision(() =>
      prismaClient().$transaction(async (db) => {
        await db.workspace.update({ where: { id: ids[0] }, data: { name: 'first' } });
        await meet();
        await db.workspace.update({ where: { id: ids[1] }, data: { name: 'second' } });
      }),
    );
  await Promise.all([lockBoth([first, second]), lockBoth([second, first])]);
  expect(await prismaClient().workspace.count({ where: { name: 'second' } })).toBe(1);
});

test('what stays in a collision is reported after five attempts, and other errors at once', async () => {
  const failing = async (code: string) => {
    let attempts = 0;
    const raise = () => {
      attempts += 1;
      return databasePool().query(`DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END $$`);
    };
    await expect(retryCollision(raise)).rejects.toThrow('raised');
    return attempts;
  };
  expect(await failing('40P01')).toBe(5);
  expect(await failing('23505')).toBe(1);
});
