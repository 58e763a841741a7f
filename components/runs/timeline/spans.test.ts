import { expect, test } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import { nodeDueTime, splitNodeTime, totalSpanTime } from './spans';

const at = (ms: number) => new Date(ms).toISOString();
const ran = (nodeId: string, from: number, to?: number, more: Partial<NodeResult> = {}): NodeResult => ({
  nodeId,
  status: to === undefined ? 'running' : 'completed',
  startedAt: at(from),
  completedAt: to === undefined ? undefined : at(to),
  error: null,
  attempts: 1,
  port: 'output',
  ...more,
});
const wire = (sourceNode: string, sourcePort: string, targetNode: string) => ({
  sourceNode,
  sourcePort,
  targetNode,
  targetPort: 'input',
});

test('a node is due when the last node before it is done', () => {
  const results = new Map(
    [ran('a', 0, 100), ran('b', 0, 300), ran('other', 0, 900, { port: 'false' }), ran('late', 0)].map(
      (result) => [result.nodeId, result] as const,
    ),
  );
  const wires = [
    wire('a', 'output', 'c'),
    wire('b', 'output', 'c'),
    wire('other', 'true', 'c'),
    wire('late', 'output', 'c'),
  ];
  expect(nodeDueTime('c', results, wires)).toBe(300);
  expect(nodeDueTime('a', results, wires)).toBeUndefined();
});

test('the time before the start is queued, unless it is short', () => {
  const spans = splitNodeTime(ran('c', 2300, 2301), 'transform', 300, 9000);
  expect(spans).toEqual([
    { kind: 'queued', from: 300, to: 2300 },
    { kind: 'work', from: 2300, to: 2301 },
  ]);
  expect(totalSpanTime(spans, 'queued')).toBe(2000);
  expect(splitNodeTime(ran('c', 302, 303), 'transform', 300, 9000)).toEqual([{ kind: 'work', from: 302, to: 303 }]);
});

test('a delay waits; a node in progress goes on until now', () => {
  expect(splitNodeTime(ran('d', 0), 'delay', undefined, 500)).toEqual([{ kind: 'waiting', from: 0, to: 500 }]);
  expect(splitNodeTime(ran('c', 0), 'code', undefined, 500)).toEqual([{ kind: 'work', from: 0, to: 500 }]);
});

test('between two attempts a node waits', () => {
  const tries = [
    { attempt: 1, startedAt: at(0), completedAt: at(50), error: null },
    { attempt: 2, startedAt: at(1050), completedAt: at(1100), error: null },
  ];
  expect(splitNodeTime(ran('h', 0, 1100, { tries }), 'http_request', undefined, 1100)).toEqual([
    { kind: 'work', from: 0, to: 50 },
    { kind: 'waiting', from: 50, to: 1050 },
    { kind: 'work', from: 1050, to: 1100 },
  ]);
});

test('a node that has not started has no time', () => {
  expect(splitNodeTime({ ...ran('n', 0), startedAt: undefined }, 'code', 0, 100)).toEqual([]);
});
