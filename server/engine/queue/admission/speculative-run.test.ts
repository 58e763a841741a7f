import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId, generateOrderedId } from '@/server/platform/db/ids';
import { useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import {
  waitForSlot,
  startRun,
  storeWorkflow,
  testKinds,
  until,
  type StartedRun,
  type StoredWorkflow,
} from '@/server/testing/runs';
import { submitDeliveryRun } from '../submit';
import { startWorker, type EngineWorker } from '../../worker';

useOwnDatabase();

const { kinds, attempts } = testKinds(async ({ input }) => input);
let worker: EngineWorker;

// A worker may change a run before a test reads it, so the database records each row as it was inserted.
beforeAll(async () => {
  await databasePool().query(`
    CREATE TABLE stored_first (id text, status text, revision int);
    CREATE FUNCTION keep_first() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO stored_first VALUES (NEW.id, NEW.status, NEW.revision); RETURN NEW; END $$;
    CREATE TRIGGER keep_first AFTER INSERT ON execution FOR EACH ROW EXECUTE FUNCTION keep_first()`);
});

beforeEach(async () => {
  attempts.clear();
  worker = await startWorker({ concurrency: 50, kinds, id: 'wrk_here' });
});

afterEach(async () => {
  await worker.stop();
  await prismaClient().workspace.deleteMany();
});

const transform = (fields: Record<string, string>) => ({ type: 'transform', config: { fields } });

/** Stores a workflow and lets the worker run it once. */
async function storeKnown(definition: Parameters<typeof storeWorkflow>[0]): Promise<StoredWorkflow> {
  const workflow = await storeWorkflow(definition);
  await (await startRun(workflow, { price: 1 })).reach('completed', 'failed', 'running', 'paused');
  await waitForSlot(workflow);
  return workflow;
}

const rowOf = async ({ executionId }: StartedRun) => {
  const { rows } = await databasePool().query(
    `SELECT status, output, error ->> 'code' AS code, worker_id, available_at > now() AS is_for_later, revision,
      (SELECT count(*) FROM node_result r WHERE r.execution_id = e.id)::int AS results
     FROM execution e WHERE id = $1`,
    [executionId],
  );
  return rows[0];
};

/** The row of a run as it was inserted. */
const insertedRow = async ({ executionId }: StartedRun) => {
  const { rows } = await databasePool().query('SELECT status, revision FROM stored_first WHERE id = $1', [executionId]);
  return rows[0];
};

/**
 * Starts a run before it is stored. A claim in progress holds the free slots for a moment, and a run that is submitted
 * then is queued: another one is started.
 */
const startSpeculatively = (workflow: StoredWorkflow, input?: unknown): Promise<StartedRun> =>
  until(async () => {
    await waitForSlot(workflow);
    const run = await startRun(workflow, input);
    return (await insertedRow(run)).revision > 0 && run;
  }, 'a run that starts before it is stored');

describe('a run of pure nodes', () => {
  const definition = flow({ s: { type: 'start' }, t: transform({ double: '{{ input.price * 2 }}' }) }, ['s>t']);

  it('is stored before it starts if it is the first of its version in this process', async () => {
    await storeKnown(definition);
    const run = await startRun(await storeWorkflow(definition), { price: 4 });
    expect(await insertedRow(run)).toEqual({ status: 'pending', revision: 0 });
    expect((await run.finish()).output).toEqual({ double: 8 });
  });

  it('is stored before it starts for a while after a crash of the previous process', async () => {
    const workflow = await storeKnown(definition);
    await worker.stop();
    worker = await startWorker({ concurrency: 50, kinds, isAfterCrash: true });
    await (await startRun(workflow, { price: 1 })).finish();
    const run = await startRun(workflow, { price: 4 });
    expect(await insertedRow(run)).toEqual({ status: 'pending', revision: 0 });
    expect((await run.finish()).output).toEqual({ double: 8 });
  });

  it('is stored once, completed: it has ended when it is accepted', async () => {
    const run = await startSpeculatively(await storeKnown(definition), { price: 4 });
    expect(await rowOf(run)).toEqual({
      status: 'completed',
      output: { double: 8 },
      code: null,
      worker_id: null,
      is_for_later: null,
      revision: 1,
      results: 2,
    });
    expect((await run.read()).nodeResults.map(({ nodeId, status }) => [nodeId, status])).toEqual([
      ['s', 'completed'],
      ['t', 'completed'],
    ]);
  });

  it('is counted in the tally like any other ended run', async () => {
    const workflow = await storeKnown(definition);
    await Promise.all(Array.from({ length: 5 }, () => startRun(workflow, { price: 1 })));
    const counted = async () => {
      const { rows } = await databasePool().query(
        `SELECT sum(count)::int AS count FROM execution_tally WHERE scope = $1 AND status = 'completed'`,
        [workflow.workflowId],
      );
      return rows[0].count === 6;
    };
    await until(counted, 'all six to be counted');
  });

  it('fails like a run that is stored first', async () => {
    const wrong = { type: 'switch', config: { expression: '1', cases: '{{ input.price }}' } };
    const workflow = await storeKnown(flow({ s: { type: 'start' }, t: wrong }, ['s>t']));
    const run = await startSpeculatively(workflow, { price: 1 });
    expect(await rowOf(run)).toMatchObject({ status: 'failed', code: 'CONFIG', revision: 1 });
  });

  it('leaves no rows and no occupied slot when it can not be stored', async () => {
    const workflow = await storeKnown(definition);
    await prismaClient().workflow.delete({ where: { id: workflow.workflowId } });
    await Promise.all(
      Array.from({ length: 60 }, () => expect(startRun(workflow, { price: 1 })).rejects.toThrow('foreign key')),
    );
    expect(await prismaClient().execution.count()).toBe(0);
    expect(await prismaClient().nodeResult.count()).toBe(0);
    // All fifty slots are free again.
    const other = await storeKnown(definition);
    expect(await rowOf(await startSpeculatively(other, { price: 2 }))).toMatchObject({
      status: 'completed',
      revision: 1,
    });
  });

  it('is queued and discarded by the worker once the worker’s lease is lost', async () => {
    const workflow = await storeKnown(definition);
    await databasePool().query(`DELETE FROM worker WHERE id = 'wrk_here'`);
    const run = await startRun(workflow, { price: 4 });
    expect(await run.finish()).toMatchObject({ status: 'completed', output: { double: 8 } });
    expect((await rowOf(run)).revision).toBeGreaterThan(0);
  });
});

describe('a run with an outside node', () => {
  const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

  it('is stored before the call, with the state of the node that makes it', async () => {
    const run = await startRun(await storeKnown(definition), { a: 1 });
    expect(await rowOf(run)).toMatchObject({ revision: expect.any(Number), results: 2 });
    expect(await run.finish()).toMatchObject({ status: 'completed', output: { a: 1 } });
  });

  it('has no side effect for a duplicate delivery, even if deliveries are concurrent', async () => {
    const workflow = await storeKnown(definition);
    const webhookId = generateId('whk');
    await prismaClient().webhook.create({
      data: { id: webhookId, workflowId: workflow.workflowId, path: 'in', secret: '' },
    });
    attempts.clear();
    const deliver = () =>
      submitDeliveryRun(
        { ...workflow, workflowVersion: 1, trigger: 'webhook', input: {}, createdBy: null },
        {
          id: generateOrderedId('dlv'),
          webhookId,
          senderId: 'same',
          replayOf: null,
          ipAddress: '::1',
          userAgent: '',
          webhookVersion: null,
        },
      );
    const answers = await Promise.all([deliver(), deliver(), deliver()]);
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    await until(async () => (await prismaClient().execution.count({ where: { completedAt: null } })) === 0, 'the end');
    expect(attempts.get('c')).toBe(1);
  });

  it('is stored as waiting when it starts with a delay', async () => {
    const workflow = await storeKnown(
      flow({ s: { type: 'start' }, d: { type: 'delay', config: { durationMs: 3_600_000 } } }, ['s>d']),
    );
    expect(await rowOf(await startSpeculatively(workflow))).toMatchObject({
      status: 'running',
      worker_id: null,
      is_for_later: true,
      revision: 1,
    });
  });
});
