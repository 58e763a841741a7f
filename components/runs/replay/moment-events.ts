import type { NodeResult } from '@/contract/execution';
import type { LiveRun } from '../live';

/** What happened at a time: the nodes that ended or failed then, otherwise those that started. */
export interface RunMomentEvents {
  verb: 'ended' | 'failed' | 'started';
  nodeIds: string[];
}

export function findMomentEvents({ nodeResults }: LiveRun, at: number): RunMomentEvents | undefined {
  const isAt = (time: string | undefined) => time !== undefined && Date.parse(time) === at;
  const ended = nodeResults.filter(({ completedAt }) => isAt(completedAt));
  const failed = ended.filter(({ status }) => status === 'failed');
  const list = (verb: RunMomentEvents['verb'], found: readonly NodeResult[]) =>
    found.length > 0 ? { verb, nodeIds: found.map(({ nodeId }) => nodeId) } : undefined;
  return (
    list('failed', failed) ??
    list('ended', ended) ??
    list(
      'started',
      nodeResults.filter(({ startedAt }) => isAt(startedAt)),
    )
  );
}
