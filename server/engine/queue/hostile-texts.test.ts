import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { ExecutionSummary } from '@/contract/execution';
import type { ExecutionStats } from '@/contract/stats';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { parsed, startRun, startRunOf, storeWorkflow, testKinds, until, type StartedRun } from '@/server/testing/runs';
import { readExecutionReport } from '../report/report';
import { startWorker, type EngineWorker } from '../worker';
import { sweepChildRuns } from './child-sweep';
import { claimRuns } from './claim';
import { registerWorker } from './lease';
import { recordDecision } from './requests';
import { rerunExecution } from './rerun';
import { submitTestRun } from './test-run';

useDatabase();

/** What PostgreSQL stores as JSON, but cannot turn into text. */
const HOSTILE = 'NUL \u0000, half a pair \ud800 and \udc00, \\u0000, "childId":"exec_x", "round":7';
const LONG = `${HOSTILE} ${'x'.repeat(80_000)}`;

let worker: EngineWorker | undefined;
async function work(behave = async (): Promise<unknown> => HOSTILE): Promise<void> {
  worker = await startWorker({ concurrency: 50, kinds: testKinds(behave).kinds, graceMs: 200 });
}
beforeEach(() => work());
afterEach(async () => {
  await worker?.stop();
  await prismaClient().workspace.deleteMany();
});

const start = { type: 'start' };
const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const approval = { type: 'approval', config: { message: '{{ $substring($string(input), 0, 120) }}' } };

const isPaused = (run: StartedRun, path: string) =>
  until(
    async () => (await run.read()).nodeResults.some(({ nodeId, status }) => nodeId === path && status === 'paused'),
    `${path} to wait`,
  );

const approve = (run: StartedRun, nodeId: string) =>
  prismaClient().$transaction((db) =>
    recordDecision(db, {
      ...run,
      nodeId,
      decision: 'approved',
      comment: HOSTILE.replaceAll('\u0000', ''),
      decidedBy: 'ann',
    }),
  );

/** The run of another workspace that waits at the same time, and goes on in the same claim. */
const neighbour = async (): Promise<StartedRun> => {
  const run = await startRunOf(flow({ s: start, p: approval }, ['s>p']), { plain: true });
  await isPaused(run, 'p');
  return run;
};

/** Lets a run that waits at a path go on together with one of another workspace. */
async function goOnTogether(run: StartedRun, path: string): Promise<void> {
  await isPaused(run, path);
  const other = await neighbour();
  await worker?.stop();
  expect([await approve(run, path), await approve(other, 'p')]).toEqual(['decided', 'decided']);
  await work();
  const ended = await Promise.all([run.finish(), other.finish()]);
  expect(ended.map(({ status, error }) => [status, error])).toEqual([
    ['completed', null],
    ['completed', null],
  ]);
}

