import type pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { createCheckpointWriter, type RunCheckpoint } from '../store/checkpoint';
import { generateId } from '@/server/platform/db/ids';
import { runIsolatedWorker } from '../isolated-worker';
import { claimRuns } from '../queue/claim';
import { registerWorker, sweepExpiredWorkers } from '../queue/lease';
import { recordDecision } from '../queue/requests';
import { wakeAfterRunEnds } from '../queue/after-ends';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const LEASE_MS = 60_000;
const neverAborted = new AbortController().signal;
const definition = flow({ s: { type: 'start' }, a: { type: 'call' } }, ['s>a']);

const workers: EngineWorker[] = [];
let ending = new AbortController();
const alone: Promise<void>[] = [];
afterEach(async () => {
  ending.abort();
  ending = new AbortController();
  await Promise.all(alone.splice(0));
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await prismaClient().workspace.deleteMany();
  await prismaClient().worker.deleteMany();
});

async function work(behave: Behaviour, id?: string): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ id, concurrency: 50, kinds, leaseMs: 600, graceMs: 200 }));
  const options = { signal: ending.signal, kinds, graceMs: 200, onLongRun: () => undefined };
  // In this process: no run of these tests kills it.
  startAlone = () => void alone.push(runIsolatedWorker({ id: generateId('wrk'), ...options }));
  return attempts;
}
/** Runs suspects alone, with the node types of the last worker. */
let startAlone = () => {};

