import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUOTAS_BY_TIER } from '@/contract/quota';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { removeExpiredMemories } from '@/server/data/remember/keeper';
import { openMemory } from '@/server/data/remember/memory';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, startRunOf, storeWorkflow, type StoredWorkflow } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

let worker: EngineWorker;
beforeAll(async () => {
  worker = await startWorker({ concurrency: 50, graceMs: 200 });
});
afterAll(() => worker.stop());

const start = { type: 'start' };
const remember = (config: object) => ({ type: 'remember', config: { key: '{{ input.key }}', ...config } });
const only = (config: object): WorkflowDefinition => flow({ s: start, r: remember(config) }, ['s>r']);

/** Runs one operation in a workflow of its own in the workspace, and returns its output, or the code of its error. */
async function run(workspaceId: string | undefined, config: object, input: object = { key: 'k' }) {
  const started = await startRun(await storeWorkflow(only(config), workspaceId), input);
  const { output, error } = await started.finish();
  return { workspaceId: started.workspaceId, result: error ? error.code : output };
}

/** Runs a stored workflow once with each input. */
async function outputsOf(workflow: StoredWorkflow, inputs: object[]): Promise<unknown[]> {
  const runs = await Promise.all(inputs.map((input) => startRun(workflow, input)));
  return Promise.all(runs.map(async (one) => (await one.finish()).output));
}

const expire = () => databasePool().query(`UPDATE remembered SET expires_at = now() - interval '1 second'`);
const expireItems = () => databasePool().query(`UPDATE remembered_item SET expires_at = now() - interval '1 second'`);
const SHARED = { scope: 'workspace' };