describe('a text that PostgreSQL cannot read from JSON stops no run, its own included', () => {
  it('in the message of an approval', async () => {
    const run = await startRunOf(flow({ s: start, p: approval, o: shape('input') }, ['s>p', 'p:approved>o']), {
      text: HOSTILE,
    });
    await goOnTogether(run, 'p');
  });

  it.each([
    ['small', [HOSTILE, HOSTILE]],
    ['large', Array.from({ length: 4 }, () => LONG)],
  ])('in the items of a loop: %s', async (_, items) => {
    const body = flow(
      {
        in: start,
        c: { type: 'condition', config: { expression: 'input.index = 1' } },
        p: approval,
        o: shape('$length(nodes.in.item)'),
      },
      ['in>c', 'c:true>p', 'p:approved>o', 'c:false>o'],
    );
    const loop = { type: 'for_each', config: { items: 'input.items', body, concurrency: 2 } };
    const run = await startRunOf(flow({ s: start, l: loop }, ['s>l']), { items });
    await goOnTogether(run, 'l[1].p');
    const { output } = await run.read();
    expect(output).toHaveLength(items.length);
  });

  it('in the rounds of a repeated loop', async () => {
    const body = flow({ in: start, p: approval, o: shape('{"text": execution.input.text}') }, ['in>p', 'p:approved>o']);
    const loop = { type: 'repeat', config: { body, until: 'true', maxRounds: 3 } };
    const run = await startRunOf(flow({ s: start, l: loop }, ['s>l']), { text: HOSTILE });
    await goOnTogether(run, 'l[0].p');
  });

  it('in the input and output of a child run, also for the sweep', async () => {
    const child = await storeWorkflow(flow({ s: start, p: approval, c: { type: 'call' } }, ['s>p', 'p:approved>c']));
    const sub = {
      type: 'sub_workflow',
      config: { workflowId: child.workflowId, input: '{"text": execution.input.text}' },
    };
    const parent = await storeWorkflow(
      flow({ s: start, sub, o: shape('input') }, ['s>sub', 'sub>o']),
      child.workspaceId,
    );
    const run = await startRun(parent, { text: HOSTILE });
    const found = await until(
      () => prismaClient().execution.findFirst({ where: { parentId: run.executionId, status: 'paused' } }),
      'the child',
    );
    const held = await until(
      () => prismaClient().nodeResult.findFirst({ where: { executionId: run.executionId, childId: { not: null } } }),
      'the node that waits for the child',
    );
    expect(held).toMatchObject({ nodeId: 'sub', childId: found.id, round: null });
    await sweepChildRuns();
    await approve({ ...run, executionId: found.id }, 'p');
    expect((await run.finish()).output).toBe(HOSTILE);
  });

  it('in the error of a node, for alerts and statistics of the workspace', async () => {
    await worker?.stop();
    await work(async () => {
      throw new NodeFailure(HOSTILE, HOSTILE, false);
    });
    const user = await buildUser();
    const workflowId = await buildWorkflow({
      workspaceId: user.workspaceId,
      definition: flow({ s: start, c: { type: 'call' } }, ['s>c']),
    });
    await prismaClient().workspace.update({
      where: { id: user.workspaceId },
      data: { settings: { errorWorkflowId: workflowId } },
    });
    const run = await startRun({ workspaceId: user.workspaceId, workflowId });
    expect((await run.finish()).status).toBe('failed');
    // As an earlier release stored it.
    const stored = JSON.stringify({ code: HOSTILE, message: HOSTILE, nodeId: 'c' });
    await databasePool().query('UPDATE execution SET error = $1 WHERE id = $2', [stored, run.executionId]);
    const stats = await call<ExecutionStats>('GET', '/api/stats', { token: user.token });
    expect([stats.status, stats.body.workflows]).toEqual([200, [expect.objectContaining({ workflowId, failed: 1 })]]);
    const list = await call<{ data: ExecutionSummary[] }>('GET', '/api/executions', { token: user.token });
    expect(list.status).toBe(200);
  });

  it('in a run that is repeated, and in one of a test', async () => {
    const definition: WorkflowDefinition = flow({ s: start, a: { type: 'call' }, p: approval }, ['s>a', 'a>p']);
    const workflow = await storeWorkflow(definition);
    const run = await startRun(workflow, { text: HOSTILE });
    await goOnTogether(run, 'p');
    const request = { ...run, definition, workflowVersion: 1, untilNodeId: null, startNodeId: null, createdBy: null };
    const again = await prismaClient().$transaction((db) =>
      rerunExecution(db, { ...request, fromNodeId: 'p', input: HOSTILE }),
    );
    if (again === 'never-ran') throw new Error('not repeated');
    await goOnTogether({ ...run, ...again, ...readerOf(workflow.workspaceId, again.executionId) }, 'p');
    const mocks = { a: { output: HOSTILE }, p: { port: 'approved', output: { comment: HOSTILE } } };
    const id = await submitTestRun(prismaClient(), {
      ...workflow,
      workflowVersion: 1,
      startNodeId: null,
      input: { text: HOSTILE },
      mocks,
      createdBy: 'ann',
      replayOf: null,
    });
    expect(await readerOf(workflow.workspaceId, id).finish()).toMatchObject({
      status: 'completed',
      output: { comment: HOSTILE },
    });
  });

  it('in the audit log and the list of tools of its workspace', async () => {
    const user: TestUser = await buildUser();
    const schema = { type: 'object', description: HOSTILE };
    const workflowId = await buildWorkflow({
      workspaceId: user.workspaceId,
      definition: flow({ s: { type: 'start', config: { inputSchema: schema } } }),
    });
    await prismaClient().workflow.update({
      where: { id: workflowId },
      data: { status: 'active', settings: { isTool: true } },
    });
    const tools = await call<{ data: unknown[] }>('GET', '/api/tools', { token: user.token });
    expect([tools.status, JSON.stringify(tools.body).includes(workflowId)]).toEqual([200, true]);
    const entryId = generateId('aud');
    await call('DELETE', `/api/workflows/${encodeURIComponent(HOSTILE.toWellFormed())}`, { token: user.token });
    await databasePool().query(
      `INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
       VALUES ($4, $1, 'resource_access', 'workflows.delete', 'failure', $2, $3, '{}')`,
      [
        user.workspaceId,
        JSON.stringify({ type: 'user', id: user.id, email: HOSTILE }),
        JSON.stringify({ type: 'workflow', id: HOSTILE }),
        entryId,
      ],
    );
    const mine = await call<{ data: { id: string }[] }>('GET', `/auth/audit?actorId=${user.id}`, { token: user.token });
    expect([mine.status, mine.body.data.map(({ id }) => id)]).toEqual([200, expect.arrayContaining([entryId])]);
    const others = await call<{ data: unknown[] }>('GET', '/auth/audit?resourceId=wf_none', { token: user.token });
    expect([others.status, others.body.data]).toEqual([200, []]);
  });
});

