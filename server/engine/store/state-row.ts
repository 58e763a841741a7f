import type { NodeStatus, RunError, NodeAttempt } from '@/contract/execution';
import type { ApprovalPrompt } from '@/contract/approval';
import type { ItemOrigins, LoopRepetition } from '@/server/workflow/nodes/node-type';
import type { PortShares } from './port-shares';
import { toRetryState, toWaitingState } from './transitions';
import type { DecisionResumeData, NodeHistory, NodeState, ResumeData } from './state';

export type StoredNodeStatus = Exclude<NodeStatus, 'pending' | 'skipped'>;

/** A row of `node_result`; times are dates or texts. */
export interface StoredStateRow {
  node_id: string;
  status: StoredNodeStatus;
  port: string | null;
  /** Absent: older than nodes that run for each item. */
  port_shares?: unknown;
  origins?: unknown;
  attempts: number;
  tries: NodeAttempt[] | null;
  output: unknown;
  error: RunError | null;
  started_at: Date | string | null;
  completed_at: Date | string | null;
  wake_at: Date | string | null;
  held: unknown;
  /**
   * The round of a loop that decides after each round. This and `child_id` are null for runs that an earlier release
   * ended.
   */
  round: number | null;
  child_id: string | null;
  large_bytes?: number | null;
  /** The output was omitted. */
  is_away?: boolean;
}

/** The status of a node as it is stored and sent. */
export function toStoredStatus(state: NodeState): StoredNodeStatus {
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
export function toDecisionPrompt(state: NodeState): ApprovalPrompt | undefined {
  if (state.resumeData?.kind !== 'decision') return undefined;
  const isOpen = state.status === 'waiting' && state.reason === 'decision';
  return { ...state.resumeData.asked, expiresAt: isOpen ? state.wakeAt?.toISOString() : undefined };
}

/** A stored state that this release cannot read. */
export class UnreadableStateError extends Error {}

function requireReadableField(isReadable: boolean, row: StoredStateRow, field: string): asserts isReadable {
  if (!isReadable)
    throw new UnreadableStateError(`${field} of the result of ${row.node_id} is not what this release writes`);
}

const isJsonObjectValue = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads what a node continues from. The service writes these fields; texts of users occur only inside of them. */
function readResumeData(row: StoredStateRow): ResumeData | null {
  const { held, child_id: childId, round } = row;
  if (childId !== null) return { kind: 'child', childId };
  if (held === null) return null;
  const data = isJsonObjectValue(held) ? parseResumeData(held, round ?? held['round']) : undefined;
  requireReadableField(data !== undefined, row, 'What is held');
  return data;
}

/** Undefined: it cannot be read. Null: it has nothing to continue from. */
function parseResumeData(held: Record<string, unknown>, round: unknown): ResumeData | null | undefined {
  const { items, count, concurrency, bytes, childId, message } = held;
  if (round !== undefined) {
    if (!Number.isInteger(round)) return undefined;
    return { kind: 'progress', progress: held as unknown as LoopRepetition };
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
      ? { kind: 'decision', asked: held as unknown as DecisionResumeData['asked'] }
      : undefined;
  if ('ending' in held) return null;
  return 'awaitsCall' in held ? { kind: 'call' } : undefined;
}

function readPortShares(row: StoredStateRow): PortShares {
  const shares = row.port_shares as Partial<PortShares>;
  requireReadableField(Array.isArray(shares.ports) && Array.isArray(shares.runs), row, 'The share of each port');
  return shares as PortShares;
}

/** Reads a time; null stays null. */
function readStoredTime(value: Date | string | null, row: StoredStateRow, field: string): Date | null {
  if (value === null) return null;
  const time = new Date(value);
  requireReadableField(!Number.isNaN(time.getTime()), row, field);
  return time;
}

/** Reads the state of a node from its row. Throws UnreadableStateError. */
export function readNodeState(row: StoredStateRow): NodeState {
  requireReadableField(row.tries === null || Array.isArray(row.tries), row, 'The list of tries');
  requireReadableField(row.error === null || isJsonObjectValue(row.error), row, 'The error');
  const history: NodeHistory = {
    path: row.node_id,
    attemptNumber: row.attempts,
    attempts: row.tries ?? [],
    startedAt: readStoredTime(row.started_at, row, 'The start') ?? new Date(0),
    resumeData: readResumeData(row),
  };
  const { status, port, output, error } = row;
  const completedAt = readStoredTime(row.completed_at, row, 'The end') ?? history.startedAt;
  const wakeAt = readStoredTime(row.wake_at, row, 'The wake time');
  switch (status) {
    case 'completed': {
      const largeBytes = row.large_bytes ?? null;
      const shares = row.port_shares ? { shares: readPortShares(row) } : {};
      return {
        ...history,
        status,
        port,
        ...shares,
        ...(Array.isArray(row.origins) && { origins: row.origins as ItemOrigins }),
        output,
        largeBytes,
        isOffloaded: row.is_away === true,
        completedAt,
      };
    }
    case 'failed':
      return { ...history, status, port, error, completedAt };
    case 'paused':
      return { ...history, status: 'waiting', reason: 'decision', wakeAt };
    default:
      // The worker of this node was lost, so the node has to run again.
      if (wakeAt === null && history.resumeData === null) return { ...history, status: 'running' };
      return error ? toRetryState(history, error, wakeAt) : toWaitingState(history, history.resumeData, wakeAt);
  }
}