const expire = (id: string) =>
  databasePool().query(`UPDATE worker SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);

const step = (executionId: string, more: Partial<RunCheckpoint> = {}): RunCheckpoint => ({
  executionId,
  parentId: null,
  limitedWorkspaceId: null,
  status: 'running',
  nodes: [
    {
      state: {
        path: 's',
        status: 'completed',
        port: 'output',
        attemptNumber: 1,
        attempts: [],
        output: 1,
        startedAt: new Date(),
        completedAt: new Date(),
        resumeData: null,
        largeBytes: null,
        isOffloaded: false,
      },
      json: '1',
      resumeJson: null,
    },
  ],
  logs: [{ path: 's', level: 'info', message: 'hello', timestamp: new Date() }],
  final: null,
  release: null,
  unlessSignalled: false,
  callerResponse: null,
  ...more,
});

const end = { final: { json: '{"x":1}', error: null }, status: 'completed' } as const;

describe('a checkpoint', () => {
  async function claimed() {
    const { executionId } = await startRun(await storeWorkflow(definition));
    const worker = await registerWorker(LEASE_MS);
    await claimRuns(worker, 100, '');
    return { executionId, worker, write: createCheckpointWriter(worker, neverAborted, wakeAfterRunEnds) };
  }

  it('is refused as a whole once another worker has taken over', async () => {
    const { executionId, worker, write } = await claimed();
    await expire(worker);
    await sweepExpiredWorkers();
    expect(await write(step(executionId, end))).toBe('refused');
    expect(await prismaClient().nodeResult.count({ where: { executionId } })).toBe(0);
    expect(await prismaClient().logEntry.count({ where: { executionId, nodeId: 's' } })).toBe(0);
    expect((await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } })).status).toBe('pending');
  });

  it('does not change a final run', async () => {
    const { executionId, write } = await claimed();
    expect(await write(step(executionId, end))).toBe('written');
    const before = await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } });
    await databasePool().query(`UPDATE execution SET worker_id = (SELECT id FROM worker) WHERE id = $1`, [executionId]);
    expect(await write(step(executionId, { ...end, status: 'failed' }))).toBe('refused');
    const after = await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect([after.status, after.completedAt, after.revision]).toEqual([
      'completed',
      before.completedAt,
      before.revision,
    ]);
  });

  it('becomes CANCELLED when a cancellation was requested in time', async () => {
    const { executionId, write } = await claimed();
    await databasePool().query('UPDATE execution SET cancel_requested_at = now() WHERE id = $1', [executionId]);
    expect(await write(step(executionId, end))).toBe('cancel-requested');
    const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect([row.status, row.output, row.error]).toMatchObject(['failed', null, { code: 'CANCELLED' }]);
  });

  it('that releases a run keeps a signal that arrived meanwhile', async () => {
    const { executionId, write } = await claimed();
    await databasePool().query('UPDATE execution SET available_at = now() WHERE id = $1', [executionId]);
    await write(step(executionId, { release: { availableAt: null } }));
    const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect([row.workerId, row.availableAt === null]).toEqual([null, false]);
  });

  it('of an expiry is refused after a decision', async () => {
    const { executionId, write } = await claimed();
    await databasePool().query('UPDATE execution SET available_at = now() WHERE id = $1', [executionId]);
    expect(await write(step(executionId, { unlessSignalled: true }))).toBe('refused');
    expect(await prismaClient().nodeResult.count({ where: { executionId } })).toBe(0);
  });

  describe('of a run that is removed', () => {
    const remove = (db: pg.ClientBase | pg.Pool, id: string) => db.query('DELETE FROM execution WHERE id = $1', [id]);
    const countResults = (executionId: string) => prismaClient().nodeResult.count({ where: { executionId } });
    const waiting = (count: number) =>
      until(async () => {
        const { rowCount } = await databasePool().query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rowCount === count;
      }, `${count} statements that wait for a lock`);

    async function inTransaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
      const client = await databasePool().connect();
      try {
        await client.query('BEGIN');
        return await work(client);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    }

    it('at the same moment stores no result', async () => {
      const { executionId, write } = await claimed();
      const written = await inTransaction(async (client) => {
        await remove(client, executionId);
        const answer = write(step(executionId));
        await waiting(1);
        await client.query('COMMIT');
        return answer;
      });
      expect([written, await countResults(executionId)]).toEqual(['refused', 0]);
    });

    it('right afterwards leaves no result', async () => {
      const { executionId, write } = await claimed();
      const answers = await inTransaction(async (client) => {
        // The checkpoint has locked the run, and waits for the key of its result.
        await client.query(
          `INSERT INTO node_result (execution_id, node_id, status, attempts, revision) VALUES ($1, 's', 'running', 1, 1)`,
          [executionId],
        );
        const written = write(step(executionId));
        await waiting(1);
        const removed = remove(databasePool(), executionId);
        await waiting(2);
        return { written, removed };
      });
      expect([await answers.written, (await answers.removed).rowCount]).toEqual(['written', 1]);
      expect(await countResults(executionId)).toBe(0);
    });
  });

  it('that is repeated, because its response was lost, stores its lines once', async () => {
    const { executionId, write } = await claimed();
    const query = databasePool().query.bind(databasePool()) as (...asked: unknown[]) => Promise<unknown>;
    let losses = 0;
    const spy = vi.spyOn(databasePool(), 'query').mockImplementation((async (...asked: unknown[]) => {
      const answer = await query(...asked);
      if (losses === 2) return answer;
      losses += 1;
      throw new Error('Connection terminated unexpectedly');
    }) as never);
    const line = { path: 's', level: 'info', message: 'twice', timestamp: new Date() } as const;
    const other = { ...line, path: null, message: 'of the run' };
    expect(await write(step(executionId, { logs: [line, line, other] }))).toBe('written');
    spy.mockRestore();
    expect(losses).toBe(2);
    const stored = await prismaClient().logEntry.findMany({ where: { executionId }, orderBy: { id: 'asc' } });
    expect(stored.map(({ message }) => message)).toEqual(['twice', 'twice', 'of the run']);
    expect(await write(step(executionId, { logs: [{ ...line, message: 'later' }] }))).toBe('written');
    expect(await prismaClient().logEntry.count({ where: { executionId } })).toBe(4);
  });

  it('notifies viewers of the changed executions', async () => {
    const { executionId, write } = await claimed();
    const client = await databasePool().connect();
    const payloads: string[] = [];
    client.on('notification', ({ payload }) => payloads.push(payload ?? ''));
    try {
      await client.query('LISTEN weft_changes');
      await write(step(executionId));
      await until(async () => payloads.length > 0, 'the notification');
      expect(payloads).toEqual([JSON.stringify([executionId])]);
    } finally {
      client.release(true);
    }
  });
});

describe('a worker whose lease is lost', () => {
  it('abandons its runs and continues under another id', async () => {
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
    await prismaClient().worker.delete({ where: { id: 'wrk_first' } });
    await sweepExpiredWorkers();
    startAlone();
    expect((await run.finish()).output).toBe('second');
    // The first worker notices at its next renewal.
    await until(async () => aborted, 'the first worker to abandon the run');
    expect((await prismaClient().worker.findMany()).map(({ id }) => id)).not.toContain('wrk_first');
  });

  it('loses its runs to other workers', async () => {
    const frozen = await registerWorker(1);
    const run = await startRunOf(definition);
    await databasePool().query('UPDATE execution SET worker_id = $1, available_at = NULL WHERE id = $2', [
      frozen,
      run.executionId,
    ]);
    await work(async () => 'elsewhere');
    startAlone();
    expect((await run.finish()).output).toBe('elsewhere');
  });
});

describe('a lost message', () => {
  it('of a claim: the run is released and claimed again', async () => {
    await work(async () => 'found', 'wrk_mine');
    const run = await startRunOf(definition);
    await run.finish();
    const lost = await startRunOf(definition);
    await lost.finish();
    await databasePool().query(
      `UPDATE execution SET worker_id = 'wrk_mine', status = 'pending', completed_at = NULL, output = NULL WHERE id = $1`,
      [lost.executionId],
    );
    expect((await lost.finish()).output).toBe('found');
  });

  it('of a signal: the signal is found by polling', async () => {
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
    await databasePool().query(
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

it('a run that has used up its tries is ended without running a node', async () => {
  const run = await startRunOf(definition);
  await databasePool().query('UPDATE execution SET deaths = 3 WHERE id = $1', [run.executionId]);
  const attempts = await work(async () => 'never');
  const { error } = await run.finish();
  expect(error).toMatchObject({ code: 'CRASHED', message: expect.stringContaining('tried 3 times') });
  expect(attempts.size).toBe(0);
});

it('an expiry and a decision never both succeed', async () => {
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
      const answer = await prismaClient().$transaction((db) => recordDecision(db, request));
      const { nodeResults } = await run.finish();
      const expected = answer === 'decided' ? 'approved' : 'rejected';
      expect(nodeResults[1]?.output).toMatchObject({ decision: expected });
    }),
  );
});
