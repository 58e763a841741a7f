import { beforeAll, expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { storeWorkflow, type StoredWorkflow } from '@/server/testing/runs';
import { removeExpiredRows } from './retention';

useDatabase();

let workflow: StoredWorkflow;
beforeAll(async () => {
  workflow = await storeWorkflow(flow({ s: { type: 'start' } }));
});

/** Stores runs that were accepted `acceptedDays` ago and ended `endedDays` ago; null: they have not ended. */
async function store(count: number, acceptedDays: number, endedDays: number | null, label: string): Promise<void> {
  await databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, available_at, created_at, completed_at)
     SELECT 'exec_' || $7 || n, $1, $2, 1, $3, 'manual', '{}', NULL, now() - $5 * interval '1 day', now() - $6::int * interval '1 day'
     FROM generate_series(1, $4::int) n`,
    [
      workflow.workspaceId,
      workflow.workflowId,
      endedDays === null ? 'paused' : 'completed',
      count,
      acceptedDays,
      endedDays,
      label,
    ],
  );
  await databasePool().query(
    `INSERT INTO node_result (execution_id, node_id, status, attempts, output, revision)
     SELECT id, 's', 'completed', 1, to_json(repeat('x', 2000)), 1 FROM execution WHERE id LIKE 'exec_' || $1 || '%'`,
    [label],
  );
}

const remaining = async () => {
  const rows = await prismaClient().execution.findMany({ select: { id: true } });
  return [...new Set(rows.map(({ id }) => id.replace(/\d+$/, '')))].toSorted();
};

test('removes runs that ended before the retention limit with all their rows, and nothing else', async () => {
  await store(450, 40, 35, 'old');
  await store(3, 40, 5, 'late');
  await store(3, 40, null, 'waiting');
  await store(3, 2, 1, 'new');
  const removed = await removeExpiredRows(30);
  expect(removed?.get('execution')).toBe(450);
  expect(await remaining()).toEqual(['exec_late', 'exec_new', 'exec_waiting']);
  expect(await prismaClient().nodeResult.count()).toBe(9);
  expect((await removeExpiredRows(30))?.get('execution')).toBe(0);
});

test('keeps runs that are to be kept, until they are no longer', async () => {
  await store(2, 40, 35, 'asked');
  const executionId = 'exec_asked1';
  await prismaClient().executionAnnotation.create({
    data: { executionId, workspaceId: workflow.workspaceId, isKept: true },
  });
  expect((await removeExpiredRows(30))?.get('execution')).toBe(1);
  await prismaClient().executionAnnotation.update({ where: { executionId }, data: { isKept: false } });
  expect((await removeExpiredRows(30))?.get('execution')).toBe(1);
  expect(await prismaClient().executionAnnotation.count()).toBe(0);
});

test('releases disk space', async () => {
  const pages = async () =>
    (
      await databasePool().query<{ bytes: string }>(
        `SELECT coalesce(sum(pg_relation_size(relid)), pg_relation_size('node_result')) AS bytes FROM pg_partition_tree('node_result')`,
      )
    ).rows[0]?.bytes;
  // VACUUM returns the empty end of a file: there may be rows behind what earlier tests have removed.
  await databasePool().query('VACUUM FULL node_result');
  const before = Number(await pages());
  await store(3000, 40, 35, 'many');
  const full = Number(await pages());
  await removeExpiredRows(30);
  const after = Number(await pages());
  expect(full).toBeGreaterThan(before);
  expect(after).toBeLessThan(full / 2);
});

test('removes expired sessions and stored replies', async () => {
  const { sessionId, ...user } = await buildUser();
  const day = 86_400_000;
  const at = (days: number) => new Date(Date.now() + days * day);
  const session = (expiresAt: Date, endedAt: Date | null) =>
    prismaClient().session.create({
      data: { id: generateId('ses'), userId: user.id, expiresAt, endedAt, ipAddress: '', userAgent: '' },
    });
  const kept = await session(at(1), at(-1));
  for (const gone of [await session(at(-40), null), await session(at(1), at(-40))]) expect(gone.id).not.toBe(kept.id);
  const reply = (scope: string, createdAt: Date) =>
    prismaClient().storedReply.create({ data: { scope, bodyHash: '', reply: '', createdAt } });
  await reply('old', at(-2));
  await reply('new', at(0));
  await removeExpiredRows(30);
  const sessions = await prismaClient().session.findMany({ select: { id: true } });
  expect(sessions.map(({ id }) => id).toSorted()).toEqual([sessionId, kept.id].toSorted());
  expect((await prismaClient().storedReply.findMany()).map(({ scope }) => scope)).toEqual(['new']);
});

test('one process at a time cleans up', async () => {
  const client = await databasePool().connect();
  try {
    await client.query('SELECT pg_advisory_lock(7207002)');
    expect(await removeExpiredRows(30)).toBeNull();
  } finally {
    await client.query('SELECT pg_advisory_unlock(7207002)');
    client.release();
  }
});

test('a workflow may keep its runs for a shorter time than its workspace', async () => {
  await prismaClient().execution.deleteMany();
  const settings = { retentionDays: 3 };
  await prismaClient().workflow.update({ where: { id: workflow.workflowId }, data: { settings } });
  await store(2, 9, 5, 'past');
  await store(2, 2, 1, 'fresh');
  expect((await removeExpiredRows(30))?.get('execution')).toBe(2);
  expect(await remaining()).toEqual(['exec_fresh']);
  await prismaClient().workflow.update({ where: { id: workflow.workflowId }, data: { settings: {} } });
});
