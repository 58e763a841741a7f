import { describe, expect, it } from 'vitest';
import type { ExecutionResponse, NodeResult } from '@/contract/execution';
import { violations } from './check';
import type { Happening, Rest } from './history';

const T = Date.parse('2026-01-01T00:00:00Z');
const iso = (at: number) => new Date(T + at).toISOString();

const result = (nodeId: string, more: Partial<NodeResult> = {}): NodeResult => ({
  nodeId,
  status: 'completed',
  startedAt: iso(10),
  completedAt: iso(100),
  output: { n: 1 },
  error: null,
  attempts: 1,
  ...more,
});

const execution = (more: Partial<ExecutionResponse> = {}): ExecutionResponse => ({
  id: 'exec_1',
  workflowId: 'wf_1',
  workflowVersion: 1,
  status: 'completed',
  trigger: 'manual',
  triggeredBy: null,
  startedAt: iso(0),
  completedAt: iso(110),
  createdAt: iso(0),
  createdBy: null,
  rerunOf: null,
  parentExecutionId: null,
  untilNodeId: null,
  startNodeId: null,
  input: { story: 'one' },
  output: { n: 1 },
  error: null,
  nodeResults: [result('a')],
  ...more,
});

const call = (at: number, key = 'exec_1:a'): Happening => ({ kind: 'called', at: T + at, key, body: { story: 'one' } });
const read = (at: number, seen: ExecutionResponse): Happening => ({
  kind: 'read',
  askedAt: T + at - 5,
  at: T + at,
  execution: seen,
});
const decided = (at: number, decision: 'approved' | 'rejected', status = 200): Happening => ({
  kind: 'decided',
  askedAt: T + at - 5,
  at: T + at,
  executionId: 'exec_1',
  decision,
  status,
});
const cancelled = (at: number): Happening => ({
  kind: 'cancelled',
  askedAt: T + at - 5,
  at: T + at,
  executionId: 'exec_1',
  status: 200,
});
const told = (at: number, message: Extract<Happening, { kind: 'told' }>['message']): Happening => ({
  kind: 'told',
  at: T + at,
  watcher: 'w',
  message,
});
const accepted: Happening = {
  kind: 'accepted',
  at: T + 5,
  story: 'one',
  executionId: 'exec_1',
  input: { story: 'one' },
};

const rest = (
  executions = [execution()],
  auditedRequests = 1,
  { remembered = {}, rows = [] }: Partial<Pick<Rest, 'remembered' | 'rows'>> = {},
): Rest => ({ executions, auditedRequests, remembered, rows });
const check = (history: Happening[], left = rest()) => violations([accepted, call(20), ...history], left).join('; ');
const completedNode = { type: 'node_completed', executionId: 'exec_1', nodeId: 'a', output: { n: 1 } } as const;
const over = { type: 'execution_completed', executionId: 'exec_1', status: 'completed', output: { n: 1 } } as const;

it('finds no violation in a correct run', () => {
  const history = [
    read(50, execution({ status: 'running' })),
    read(120, execution()),
    told(105, completedNode),
    told(111, over),
  ];
  expect(check(history)).toBe('');
});

it('permits an interrupted call to be repeated', () => {
  expect(check([call(90)])).toBe('');
});