describe('remember', () => {
  it('keeps a value of any kind, for the workflow alone or for its workspace', async () => {
    const value = { text: 'naïve \u{1F9F5}', list: [1, null], nothing: null };
    const set = await startRunOf(
      flow(
        {
          s: start,
          set: remember({ operation: 'set', key: 'k', value: '{{ input.value }}' }),
          get: remember({ operation: 'get', key: 'k' }),
          none: remember({ operation: 'get', key: 'other' }),
        },
        ['s>set', 'set>get', 'get>none'],
      ),
      { value },
    );
    const { nodeResults } = await set.finish();
    expect(nodeResults.map(({ output }) => output)).toEqual([{ value }, value, value, null]);

    const { workspaceId } = set;
    expect((await run(workspaceId, { operation: 'get' })).result).toBeNull();
    await run(workspaceId, { ...SHARED, operation: 'set', value: 7 });
    expect((await run(workspaceId, { ...SHARED, operation: 'get' })).result).toBe(7);
    // Another workspace.
    expect((await run(undefined, { ...SHARED, operation: 'get' })).result).toBeNull();
  });

  it('adds to numbers, also to broken and negative ones, and refuses to add to other values', async () => {
    const { workspaceId, result } = await run(undefined, { ...SHARED, operation: 'add' });
    expect(result).toBe(1);
    expect((await run(workspaceId, { ...SHARED, operation: 'add', by: 2.5 })).result).toBe(3.5);
    expect((await run(workspaceId, { ...SHARED, operation: 'add', by: -4 })).result).toBe(-0.5);
    await run(workspaceId, { ...SHARED, operation: 'set', value: 'text' });
    expect((await run(workspaceId, { ...SHARED, operation: 'add' })).result).toBe('NOT_A_NUMBER');
    await run(workspaceId, { ...SHARED, operation: 'set', value: 1e308 });
    expect((await run(workspaceId, { ...SHARED, operation: 'add', by: 1e308 })).result).toBe('NOT_A_NUMBER');
  });

  it('loses no addition of concurrent runs', async () => {
    const workflow = await storeWorkflow(only({ operation: 'add', by: 2 }));
    const outputs = await outputsOf(
      workflow,
      Array.from({ length: 30 }, () => ({ key: 'k' })),
    );
    expect(Math.max(...outputs.map(Number))).toBe(60);
    expect(new Set(outputs).size).toBe(30);
  });

  it('passes on what was not seen before, each item once, also to concurrent runs', async () => {
    const workflow = await storeWorkflow(only({ operation: 'seen', items: 'input.items', itemKey: 'item.id' }));
    const item = (id: unknown) => ({ id, text: `"{,}" ${String(id)}` });
    const [first] = await outputsOf(workflow, [{ key: 'k', items: [item(1), item('1'), item(1), item(2)] }]);
    expect(first).toEqual([item(1), item('1'), item(2)]);
    const items = [item(2), item(3), item(4), item(5)];
    const later = await outputsOf(
      workflow,
      Array.from({ length: 8 }, (_, index) => ({ key: 'k', items: index % 2 ? items : items.toReversed() })),
    );
    const passed = later.flat().map((one) => (one as { id: number }).id);
    expect(passed.sort((one, other) => one - other)).toEqual([3, 4, 5]);
    // Another key is another list.
    expect(await outputsOf(workflow, [{ key: 'else', items: [item(2)] }])).toEqual([[item(2)]]);
    expect(await outputsOf(workflow, [{ key: 'k', items: [] }])).toEqual([[]]);
  });

  it('compares whole items without an expression, and takes large lists', async () => {
    const { workspaceId, result } = await run(undefined, {
      ...SHARED,
      operation: 'seen',
      items: '[1..3000].{"n": $, "text": $pad("", 100, "x")}',
    });
    expect((result as unknown[]).length).toBe(3000);
    const next = await run(workspaceId, {
      ...SHARED,
      operation: 'seen',
      items: '[2999..3002].{"text": $pad("", 100, "x"), "n": $}',
    });
    expect((next.result as { n: number }[]).map(({ n }) => n)).toEqual([3001, 3002]);
  });

  it('names the item whose key fails or is missing', async () => {
    const failed = await startRunOf(
      only({ operation: 'seen', items: '[{"id": 1}, {}]', itemKey: 'item.id', key: 'k' }),
    );
    expect((await failed.finish()).error).toMatchObject({
      code: 'EXPRESSION',
      message: 'items[1]: The key has no value.',
    });
    expect(await prismaClient().remembered.count({ where: { workflowId: failed.workflowId } })).toBe(0);
  });

  it('forgets what has expired, and removes it later', async () => {
    const ttlMs = 3_600_000;
    const counter = await storeWorkflow(only({ operation: 'add', ttlMs }));
    const list = await storeWorkflow(only({ operation: 'seen', items: '[1, 2]', ttlMs }));
    const twice = async (workflow: StoredWorkflow) => [
      ...(await outputsOf(workflow, [{ key: 'k' }])),
      ...(await outputsOf(workflow, [{ key: 'k' }])),
    ];
    expect(await twice(counter)).toEqual([1, 2]);
    expect(await twice(list)).toEqual([[1, 2], []]);
    await expire();
    await expireItems();
    expect(await twice(counter)).toEqual([1, 2]);
    expect(await twice(list)).toEqual([[1, 2], []]);
    await expire();
    await expireItems();
    await removeExpiredMemories();
    expect(await prismaClient().remembered.count({ where: { workflowId: counter.workflowId } })).toBe(0);
    expect(await prismaClient().rememberedItem.count({ where: { list: { workflowId: list.workflowId } } })).toBe(0);
  });

  it('is deleted with its workflow and its workspace', async () => {
    const own = await startRunOf(only({ operation: 'add', key: 'k' }));
    await own.finish();
    await run(own.workspaceId, { ...SHARED, operation: 'seen', items: '[1]' });
    await prismaClient().workflow.delete({ where: { id: own.workflowId } });
    const left = () => prismaClient().remembered.findMany({ where: { workspaceId: own.workspaceId } });
    expect((await left()).map(({ workflowId, isList }) => [workflowId, isList])).toEqual([[null, true]]);
    await prismaClient().workspace.delete({ where: { id: own.workspaceId } });
    expect(await left()).toEqual([]);
  });

  it('has limits', async () => {
    const tooLarge = { operation: 'set', value: '{{ $pad("", 70000, "x") }}' };
    expect((await run(undefined, tooLarge)).result).toBe('VALUE_TOO_LARGE');
    expect((await run(undefined, { operation: 'seen', items: '[1..10001]' })).result).toBe('TOO_MANY_ITEMS');
    const operation = 'get';
    expect((await run(undefined, { operation }, { key: 'x'.repeat(201) })).result).toBe('CONFIG');
    expect((await run(undefined, { operation }, { key: '' })).result).toBe('CONFIG');
    expect((await run(undefined, { operation }, { key: 'a\u0000b' })).result).toBe('CONFIG');
    expect((await run(undefined, { operation: 'add', by: '{{ "one" }}' })).result).toBe('CONFIG');
  });

  it('refuses keys over the quota of its workspace, and no other workspace’s', async () => {
    const { workspaceId } = await run(undefined, { ...SHARED, operation: 'seen', items: '[1]' });
    await prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier: 'free' } });
    await databasePool().query(
      `INSERT INTO remembered_item (list_id, item) SELECT r.id, n::text FROM remembered r, generate_series(1, $2::int) n
       WHERE r.workspace_id = $1`,
      [workspaceId, QUOTAS_BY_TIER.free.rememberedKeys - 3],
    );
    delete getRuntime().rememberedKeys;
    expect((await run(workspaceId, { ...SHARED, operation: 'add', key: 'a' })).result).toBe(1);
    expect((await run(workspaceId, { ...SHARED, operation: 'add', key: 'b' })).result).toBe('QUOTA');
    expect((await run(workspaceId, { ...SHARED, operation: 'seen', items: '[1, 2]' })).result).toBe('QUOTA');
    expect((await run(workspaceId, { ...SHARED, operation: 'add', key: 'a' })).result).toBe(2);
    expect((await run(undefined, { ...SHARED, operation: 'add', key: 'b' })).result).toBe(1);
  });
});

