import type { NodeResult } from '@/contract/execution';
import type { NodeConnection } from '@/contract/workflows/workflow';

/** A part of the time of a node, in milliseconds since the epoch. `queued`: it is due, and has not started. */
export interface NodeTimeSpan {
  kind: 'queued' | 'work' | 'waiting';
  from: number;
  to: number;
}

/** Node types that work for a moment, then wait for a time, a person or another run. */
const WAITING_NODE_TYPES = new Set(['delay', 'approval', 'form_page', 'wait_for_call', 'sub_workflow']);
/** Shorter gaps before a start are not shown: each node has one. */
const MIN_QUEUED_MS = 5;

/** The time when a node became due, because the nodes before it were done. Undefined if there are none before it. */
export function nodeDueTime(
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  connections: readonly NodeConnection[],
): number | undefined {
  const ends = connections.flatMap(({ sourceNode, sourcePort, targetNode }) => {
    const source = targetNode === nodeId ? results.get(sourceNode) : undefined;
    return source?.completedAt && source.port === sourcePort ? [Date.parse(source.completedAt)] : [];
  });
  return ends.length ? Math.max(...ends) : undefined;
}

/**
 * The time of a started node in parts: queued, work, and waiting (all of it for a type that waits; between two attempts
 * for the others). `due`: see `nodeDueTime`. `now` ends what is in progress.
 */
export function splitNodeTime(
  result: NodeResult,
  type: string | undefined,
  due: number | undefined,
  now: number,
): NodeTimeSpan[] {
  const start = Date.parse(result.startedAt ?? '');
  if (Number.isNaN(start)) return [];
  const end = result.completedAt ? Date.parse(result.completedAt) : Math.max(now, start);
  const queued: NodeTimeSpan[] =
    due !== undefined && start - due >= MIN_QUEUED_MS ? [{ kind: 'queued', from: due, to: start }] : [];
  if (type !== undefined && WAITING_NODE_TYPES.has(type)) return [...queued, { kind: 'waiting', from: start, to: end }];
  const attempts = (result.tries ?? []).map(({ startedAt, completedAt }) => ({
    from: Date.parse(startedAt),
    to: completedAt ? Date.parse(completedAt) : end,
  }));
  if (attempts.length < 2) return [...queued, { kind: 'work', from: start, to: end }];
  const parts = attempts.flatMap(({ from, to }, at): NodeTimeSpan[] => {
    const before = attempts[at - 1];
    const pause: NodeTimeSpan[] = before && from > before.to ? [{ kind: 'waiting', from: before.to, to: from }] : [];
    return [...pause, { kind: 'work', from, to }];
  });
  return [...queued, ...parts];
}

/** Adds up the milliseconds of one kind. */
export const totalSpanTime = (spans: readonly NodeTimeSpan[], kind: NodeTimeSpan['kind']): number =>
  spans.reduce((sum, span) => sum + (span.kind === kind ? span.to - span.from : 0), 0);
