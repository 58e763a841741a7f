import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { completeNode, type NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { testKinds, type Behaviour } from '@/server/testing/runs';
import { compileGraph } from '@/server/workflow/definition/graph';
import { ALWAYS_CERTAIN, type LeaseCertainty } from '@/server/platform/timers/lease-clock';
import { executeAttempt } from './attempt';
import type { AttemptDetails, AttemptScope } from './context';
import { SecretRedactor } from './secret-redactor';
import { createTraceBudget } from '../store/trace';

const refuse = () => Promise.reject(new Error('not in this test'));

/** An attempt of a node that acts outside. */
function attemptOf(
  behave: Behaviour,
  {
    lease = ALWAYS_CERTAIN,
    kind = {},
    more = {},
  }: { lease?: LeaseCertainty; kind?: Partial<NodeTypeDefinition>; more?: object } = {},
): AttemptDetails {
  const { kinds } = testKinds(behave);
  const call = kinds.get('call') as NodeTypeDefinition;
  const graph = compileGraph(
    { nodes: [{ id: 'a', type: 'call', config: {}, position: { x: 0, y: 0 }, ...more }], connections: [] },
    new Map([['call', { ...call, ...kind }]]),
  );
  const [node] = graph.nodes;
  if (!node) throw new Error('no node');
  const run: AttemptScope = {
    workspaceId: 'ws_test',
    version: { workflowId: 'wf_test', workflowVersion: 1 },
    lease,
    redactor: new SecretRedactor(),
    attemptLog: { traceBudget: createTraceBudget(), reserve: async () => undefined, log: () => undefined },
    startChild: refuse,
    roundResults: refuse,
    commitChange: refuse,
  };
  const trigger = { kind: 'manual', id: null, name: null } as never;
  const execution = { id: 'exec_test', workflowId: 'wf_test', input: {}, trigger, resumeUrls: {} };
  return {
    run,
    node,
    path: 'a',
    attemptNumber: 1,
    scope: { input: {}, nodes: {}, execution, vars: {} },
    timeZone: 'UTC',
    until: { signal: new AbortController().signal },
    decision: undefined,
    call: undefined,
    waitingSince: undefined,
    child: undefined,
    round: undefined,
  };
}

const lostConnection = () =>
  Object.assign(new pg.DatabaseError('terminating connection', 1, 'error'), { code: '57P01' });

describe('a node that acts outside', () => {
  it('begins only once it is certain that its worker has the lease', async () => {
    let [begun, certain] = [0, () => {}];
    const wait = new Promise<void>((resolve) => (certain = resolve));
    const lease = { confirm: () => wait, uncertainMs: () => 0 };
    const outcome = executeAttempt(attemptOf(async () => (begun += 1), { lease }));
    await nextTurn();
    expect(begun).toBe(0);
    certain();
    expect(await outcome).toMatchObject({ kind: 'done', value: 1 });
  });

  it('does not begin once the lease is lost', async () => {
    let begun = 0;
    const lease = { confirm: () => Promise.reject(new Error('the lease was lost')), uncertainMs: () => 0 };
    expect(await executeAttempt(attemptOf(async () => (begun += 1), { lease }))).toMatchObject({ kind: 'failed' });
    expect(begun).toBe(0);
  });

  it('is repeated when the database was lost meanwhile, and counts one try', async () => {
    let calls = 0;
    const behave: Behaviour = async ({ attemptNumber: attempt }) => {
      calls += 1;
      if (calls < 3) throw lostConnection();
      return attempt;
    };
    expect(await executeAttempt(attemptOf(behave))).toMatchObject({ kind: 'done', value: 1 });
    expect(calls).toBe(3);
  });

  it.each([
    ['that its author does not want repeated', { more: { repeatable: false } }],
    ['of a kind that is not repeated', { kind: { isOnce: true as const } }],
  ])('%s fails with OUTCOME_UNKNOWN in that case', async (_, options) => {
    let calls = 0;
    const behave: Behaviour = async () => {
      calls += 1;
      throw lostConnection();
    };
    expect(await executeAttempt(attemptOf(behave, options))).toMatchObject({ kind: 'failed', code: 'OUTCOME_UNKNOWN' });
    expect(calls).toBe(1);
  });

  it('fails for an error of another server, although it is the same', async () => {
    const behave: Behaviour = async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    expect(await executeAttempt(attemptOf(behave))).toMatchObject({ kind: 'failed', code: 'INTERNAL' });
  });

  it('has its time without that in which the database was away', async () => {
    let awayMs = 0;
    const lease = { confirm: () => undefined, uncertainMs: () => awayMs };
    const behave: Behaviour = ({ signal }) =>
      new Promise((resolve) => {
        // The database is away until long after the timeout; then the node has its answer.
        awayMs = 60;
        const answer = setTimeout(() => resolve('in time'), 90);
        signal.addEventListener('abort', () => clearTimeout(answer), { once: true });
      });
    expect(await executeAttempt(attemptOf(behave, { lease, more: { timeoutMs: 50 } }))).toMatchObject({
      kind: 'done',
      value: 'in time',
    });
    expect(await executeAttempt(attemptOf(() => new Promise(() => {}), { more: { timeoutMs: 20 } }))).toMatchObject({
      code: 'TIMEOUT',
    });
  });
});

it('a node that only computes needs no lease', () => {
  const lease = { confirm: () => Promise.reject(new Error('lost')), uncertainMs: () => 0 };
  const attempt = attemptOf(async () => 1, { lease, kind: { isOutside: false, run: () => completeNode(7) } });
  expect(executeAttempt(attempt)).toMatchObject({ kind: 'done', value: 7 });
});
