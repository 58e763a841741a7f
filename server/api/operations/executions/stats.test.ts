import { beforeAll, expect, test } from 'vitest';
import type { ExecutionStats } from '@/contract/stats';
import { databasePool, secondaryPool } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { buildPermitted } from '@/server/testing/permitted';
import { until } from '@/server/testing/runs';

useDatabase();

let owner: TestUser;
let stranger: TestUser;
let busy: string;
let calm: string;
beforeAll(async () => {
  owner = await buildUser();
  stranger = await buildUser();
  busy = await buildWorkflow({ workspaceId: owner.workspaceId });
  calm = await buildWorkflow({ workspaceId: owner.workspaceId });
  const foreign = await buildWorkflow({ workspaceId: stranger.workspaceId });
  for (const ms of [100, 200, 300]) await store(owner, calm, '2026-03-01T10:30:00Z', 'completed', ms);
  await store(owner, busy, '2026-03-01T10:59:59.999Z', 'failed', 50);
  await store(owner, busy, '2026-03-01T11:00:00Z', 'failed', 50, 'CANCELLED');
  await store(owner, busy, '2026-03-02T00:00:00Z', 'completed', 1000);
  await store(owner, busy, '2026-03-01T10:00:00Z', 'running', null);
  await store(stranger, foreign, '2026-03-01T10:30:00Z', 'failed', 10);
});