function readerOf(workspaceId: string, executionId: string): Pick<StartedRun, 'read' | 'finish'> {
  const read = async () => {
    const execution = await readExecutionReport(workspaceId, executionId);
    if (!execution) throw new Error(`${executionId} is not there`);
    return parsed(execution);
  };
  const finish = () =>
    until(async () => {
      const execution = await read();
      return ['completed', 'failed'].includes(execution.status) && execution;
    }, `${executionId} to end`);
  return { read, finish };
}

describe('a stored state that cannot be read', () => {
  it.each([
    ['held', '5'],
    ['held', '[1]'],
    ['held', '{"items":{"length":1},"concurrency":1}'],
    ['held', '{"items":[1]}'],
    ['held', '{"round":"one"}'],
    ['held', '{"childId":7}'],
    ['held', '{"message":null}'],
    ['held', '{"unknown":true}'],
    ['tries', '{"0":1}'],
    ['error', '"text"'],
    ['wake_at', 'infinity'],
    ['completed_at', '-infinity'],
  ])('fails its own run only: %s %s', async (column, value) => {
    await worker?.stop();
    const [bad, good] = [await startRunOf(flow({ s: start, a: start }, [])), await startRunOf(flow({ s: start }))];
    for (const { executionId } of [bad, good]) {
      await databasePool().query(
        `INSERT INTO node_result (execution_id, node_id, status, attempts, started_at, revision) VALUES ($1, 's', 'running', 1, now(), 1)`,
        [executionId],
      );
      await databasePool().query('UPDATE execution SET revision = 1 WHERE id = $1', [executionId]);
    }
    await databasePool().query(`UPDATE node_result SET ${column} = $1 WHERE execution_id = $2`, [
      value,
      bad.executionId,
    ]);
    await work();
    expect((await good.finish()).status).toBe('completed');
    const { status, error } = await bad.finish();
    expect([status, error?.code]).toEqual(['failed', 'RUN_UNREADABLE']);
    expect(error?.message).toContain('result of s');
  });
});

