import { expect, test } from 'vitest';
import type { LogEntry } from '@/contract/execution-log';
import { readableLogLines } from './log-line';

const entry = (message: string, node: Partial<LogEntry> = {}): LogEntry => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  level: 'info',
  message,
  ...node,
});

test('lines name nodes as the canvas does, with their rounds', () => {
  const fetch = { nodeId: 'each[2].fetch', nodeName: 'Read the order' };
  const fault = 'Node each[2].fetch, config.url: Unknown operator';
  const parameters = { nodeId: 'each[2].fetch', field: 'config.url', problem: 'Unknown operator' };
  const error = { code: 'EXPRESSION', message: fault, nodeId: 'each[2].fetch', parameters };
  expect(
    readableLogLines([
      entry('The run was accepted (manual)'),
      entry('each[2].fetch: started', fetch),
      entry('fetch: is no prefix', fetch),
      entry(`each[2].fetch: failed with EXPRESSION: ${fault}`, { ...fetch, error }),
      entry(`The run failed with EXPRESSION: ${fault}`, { error }),
    ]),
  ).toEqual([
    { node: undefined, text: 'The run was accepted (manual)' },
    { node: 'Read the order, round 3', text: 'started' },
    { node: 'Read the order, round 3', text: 'fetch: is no prefix' },
    {
      node: 'Read the order, round 3',
      text: 'failed with EXPRESSION: Node “Read the order, round 3”, config.url: Unknown operator',
    },
    {
      node: undefined,
      text: 'The run failed with EXPRESSION: Node “Read the order, round 3”, config.url: Unknown operator',
    },
  ]);
});

test('a node that the version lacks keeps its id', () => {
  expect(readableLogLines([entry('gone: started', { nodeId: 'gone' }), entry('Node x, config.a: no')])).toEqual([
    { node: 'gone', text: 'started' },
    { node: undefined, text: 'Node x, config.a: no' },
  ]);
});

test('a failure of an earlier version keeps the id in its message', () => {
  const message = 'Node fetch, config.url: Unknown operator';
  const error = { code: 'EXPRESSION', message, nodeId: 'fetch' };
  const line = entry(`fetch: failed with EXPRESSION: ${message}`, { nodeId: 'fetch', nodeName: 'Read', error });
  expect(readableLogLines([line])).toEqual([{ node: 'Read', text: `failed with EXPRESSION: ${message}` }]);
});
