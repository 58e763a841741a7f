import { expect, it } from 'vitest';
import { kindOf } from '@/server/nodes';
import type { Node } from '@/contract/workflows/workflow';
import type { GraphNode } from '@/server/workflow/graph';
import type { NodeState } from '../store/state';
import { outcomeUnknown } from './in-flight-nodes';

const interrupted = { status: 'running', isWaiting: false } as NodeState;
const fails = (type: string, more: Partial<Node> = {}, previous: NodeState | undefined = interrupted) => {
  const node = { node: { type, ...more }, kind: kindOf(type) } as GraphNode;
  return outcomeUnknown(node, previous)?.code === 'OUTCOME_UNKNOWN';
};

it('an interrupted attempt is repeated, unless its node or its type says that it is not', () => {
  expect([fails('http_request'), fails('http_request', { repeatable: false })]).toEqual([false, true]);
  expect(fails('remember', { repeatable: false })).toBe(false);
  expect([fails('ssh'), fails('ssh', {}, undefined)]).toEqual([true, false]);
  expect(fails('ssh', {}, { ...interrupted, isWaiting: true })).toBe(false);
  expect(fails('ssh', { repeatable: true })).toBe(false);
  expect(fails('ssh', { retry: { maxAttempts: 3, backoffMs: 1000 } })).toBe(false);
  expect(fails('ssh', { retry: { maxAttempts: 1, backoffMs: 1000 } })).toBe(true);
});