it.each([
  ['execution', 'input', 'id'],
  ['node_result', 'output', 'execution_id'],
])('a damaged value fails its own run only: %s.%s', async (table, column, key) => {
  await worker?.stop();
  const [bad, good] = [await startRunOf(flow({ s: start, a: start })), await startRunOf(flow({ s: start, a: start }))];
  for (const { executionId } of [bad, good]) {
    await databasePool().query(
      `INSERT INTO node_result (execution_id, node_id, status, port, attempts, started_at, completed_at, revision)
       VALUES ($1, 's', 'completed', 'output', 1, now(), now(), 1)`,
      [executionId],
    );
    await databasePool().query('UPDATE execution SET revision = 1 WHERE id = $1', [executionId]);
  }
  const noise = JSON.stringify(randomBytes(6000).toString('base64'));
  await databasePool().query(`UPDATE ${table} SET ${column} = $1 WHERE ${key} = $2`, [noise, bad.executionId]);
  await damage(table, key, bad.executionId);
  const where = { id: bad.executionId };
  const length = `SELECT octet_length(${column}::text) FROM ${table} WHERE ${key} = $1`;
  await expect(databasePool().query(length, [bad.executionId])).rejects.toThrow('missing chunk');
  await work();
  expect((await good.finish()).status).toBe('completed');
  const ended = () =>
    prismaClient().execution.findFirst({ where: { ...where, status: 'failed' }, select: { error: true } });
  expect(await until(ended, 'the damaged run to end')).toMatchObject({ error: { code: 'RUN_UNREADABLE' } });
  // So that it can be removed.
  await databasePool().query(`UPDATE ${table} SET ${column} = '{}' WHERE ${key} = $1`, [bad.executionId]);
});

/**
 * Removes the parts of long values that a table keeps beside its rows, as a damaged disk would: of the partition with
 * this row.
 */
async function damage(table: string, key: string, id: string): Promise<void> {
  const client = await databasePool().connect();
  try {
    const { rows } = await client.query<{ name: string; values: string }>(
      `SELECT c.oid::regclass::text AS name, c.reltoastrelid::regclass::text AS values
       FROM ${table} JOIN pg_class c ON c.oid = ${table}.tableoid WHERE ${key} = $1 LIMIT 1`,
      [id],
    );
    const { name, values } = rows[0] ?? { name: '', values: '' };
    const setKind = (kind: string) =>
      client.query('UPDATE pg_class SET relkind = $1 WHERE oid = $2::regclass', [kind, values]);
    await client.query('SET allow_system_table_mods = on');
    await setKind('r');
    await client.query(`DELETE FROM ${values}`);
    await setKind('t');
    await client.query(`VACUUM ${name}`);
  } finally {
    client.release(true);
  }
}

it('a claim reads the round of a loop beside a text that it cannot read', async () => {
  await worker?.stop();
  const run = await startRunOf(flow({ s: start }));
  const rows: [string, string][] = [
    ['p', JSON.stringify({ message: HOSTILE, assignees: [] })],
    ['l', JSON.stringify({ round: 3 })],
  ];
  for (const [nodeId, held] of rows)
    await databasePool().query(
      `INSERT INTO node_result (execution_id, node_id, status, attempts, held, revision) VALUES ($1, $2, 'running', 1, $3, 1)`,
      [run.executionId, nodeId, held],
    );
  // What the release before stores is described by a trigger.
  expect(await prismaClient().nodeResult.findFirst({ where: { nodeId: 'l' } })).toMatchObject({
    round: 3,
    childId: null,
  });
  await databasePool().query('UPDATE execution SET revision = 1 WHERE id = $1', [run.executionId]);
  const { runs } = await claimRuns(await registerWorker(60_000), 10, '');
  expect(runs.map(({ states, unreadableReason: unreadable }) => [states.length, unreadable])).toEqual([[2, null]]);
});
