import { afterEach, describe, expect, it } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { readExecutionLog } from './report/log-report';
import { requestCancellation, recordDecision } from './queue/requests';
import { startWorker, type EngineWorker } from './worker';
import { NodeFailure } from '@/server/platform/errors/node-failure';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour = async ({ input }) => input): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  return attempts;
}

const start = { type: 'start' };
const call = (more: object = {}) => ({ type: 'call', ...more });
const fields = (values: object) => ({ type: 'transform', config: { fields: values } });
const approval = (config: Record<string, unknown> = {}) => ({ type: 'approval', config });
const delay = (durationMs: number) => ({ type: 'delay', config: { durationMs } });

const statuses = (execution: { nodeResults: { nodeId: string; status: string }[] }) =>
  Object.fromEntries(execution.nodeResults.map(({ nodeId, status }) => [nodeId, status]));

describe('a run', () => {
  it('passes data from node to node and ends with the last output', async () => {
    await work();
    const run = await startRunOf(
      flow({ s: start, a: fields({ n: '{{ input.n * 2 }}' }), b: fields({ n: '{{ input.n + nodes.s.n }}' }) }, [
        's>a',
        'a>b',
      ]),
      { n: 5 },
    );
    const execution = await run.finish();
    expect(execution).toMatchObject({ status: 'completed', input: { n: 5 }, output: { n: 15 }, error: null });
    expect(execution.completedAt).toBeDefined();
    const [s, a, b] = execution.nodeResults;
    expect(s).toMatchObject({ nodeId: 's', status: 'completed', input: { n: 5 }, output: { n: 5 }, attempts: 1 });
    expect([a?.input, a?.output, b?.input]).toEqual([{ n: 5 }, { n: 10 }, { n: 10 }]);
  });

  it('keeps any JSON input unchanged', async () => {
    await work();
    const input = JSON.parse('{"b":1,"a":[null,1.5,"\\u0000 \\ud83d"],"__proto__":{"x":true},"10":"ten"}') as unknown;
    const execution = await (await startRunOf(flow({ s: start }), input)).finish();
    expect(JSON.stringify(execution.input)).toBe(JSON.stringify(input));
    expect(JSON.stringify(execution.output)).toBe(JSON.stringify(input));
  });

  it('runs branches in parallel and joins their outputs', async () => {
    const both = gate();
    let under = 0;
    await work(async ({ nodeId }) => {
      under += 1;
      if (under === 2) both.open();
      await both.opened;
      return nodeId;
    });
    const definition = flow(
      { s: start, a: call(), b: call(), j: { type: 'transform', config: { expression: 'input' } } },
      ['s>a', 's>b', 'a>j', 'b>j'],
    );
    expect((await (await startRunOf(definition)).finish()).output).toEqual({ a: 'a', b: 'b' });
  });

  it('skips the branch that was not taken and returns the outputs of all leaves', async () => {
    await work();
    const definition = flow(
      {
        s: start,
        c: { type: 'condition', config: { expression: 'input.n > 3' } },
        y: fields({ took: 'yes' }),
        n: fields({ took: 'no' }),
      },
      ['s>c', 'c:true>y', 'c:false>n'],
    );
    const execution = await (await startRunOf(definition, { n: 5 })).finish();
    expect(statuses(execution)).toEqual({ s: 'completed', c: 'completed', y: 'completed', n: 'skipped' });
    expect(execution.output).toEqual({ y: { took: 'yes' } });
  });

  it('passes the input of a disabled node on', async () => {
    const attempts = await work();
    const definition = flow({ s: start, off: call({ disabled: true }), a: call() }, ['s>off', 'off>a']);
    expect((await (await startRunOf(definition, { n: 1 })).finish()).output).toEqual({ n: 1 });
    expect([...attempts.keys()]).toEqual(['a']);
  });
});

it('a run writes a log, oldest line first, with a view per node', async () => {
  await work(async ({ log }) => {
    log('info', 'line\u0000 one');
    log('warn', 'line two');
  });
  const run = await startRunOf(flow({ s: start, a: call() }, ['s>a']));
  await run.finish();
  const logs = (await readExecutionLog(run.workspaceId, run.executionId)) ?? [];
  expect(logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'info The run was accepted (manual)',
    'info s: started',
    'info s: completed by "output"',
    'info a: started',
    'info line one',
    'warn line two',
    'info a: completed by "output"',
    'info The run has completed',
  ]);
  const own = await readExecutionLog(run.workspaceId, run.executionId, 'a');
  expect(own).toEqual(logs.filter(({ nodeId }) => nodeId === 'a'));
  expect(await readExecutionLog('ws_other', run.executionId)).toBeNull();
});

