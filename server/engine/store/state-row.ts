import type { Asked, NodeStatus, RunError, Try } from '@/contract/execution';
import type { Repetition } from '@/server/nodes/node';
import { retryState, waitingState } from './transitions';
import type { DecisionRequest, NodeHistory, NodeState, ResumeData } from './state';

export type StoredStatus = Exclude<NodeStatus, 'pending' | 'skipped'>;

/** A row of `node_result`; times are dates or texts. */
export interface StateRow {
  node_id: string;
  status: StoredStatus;
  port: string | null;
  attempts: number;
  tries: Try[] | null;
  output: unknown;
  error: RunError | null;
  started_at: Date | string | null;
  completed_at: Date | string | null;
  wake_at: Date | string | null;
  held: unknown;
  /** The kind of what is held; of a run that an earlier release ended both are null. */
  round: number | null;
  child_id: string | null;
  large_bytes?: number | null;
  /** The output was omitted. */
  is_away?: boolean;
}

/** The status of a node as it is stored and sent. */
export function storedStatus(state: NodeState): StoredStatus {
  switch (state.status) {
    case 'waiting':
      return state.reason === 'decision' ? 'paused' : 'running';
    case 'looping':
      return 'running';
    default:
      return state.status;
  }
}

/** The request of an approval, as it is sent. */
export function askedDecision(state: NodeState): Asked | undefined {
  if (state.resumeData?.kind !== 'decision') return undefined;
  const isOpen = state.status === 'waiting' && state.reason === 'decision';
  return { ...state.resumeData.asked, expiresAt: isOpen ? state.wakeAt?.toISOString() : undefined };
}

/** A stored state that this release cannot read. */
export class UnreadableState extends Error {}

function requireReadable(isReadable: boolean, row: StateRow, field: string): asserts isReadable {
  if (!isReadable)
    throw new UnreadableState(`${field} of the result of ${row.node_id} is not what this release writes`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a node continues from. Its fields are the service's own; what users wrote is inside of them. */
function readResumeData(row: StateRow): ResumeData | null {
  const { held, child_id: childId, round } = row;
  if (childId !== null) return { kind: 'child', childId };
  if (held === null) return null;
  const data = isObject(held) ? parseResumeData(held, round ?? held['round']) : undefined;
  requireReadable(data !== undefined, row, 'What is held');
  return data;
}

function parseResumeData(held: Record<string, unknown>, round: unknown): ResumeData | undefined {
  const { items, count, concurrency, bytes, childId, message } = held;
  if (round !== undefined) {
    if (!Number.isInteger(round)) return undefined;
    return { kind: 'progress', progress: held as unknown as Repetition };
  }
  if (items !== undefined)
    return Array.isArray(items) && Number.isInteger(concurrency)
      ? { kind: 'items', items, concurrency: Number(concurrency) }
      : undefined;
  if (count !== undefined)
    return Number.isInteger(count)
      ? { kind: 'offloaded_items', count: Number(count), concurrency: Number(concurrency), bytes: Number(bytes) }
      : undefined;
  if (childId !== undefined) return typeof childId === 'string' ? { kind: 'child', childId } : undefined;
  if (message !== undefined)
    return typeof message === 'string'
      ? { kind: 'decision', asked: held as unknown as DecisionRequest['asked'] }
      : undefined;
  return 'awaitsCall' in held ? { kind: 'call' } : undefined;
}

/** A time; null is not read. */
function readTime(value: Date | string | null, row: StateRow, field: string): Date | null {
  if (value === null) return null;
  const time = new Date(value);
  requireReadable(!Number.isNaN(time.getTime()), row, field);
  return time;
}

/** Throws UnreadableState. */
export function readState(row: StateRow): NodeState {
  requireReadable(row.tries === null || Array.isArray(row.tries), row, 'The list of tries');
  requireReadable(row.error === null || isObject(row.error), row, 'The error');
  const history: NodeHistory = {
    path: row.node_id,
    attemptNumber: row.attempts,
    attempts: row.tries ?? [],
    startedAt: readTime(row.started_at, row, 'The start') ?? new Date(0),
    resumeData: readResumeData(row),
  };
  const { status, port, output, error } = row;
  const completedAt = readTime(row.completed_at, row, 'The end') ?? history.startedAt;
  const wakeAt = readTime(row.wake_at, row, 'The wake time');
  switch (status) {
    case 'completed': {
      const largeBytes = row.large_bytes ?? null;
      return { ...history, status, port, output, largeBytes, isOffloaded: row.is_away === true, completedAt };
    }
    case 'failed':
      return { ...history, status, port, error, completedAt };
    case 'paused':
      return { ...history, status: 'waiting', reason: 'decision', wakeAt };
    default:
      // Its worker was lost, and it has to run again.
      if (wakeAt === null && history.resumeData === null) return { ...history, status: 'running' };
      return error ? retryState(history, error, wakeAt) : waitingState(history, history.resumeData, wakeAt);
  }
}
