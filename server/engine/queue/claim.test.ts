import { beforeEach, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWaitingRuns, storeWorkflow, type StoredWorkflow } from '@/server/testing/runs';
import { claimRuns } from './claim';
import { registerWorker, sweepExpiredWorkers } from './lease';

useDatabase();
const LEASE_MS = 60_000;
const definition = flow({ s: { type: 'start' } });

beforeEach(async () => {
  await prismaClient().workspace.deleteMany();
  await prismaClient().worker.deleteMany();
});

/** Inserts `count` queued runs directly. */
const queue = ({ workspaceId, workflowId }: StoredWorkflow, count: number) =>
  databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
     SELECT 'exec_' || $1 || '_' || n, $1, $2, 1, 'pending', 'manual', '{}' FROM generate_series(1, $3::int) n`,
    [workspaceId, workflowId, count],
  );

const workspacesOf = (claimed: { runs: { workspaceId: string }[] }) =>
  new Set(claimed.runs.map((run) => run.workspaceId));

describe('claim', () => {
  it('is fair: a workspace with one run is served next to one with thousands', async () => {
    const busy = await storeWorkflow(definition, 'ws_a');
    await queue(busy, 5000);
    const quiet = await storeWorkflow(definition, 'ws_b');
    const single = await startRun(quiet);
    const worker = await registerWorker(LEASE_MS);
    const { runs } = await claimRuns(worker, 10, '');
    expect(runs.map(({ id }) => id)).toContain(single.executionId);
    expect(runs.length).toBeGreaterThan(5);
  });

  it('serves all workspaces in turn when there are fewer slots than workspaces', async () => {
    for (let n = 0; n < 12; n += 1) await queue(await storeWorkflow(definition, `ws_${n}`), 5);
    const worker = await registerWorker(LEASE_MS);
    const seen: string[] = [];
    let cursor = '';
    for (let round = 0; round < 4; round += 1) {
      const claimed = await claimRuns(worker, 3, cursor);
      seen.push(...workspacesOf(claimed));
      cursor = claimed.cursor;
    }
    expect(new Set(seen).size).toBe(12);
  });

  it('reports whether a due run was left', async () => {
    await queue(await storeWorkflow(definition, 'ws_a'), 3);
    await queue(await storeWorkflow(definition, 'ws_b'), 1);
    const worker = await registerWorker(LEASE_MS);
    const first = await claimRuns(worker, 4, '');
    expect([first.runs.length, first.isQueueEmpty]).toEqual([3, false]);
    const second = await claimRuns(worker, 4, first.cursor);
    expect([second.runs.length, second.isQueueEmpty]).toEqual([1, true]);
  });

  it('never assigns one run to two workers', async () => {
    for (let n = 0; n < 5; n += 1) await queue(await storeWorkflow(definition, `ws_${n}`), 40);
    const workers = await Promise.all([1, 2, 3, 4].map(() => registerWorker(LEASE_MS)));
    const ids: string[] = [];
    const drain = async (worker: string) => {
      for (let cursor = ''; ;) {
        const claimed = await claimRuns(worker, 7, cursor);
        ids.push(...claimed.runs.map(({ id }) => id));
        cursor = claimed.cursor;
        if (claimed.runs.length === 0 && claimed.isQueueEmpty) return;
      }
    };
    await Promise.all(workers.map(drain));
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
  });

  it('reports when the next run is due', async () => {
    const { executionId } = await startRun(await storeWorkflow(definition));
    await databasePool().query(`UPDATE execution SET available_at = now() + interval '40 seconds' WHERE id = $1`, [
      executionId,
    ]);
    const { runs, isQueueEmpty, nextDueMs } = await claimRuns(await registerWorker(LEASE_MS), 10, '');
    expect([runs, isQueueEmpty]).toEqual([[], true]);
    expect(nextDueMs).toBeGreaterThan(30_000);
    expect(nextDueMs).toBeLessThanOrEqual(40_000);
  });

  it('claims nothing for a worker without a row', async () => {
    await startRun(await storeWorkflow(definition));
    expect((await claimRuns('wrk_unknown', 10, '')).runs).toEqual([]);
  });

  it('serves fifty of two hundred workspaces with one run each', async () => {
    for (let n = 0; n < 200; n += 1) await queue(await storeWorkflow(definition, `ws_${n}`), 20);
    const claimed = await claimRuns(await registerWorker(LEASE_MS), 50, '');
    expect([claimed.runs.length, workspacesOf(claimed).size]).toEqual([50, 50]);
  });
});

describe('sweep', () => {
  it('releases the runs of a worker with an expired lease, and no others', async () => {
    await queue(await storeWorkflow(definition, 'ws_a'), 6);
    const expired = await registerWorker(LEASE_MS);
    const alive = await registerWorker(LEASE_MS);
    await claimRuns(expired, 3, '');
    const aliveRuns = await claimRuns(alive, 2, '');
    await databasePool().query(`UPDATE worker SET lease_until = now() - interval '1 second' WHERE id = $1`, [expired]);
    expect(await sweepExpiredWorkers()).toBe(3);
    const rows = await prismaClient().execution.findMany({
      where: { workerId: { not: null } },
      select: { id: true, workerId: true },
    });
    expect(rows.map(({ id }) => id).toSorted()).toEqual(aliveRuns.runs.map(({ id }) => id).toSorted());
    // Runs whose process died are not claimed together with others.
    expect((await claimRuns(alive, 10, '')).runs).toHaveLength(1);
    const isolated = await claimRuns(alive, 10, '', 'isolated');
    expect(isolated.runs.map(({ crashCount }) => crashCount)).toEqual([1, 1, 1]);
  });

  it('reads the results of a repeated loop from the round before the current one', async () => {
    const run = await startRun(await storeWorkflow(definition));
    const loop = (round: number) => JSON.stringify({ round });
    const rows: [string, string, string | null][] = [
      ['r', 'running', loop(12)],
      ...[2, 9, 10, 11, 12].map((round): [string, string, null] => [`r[${round}].a`, 'completed', null]),
      ['r[12].each', 'running', JSON.stringify({ items: [1, 2], concurrency: 1 })],
      ['r[12].each[0].inner', 'completed', loop(3)],
      ['r[12].each[0].inner[3].b', 'completed', null],
      ['r[12].each[1].inner', 'running', loop(3)],
      ...[0, 1, 2, 3].map((round): [string, string, null] => [`r[12].each[1].inner[${round}].b`, 'completed', null]),
      ['r[2].each[1].inner[3].b', 'completed', null],
      ['done', 'completed', loop(5)],
      ['done[5].c', 'completed', null],
      ['plain[3', 'completed', null],
    ];
    for (const [nodeId, status, held] of rows) {
      await databasePool().query(
        `INSERT INTO node_result (execution_id, node_id, status, attempts, held, revision) VALUES ($1, $2, $3, 1, $4, 1)`,
        [run.executionId, nodeId, status, held],
      );
    }
    await databasePool().query('UPDATE execution SET revision = 1 WHERE id = $1', [run.executionId]);
    const { runs } = await claimRuns(await registerWorker(LEASE_MS), 10, '');
    expect(runs[0]?.states.map(({ path }) => path).toSorted()).toEqual(
      [
        'done',
        'plain[3',
        'r',
        'r[11].a',
        'r[12].a',
        'r[12].each',
        'r[12].each[0].inner',
        'r[12].each[1].inner',
        'r[12].each[1].inner[2].b',
        'r[12].each[1].inner[3].b',
      ].toSorted(),
    );
  });
});

describe('a thousand workspaces with runs that wait', () => {
  it('one claim finds that none is due', async () => {
    await storeWaitingRuns(1000);
    const { runs, isQueueEmpty, nextDueMs } = await claimRuns(await registerWorker(LEASE_MS), 10, '');
    expect([runs, isQueueEmpty]).toEqual([[], true]);
    expect(nextDueMs).toBeGreaterThan(3_000_000);
  });

  it('the due run of the last workspace is claimed first, and visits no others', async () => {
    await storeWaitingRuns(1000);
    const due = await startRun(await storeWorkflow(definition, 'ws_z'));
    const { runs, isQueueEmpty } = await claimRuns(await registerWorker(LEASE_MS), 10, '');
    expect([runs.map(({ id }) => id), isQueueEmpty]).toEqual([[due.executionId], true]);
  });

  it('every claim beside the backlog of another workspace takes runs, and reaches the last workspace', async () => {
    await storeWaitingRuns(1000);
    await queue(await storeWorkflow(definition, 'ws_busy'), 1000);
    const due = await startRun(await storeWorkflow(definition, 'ws_z'));
    const worker = await registerWorker(LEASE_MS);
    const found: string[] = [];
    let cursor = '';
    for (let claims = 0; claims < 6; claims += 1) {
      const claimed = await claimRuns(worker, 10, cursor);
      expect(claimed.runs.length).toBeGreaterThan(0);
      found.push(...claimed.runs.map(({ id }) => id));
      ({ cursor } = claimed);
    }
    expect(found).toContain(due.executionId);
  });
});

it('a run that another transaction holds does not keep a claim going for ever', async () => {
  const { executionId } = await startRun(await storeWorkflow(definition));
  const client = await databasePool().connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM execution WHERE id = $1 FOR UPDATE', [executionId]);
    const worker = await registerWorker(LEASE_MS);
    const first = await claimRuns(worker, 1, '');
    const second = await claimRuns(worker, 1, first.cursor);
    expect([second.runs, second.isRoundOver]).toEqual([[], true]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

describe('abilities', () => {
  const NEWER = 2 ** 30;
  const OTHER = 2 ** 29;

  async function storeNewer() {
    const workflow = await storeWorkflow(definition);
    const where = { workflowId: workflow.workflowId };
    await prismaClient().workflowVersion.updateMany({ where, data: { requiredAbilities: NEWER } });
    return workflow;
  }

  it('a claim leaves a run that requires more than its process knows to one that knows it', async () => {
    const { executionId } = await startRun(await storeNewer());
    const known = await startRun(await storeWorkflow(definition));
    const old = await registerWorker(LEASE_MS, { abilities: OTHER });
    const claimed = await claimRuns(old, 10, '');
    expect([claimed.runs.map(({ id }) => id), claimed.isQueueEmpty]).toEqual([[known.executionId], true]);
    const able = await registerWorker(LEASE_MS, { abilities: OTHER | NEWER });
    expect((await claimRuns(able, 10, '')).runs.map(({ id }) => id)).toEqual([executionId]);
  });

  it('many runs that a process must leave do not hide one that it may take', async () => {
    const newer = await storeNewer();
    await queue(newer, 300);
    const due = await startRun(await storeWorkflow(definition));
    const { runs, isQueueEmpty } = await claimRuns(await registerWorker(LEASE_MS, { abilities: 0 }), 10, '');
    expect([runs.map(({ id }) => id), isQueueEmpty]).toEqual([[due.executionId], true]);
  });

  it('a worker of the release before, which does not compare, gets no such run', async () => {
    const newer = await startRun(await storeNewer());
    const known = await startRun(await storeWorkflow(definition));
    await databasePool().query(`INSERT INTO worker (id, lease_until) VALUES ('wrk_before', now() + interval '1 hour')`);
    const { rows } = await databasePool().query<{ id: string }>(
      `UPDATE execution SET worker_id = 'wrk_before', available_at = NULL WHERE id = ANY($1) RETURNING id`,
      [[newer.executionId, known.executionId]],
    );
    expect(rows.map(({ id }) => id)).toEqual([known.executionId]);
  });

  it('a run that the release before stores requires what its version requires', async () => {
    const { workspaceId, workflowId } = await storeNewer();
    await queue({ workspaceId, workflowId }, 1);
    expect(await prismaClient().execution.findFirst({ where: { workflowId } })).toMatchObject({
      requiredAbilities: NEWER,
    });
  });
});
