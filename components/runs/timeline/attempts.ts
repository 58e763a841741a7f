import type { NodeResult, NodeStatus, NodeAttempt } from '@/contract/execution';

/** One attempt of a node, prepared for display. */
export interface DisplayedAttempt extends Omit<NodeAttempt, 'attempt'> {
  number: number;
  status: NodeStatus;
  isLast: boolean;
}

const attemptStatus = ({ error, completedAt }: NodeAttempt): NodeStatus =>
  error ? 'failed' : completedAt === undefined ? 'running' : 'completed';

/** The attempts of a node, oldest first. Empty if the first attempt succeeded or is in progress. */
export const listAttempts = ({ tries = [] }: NodeResult): DisplayedAttempt[] =>
  tries.map((each, index) => ({
    ...each,
    number: each.attempt,
    status: attemptStatus(each),
    isLast: index === tries.length - 1,
  }));
