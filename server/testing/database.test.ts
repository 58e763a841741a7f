import { expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from './database';

useDatabase({ rateLimitTier: 'free' });

test('a test file gets an empty database with all tables, through Prisma and through SQL', async () => {
  await prismaClient().worker.create({ data: { id: 'wrk_1', leaseUntil: new Date() } });
  expect((await databasePool().query('SELECT id FROM worker')).rows).toEqual([{ id: 'wrk_1' }]);
  expect(await prismaClient().user.count()).toBe(0);
});

test('its environment is the usual one with the changes it asked for', () => {
  expect(getRuntime().env).toMatchObject({ deploymentEnv: 'development', bcryptCost: 4, rateLimitTier: 'free' });
});
