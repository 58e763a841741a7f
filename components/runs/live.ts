import type { SocketServerMessage } from '@/contract/channel';
import type { ExecutionResponse, ExecutionStatus, NodeResult, NodeStatus } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';

/** An execution in the types of tRPC, where a value of type unknown is optional. */
export type LiveRun = Omit<ExecutionResponse, 'input'> & { input?: unknown };

/** The execution after a message of the channel. A final state never changes; messages of other runs do nothing. */
export function applyRunMessage(execution: LiveRun, message: SocketServerMessage): LiveRun {
  if (message.executionId !== execution.id) return execution;
  switch (message.type) {
    case 'execution_update':
      if (message.nodeId !== undefined)
        return updateNodeResult(
          execution,
          message.nodeId,
          changeNodeStatus(message.status as NodeStatus, message.timestamp),
        );
      return isFinalStatus(execution.status)
        ? execution
        : {
            ...execution,
            status: message.status as ExecutionStatus,
            completedAt: isFinalStatus(message.status) ? message.timestamp : undefined,
          };
    case 'node_completed':
      return updateNodeResult(execution, message.nodeId, (result) => ({
        ...result,
        status: 'completed',
        output: message.output,
      }));
    case 'execution_completed':
      return { ...execution, status: message.status, output: message.output };
    case 'error':
      return execution;
  }
}

const changeNodeStatus =
  (status: NodeStatus, timestamp: string) =>
  (result: NodeResult): NodeResult => ({
    ...result,
    status,
    startedAt: result.startedAt ?? (status === 'running' ? timestamp : undefined),
    completedAt: status === 'completed' || status === 'failed' ? (result.completedAt ?? timestamp) : undefined,
  });

function updateNodeResult(execution: LiveRun, nodeId: string, change: (result: NodeResult) => NodeResult): LiveRun {
  const found = execution.nodeResults.some((result) => result.nodeId === nodeId);
  const results: NodeResult[] = found
    ? execution.nodeResults
    : [...execution.nodeResults, { nodeId, status: 'pending', error: null, attempts: 0 }];
  return { ...execution, nodeResults: results.map((result) => (result.nodeId === nodeId ? change(result) : result)) };
}

/** Results by node id, for canvases that look up one node at a time. */
export const indexNodeResults = (execution: LiveRun | undefined): ReadonlyMap<string, NodeResult> =>
  new Map(execution?.nodeResults.map((result) => [result.nodeId, result]));

/** Sorted by start; nodes without a start come last. */
export const sortByStart = (results: NodeResult[]): NodeResult[] =>
  [...results].sort((a, b) => startTimeMs(a) - startTimeMs(b));

const startTimeMs = ({ startedAt }: NodeResult) => (startedAt ? Date.parse(startedAt) : Number.MAX_VALUE);

/** Nodes with a pending approval. */
export const pendingApprovalNodes = (execution: LiveRun): string[] =>
  isFinalStatus(execution.status)
    ? []
    : execution.nodeResults.filter((result) => result.status === 'paused').map((result) => result.nodeId);
