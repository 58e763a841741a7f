import { describe, expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import { indexNodeResults, type LiveRun } from '../live';
import { groupByRound } from '../timeline/rounds';
import { findMomentEvents } from './moment-events';
import { listRunMoments, replayRun } from './run-moments';

const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const time = (ms: number) => new Date(BEGIN + ms).toISOString();
const result = (nodeId: string, from?: number, to?: number, part: Partial<NodeResult> = {}): NodeResult => ({
  nodeId,
  status: to === undefined ? 'running' : 'completed',
  startedAt: from === undefined ? undefined : time(from),
  completedAt: to === undefined ? undefined : time(to),
  input: { of: nodeId },
  output: to === undefined ? undefined : { from: nodeId },
  error: null,
  attempts: 1,
  port: to === undefined ? undefined : 'output',
  ...part,
});
const run = (nodeResults: NodeResult[], part: Partial<LiveRun> = {}): LiveRun => ({
  id: 'exec_1',
  workflowId: 'wf_1',
  workflowVersion: 1,
  status: 'completed',
  trigger: 'manual',
  triggeredBy: null,
  startedAt: time(0),
  completedAt: time(900),
  createdAt: time(0),
  createdBy: null,
  rerunOf: null,
  parentExecutionId: null,
  untilNodeId: null,
  startNodeId: null,
  output: 'end',
  error: null,
  nodeResults,
  ...part,
});
const statesAt = (execution: LiveRun, ms: number) =>
  Object.fromEntries(replayRun(execution, BEGIN + ms).nodeResults.map(({ nodeId, status }) => [nodeId, status]));

describe('the moments of a run', () => {
  const whole = run([result('start', 0, 5), result('fetch', 5, 400), result('mail', 400, 900), result('off')]);

  it('are the times at which nodes start and end, after one before the start', () => {
    expect(listRunMoments(whole).map((at) => at - BEGIN)).toEqual([-1, 0, 5, 400, 900]);
    expect(findMomentEvents(whole, BEGIN + 400)).toEqual({ verb: 'ended', nodeIds: ['fetch'] });
    expect(findMomentEvents(whole, BEGIN)).toEqual({ verb: 'started', nodeIds: ['start'] });
    expect(findMomentEvents(whole, BEGIN + 1)).toBeUndefined();
  });

  it('have the states and the data of then: no output while a node works', () => {
    expect(statesAt(whole, -1)).toEqual({});
    expect(statesAt(whole, 5)).toEqual({ start: 'completed', fetch: 'running' });
    expect(statesAt(whole, 500)).toEqual({ start: 'completed', fetch: 'completed', mail: 'running' });
    const then = replayRun(whole, BEGIN + 200);
    expect(then).toMatchObject({ status: 'running', output: undefined, completedAt: undefined });
    expect(indexNodeResults(then).get('fetch')).toEqual({
      nodeId: 'fetch',
      status: 'running',
      startedAt: time(5),
      completedAt: time(200),
      input: { of: 'fetch' },
      error: null,
      attempts: 1,
    });
  });

  it('have the attempts that had begun, and a failure only from its time on', () => {
    const error = { code: 'X', message: 'no', nodeId: 'fetch' };
    const tries = [0, 300].map((from, at) => ({
      attempt: at + 1,
      startedAt: time(from),
      completedAt: time(from + 100),
      error,
    }));
    const failed = run([result('fetch', 0, 400, { status: 'failed', error, attempts: 2, tries })], { error });
    expect(replayRun(failed, BEGIN + 200).nodeResults).toMatchObject([{ status: 'running', error: null, attempts: 1 }]);
    expect(replayRun(failed, BEGIN + 200).error).toBeNull();
    const [second] = replayRun(failed, BEGIN + 350).nodeResults;
    expect(second?.tries).toMatchObject([{ error }, { error: null, completedAt: undefined }]);
    expect(statesAt(failed, 400)).toEqual({ fetch: 'failed' });
    expect(findMomentEvents(failed, BEGIN + 400)?.verb).toBe('failed');
  });

  it('have the rounds of loops that had begun', () => {
    const looped = run([
      result('loop', 0, 900),
      ...[0, 1, 2].map((round) => result(`loop[${round}].price`, 100 + round * 200, 250 + round * 200)),
    ]);
    const rounds = (ms: number) => [...groupByRound(replayRun(looped, BEGIN + ms).nodeResults, 'loop').keys()];
    expect(rounds(50)).toEqual([]);
    expect(rounds(150)).toEqual([0]);
    expect(rounds(700)).toEqual([0, 1, 2]);
  });

  it('keep the state of what waits now, and the results that a repeated run took over', () => {
    const waiting = run([result('ask', 10, undefined, { status: 'paused' })], { status: 'paused' });
    expect(statesAt(waiting, 10)).toEqual({ ask: 'paused' });
    const repeated = run([result('fetch', -5000, -4000), result('mail', 5, 9)]);
    expect(listRunMoments(repeated).map((at) => at - BEGIN)).toEqual([-1, 5, 9]);
    expect(statesAt(repeated, -1)).toEqual({ fetch: 'completed' });
  });

  it('are at most five hundred, from the first to the last', () => {
    const long = run(Array.from({ length: 10_000 }, (_, at) => result(`loop[${at}].step`, at * 10, at * 10 + 4)));
    const moments = listRunMoments(long);
    expect(moments).toHaveLength(500);
    expect([moments[0], moments.at(-1)]).toEqual([BEGIN - 1, BEGIN + 99_994]);
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
  });
});
