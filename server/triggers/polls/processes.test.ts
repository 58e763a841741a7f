import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TestPollResponse } from '@/contract/triggers/poll';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { openDatabaseSession } from '@/server/platform/db/session';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, removeWorkspaces, useOwnDatabase } from '@/server/testing/database';
import { call } from '@/server/testing/factories';
import { startDovecot } from '@/server/testing/servers/dovecot';
import { itemsFrom, startSource, type Source } from '@/server/testing/servers/source';
import { mailTrigger } from '@/server/testing/mail';
import { polledWorkflow } from '@/server/testing/polls';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';

useOwnDatabase();

const LIMIT_MS = 60_000;

let source: Source;
beforeAll(async () => {
  source = await startSource();
});
afterAll(() => source.close());

const workers: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await removeWorkspaces();
  source.calls.length = 0;
});

async function startWorker(): Promise<ServiceProcess> {
  const worker = await startWorkerProcess(getRuntime().env.databaseUrl ?? '', TEST_KEYS);
  workers.push(worker);
  return worker;
}

/** As if the leases of polls had expired. */
const expireLeases = () => prismaClient().poll.updateMany({ data: { leaseUntil: new Date(0) } });

/** Whether a transaction waits for a lock to insert keys. */
const isWaiting = async () => {
  const { rows } = await databasePool().query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO poll_seen%'`,
  );
  return rows.length > 0;
};

/** The key of an item as it is stored. */
const keyOf = (id: number | string) => createHash('sha256').update(JSON.stringify(id)).digest('base64').slice(0, 32);

it.each([
  ['the first transaction', 1, 0],
  ['the second of three transactions', 700, 500],
])(
  'a worker that is killed in %s leaves every item started once',
  async (_, blocked, committed) => {
    source.items = itemsFrom(1, 1200);
    const { poll, started } = await polledWorkflow();
    const { id: pollId } = await poll(source.url);
    const blocker = await openDatabaseSession(getRuntime().env.databaseUrl, 'command');
    try {
      // A transaction that remembers this key waits for this one.
      await blocker.query('BEGIN');
      await blocker.query('INSERT INTO poll_seen (poll_id, key) VALUES ($1, $2)', [pollId, keyOf(blocked)]);
      const victim = await startWorker();
      await until(isWaiting, 'a worker that remembers the key', LIMIT_MS);
      await victim.end('SIGKILL');
      workers.splice(0);
    } finally {
      await blocker.query('ROLLBACK');
      await blocker.end();
    }
    const isOver = async () => (await prismaClient().pollSeen.count({ where: { pollId } })) === committed;
    await until(isOver, 'the end of its transaction');
    expect(await started()).toHaveLength(committed);
    await expireLeases();
    await startWorker();
    await until(async () => (await started()).length >= 1200, 'all runs', LIMIT_MS);
    expect(await started()).toEqual(source.items.map(({ id }) => id));
    await until(
      async () => (await prismaClient().poll.findUnique({ where: { id: pollId } }))?.lastPolledAt,
      'the outcome',
    );
    expect(await prismaClient().poll.findUnique({ where: { id: pollId } })).toMatchObject({
      lastError: null,
      failures: 0,
    });
  },
  LIMIT_MS,
);

it(
  'two workers share the polls, and ask each source once',
  async () => {
    source.items = itemsFrom(1, 2);
    const { poll, started } = await polledWorkflow();
    for (let count = 0; count < 30; count += 1) await poll(`${source.url}/${count}`);
    await Promise.all([startWorker(), startWorker()]);
    await until(async () => (await started()).length >= 60, 'all runs', LIMIT_MS);
    expect(source.calls.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `/${index}`).toSorted());
    expect(await started()).toHaveLength(60);
  },
  LIMIT_MS,
);

it(
  'a worker that is killed while it starts runs for messages leaves each started once, and marks them afterwards',
  async () => {
    const server = await startDovecot();
    try {
      const mail = await mailTrigger(server, 'ada', { first: 'deliver', config: { afterwards: 'mark_read' } });
      for (const subject of ['1', '2']) mail.deliver(subject);
      const blocker = await openDatabaseSession(getRuntime().env.databaseUrl, 'command');
      try {
        const { body } = await call<TestPollResponse>(
          'POST',
          `/api/workflows/${mail.workflowId}/polls/${mail.pollId}/test`,
          {
            token: mail.user.token,
          },
        );
        const [{ id } = { id: '' }] = body.items as { id: string }[];
        await blocker.query('BEGIN');
        await blocker.query('INSERT INTO poll_seen (poll_id, key) VALUES ($1, $2)', [mail.pollId, keyOf(id)]);
        const victim = await startWorker();
        await until(isWaiting, 'a worker that remembers the key', LIMIT_MS);
        await victim.end('SIGKILL');
        workers.splice(0);
      } finally {
        await blocker.query('ROLLBACK');
        await blocker.end();
      }
      expect(server.flags('ada')).toEqual(['', '']);
      await expireLeases();
      await startWorker();
      await until(async () => (await mail.subjects()).length >= 2, 'all runs', LIMIT_MS);
      await until(async () => (await mail.read(mail.pollId)).lastPolledAt !== null, 'the outcome');
      await mail.makeDue();
      await until(async () => server.flags('ada').every((flags) => flags === 'S'), 'marked messages', LIMIT_MS);
      expect(await mail.subjects()).toEqual(['1', '2']);
    } finally {
      await server.remove();
    }
  },
  LIMIT_MS,
);
