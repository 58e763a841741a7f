import { expect, test } from 'vitest';
import type { ExecutionSummary } from '@/contract/execution';
import { countRuns, describeRunGroup, groupRuns, isRunGroup, newestGroupRun, runGroupTimes } from './run-groups';

const START = new Date(2026, 10, 28, 9, 0).getTime();

/** The runs of a list, newest first. */
const listRuns = (changes: Partial<ExecutionSummary>[]): ExecutionSummary[] =>
  changes.map((change, index) => {
    const at = new Date(START + (changes.length - index) * 60_000).toISOString();
    return {
      id: `exec_${index}`,
      workflowId: 'wf_1',
      workflowName: 'Orders',
      workflowVersion: 1,
      status: 'completed',
      trigger: 'poll',
      triggeredBy: { id: 'poll_1', name: 'New rows' },
      startedAt: at,
      createdAt: at,
      createdBy: null,
      rerunOf: null,
      parentExecutionId: null,
      untilNodeId: null,
      startNodeId: null,
      error: null,
      annotation: null,
      ...change,
    };
  });
const shapes = (runs: ExecutionSummary[]) => groupRuns(runs).map((row) => (isRunGroup(row) ? row.runs.length : row.id));
const plain = (count: number) => Array.from({ length: count }, () => ({}));

test('runs of one trigger that follow one another are one row', () => {
  const runs = listRuns(plain(42));
  const [group] = groupRuns(runs);
  if (!group || !isRunGroup(group)) return expect.unreachable();
  expect(shapes(runs)).toEqual([42]);
  expect(countRuns([group])).toBe(42);
  expect(describeRunGroup(group)).toBe('42 runs of New rows');
  expect(runGroupTimes(group, START, 'en-GB')).toBe('09:01–09:42');
  expect(runGroupTimes(group, START + 86_400_000, 'en-GB')).toContain('28 Nov');
  expect(newestGroupRun(group)).toBe(runs[0]);
  expect(newestGroupRun({ ...group, runs: runs.toReversed() })).toBe(runs[0]);
});

test('a group keeps its key while runs join at one end and leave the page at the other', () => {
  const runs = listRuns([...plain(9), { status: 'running' }, ...plain(9)]);
  const keys = (some: ExecutionSummary[]) => groupRuns(some).flatMap((row) => (isRunGroup(row) ? row.key : []));
  const [newer, older] = keys(runs.slice(2));
  expect(newer).not.toBe(older);
  expect(keys(runs.slice(0, -2))).toEqual([newer, older]);
});

test('a run that failed, goes on, was annotated or is partial stands by itself', () => {
  const error = { code: 'TIMEOUT', message: 'It took too long.', nodeId: null };
  expect(shapes(listRuns([...plain(4), { status: 'failed', error }, ...plain(5)]))).toEqual([4, 'exec_4', 5]);
  expect(shapes(listRuns([{ status: 'running' }, ...plain(4)]))).toEqual(['exec_0', 4]);
  expect(shapes(listRuns([{ untilNodeId: 'a' }, ...plain(4)]))).toEqual(['exec_0', 4]);
});

test('few runs, runs of other triggers and runs by hand are not grouped', () => {
  expect(shapes(listRuns(plain(3)))).toEqual(['exec_0', 'exec_1', 'exec_2']);
  const other = { triggeredBy: { id: 'poll_2', name: 'Old rows' } };
  expect(shapes(listRuns([...plain(4), other, other, ...plain(4)]))).toEqual([4, 'exec_4', 'exec_5', 4]);
  const byHand = { trigger: 'manual' as const, triggeredBy: null };
  expect(shapes(listRuns([byHand, byHand, byHand, byHand]))).toHaveLength(4);
});

test('a group is named by what people call its trigger, never by a cron expression', () => {
  const group = (trigger: ExecutionSummary['trigger'], name: string) => ({
    key: 'x',
    runs: listRuns(plain(4).map(() => ({ trigger, triggeredBy: { id: 'x', name } }))),
  });
  expect(describeRunGroup(group('webhook', 'orders'))).toBe('4 runs of the webhook /orders');
  expect(describeRunGroup(group('schedule', '*/5 * * * *'))).toBe('4 runs of the schedule');
  expect(describeRunGroup(group('error', 'exec_1'))).toBe('4 runs of Orders');
});
