import type { NodeResult, NodeStatus, Try } from '@/contract/execution';

/** One attempt of a node, prepared for display. */
export interface Attempt extends Omit<Try, 'attempt'> {
  number: number;
  status: NodeStatus;
  isLast: boolean;
}

const statusOf = ({ error, completedAt }: Try): NodeStatus =>
  error ? 'failed' : completedAt === undefined ? 'running' : 'completed';

/** The attempts of a node, oldest first. Empty if the first attempt succeeded or is in progress. */
export const attemptsOf = ({ tries = [] }: NodeResult): Attempt[] =>
  tries.map((each, index) => ({
    ...each,
    number: each.attempt,
    status: statusOf(each),
    isLast: index === tries.length - 1,
  }));
