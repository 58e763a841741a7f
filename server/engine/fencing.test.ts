import { afterEach, describe, expect, it } from 'vitest';
import { pool, prisma } from '../db/client';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until, type Behaviour } from '../testing/runs';
import { checkpointWriter, type Checkpoint } from './checkpoint';
import { claim } from './claim';
import { register, sweep } from './lease';
import { decide } from './requests';
import { startWorker, type Worker } from './worker';

useDatabase();

const LEASE_MS = 60_000;
const nobody = new AbortController().signal;
const definition = flow({ s: { type: 'start' }, a: { type: 'call' } }, ['s>a']);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prisma().workspace.deleteMany();
  await prisma().worker.deleteMany();
});

async function work(behave: Behaviour, id?: string): Promise<Map<string, number>> {
  const { kinds, visits } = testKinds(behave);
  workers.push(await startWorker({ id, concurrency: 50, kinds, leaseMs: 600, graceMs: 200 }));
  return visits;
}

const expire = (id: string) =>
  pool().query(`UPDATE worker SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);

const step = (executionId: string, more: Partial<Checkpoint> = {}): Checkpoint => ({
  executionId,
  parentId: null,
  limitedIn: null,
  status: 'running',
  nodes: [
    {
      state: {
        path: 's',
        status: 'completed',
        port: 'output',
        attempts: 1,
        output: 1,
        error: null,
        startedAt: new Date(),
        completedAt: new Date(),
        wakeAt: null,
        held: null,
        largeBytes: null,
        tries: [],
        isAway: false,
        isWaiting: false,
      },
      json: '1',
      heldJson: null,
    },
  ],
  logs: [{ path: 's', level: 'info', message: 'hello', timestamp: new Date() }],
  final: null,
  release: null,
  hasProgressed: true,
  unlessWished: false,
  ...more,
});

const end = { final: { json: '{"x":1}', error: null }, status: 'completed' } as const;

describe('a checkpoint', () => {
  async function claimed() {
    const { executionId } = await startRun(await storeWorkflow(definition));
    const worker = await register(LEASE_MS);
    await claim(worker, 100, '');
    return { executionId, worker, write: checkpointWriter(worker, nobody) };
  }

  it('is refused, whole, once another worker has taken over', async () => {
    const { executionId, worker, write } = await claimed();
    await expire(worker);
    await sweep();
    expect(await write(step(executionId, end))).toBe('refused');
    expect(await prisma().nodeResult.count({ where: { executionId } })).toBe(0);
    expect(await prisma().logEntry.count({ where: { executionId } })).toBe(0);
    expect((await prisma().execution.findUniqueOrThrow({ where: { id: executionId } })).status).toBe('pending');
  });

  it('changes nothing of a run that is final', async () => {
    const { executionId, write } = await claimed();
    expect(await write(step(executionId, end))).toBe('written');
    const before = await prisma().execution.findUniqueOrThrow({ where: { id: executionId } });
    await pool().query(`UPDATE execution SET worker_id = (SELECT id FROM worker) WHERE id = $1`, [executionId]);
    expect(await write(step(executionId, { ...end, status: 'failed' }))).toBe('refused');
    const after = await prisma().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect([after.status, after.completedAt, after.revision]).toEqual([
      'completed',
      before.completedAt,
      before.revision,
    ]);
  });

  it('turns into CANCELLED when a cancellation was asked for in time', async () => {
    const { executionId, write } = await claimed();
    await pool().query('UPDATE execution SET cancel_requested_at = now() WHERE id = $1', [executionId]);
    expect(await write(step(executionId, end))).toBe('cancel-requested');
    const row = await prisma().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect([row.status, row.output, row.error]).toMatchObject(['failed', null, { code: 'CANCELLED' }]);
  });

  it('that lets go of a run keeps a wish that came meanwhile', async () => {
    const { executionId, write } = await claimed();
    await pool().query('UPDATE execution SET available_at = now() WHERE id = $1', [executionId]);
    await write(step(executionId, { release: { availableAt: null } }));
    const row = await prisma().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect([row.workerId, row.availableAt === null]).toEqual([null, false]);
  });

  it('of an expiry loses against a decision', async () => {
    const { executionId, write } = await claimed();
    await pool().query('UPDATE execution SET available_at = now() WHERE id = $1', [executionId]);
    expect(await write(step(executionId, { unlessWished: true }))).toBe('refused');
    expect(await prisma().nodeResult.count({ where: { executionId } })).toBe(0);
  });

  it('tells watchers which executions changed', async () => {
    const { executionId, write } = await claimed();
    const client = await pool().connect();
    const heard: string[] = [];
    client.on('notification', ({ payload }) => heard.push(payload ?? ''));
    try {
      await client.query('LISTEN weft_changes');
      await write(step(executionId));
      await until(async () => heard.length > 0, 'the notification');
      expect(heard).toEqual([JSON.stringify([executionId])]);
    } finally {
      client.release(true);
    }
  });
});

describe('a worker that was thought dead', () => {
  it('abandons its runs and works on under another name', async () => {
    const under = gate();
    let isFirst = true;
    let aborted = false;
    await work(async ({ signal }) => {
      if (!isFirst) return 'second';
      isFirst = false;
      signal.addEventListener('abort', () => (aborted = true));
      under.open();
      return await new Promise(() => {});
    }, 'wrk_first');
    const run = await startRunOf(definition);
    await under.opened;
    await prisma().worker.delete({ where: { id: 'wrk_first' } });
    await sweep();
    expect((await run.finish()).output).toBe('second');
    expect(aborted).toBe(true);
    expect((await prisma().worker.findMany()).map(({ id }) => id)).not.toContain('wrk_first');
  });

  it('is relieved of its runs by its peers', async () => {
    const frozen = await register(1);
    const run = await startRunOf(definition);
    await pool().query('UPDATE execution SET worker_id = $1, available_at = NULL WHERE id = $2', [
      frozen,
      run.executionId,
    ]);
    await work(async () => 'elsewhere');
    expect((await run.finish()).output).toBe('elsewhere');
  });
});

describe('what gets lost', () => {
  it('is found again: a claim whose answer never came', async () => {
    await work(async () => 'found', 'wrk_mine');
    const run = await startRunOf(definition);
    await run.finish();
    const lost = await startRunOf(definition);
    await lost.finish();
    await pool().query(
      `UPDATE execution SET worker_id = 'wrk_mine', status = 'pending', completed_at = NULL, output = NULL WHERE id = $1`,
      [lost.executionId],
    );
    expect((await lost.finish()).output).toBe('found');
  });

  it('is found again: a wish whose notification never came', async () => {
    const branch = gate();
    await work(async () => await branch.opened);
    const run = await startRunOf(
      flow(
        {
          s: { type: 'start' },
          p: { type: 'approval' },
          slow: { type: 'call' },
          y: { type: 'transform', config: { expression: '1' } },
        },
        ['s>p', 's>slow', 'p:approved>y'],
      ),
    );
    await until(async () => (await run.read()).nodeResults.some(({ status }) => status === 'paused'), 'the approval');
    await pool().query(
      `WITH made AS (INSERT INTO decision (execution_id, node_id, decision, decided_by) VALUES ($1, 'p', 'approved', 'ann'))
       UPDATE execution SET available_at = now() WHERE id = $1`,
      [run.executionId],
    );
    await until(
      async () => (await run.read()).nodeResults.some(({ nodeId, status }) => nodeId === 'y' && status === 'completed'),
      'the branch',
    );
    branch.open();
    await run.finish();
  });
});

it('gives up a run that keeps killing its workers', async () => {
  const run = await startRunOf(definition);
  await pool().query('UPDATE execution SET claims = 10 WHERE id = $1', [run.executionId]);
  const visits = await work(async () => 'never');
  expect((await run.finish()).error?.code).toBe('CRASHED');
  expect(visits.size).toBe(0);
});

it('never lets an expiry and a decision both win', async () => {
  await work(async () => 'x');
  const approval = { type: 'approval', config: { expiresInMs: 300 } };
  const workflow = await storeWorkflow(
    flow({ s: { type: 'start' }, p: approval, y: { type: 'call' }, n: { type: 'call' } }, [
      's>p',
      'p:approved>y',
      'p:rejected>n',
    ]),
  );
  const runs = await Promise.all(Array.from({ length: 20 }, () => startRun(workflow)));
  await Promise.all(
    runs.map(async (run, index) => {
      const asked = await until(
        async () => (await run.read()).nodeResults.find(({ nodeId, startedAt }) => nodeId === 'p' && startedAt),
        'the approval',
      );
      const due = Date.parse(asked.startedAt ?? '') + 290 + index;
      await until(async () => Date.now() >= due, 'the moment');
      const request = { ...run, nodeId: 'p', decision: 'approved', comment: null, decidedBy: 'ann' } as const;
      const answer = await prisma().$transaction((db) => decide(db, request));
      const { nodeResults } = await run.finish();
      const expected = answer === 'decided' ? 'approved' : 'rejected';
      expect(nodeResults[1]?.output).toMatchObject({ decision: expected });
    }),
  );
});
