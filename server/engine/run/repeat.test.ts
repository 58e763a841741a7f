import { afterEach, describe, expect, it } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRunOf, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { requestCancellation, recordDecision } from '../queue/requests';
import { startWorker, type EngineWorker } from '../worker';

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
const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const bodyOf = (expression: string) => flow({ in: start, out: shape(expression) }, ['in>out']);
/** Counts up from the number of the input. */
const COUNTS = bodyOf('{"n": (input.previous ? input.previous.n : input.input.from) + 1}');
const repeat = (config: object, more: object = {}) => ({
  type: 'repeat',
  config: { body: COUNTS, until: 'output.n >= 13', maxRounds: 20, ...config },
  ...more,
});
const whole = (config: object, more: object = {}) => flow({ s: start, r: repeat(config, more) }, ['s>r']);
const FROM = { from: 10 };

describe('a repeat node', () => {
  it('runs its body until the expression is true; each round gets the output of the one before it', async () => {
    await work();
    const execution = await (await startRunOf(whole({}), FROM)).finish();
    expect(execution.error).toBeNull();
    expect(execution.output).toEqual({ rounds: 3, last: { n: 13 }, isDone: true });
    const results = new Map(execution.nodeResults.map((result) => [result.nodeId, result]));
    expect(results.get('r')).toMatchObject({ status: 'completed', input: FROM });
    expect(results.get('r[0].in')).toMatchObject({ input: { index: 0, previous: null, input: FROM } });
    expect(results.get('r[2].in')).toMatchObject({ input: { index: 2, previous: { n: 12 }, input: FROM } });
    expect(results.get('r[2].out')).toMatchObject({ status: 'completed', output: { n: 13 } });
    expect(results.has('r[3].in')).toBe(false);
  });

  it.each([
    ['the index', 'index = 3', 4],
    ['the input of the node', 'output.n = input.from + 2', 2],
    ['an expression in braces', '{{ output.n = 11 }}', 1],
    ['a function', '$length($string(output.n)) = 2 and $sum([1, index]) = 2', 2],
  ])('may decide by %s', async (_, until, rounds) => {
    await work();
    const execution = await (await startRunOf(whole({ until }), FROM)).finish();
    expect(execution.error).toBeNull();
    expect(execution.output).toMatchObject({ rounds, isDone: true });
  });

  it('collects the outputs of all rounds if asked to', async () => {
    await work();
    const { output } = await (await startRunOf(whole({ collect: true }), FROM)).finish();
    expect(output).toEqual({ rounds: 3, last: { n: 13 }, isDone: true, outputs: [{ n: 11 }, { n: 12 }, { n: 13 }] });
  });

  it('fails when it is not done after its last round, unless it may continue', async () => {
    await work();
    const failed = await (await startRunOf(whole({ maxRounds: 2 }), FROM)).finish();
    expect(failed.error).toEqual({
      code: 'MAX_ROUNDS',
      message: 'The loop is not done after 2 rounds.',
      nodeId: 'r',
      parameters: { maxRounds: 2 },
    });
    const definition = whole({ maxRounds: 2, onMax: 'continue', collect: true });
    const { output } = await (await startRunOf(definition, FROM)).finish();
    expect(output).toEqual({ rounds: 2, last: { n: 12 }, isDone: false, outputs: [{ n: 11 }, { n: 12 }] });
  });

  it.each([
    ['output.done', 'it has no value'],
    ['null', 'it has no value'],
    ['output.n', 'it is a number'],
    ['"false"', 'it is a text'],
    ['[true]', 'it is a list'],
  ])('fails when its expression is %s, which is neither true nor false', async (until, found) => {
    await work();
    const { error } = await (await startRunOf(whole({ until }), FROM)).finish();
    expect(error).toMatchObject({ code: 'EXPRESSION', nodeId: 'r', expression: { field: 'config.until' } });
    expect(error?.message).toContain(`must be true or false, but after round 0 ${found}`);
  });

  it('ends an expression that takes too long', async () => {
    await work();
    const { error } = await (
      await startRunOf(whole({ until: '($f := function($x) { $f($x + 1) }; $f(1))' }), FROM)
    ).finish();
    expect(error).toMatchObject({ code: 'EVALUATION_TIMEOUT', nodeId: 'r', expression: { field: 'config.until' } });
  });

  it('occupies no worker between its rounds', async () => {
    await work();
    const run = await startRunOf(whole({ delayMs: 1200, until: 'index = 1' }), FROM);
    const released = await until(async () => {
      const where = { id: run.executionId, workerId: null, status: 'running' };
      return await prismaClient().execution.findFirst({ where });
    }, 'the release of the run');
    expect(released.availableAt).not.toBeNull();
    expect((await run.read()).nodeResults.map(({ nodeId }) => nodeId)).toEqual(['s', 'r', 'r[0].in', 'r[0].out']);
    expect((await run.finish()).output).toMatchObject({ rounds: 2, isDone: true });
  });

  it('can be cancelled between its rounds', async () => {
    await work();
    const run = await startRunOf(whole({ delayMs: 86_400_000 }), FROM);
    await until(async () => {
      return (
        (await prismaClient().execution.count({ where: { id: run.executionId, workerId: null, status: 'running' } })) >
        0
      );
    }, 'the release of the run');
    await requestCancellation(prismaClient(), [run.executionId]);
    const execution = await run.finish();
    expect(execution.error?.code).toBe('CANCELLED');
    expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'r')?.status).toBe('failed');
  });

  it('fails after its timeout, also between its rounds', async () => {
    await work(() => new Promise(() => {}));
    const inCall = whole({ body: flow({ in: start, c: call() }, ['in>c']) }, { timeoutMs: 50 });
    expect((await (await startRunOf(inCall, FROM)).finish()).error).toMatchObject({ code: 'TIMEOUT', nodeId: 'r' });
    const between = whole({ delayMs: 86_400_000 }, { timeoutMs: 50 });
    expect((await (await startRunOf(between, FROM)).finish()).error).toMatchObject({ code: 'TIMEOUT', nodeId: 'r' });
  });

  it('fails with a round that fails, and passes the failure to its error port', async () => {
    await work(async ({ nodeId }) => {
      if (nodeId === 'r[1].c') throw new NodeFailure('BOOM', 'It broke.');
      return {};
    });
    const failing = repeat({ body: flow({ in: start, c: call() }, ['in>c']), until: 'false' });
    const plain = await (await startRunOf(flow({ s: start, r: failing }, ['s>r']))).finish();
    expect(plain.error).toEqual({ code: 'BOOM', message: 'It broke.', nodeId: 'r[1].c' });
    const caught = flow({ s: start, r: failing, e: shape('input.code & nodes.r.nodeId') }, ['s>r', 'r:error>e']);
    expect((await (await startRunOf(caught)).finish()).output).toBe('BOOMr[1].c');
  });

  it('keeps its finished rounds when it is retried', async () => {
    let isBroken = true;
    const attempts = await work(async ({ nodeId, input }) => {
      if (nodeId === 'r[2].c' && isBroken) {
        isBroken = false;
        throw new NodeFailure('BOOM', 'It broke.');
      }
      return input;
    });
    const body = flow({ in: start, c: call(), out: shape('input.index') }, ['in>c', 'c>out']);
    const retry = { maxAttempts: 2, backoffMs: 0 };
    const execution = await (await startRunOf(whole({ body, until: 'output = 3' }, { retry }))).finish();
    expect(execution.output).toEqual({ rounds: 4, last: 3, isDone: true });
    expect(Object.fromEntries(attempts)).toEqual({ 'r[0].c': 1, 'r[1].c': 1, 'r[2].c': 2, 'r[3].c': 1 });
    expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'r')?.attempts).toBe(2);
  });

  it('waits for a decision in each round', async () => {
    await work();
    const body = flow({ in: start, ask: { type: 'approval' }, out: shape('input.decision') }, [
      'in>ask',
      'ask:approved>out',
      'ask:rejected>out',
    ]);
    const run = await startRunOf(whole({ body, until: 'output = "approved"' }));
    for (const [index, decision] of (['rejected', 'approved'] as const).entries()) {
      const { workspaceId, executionId } = run;
      const nodeId = `r[${index}].ask`;
      const request = { workspaceId, executionId, nodeId, decision, comment: null, decidedBy: 'me' };
      await until(async () => (await recordDecision(prismaClient(), request)) === 'decided', `${nodeId} to ask`);
    }
    expect((await run.finish()).output).toEqual({ rounds: 2, last: 'approved', isDone: true });
  });

  it('may contain loops, and be contained in them', async () => {
    await work();
    const inner = repeat({ until: 'output.n = input.from + 2' });
    const each = {
      type: 'for_each',
      config: {
        items: '[1, 2]',
        concurrency: 2,
        body: flow({ in: start, f: shape('{"from": input.item}'), r: inner }, ['in>f', 'f>r']),
      },
    };
    const body = flow({ in: start, each, out: shape('$sum(input.last.n)') }, ['in>each', 'each>out']);
    const execution = await (await startRunOf(whole({ body, until: 'index = 2' }))).finish();
    expect(execution.error).toBeNull();
    expect(execution.output).toEqual({ rounds: 3, last: 7, isDone: true });
    const result = execution.nodeResults.find(({ nodeId }) => nodeId === 'r[2].each[1].r[1].in');
    expect(result?.input).toEqual({ index: 1, previous: { n: 3 }, input: { from: 2 } });
  });

  it('is continued by another worker; no finished node runs twice, and old rounds are not read', async () => {
    const inRound = gate();
    const first = await work(async ({ nodeId, input }) => {
      if (nodeId !== 'r[3].c') return input;
      inRound.open();
      return await new Promise(() => {});
    });
    const body = flow({ in: start, c: call(), out: shape('{"n": nodes.in.index, "was": nodes.in.previous.n}') }, [
      'in>c',
      'c>out',
    ]);
    const run = await startRunOf(whole({ body, until: 'output.n = 5', collect: true }));
    await inRound.opened;
    await workers.splice(0)[0]!.stop();
    const second = await work();
    const { output } = await run.finish();
    expect(output).toMatchObject({ rounds: 6, last: { n: 5, was: 4 }, isDone: true });
    expect((output as { outputs: { n: number }[] }).outputs.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...first.keys()]).toEqual(['r[0].c', 'r[1].c', 'r[2].c', 'r[3].c']);
    expect([...second.keys()]).toEqual(['r[3].c', 'r[4].c', 'r[5].c']);
  });
});