describe('a node that fails', () => {
  it('fails the run, stops its siblings and is named in the error', async () => {
    const sibling = gate();
    let stopped = false;
    await work(async ({ nodeId, signal }) => {
      if (nodeId === 'a') {
        await sibling.opened;
        throw new NodeFailure('BOOM', 'It broke.');
      }
      signal.addEventListener('abort', () => (stopped = true));
      sibling.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(flow({ s: start, a: call(), b: call(), c: call() }, ['s>a', 's>b', 'a>c']));
    const execution = await run.finish();
    expect(execution.error).toEqual({ code: 'BOOM', message: 'It broke.', nodeId: 'a' });
    expect(statuses(execution)).toEqual({ s: 'completed', a: 'failed', b: 'failed', c: 'skipped' });
    expect(stopped).toBe(true);
  });

  it('is retried up to maxAttempts', async () => {
    await work(async ({ attemptNumber: attempt }) => {
      if (attempt < 3) throw new NodeFailure('BUSY', 'Not yet.');
      return attempt;
    });
    const definition = flow({ s: start, a: call({ retry: { maxAttempts: 3, backoffMs: 20 } }) }, ['s>a']);
    const run = await startRunOf(definition);
    const execution = await run.finish();
    expect([execution.output, execution.nodeResults[1]?.attempts]).toEqual([3, 3]);
    const logs = await readExecutionLog(run.workspaceId, run.executionId, 'a');
    expect(logs?.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });

  it('is not retried after a failure that is not retriable', async () => {
    const attempts = await work(async () => {
      throw new NodeFailure('WRONG', 'Never.', false);
    });
    await (
      await startRunOf(flow({ s: start, a: call({ retry: { maxAttempts: 5, backoffMs: 0 } }) }, ['s>a']))
    ).finish();
    expect(attempts.get('a')).toBe(1);
  });

  it('releases the run for a long backoff, and claims it again afterwards', async () => {
    await work(async ({ attemptNumber: attempt }) => {
      if (attempt === 1) throw new NodeFailure('BUSY', 'Not yet.');
      return attempt;
    });
    const run = await startRunOf(flow({ s: start, a: call({ retry: { maxAttempts: 2, backoffMs: 1500 } }) }, ['s>a']));
    const row = await until(
      () => prismaClient().execution.findFirst({ where: { id: run.executionId, workerId: null, revision: { gt: 0 } } }),
      'the release of the run',
    );
    expect([row.status, row.availableAt === null]).toEqual(['running', false]);
    expect((await run.finish()).output).toBe(2);
  });

  it('fails after its timeout, even if it ignores its signal', async () => {
    await work(() => new Promise(() => {}));
    const execution = await (await startRunOf(flow({ s: start, a: call({ timeoutMs: 50 }) }, ['s>a']))).finish();
    expect(execution.error).toMatchObject({ code: 'TIMEOUT', nodeId: 'a' });
  });

  it('passes its error to the nodes on its error port', async () => {
    await work(async () => {
      throw new NodeFailure('BOOM', 'It broke.');
    });
    const definition = flow(
      { s: start, a: call(), ok: fields({}), e: fields({ why: '{{ input.code & nodes.a.message }}' }) },
      ['s>a', 'a>ok', 'a:error>e'],
    );
    const execution = await (await startRunOf(definition)).finish();
    expect(execution.status).toBe('completed');
    expect(statuses(execution)).toEqual({ s: 'completed', a: 'failed', ok: 'skipped', e: 'completed' });
    expect(execution.nodeResults[3]).toMatchObject({
      input: { message: 'It broke.', code: 'BOOM', nodeId: 'a' },
      output: { why: 'BOOMIt broke.' },
    });
  });

  it('fails with a clear code for an output that is too large, an expression that breaks, an unknown type', async () => {
    await work(async () => 'x'.repeat(11 * 1024 * 1024));
    const codeOf = async (node: object) =>
      (await (await startRunOf(flow({ s: start, a: { type: 'call', ...node } }, ['s>a']))).finish()).error?.code;
    expect(await codeOf({})).toBe('OUTPUT_TOO_LARGE');
    expect(await codeOf(fields({ n: '{{ $number("x") }}' }))).toBe('EXPRESSION');
    expect(await codeOf({ type: 'gone' })).toBe('UNKNOWN_TYPE');
    const broken = flow({ s: start, a: fields({ n: 'x {{ $number("y") }}' }) }, ['s>a']);
    const { error, nodeResults } = await (await startRunOf(broken)).finish();
    expect(error?.expression).toEqual({ field: 'config.fields.n', source: ' $number("y") ', position: 9 });
    expect(nodeResults[1]?.error).toEqual(error);
  });
});

describe('an approval', () => {
  const definition = (config: Record<string, unknown> = {}) =>
    flow({ s: start, p: approval(config), y: fields({ by: '{{ input.decidedBy }}' }), n: fields({}) }, [
      's>p',
      'p:approved>y',
      'p:rejected>n',
    ]);
  const decision = { nodeId: 'p', decision: 'approved', comment: 'fine', decidedBy: 'ann@example.com' } as const;

  it('pauses the run, without a worker, until a decision is made', async () => {
    await work();
    const run = await startRunOf(definition());
    const paused = await run.reach('paused');
    expect(paused.nodeResults[1]).toMatchObject({ nodeId: 'p', status: 'paused' });
    const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: run.executionId } });
    expect([row.workerId, row.availableAt]).toEqual([null, null]);
    expect(await recordDecision(prismaClient(), { ...run, ...decision })).toBe('decided');
    const execution = await run.finish();
    expect(statuses(execution)).toEqual({ s: 'completed', p: 'completed', y: 'completed', n: 'skipped' });
    expect(execution.nodeResults[1]?.output).toMatchObject({
      decision: 'approved',
      comment: 'fine',
      decidedBy: 'ann@example.com',
    });
  });

  it('accepts exactly one of many concurrent decisions', async () => {
    await work();
    const run = await startRunOf(definition());
    await run.reach('paused');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        prismaClient().$transaction((db) => recordDecision(db, { ...run, ...decision, decidedBy: `user ${index}` })),
      ),
    );
    expect(answers.filter((answer) => answer === 'decided')).toHaveLength(1);
    const { nodeResults } = await run.finish();
    expect(nodeResults[1]?.output).toMatchObject({ decidedBy: `user ${answers.indexOf('decided')}` });
    expect(await recordDecision(prismaClient(), { ...run, ...decision })).toBe('not-waiting');
  });

  it('refuses decisions for other nodes, unknown nodes and other workspaces', async () => {
    await work();
    const run = await startRunOf(definition());
    await run.reach('paused');
    expect(await recordDecision(prismaClient(), { ...run, ...decision, nodeId: 'y' })).toBe('not-waiting');
    expect(await recordDecision(prismaClient(), { ...run, ...decision, nodeId: 'unknown' })).toBe('unknown-node');
    expect(await recordDecision(prismaClient(), { ...run, ...decision, workspaceId: 'ws_other' })).toBe(
      'unknown-execution',
    );
  });

  it('is rejected when it expires', async () => {
    await work();
    const execution = await (await startRunOf(definition({ expiresInMs: 1200 }))).finish();
    expect(statuses(execution)).toEqual({ s: 'completed', p: 'completed', y: 'skipped', n: 'completed' });
  });

  it('accepts a decision while another branch is still running', async () => {
    const branch = gate();
    await work(async () => {
      await branch.opened;
      return 'late';
    });
    const run = await startRunOf(
      flow({ s: start, p: approval(), slow: call(), y: fields({}) }, ['s>p', 's>slow', 'p:approved>y']),
    );
    await until(async () => (await run.read()).nodeResults.some(({ status }) => status === 'paused'), 'the approval');
    expect((await run.read()).status).toBe('running');
    await recordDecision(prismaClient(), { ...run, ...decision });
    await until(async () => statuses(await run.read())['y'] === 'completed', 'the approved branch');
    branch.open();
    expect((await run.finish()).output).toEqual({ slow: 'late', y: {} });
  });
});

