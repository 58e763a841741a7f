import type { GraphNode } from '@/server/workflow/definition/graph';
import type { NodeState } from '../store/state';
import type { FailedOutcome } from './outcome';

/** Whether an attempt that was interrupted is repeated. An effect without a result was not committed. */
export function isRepeatableNode({ definition: node, nodeType: kind }: GraphNode): boolean {
  const isRetried = (node.retry?.maxAttempts ?? 1) > 1;
  return kind?.isTransactional === true || (node.repeatable ?? (!kind?.isOnce || isRetried));
}

/** The failure of a node that was interrupted and is not repeated. */
export const OUTCOME_UNKNOWN_FAILURE: FailedOutcome = {
  kind: 'failed',
  code: 'OUTCOME_UNKNOWN',
  message: 'The service was lost while this node was running. Whether its action was completed is unknown.',
  isRetriable: false,
  retryAfterMs: 0,
};

/** The outcome of a node that was in flight when its worker was lost, if it is not repeated. */
export function failInterruptedNode(node: GraphNode, previous: NodeState | undefined): FailedOutcome | undefined {
  return previous?.status === 'running' && !isRepeatableNode(node) ? OUTCOME_UNKNOWN_FAILURE : undefined;
}
