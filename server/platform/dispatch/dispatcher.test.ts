import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { requestCancellation, recordDecision } from '@/server/engine/queue/requests';
import { submitRun } from '@/server/engine/queue/submit';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { notifyPinsChanged, notifyWorkflowSaved } from '@/server/workflow/definition/stored-parts';
import { postgresDispatcher } from './postgres';
import { createRedisDispatcher } from './redis';
import type { ReplyTextPiece, FleetDispatcher } from './events';

useOwnDatabase();

const HOUR_MS = 3_600_000;
const one = flow({ s: { type: 'start' }, a: { type: 'call' } }, ['s>a']);

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

const workers: EngineWorker[] = [];
const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));

async function work(behave: Behaviour, concurrency = 50): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency, kinds, graceMs: 200 }));
  return attempts;
}

const MAKERS = {
  PostgreSQL: async (): Promise<FleetDispatcher> => postgresDispatcher,
  Redis: async (): Promise<FleetDispatcher> => createRedisDispatcher(redis.url),
};

describe.each(Object.entries(MAKERS))('dispatch over %s', (name, make) => {
  let dispatcher: FleetDispatcher;

  beforeAll(async () => {
    dispatcher = await make();
    // Only hints can help here: the poll comes too late for every test.
    setRuntime({ ...getRuntime(), dispatcher: { ...dispatcher, pollMs: HOUR_MS } });
  });
  afterEach(async () => {
    await stopWorkers();
    await prismaClient().workspace.deleteMany();
  });
  afterAll(async () => {
    setRuntime({ ...getRuntime(), dispatcher: undefined });
    await dispatcher.close();
  });

  it('wakes an idle worker for a run', async () => {
    await work(async () => 'done');
    for (let n = 0; n < 5; n += 1) expect((await (await startRunOf(one)).finish()).output).toBe('done');
  });

  it('wakes a worker for a run submitted in a transaction after its commit', async () => {
    await work(async () => 'done');
    const workflow = await storeWorkflow(one);
    const run = { ...workflow, workflowVersion: 1, trigger: 'manual', input: {}, createdBy: null } as const;
    const { executionId } = await prismaClient().$transaction((db) => submitRun(run, { db }));
    const status = async () => (await prismaClient().execution.findUnique({ where: { id: executionId } }))?.status;
    await until(async () => (await status()) === 'completed', 'the run to complete');
  });

  it('runs each run once with any number of workers', async () => {
    const calls: string[] = [];
    const behave: Behaviour = async ({ idempotencyKey }) => calls.push(idempotencyKey);
    await work(behave, 3);
    await work(behave, 3);
    await work(behave, 3);
    const workflow = await storeWorkflow(one);
    const runs = await Promise.all(Array.from({ length: 60 }, () => startRun(workflow)));
    await Promise.all(runs.map((run) => run.finish()));
    expect([calls.length, new Set(calls).size]).toEqual([60, 60]);
  });

  it('leaves runs to other workers when one is full', async () => {
    const held = gate();
    const taken = gate();
    let isFirst = true;
    const full: Behaviour = async () => {
      if (!isFirst) return 'late';
      isFirst = false;
      taken.open();
      return held.opened;
    };
    await work(full, 1);
    const workflow = await storeWorkflow(one);
    const stuck = await startRun(workflow);
    await taken.opened;
    const others = await Promise.all(Array.from({ length: 5 }, () => startRun(workflow)));
    await work(async () => 'elsewhere');
    for (const run of others) expect((await run.finish()).output).toBe('elsewhere');
    const more = await Promise.all(Array.from({ length: 5 }, () => startRun(workflow)));
    for (const run of more) expect((await run.finish()).output).toBe('elsewhere');
    held.open();
    await stuck.finish();
  });

  it('passes runs of a stopping worker to the others at once', async () => {
    const under = gate();
    await work(async () => {
      under.open();
      return new Promise(() => {});
    });
    const run = await startRunOf(one);
    await under.opened;
    const [stopping] = workers.splice(0);
    await work(async () => 'taken over');
    await stopping?.stop();
    expect((await run.finish()).output).toBe('taken over');
  });

  it('brings cancellations and decisions to the worker of the run', async () => {
    const under = gate();
    await work(async ({ signal }) => {
      under.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const cancelled = await startRunOf(one);
    await under.opened;
    await prismaClient().$transaction((db) => requestCancellation(db, [cancelled.executionId]));
    expect((await cancelled.finish()).error?.code).toBe('CANCELLED');
    const asking = await startRunOf(flow({ s: { type: 'start' }, p: { type: 'approval' } }, ['s>p']));
    await asking.reach('paused');
    const decision = { nodeId: 'p', decision: 'approved', comment: null, decidedBy: 'ann' } as const;
    await prismaClient().$transaction((db) => recordDecision(db, { ...asking, ...decision }));
    expect((await asking.finish()).output).toMatchObject({ decision: 'approved' });
  });

  it('notifies watchers of changed executions, of presence, of calls, of pins and of saves', async () => {
    const heard = new Set<string>();
    const visited = new Set<string>();
    const called = new Set<string>();
    const stored = new Set<string>();
    const listener = await dispatcher.watch({
      onChanged: (ids) => ids.forEach((id) => heard.add(id)),
      onPresence: (ids) => ids.forEach((id) => visited.add(id)),
      onWebhookCalls: (ids) => ids.forEach((id) => called.add(id)),
      onStored: (part, ids) => ids.forEach((id) => stored.add(`${part} ${id}`)),
      onGap: () => undefined,
    });
    // From another process: a process does not receive its own notifications.
    const elsewhere = await make();
    setRuntime({ ...getRuntime(), dispatcher: elsewhere });
    await work(async () => 'done');
    const run = await startRunOf(one);
    await until(async () => heard.has(run.executionId), 'the news');
    elsewhere.presenceChanged(['wf_somewhere']);
    await until(async () => visited.has('wf_somewhere'), 'the news of a visit');
    elsewhere.webhookCalled(['wf_called']);
    await until(async () => called.has('wf_called'), 'the news of a call');
    await notifyPinsChanged(prismaClient(), 'wf_pinned');
    await until(async () => stored.has('pins wf_pinned'), 'the news of a pin');
    await notifyWorkflowSaved(prismaClient(), 'wf_saved');
    await until(async () => stored.has('workflowSaves wf_saved'), 'the news of a save');
    await stopWorkers();
    await listener.close();
    setRuntime({ ...getRuntime(), dispatcher: { ...dispatcher, pollMs: HOUR_MS } });
    await elsewhere.close();
  });

  it('carries answers that are being written', async () => {
    const elsewhere = await make();
    const seen: ReplyTextPiece[] = [];
    const listener = await dispatcher.watchReplyTexts((piece) => seen.push(piece));
    // Redis confirms no subscription, so the first pieces may be lost.
    await until(async () => {
      elsewhere.replyTextWritten({ executionId: 'exec_first', at: 0, text: 'x' });
      return seen.length > 0;
    }, 'a first piece');
    const text = `${'\u0000"\u{1F600}'.repeat(2000)} end`;
    elsewhere.replyTextWritten({ executionId: 'exec_a', at: 7, text });
    const read = () =>
      seen.reduce(
        (all, { executionId, at, text: more }) => (executionId === 'exec_a' ? all.slice(0, at) + more : all),
        '•'.repeat(7),
      );
    await until(async () => read().endsWith('end'), 'the last piece');
    expect(read()).toBe(`${'•'.repeat(7)}${text}`);
    await listener.close();
    await elsewhere.close();
  });

  it('wakes runs at their time', async () => {
    // PostgreSQL has no timers: there the workers poll.
    if (dispatcher.isInDatabase) setRuntime({ ...getRuntime(), dispatcher });
    await work(async () => 'done');
    const nap = flow({ s: { type: 'start' }, d: { type: 'delay', config: { durationMs: 1500 } } }, ['s>d']);
    const workflow = await storeWorkflow(nap);
    const runs = await Promise.all(Array.from({ length: 10 }, () => startRun(workflow)));
    for (const run of runs) expect((await run.finish()).status).toBe('completed');
    setRuntime({ ...getRuntime(), dispatcher: { ...dispatcher, pollMs: HOUR_MS } });
  });

  it('lets one run of a quiet workspace pass ten thousand of a busy one', async () => {
    const busy = await storeWorkflow(one);
    await databasePool().query(
      `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
       SELECT 'exec_${name}_' || n, $1, $2, 1, 'pending', 'manual', '{}' FROM generate_series(1, 10000) n`,
      [busy.workspaceId, busy.workflowId],
    );
    let visited = 0;
    await work(async () => (visited += 1), 20);
    await (await startRun(busy)).reach('running', 'completed', 'pending');
    await until(async () => visited > 100, 'the worker to be busy');
    const before = visited;
    await (await startRunOf(one)).finish();
    expect(visited - before).toBeLessThan(2000);
  });
});