describe('cancelling', () => {
  it('aborts running nodes and starts no others', async () => {
    const under = gate();
    let aborted = false;
    const attempts = await work(async ({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      under.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(flow({ s: start, a: call(), b: call() }, ['s>a', 'a>b']));
    await under.opened;
    expect(await requestCancellation(prismaClient(), [run.executionId])).toEqual([run.executionId]);
    const execution = await run.finish();
    expect(execution).toMatchObject({ status: 'failed', error: { code: 'CANCELLED', nodeId: null } });
    expect(statuses(execution)).toEqual({ s: 'completed', a: 'failed', b: 'skipped' });
    expect([aborted, attempts.get('b')]).toEqual([true, undefined]);
    expect(await requestCancellation(prismaClient(), [run.executionId])).toEqual([]);
  });

  it('ends a run that waits, and one that no worker has claimed yet', async () => {
    const early = await startRunOf(flow({ s: start, a: call() }, ['s>a']));
    await requestCancellation(prismaClient(), [early.executionId]);
    const attempts = await work();
    expect((await early.finish()).error?.code).toBe('CANCELLED');
    expect(attempts.size).toBe(0);

    const waiting = await startRunOf(flow({ s: start, d: delay(3_600_000), a: call() }, ['s>d', 'd>a']));
    await until(
      () =>
        prismaClient().execution.findFirst({ where: { id: waiting.executionId, workerId: null, revision: { gt: 0 } } }),
      'the wait',
    );
    await requestCancellation(prismaClient(), [waiting.executionId]);
    expect((await waiting.finish()).error?.code).toBe('CANCELLED');

    const paused = await startRunOf(flow({ s: start, p: approval(), a: call() }, ['s>p', 'p:approved>a']));
    await paused.reach('paused');
    await requestCancellation(prismaClient(), [paused.executionId]);
    const decided = await recordDecision(prismaClient(), {
      ...paused,
      nodeId: 'p',
      decision: 'approved',
      comment: null,
      decidedBy: 'x',
    });
    expect(decided).toBe('not-waiting');
    expect(statuses(await paused.finish())).toEqual({ s: 'completed', p: 'failed', a: 'skipped' });
  });

  it('aborts running nodes even if the workflow is deleted meanwhile', async () => {
    const under = gate();
    let aborted = false;
    await work(async ({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      under.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(flow({ s: start, a: call() }, ['s>a']));
    await under.opened;
    await prismaClient().$transaction(async (db) => {
      await requestCancellation(db, [run.executionId]);
      await db.workflow.delete({ where: { id: run.workflowId } });
    });
    await until(async () => aborted, 'the call to be stopped');
  });
});

describe('waiting', () => {
  it('occupies no worker and continues in time', async () => {
    await work();
    const execution = await (
      await startRunOf(flow({ s: start, d: delay(1300), a: call() }, ['s>d', 'd>a']), { n: 1 })
    ).finish();
    expect(execution.output).toEqual({ n: 1 });
    const waited = execution.nodeResults[1];
    expect(Date.parse(waited?.completedAt ?? '') - Date.parse(waited?.startedAt ?? '')).toBeGreaterThanOrEqual(1300);
  });
});

describe('stopping a worker', () => {
  it('lets a node finish and releases the run, which another worker continues', async () => {
    const under = gate();
    const finish = gate();
    const attempts = await work(async ({ nodeId }) => {
      if (nodeId === 'a') {
        under.open();
        await finish.opened;
      }
      return nodeId;
    });
    const run = await startRunOf(flow({ s: start, a: call(), b: call() }, ['s>a', 'a>b']));
    await under.opened;
    const stopped = workers.splice(0)[0]!.stop();
    finish.open();
    await stopped;
    expect([statuses(await run.read())['a'], attempts.get('b')]).toEqual(['completed', undefined]);
    expect(await prismaClient().worker.count()).toBe(0);
    const more = await work();
    expect((await run.finish()).output).toBe('a');
    expect([...more.keys()]).toEqual(['b']);
  });

  it('abandons a node that does not finish within the grace period; another worker runs it again', async () => {
    const under = gate();
    await work(async () => {
      under.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(flow({ s: start, a: call() }, ['s>a']));
    await under.opened;
    await workers.splice(0)[0]!.stop();
    expect((await run.read()).status).toBe('running');
    await work(async () => 'again');
    expect((await run.finish()).output).toBe('again');
  });
});

it('a worker completes hundreds of concurrent runs', async () => {
  await work();
  const workflow = await storeWorkflow(
    flow({ s: start, a: call(), b: fields({ n: '{{ input.n }}' }) }, ['s>a', 'a>b']),
  );
  const runs = await Promise.all(Array.from({ length: 300 }, (_, n) => startRun(workflow, { n })));
  const outputs = await Promise.all(runs.map(async (run) => (await run.finish()).output));
  expect(outputs).toEqual(Array.from({ length: 300 }, (_, n) => ({ n })));
});
