import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '@/server/api/operation';
import { pool } from '@/server/db/client';
import { operations } from '@/server/operations';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, unique, type TestUser } from '../factories';
import { createFixtures, filled } from '../fixtures';
import { findAllGrowth, type HostileInput } from './growth';
import { copyObjects, NOT_TRIED, READS, readsAnyJson, type StoredRead } from './reads';
import { prepareRequest, useListener } from './requests';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

const MINUTES = 10 * 60_000;
const ROWS = 100;

let user: TestUser;
let ids: Record<string, Record<string, string>>;

beforeAll(async () => {
  user = await buildUser();
  ids = await createFixtures(user);
  const { id: workflowId, webhookId, executionId } = ids['workflows']!;
  await copyObjects(user.workspaceId);
  // The log takes no changes of its entries.
  await pool().query('ALTER TABLE audit_entry DISABLE TRIGGER USER');
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

/** Rows of a table are changed through the API: their table has a name of its own. */
async function storeRows(json: string): Promise<void> {
  const { token, workspaceId } = user;
  const name = unique('Rows');
  const columns = [{ name: 'cell', type: 'json' }];
  const table = await call<{ id: string }>('POST', '/api/tables', { token, body: { name, columns } });
  const body = { rows: [{ cell: 0 }] };
  const row = await call<{ data: { id: string }[] }>('POST', `/api/tables/${table.body.id}/rows`, { token, body });
  ids['tables'] = { id: table.body.id, rowId: row.body.data[0]!.id };
  const { rows } = await pool().query<{ id: string }>(
    "SELECT columns->0->>'id' AS id FROM data_table WHERE id = $1 AND workspace_id = $2",
    [table.body.id, workspaceId],
  );
  const column = rows[0]!.id;
  await pool().query(`UPDATE "${table.body.id}" SET ${column} = $1`, [json]);
  await pool().query(
    `INSERT INTO "${table.body.id}" (id, ${column}) SELECT 'row_' || n, $1 FROM generate_series(1, ${ROWS}) AS n`,
    [json],
  );
}

/** The address of an operation, over REST and as a procedure. */
function addressesOf(operation: Operation): Record<string, string> {
  const rest = operation.id === 'projects.export' ? `${filled(operation, ids)}?project=growth` : filled(operation, ids);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, ids[operation.path.split('/')[2] ?? '']?.[name] ?? '']));
  const query = operation.id === 'projects.export' ? { project: 'growth' } : {};
  return {
    REST: rest,
    tRPC: `/api/trpc/${operation.id}?input=${encodeURIComponent(JSON.stringify({ params, query }))}`,
  };
}

const inputsFor = (operation: Operation, { families, largest, statements }: StoredRead): HostileInput[] =>
  Object.entries(families).flatMap(([family, make]) =>
    ['REST', 'tRPC'].map((transport) => ({
      name: `${family} over ${transport}`,
      largest,
      async prepare(size: number) {
        const json = make(size);
        if (statements.length === 0) await storeRows(json);
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
