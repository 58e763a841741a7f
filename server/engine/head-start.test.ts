import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pool, prisma } from '../db/client';
import { newId, newOrderedId } from '../db/ids';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { startRun, storeWorkflow, testKinds, until, type StartedRun, type StoredWorkflow } from '../testing/runs';
import { submitDelivery } from './submit';
import { startWorker, type Worker } from './worker';

useDatabase();

const { kinds, visits } = testKinds(async ({ input }) => input);
let worker: Worker;

beforeEach(async () => {
  visits.clear();
  worker = await startWorker({ concurrency: 50, kinds, id: 'wrk_here' });
});

afterEach(async () => {
  await worker.stop();
  await prisma().workspace.deleteMany();
});

const transform = (fields: Record<string, string>) => ({ type: 'transform', config: { fields } });

/** A workflow that the worker knows, since it has run it, and that has seen that nothing else waits. */
async function known(definition: Parameters<typeof storeWorkflow>[0]): Promise<StoredWorkflow> {
  const workflow = await storeWorkflow(definition);
  await (await startRun(workflow, { price: 1 })).reach('completed', 'failed', 'running', 'paused');
  return workflow;
}

const rowOf = async ({ executionId }: StartedRun) => {
  const { rows } = await pool().query(
    `SELECT status, output, error ->> 'code' AS code, worker_id, available_at > now() AS is_for_later, claims, revision,
      (SELECT count(*) FROM node_result r WHERE r.execution_id = e.id)::int AS results
     FROM execution e WHERE id = $1`,
    [executionId],
  );
  return rows[0];
};

describe('a run that needs nothing from outside', () => {
  const definition = flow({ s: { type: 'start' }, t: transform({ double: '{{ input.price * 2 }}' }) }, ['s>t']);

  it('is stored once, whole: when it is accepted it has ended', async () => {
    const run = await startRun(await known(definition), { price: 4 });
    expect(await rowOf(run)).toEqual({
      status: 'completed',
      output: { double: 8 },
      code: null,
      worker_id: null,
      is_for_later: null,
      claims: 0,
      revision: 1,
      results: 2,
    });
    expect((await run.read()).nodeResults.map(({ nodeId, status }) => [nodeId, status])).toEqual([
      ['s', 'completed'],
      ['t', 'completed'],
    ]);
  });

  it('is counted like any other that has ended', async () => {
    const workflow = await known(definition);
    await Promise.all(Array.from({ length: 5 }, () => startRun(workflow, { price: 1 })));
    const counted = async () => {
      const { rows } = await pool().query(
        `SELECT sum(count)::int AS count FROM execution_tally WHERE scope = $1 AND status = 'completed'`,
        [workflow.workflowId],
      );
      return rows[0].count === 6;
    };
    await until(counted, 'all six to be counted');
  });

  it('fails as it would later', async () => {
    const workflow = await known(flow({ s: { type: 'start' }, t: transform({ no: '{{ $error("no") }}' }) }, ['s>t']));
    expect(await rowOf(await startRun(workflow))).toMatchObject({ status: 'failed', code: 'EXPRESSION', revision: 1 });
  });

  it('leaves nothing behind when it can not be stored, not even a place that is taken', async () => {
    const workflow = await known(definition);
    await prisma().workflow.delete({ where: { id: workflow.workflowId } });
    await Promise.all(
      Array.from({ length: 60 }, () => expect(startRun(workflow, { price: 1 })).rejects.toThrow('foreign key')),
    );
    expect(await prisma().execution.count()).toBe(0);
    expect(await prisma().nodeResult.count()).toBe(0);
    // All fifty places are free again.
    const other = await known(definition);
    expect(await rowOf(await startRun(other, { price: 2 }))).toMatchObject({ status: 'completed', revision: 1 });
  });

  it('waits for its turn, with nothing done, once the worker’s lease is gone', async () => {
    const workflow = await known(definition);
    await pool().query(`DELETE FROM worker WHERE id = 'wrk_here'`);
    const run = await startRun(workflow, { price: 4 });
    expect(await run.finish()).toMatchObject({ status: 'completed', output: { double: 8 } });
    expect((await rowOf(run)).revision).toBeGreaterThan(0);
  });
});

describe('a run that needs something from outside', () => {
  const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

  it('is stored before anything happens, with the call that is about to be made', async () => {
    const run = await startRun(await known(definition), { a: 1 });
    expect(await rowOf(run)).toMatchObject({ revision: expect.any(Number), results: 2 });
    expect(await run.finish()).toMatchObject({ status: 'completed', output: { a: 1 } });
  });

  it('does nothing for a delivery that has come before, however close together they are', async () => {
    const workflow = await known(definition);
    const webhookId = newId('whk');
    await prisma().webhook.create({ data: { id: webhookId, workflowId: workflow.workflowId, path: 'in', secret: '' } });
    visits.clear();
    const deliver = () =>
      submitDelivery(
        { ...workflow, workflowVersion: 1, trigger: 'webhook', input: {}, createdBy: null },
        {
          id: newOrderedId('dlv'),
          webhookId,
          senderId: 'same',
          replayOf: null,
          ipAddress: '::1',
          userAgent: '',
          seen: null,
        },
      );
    const answers = await Promise.all([deliver(), deliver(), deliver()]);
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    await until(async () => (await prisma().execution.count({ where: { completedAt: null } })) === 0, 'the end');
    expect(visits.get('c')).toBe(1);
  });

  it('sleeps from the start when it begins with a delay', async () => {
    const workflow = await known(
      flow({ s: { type: 'start' }, d: { type: 'delay', config: { durationMs: 3_600_000 } } }, ['s>d']),
    );
    expect(await rowOf(await startRun(workflow))).toMatchObject({
      status: 'running',
      worker_id: null,
      is_for_later: true,
      revision: 1,
    });
  });
});