async function store(
  { workspaceId }: TestUser,
  workflowId: string,
  at: string,
  status: string,
  ms: number | null,
  code = 'HTTP_STATUS',
): Promise<void> {
  await databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, available_at, created_at,
       started_at, completed_at, error)
     VALUES ($1, $2, $3, 1, $4, 'manual', '{}', NULL, $5::timestamptz, $5::timestamptz,
       $5::timestamptz + $6::int * interval '1 millisecond', $7)`,
    [
      generateId('exec'),
      workspaceId,
      workflowId,
      status,
      at,
      ms,
      status === 'failed' ? JSON.stringify({ code, message: '', nodeId: null }) : null,
    ],
  );
}

const read = (query: string, { token } = owner) =>
  call<ExecutionStats & Refused>('GET', `/api/stats?${query}`, { token });

test('counts by hour, with empty hours, and without the end', async () => {
  const { status, body } = await read('from=2026-03-01T09:30:00Z&to=2026-03-01T12:00:00Z&bucket=hour');
  expect(status).toBe(200);
  const none = { completed: 0, failed: 0, cancelled: 0, p50Ms: null, p95Ms: null };
  expect(body.buckets).toEqual([
    { at: '2026-03-01T09:00:00.000Z', ...none },
    { at: '2026-03-01T10:00:00.000Z', completed: 3, failed: 1, cancelled: 0, p50Ms: 200, p95Ms: 290 },
    { at: '2026-03-01T11:00:00.000Z', ...none, cancelled: 1 },
  ]);
});

test('counts by day and by workflow, those that fail first', async () => {
  const { body } = await read('from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z&bucket=day');
  expect(body.buckets).toEqual([
    { at: '2026-03-01T00:00:00.000Z', completed: 3, failed: 1, cancelled: 1, p50Ms: 200, p95Ms: 290 },
    { at: '2026-03-02T00:00:00.000Z', completed: 1, failed: 0, cancelled: 0, p50Ms: 1000, p95Ms: 1000 },
  ]);
  expect(body.workflows).toEqual([
    { workflowId: busy, name: expect.any(String), completed: 1, failed: 1, p50Ms: 1000, p95Ms: 1000 },
    { workflowId: calm, name: expect.any(String), completed: 3, failed: 0, p50Ms: 200, p95Ms: 290 },
  ]);
});

test('shows a workspace its own runs only', async () => {
  const { body } = await read('from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00Z&bucket=hour', stranger);
  expect(body.buckets).toMatchObject([{ completed: 0, failed: 1 }]);
  expect(body.workflows).toHaveLength(1);
});

const DAYS = 'from=2026-04-01T00:00:00Z&to=2026-04-02T00:00:00Z';
test('counts what the filters select, of the own workspace only', async () => {
  const named = await buildWorkflow({ workspaceId: owner.workspaceId });
  await call('PUT', `/api/workflows/${named}`, { token: owner.token, body: { name: 'Quarterly figures' } });
  const foreign = await buildWorkflow({ workspaceId: stranger.workspaceId });
  await store(stranger, foreign, '2026-04-01T10:30:00Z', 'completed', 10);
  await store(owner, named, '2026-04-01T10:30:00Z', 'completed', 10);
  await store(owner, calm, '2026-04-01T10:31:00Z', 'completed', 10);
  await store(owner, calm, '2026-04-01T10:31:30Z', 'failed', 10);
  await databasePool().query(
    `UPDATE execution SET trigger = 'webhook', until_node = 'start' WHERE workspace_id = $1 AND created_at = '2026-04-01T10:31:30Z'`,
    [owner.workspaceId],
  );
  const counted = async (query: string, user = owner) => {
    const { body } = await read(`${DAYS}&${query}`, user);
    return body.buckets.map(({ completed, failed }) => [completed, failed]);
  };
  expect(await counted('')).toEqual([[2, 1]]);
  expect(await counted(`workflowId=${calm}`)).toEqual([[1, 1]]);
  expect(await counted('search=quarterly')).toEqual([[1, 0]]);
  expect(await counted(`search=quarterly&workflowId=${calm}`)).toEqual([[0, 0]]);
  expect(await counted('trigger=webhook')).toEqual([[0, 1]]);
  expect(await counted('partial=true')).toEqual([[0, 1]]);
  expect(await counted('partial=false')).toEqual([[2, 0]]);
  expect(await counted(`workflowId=${foreign}`)).toEqual([[0, 0]]);
  expect(await counted(`workflowId=${calm}`, stranger)).toEqual([[0, 0]]);
  expect(await counted('search=quarterly', stranger)).toEqual([[0, 0]]);
  const minutes = await read('from=2026-04-01T10:30:00Z&to=2026-04-01T10:32:00Z&bucket=minute');
  expect(minutes.body.buckets.map(({ completed, failed }) => [completed, failed])).toEqual([
    [1, 0],
    [1, 1],
  ]);
});

test('begins a day or 30 days ago unless told otherwise', async () => {
  expect((await read('')).body.buckets).toHaveLength(31);
  expect((await read('bucket=hour')).body.buckets).toHaveLength(25);
});

test.each([
  ['from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
  ['from=2020-03-02T00:00:00Z&to=2026-03-01T00:00:00Z&bucket=day', 'from'],
  ['from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&bucket=hour', 'from'],
  ['bucket=second', 'bucket'],
  ['partial=yes', 'partial'],
  ['trigger=nothing', 'trigger'],
  ['from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&bucket=minute', 'from'],
  ['from=yesterday', 'from'],
])('%s is refused', async (query, field) => {
  const { status, body } = await read(query);
  expect(status).toBe(400);
  expect(body.error.details[0]?.field).toBe(field);
});

test('needs execution:read on all runs', async () => {
  const on = { type: 'workflow', id: calm } as const;
  const person = await buildPermitted(owner.workspaceId, [{ resource: 'execution', action: 'read', on }]);
  expect((await read('', person)).status).toBe(403);
});

test('a workspace counts one thing at a time: its calls leave the connections to others', async () => {
  const locking = await databasePool().connect();
  try {
    await locking.query('BEGIN');
    await locking.query('LOCK TABLE execution IN ACCESS EXCLUSIVE MODE');
    const many = Array.from({ length: 20 }, () => call('GET', '/api/stats', { token: stranger.token }));
    const counting = async () => {
      const { rows } = await secondaryPool().query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%percentile_cont%'`,
      );
      return rows[0]?.count;
    };
    await until(async () => (await counting()) === 1, 'the first of them to wait for the lock');
    const own = call('GET', '/api/stats', { token: owner.token });
    await until(async () => (await counting()) === 2, 'the call of the other workspace to get its turn');
    expect((await call('GET', '/api/variables', { token: owner.token })).status).toBe(200);
    expect(await counting()).toBe(2);
    await locking.query('ROLLBACK');
    expect([...(await Promise.all(many)), await own].map(({ status }) => status)).toEqual(Array(21).fill(200));
  } finally {
    await locking.query('ROLLBACK');
    locking.release();
  }
});
