import { expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useOwnDatabase } from '@/server/testing/database';
import { buildHook, deliver } from '@/server/testing/hooks';

useOwnDatabase();

/** Rows of the inbox that statements have read so far. */
async function rowsRead(): Promise<number> {
  const { rows } = await databasePool().query<{ count: string }>(
    `SELECT coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) AS count FROM pg_stat_user_tables WHERE relname = 'webhook_delivery'`,
  );
  return Number(rows[0]?.count);
}

it('a refused delivery replaces the oldest without reading the inbox for each of its rows', async () => {
  const { user, hook } = await buildHook();
  await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { tier: 'unlimited' } });
  await databasePool().query(
    `INSERT INTO webhook_delivery (id, webhook_id, verdict, ip_address, user_agent)
     SELECT 'dlv_' || n, $1, 'refused', '', '' FROM generate_series(1, 1000) n`,
    [hook.id],
  );
  await databasePool().query('DELETE FROM webhook_delivery');
  // The planner takes the table for empty from now on.
  await databasePool().query('ANALYZE webhook_delivery');
  const before = await rowsRead();
  for (let i = 0; i < 110; i += 1)
    expect((await deliver(hook, '{}', { 'x-service-signature': `sha256=${'0'.repeat(64)}` })).status).toBe(401);
  expect(await prismaClient().webhookDelivery.count()).toBe(100);
  // Each reads what is stored once or twice.
  expect((await rowsRead()) - before).toBeLessThan(110 * 500);
});
