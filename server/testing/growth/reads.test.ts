import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '@/server/api/operation';
import { pool } from '@/server/db/client';
import { operations } from '@/server/operations';
import { useDatabase } from '@/server/testing/database';
import { buildUser, type TestUser } from '../factories';
import { createFixtures, filled } from '../fixtures';
import { findAllGrowth, type HostileInput } from './growth';
import { copyObjects, NOT_TRIED, READS, readsAnyJson, type StoredRead } from './reads';
import { prepareRequest, useListener } from './requests';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

const MINUTES = 10 * 60_000;

let user: TestUser;
let ids: Record<string, Record<string, string>>;

beforeAll(async () => {
  user = await buildUser();
  ids = await createFixtures(user);
  const { id: workflowId, webhookId, executionId } = ids['workflows']!;
  await copyObjects(user.workspaceId);
  await pool().query(
    `INSERT INTO webhook_listener (workflow_id, user_id, webhook_id, since, until)
     VALUES ($1, $2, $3, now() - interval '1 hour', now() + interval '1 hour')`,
    [workflowId, user.id, webhookId],
  );
  await pool().query(
    `INSERT INTO node_result (execution_id, node_id, status, port, attempts, revision, output, started_at, completed_at)
     VALUES ($1, 'start', 'completed', 'output', 1, 1, '{}', now(), now()) ON CONFLICT DO NOTHING`,
    [executionId],
  );
});

const isRead = ({ id }: Operation) => id in READS;
const reads = (operations as Operation[]).filter(isRead);

test('each read of stored JSON is tried', () => {
  const all = (operations as Operation[]).filter(readsAnyJson).map(({ id }) => id);
  expect([...Object.keys(READS), ...NOT_TRIED].toSorted()).toEqual(all.toSorted());
});

/** The address of an operation, over REST and as a procedure. */
function addressesOf(operation: Operation): Record<string, string> {
  const rest = filled(operation, ids);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, ids[operation.path.split('/')[2] ?? '']?.[name] ?? '']));
  return {
    REST: rest,
    tRPC: `/api/trpc/${operation.id}?input=${encodeURIComponent(JSON.stringify({ params }))}`,
  };
}

const inputsFor = (operation: Operation, { families, largest, statements }: StoredRead): HostileInput[] =>
  Object.entries(families).flatMap(([family, make]) =>
    ['REST', 'tRPC'].map((transport) => ({
      name: `${family} over ${transport}`,
      largest,
      async prepare(size: number) {
        const json = make(size);
        for (const text of statements) await pool().query(text, [json, user.workspaceId]);
        const target = addressesOf(operation)[transport] ?? '';
        const request = {
          method: 'GET',
          target,
          headers: { authorization: `Bearer ${user.token}` },
          isReadToEnd: true,
        };
        const send = prepareRequest(listener, request);
        return async () => expect([target, await send()]).toEqual([target, 200]);
      },
    })),
  );

test.each(reads.map((operation) => [operation.id, operation] as const))(
  '%s',
  { timeout: MINUTES },
  async (id, operation) => {
    expect(await findAllGrowth(inputsFor(operation, READS[id]!))).toEqual([]);
  },
);
