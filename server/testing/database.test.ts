import { expect, test } from 'vitest';
import { pool, prisma } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { useDatabase } from './database';

useDatabase({ rateLimitTier: 'free' });

test('a test file gets an empty database with all tables, through Prisma and through SQL', async () => {
  await prisma().worker.create({ data: { id: 'wrk_1', leaseUntil: new Date() } });
  expect((await pool().query('SELECT id FROM worker')).rows).toEqual([{ id: 'wrk_1' }]);
  expect(await prisma().user.count()).toBe(0);
});

test('its environment is the usual one with the changes it asked for', () => {
  expect(runtime().env).toMatchObject({ deploymentEnv: 'development', bcryptCost: 4, rateLimitTier: 'free' });
});