describe('a repeat node with large values', () => {
  const large = (letter: string) => letter.repeat(200_000);
  interface RoundInput {
    index: number;
    previous: { text: string } | null;
    input: { text: string };
  }

  it('passes them from round to round, and reads them in its expression', async () => {
    await work(async ({ nodeId, input }) => {
      if (nodeId === 'big') return { text: large('x') };
      const { index, previous, input: ofLoop } = JSON.parse(serializeJson(input) ?? '') as RoundInput;
      return { index, length: (previous?.text.length ?? 0) + ofLoop.text.length, text: large(String(index)) };
    });
    const body = flow({ in: start, c: call() }, ['in>c']);
    const until = '$length(output.text) = 200000 and $length(input.text) = 200000 and output.index = 2';
    const definition = flow(
      {
        s: start,
        big: call(),
        r: repeat({ body, until }),
        end: shape('[input.rounds, input.last.length, $length(nodes.r.last.text)]'),
      },
      ['s>big', 'big>r', 'r>end'],
    );
    const execution = await (await startRunOf(definition)).finish();
    expect(execution.error).toBeNull();
    expect(execution.output).toEqual([3, 400_000, 200_000]);
  });

  it('collects them up to 10 MiB', async () => {
    await work(async () => large('y'));
    const body = flow({ in: start, c: call() }, ['in>c']);
    const definition = flow(
      { s: start, r: repeat({ body, until: 'index = 3', collect: true }), end: shape('$map(input.outputs, $length)') },
      ['s>r', 'r>end'],
    );
    expect((await (await startRunOf(definition)).finish()).output).toEqual([200_000, 200_000, 200_000, 200_000]);
    const endless = whole({ body, until: 'false', collect: true, maxRounds: 100 });
    const execution = await (await startRunOf(endless)).finish();
    expect(execution.error).toMatchObject({ code: 'OUTPUT_TOO_LARGE', nodeId: 'r' });
  });
});