it('a quota of keys is exact after changes that were rolled back', async () => {
  const { workspaceId } = await run(undefined, { ...SHARED, operation: 'set', key: 'first', value: '1' });
  await prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier: 'free' } });
  const { rows } = await databasePool().query<{ workflow_id: string }>(
    'SELECT id AS workflow_id FROM workflow WHERE workspace_id = $1',
    [workspaceId],
  );
  const owner = { workspaceId, workflowId: rows[0]?.workflow_id ?? '' };
  const limit = QUOTAS_BY_TIER.free.rememberedKeys;
  delete getRuntime().rememberedKeys;
  const place = (key: string) => ({ scope: 'workspace', key }) as const;
  const inTransaction = async (end: 'COMMIT' | 'ROLLBACK', keys: string[]) => {
    const client = await databasePool().connect();
    try {
      await client.query('BEGIN');
      for (const key of keys) await openMemory(client, owner).set(place(key), 1, null);
      await client.query(end);
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };
  await databasePool().query(
    `INSERT INTO remembered (workspace_id, scope_id, key, is_list, value)
     SELECT $1, $1, 'stored ' || n, false, '1' FROM generate_series(1, $2::int) n`,
    [workspaceId, limit - 6],
  );
  // Five keys are left.
  for (let round = 0; round < 5; round += 1) await inTransaction('ROLLBACK', ['a', 'b', 'c', 'd', 'e']);
  await inTransaction('COMMIT', ['a', 'b', 'c', 'd', 'e']);
  await expect(inTransaction('COMMIT', ['f'])).rejects.toMatchObject({ code: 'QUOTA' });
});

it('the example of docs/data/remember.md does what it says', async () => {
  const text = readFileSync('docs/data/remember.md', 'utf8');
  const definition = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as WorkflowDefinition;
  const workflow = await storeWorkflow(definition);
  const orders = (...ids: number[]) => ({ orders: ids.map((id) => ({ id })) });
  expect(await outputsOf(workflow, [orders(1, 2)])).toEqual([{ orders: [{ id: 1 }, { id: 2 }], total: 2 }]);
  expect(await outputsOf(workflow, [orders(2, 3)])).toEqual([{ orders: [{ id: 3 }], total: 3 }]);
});
