import type { NodeResult, NodeStatus, Try } from '@/contract/execution';

/** One attempt of a node, as it is looked at. */
export interface Attempt extends Omit<Try, 'attempt'> {
  number: number;
  status: NodeStatus;
  isLast: boolean;
}

const statusOf = ({ error, completedAt }: Try): NodeStatus =>
  error ? 'failed' : completedAt === undefined ? 'running' : 'completed';

/** A node's attempts, oldest first. One that succeeded at once, or is under way for the first time, has none. */
export const attemptsOf = ({ tries = [] }: NodeResult): Attempt[] =>
  tries.map((each, index) => ({
    ...each,
    number: each.attempt,
    status: statusOf(each),
    isLast: index === tries.length - 1,
  }));
