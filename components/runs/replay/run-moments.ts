import type { NodeResult } from '@/contract/execution';
import type { LiveRun } from '../live';

/** More moments are not offered: those between are left out evenly. */
const MAX_RUN_MOMENTS = 500;

/**
 * The times at which something changed in a run, in milliseconds since the epoch: before it began, and whenever a node
 * started or ended. A repeated run has results of the earlier one, which are there from the beginning.
 */
export function listRunMoments({ startedAt, nodeResults }: LiveRun): number[] {
  const begin = Date.parse(startedAt);
  const times = new Set<number>();
  for (const result of nodeResults) {
    for (const time of [result.startedAt, result.completedAt])
      if (time !== undefined && Date.parse(time) >= begin) times.add(Date.parse(time));
  }
  const moments = [begin - 1, ...[...times].sort((a, b) => a - b)];
  const step = (moments.length - 1) / (MAX_RUN_MOMENTS - 1);
  if (step <= 1) return moments;
  return Array.from({ length: MAX_RUN_MOMENTS }, (_, at) => moments[Math.round(at * step)] ?? 0);
}

const isReached = (time: string | undefined, at: number): boolean => time !== undefined && Date.parse(time) <= at;

/** The result of a node as it was at a time. Undefined: the node had not started. */
function replayResult(result: NodeResult, at: number): NodeResult | undefined {
  if (!isReached(result.startedAt, at)) return undefined;
  if (isReached(result.completedAt, at)) return result;
  const { nodeId, startedAt, input, omittedBytes, tries } = result;
  const begun = tries
    ?.filter((attempt) => isReached(attempt.startedAt, at))
    .map((attempt) =>
      isReached(attempt.completedAt, at)
        ? attempt
        : { ...attempt, completedAt: undefined, error: null, answer: undefined },
    );
  return {
    nodeId,
    // What goes on still has the state that it is in now.
    status: result.completedAt === undefined ? result.status : 'running',
    startedAt,
    // The time that it had taken by then. It had no end.
    completedAt: new Date(at).toISOString(),
    input,
    ...(result.omitted?.includes('input') && { omitted: ['input'], omittedBytes }),
    error: null,
    attempts: Math.max(1, begun?.length ?? 0),
    ...(begun && begun.length > 0 && { tries: begun }),
  };
}

/** The run as it was at a time: nodes that had not started have no result, those in progress no output. */
export function replayRun(execution: LiveRun, at: number): LiveRun {
  return {
    ...execution,
    status: 'running',
    completedAt: undefined,
    output: undefined,
    error: null,
    nodeResults: execution.nodeResults.flatMap((result) => replayResult(result, at) ?? []),
  };
}
