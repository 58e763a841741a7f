import path from 'node:path';
import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { sealText } from '@/server/platform/db/seal';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase, type testEnv } from '@/server/testing/database';
import { checkInstallation } from './checkup';

useDatabase();
const migrations = path.resolve(import.meta.dirname, '../../../prisma/migrations');

async function look(changes: Parameters<typeof testEnv>[0] = {}) {
  const findings = await checkInstallation({ ...getRuntime().env, ...changes }, databasePool(), migrations);
  return new Map(findings.map(({ about, verdict, text }) => [about, [verdict, text] as const]));
}
beforeEach(() => prismaClient().storedReply.deleteMany());

it('reports a fresh service as healthy, except for missing workers', async () => {
  const found = await look();
  expect([...found].filter(([, [verdict]]) => verdict !== 'good').map(([about]) => about)).toEqual(['workers']);
});

it('reports secrets that no configured key opens', async () => {
  const reply = sealText('{}', 'scope', getRuntime().env.encryptionKeys);
  await prismaClient().storedReply.create({ data: { scope: 'scope', bodyHash: '', reply } });
  expect((await look()).get('keys')).toEqual(['good', '1 secrets tried, all of them open']);
  const [verdict, text] =
    (await look({ encryptionKeys: ['another key of more than thirty-two bytes'] })).get('keys') ?? [];
  expect([verdict, text]).toEqual(['bad', expect.stringContaining('stored_reply scope')]);
});

it('reports mail servers and Redis that do not answer', async () => {
  const found = await look({ smtpUrl: 'smtp://127.0.0.1:1', redisUrl: 'redis://127.0.0.1:1' });
  expect([found.get('mail')?.[0], found.get('redis')?.[0]]).toEqual(['bad', 'bad']);
});

it('reports pending and failed migrations', async () => {
  await databasePool().query(
    `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name LIKE '%_initial'`,
  );
  expect((await look()).get('schema')).toEqual(['warning', '1 migrations are pending; the next start applies them']);
  await databasePool().query(
    `UPDATE _prisma_migrations SET rolled_back_at = NULL, finished_at = NULL WHERE migration_name LIKE '%_initial'`,
  );
  expect((await look()).get('schema')?.[0]).toBe('bad');
  await databasePool().query('UPDATE _prisma_migrations SET finished_at = now()');
});

it('tells the schema of a newer version from one that migrations led to which are squashed', async () => {
  const record = (name: string) =>
    databasePool().query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, '', $1, now())`,
      [name],
    );
  const added = ['20261122200000_initial', '20991231000000_later'];
  try {
    await record(added[0]!);
    expect((await look()).get('schema')).toEqual(['good', expect.stringContaining('all applied')]);
    await record(added[1]!);
    expect((await look()).get('schema')).toEqual(['warning', 'it is newer than this version of the service']);
  } finally {
    await databasePool().query('DELETE FROM _prisma_migrations WHERE id = ANY($1)', [added]);
  }
});

it('reports maintenance, and a database that is read-only without it', async () => {
  const readOnly = new pg.Pool({
    connectionString: getRuntime().env.databaseUrl,
    options: '-c default_transaction_read_only=on',
  });
  const lookThere = async () => {
    const findings = await checkInstallation(getRuntime().env, readOnly, migrations);
    return new Map(findings.map(({ about, verdict, text }) => [about, [verdict, text] as const]));
  };
  expect((await look()).get('maintenance')).toEqual(['good', 'off']);
  expect((await lookThere()).get('database')).toEqual(['bad', expect.stringContaining('read-only')]);
  await databasePool().query("INSERT INTO maintenance (reason) VALUES ('Until 18:00.')");
  try {
    const found = await lookThere();
    expect(found.get('database')?.[0]).toBe('good');
    expect(found.get('maintenance')).toEqual(['warning', expect.stringContaining('Until 18:00.')]);
  } finally {
    await databasePool().query('DELETE FROM maintenance');
    await readOnly.end();
  }
});