describe('finds', () => {
  it('a lost run', () => expect(check([], rest([], 0))).toContain('is lost'));

  it('a changed input', () =>
    expect(check([], rest([execution({ input: { story: 'one', x: 1 } })]))).toContain('another input'));

  it('a run for each of two requests with one key', () =>
    expect(check([], rest([execution(), execution({ id: 'exec_2', nodeResults: [] })], 2))).toContain(
      'asked for once',
    ));

  it('a run that is stuck', () =>
    expect(check([], rest([execution({ status: 'running', nodeResults: [result('a')] })]))).toContain('still running'));

  it('a run that failed because of a fault of the service', () => {
    const error = { code: 'INTERNAL', message: 'the database was away', nodeId: null };
    expect(check([], rest([execution({ status: 'failed', error })]))).toContain('fault of ours');
  });

  it('a run that failed with CRASHED after fewer deaths', () => {
    const error = { code: 'CRASHED', message: 'tried 3 times', nodeId: null };
    const left = rest([execution({ status: 'failed', error })]);
    const death = (at: number): Happening => ({ kind: 'fault', at: T + at, what: 'kill a worker' });
    expect(check([death(10), death(20), death(30)], left)).toBe('');
    expect(check([death(10), death(20), death(200)], left)).toContain('given up after 2 deaths');
  });

  it('a final status that changed', () => {
    expect(check([read(120, execution()), read(140, execution({ status: 'failed' }))])).toContain(
      'changed after its end',
    );
    expect(check([read(120, execution({ completedAt: iso(109) }))])).toContain('is no more');
  });

  it('a node that ran again', () => expect(check([call(101)])).toContain('called again'));

  it('a missing call', () => {
    const twice = execution({ nodeResults: [result('a'), result('b')] });
    expect(check([], rest([twice]))).toContain('never called');
  });

  it('a call without a run', () => expect(check([call(30, 'exec_9:a')])).toContain('no run'));

  it('two decisions, or one without effect', () => {
    const ask = execution({ nodeResults: [result('a'), result('ask', { output: { decision: 'approved' } })] });
    expect(check([decided(50, 'approved'), decided(51, 'rejected')], rest([ask]))).toContain('decided 2 times');
    expect(check([decided(50, 'rejected')], rest([ask]))).toContain('against its decision');
    expect(check([decided(50, 'approved'), decided(51, 'rejected', 409)], rest([ask]))).toBe('');
  });

  it('a cancellation without effect', () => {
    expect(check([cancelled(50)])).toContain('survived');
    const gone = execution({ status: 'failed', error: { code: 'CANCELLED', message: '', nodeId: null } });
    expect(check([cancelled(50)], rest([gone]))).toBe('');
    expect(check([cancelled(50), decided(80, 'approved')], rest([gone]))).toContain('after its cancellation');
  });

  it('live messages that contradict each other or the stored state', () => {
    expect(check([told(105, completedNode), told(106, completedNode)])).toContain('told twice');
    expect(check([told(105, { ...completedNode, output: { n: 2 } })])).toContain('not kept');
    expect(check([told(105, over), told(106, completedNode)])).toContain('after the end');
    expect(check([told(105, { ...over, status: 'failed' })])).toContain('did not last');
  });

  it('a run without its audit entry', () => expect(check([], rest([execution()], 0))).toContain('audit log'));

  it('a change that was stored twice, or without a result', () => {
    const one = execution({ nodeResults: [result('a'), result('each[0].rounds', { output: 1 })] });
    expect(check([], rest([one], 1, { remembered: { rounds: 1 } }))).toBe('');
    expect(check([], rest([one], 1, { remembered: { rounds: 2 } }))).toContain('rounds is 2 after 1 completed nodes');
    expect(check([], rest([one], 1))).toContain('rounds is 0 after 1 completed nodes');
    const nodeResults = [result('a'), ...[0, 1].map((round) => result(`each[${round}].rounds`, { output: 1 }))];
    expect(check([], rest([execution({ nodeResults })], 1, { remembered: { rounds: 2 } }))).toContain(
      'the same number',
    );
  });

  it('an item that was passed on by no node', () => {
    const passed = (output: unknown) => rest([execution({ nodeResults: [result('a'), result('new', { output })] })]);
    expect(check([], passed(['one']))).toBe('');
    expect(check([], passed([]))).toContain('did not pass on its story');
  });

  it('rows that were written twice, or without a result', () => {
    const writing = [execution({ nodeResults: [result('a'), result('row'), result('visits')] })];
    const row = { name: 'exec_1', n: null };
    const visits = (n: number) => ({ name: 'visits', n });
    const found = (...rows: Rest['rows']) => check([], rest(writing, 1, { rows }));
    expect(found(row, visits(1))).toBe('');
    expect(found(visits(1))).toContain('exec_1 has 0 rows instead of 1');
    expect(found(row, row, visits(1))).toContain('exec_1 has 2 rows instead of 1');
    expect(found(row, visits(2))).toContain('visits is 2 after 1 completed nodes');
    expect(found(row, visits(1), visits(1))).toContain('made 2 times');
    expect(check([], rest([execution()], 1, { rows: [row] }))).toContain('exec_1 has 1 rows instead of 0');
  });
});
