import { expect, it } from 'vitest';
import { findNodeType } from '@/server/workflow/nodes';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { GraphNode } from '@/server/workflow/definition/graph';
import type { NodeState } from '../store/state';
import { toStartedState, toWaitingState } from '../store/transitions';
import { failInterruptedNode } from './interruption';

const interrupted = toStartedState('n', undefined);
const after = (previous: NodeState | undefined, type: string, more: Partial<WorkflowNode> = {}) =>
  failInterruptedNode({ definition: { type, ...more }, nodeType: findNodeType(type) } as GraphNode, previous)?.code;
const afterCrash = (type: string, more?: Partial<WorkflowNode>) => after(interrupted, type, more);
const retried = (maxAttempts: number) => ({ retry: { maxAttempts, backoffMs: 1000 } });

it('an interrupted attempt is repeated, unless its node or its type says that it is not', () => {
  expect(afterCrash('http_request')).toBeUndefined();
  expect(afterCrash('http_request', { repeatable: false })).toBe('OUTCOME_UNKNOWN');
  expect(afterCrash('remember', { repeatable: false })).toBeUndefined();
  expect(afterCrash('ssh')).toBe('OUTCOME_UNKNOWN');
  expect(afterCrash('ssh', { repeatable: true })).toBeUndefined();
  expect([afterCrash('ssh', retried(1)), afterCrash('ssh', retried(2))]).toEqual(['OUTCOME_UNKNOWN', undefined]);
});

it('an attempt that was not interrupted begins', () => {
  expect(after(undefined, 'ssh')).toBeUndefined();
  expect(after(toWaitingState(interrupted, null, new Date()), 'ssh')).toBeUndefined();
});
