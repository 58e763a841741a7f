import { beforeAll, expect, test } from 'vitest';
import type { OperationRecord } from '@/server/api/operation/operation';
import { databasePool } from '@/server/platform/db/client';
import { operationTable } from '@/server/api/operations';
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
  await databasePool().query(
    `INSERT INTO webhook_listener (workflow_id, user_id, webhook_id, since, until)
     VALUES ($1, $2, $3, now() - interval '1 hour', now() + interval '1 hour')`,
    [workflowId, user.id, webhookId],
  );
  await databasePool().query(
    `INSERT INTO node_result (execution_id, node_id, status, port, attempts, revision, output, started_at, completed_at)
     VALUES ($1, 'start', 'completed', 'output', 1, 1, '{}', now(), now()) ON CONFLICT DO NOTHING`,
    [executionId],
  );
});

const isRead = ({ id }: OperationRecord) => id in READS;
const reads = (operationTable as OperationRecord[]).filter(isRead);

test('each read of stored JSON is tried', () => {
  const all = (operationTable as OperationRecord[]).filter(readsAnyJson).map(({ id }) => id);
  expect([...Object.keys(READS), ...NOT_TRIED].toSorted()).toEqual(all.toSorted());
});

/** The address of an operation, over REST and as a procedure. */
function addressesOf(operation: OperationRecord): Record<string, string> {
  const rest = filled(operation, ids);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, ids[operation.path.split('/')[2] ?? '']?.[name] ?? '']));
  return {
    REST: rest,
    tRPC: `/api/trpc/${operation.id}?input=${encodeURIComponent(JSON.stringify({ params }))}`,
  };
}

const inputsFor = (operation: OperationRecord, { families, largest, statements }: StoredRead): HostileInput[] =>
  Object.entries(families).flatMap(([family, make]) =>
    ['REST', 'tRPC'].map((transport) => ({
      name: `${family} over ${transport}`,
      largest,
      async prepare(size: number) {
        const json = make(size);
        for (const text of statements) await databasePool().query(text, [json, user.workspaceId]);
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
