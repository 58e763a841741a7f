import type { SocketServerMessage } from '@/contract/channel';
import type { ExecutionStatus, NodeStatus } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';

/** The stored result of a node. */
export interface NodeResultRow {
  nodeId: string;
  status: NodeStatus;
  output: unknown;
  startedAt: Date | null;
  completedAt: Date | null;
  /** The execution's revision that wrote the row. */
  revision: number;
}

/** One read of an execution: its row, and the node rows newer than the reader's revision, oldest first. */
export interface RunChanges {
  executionId: string;
  status: ExecutionStatus;
  revision: number;
  /** Set for final executions only. */
  output: unknown;
  startedAt: Date;
  completedAt: Date | null;
  rows: NodeResultRow[];
  /** False: more rows must be read before the execution's row is consistent with them. */
  isLast: boolean;
  /** Nodes that a final execution never reached. */
  skipped: string[];
  readAt: Date;
}

/** The position of a subscriber in the message stream. */
export interface WatchProgress {
  /** The status of the execution in the latest message; null before the first page. */
  status: ExecutionStatus | null;
  /** Rows up to this revision have been read. */
  revision: number;
  /** Rows up to this revision are the initial state; newer ones are changes. */
  stateUntil: number;
  /** Nodes without a final status, with the status last sent. */
  unfinished: ReadonlyMap<string, NodeStatus>;
  isDone: boolean;
}

/** The position of a new subscriber. */
export const INITIAL_PROGRESS: WatchProgress = {
  status: null,
  revision: -1,
  stateUntil: -1,
  unfinished: new Map(),
  isDone: false,
};

const isFinalNodeStatus = (status: NodeStatus) => status === 'completed' || status === 'failed' || status === 'skipped';
const isWaitingRunStatus = (status: ExecutionStatus) => status === 'pending' || status === 'paused';

/**
 * The messages for a subscriber after a read, and the subscriber's new position. Pure. A read shows a state and not how
 * it came about, so the steps that must have happened in between are filled in: a node that has ended ran before, and
 * so did an execution whose nodes changed.
 */
export function updateMessages(
  before: WatchProgress,
  page: RunChanges,
): { messages: SocketServerMessage[]; after: WatchProgress } {
  const { executionId } = page;
  const updates: SocketServerMessage[] = [];
  const unsettled = new Map(before.unfinished);
  const tell = (status: ExecutionStatus | NodeStatus, at: Date | null, nodeId?: string) =>
    updates.push({
      type: 'execution_update',
      executionId,
      status,
      ...(nodeId === undefined ? {} : { nodeId }),
      timestamp: (at ?? page.readAt).toISOString(),
    });
  const complete = ({ nodeId, output }: NodeResultRow) =>
    updates.push({ type: 'node_completed', executionId, nodeId, output: output ?? null });
  const reached = page.status === 'pending' ? page.startedAt : page.completedAt;

  let { status, stateUntil } = before;
  if (status === null) {
    status = page.status;
    stateUntil = page.revision;
    tell(status, reached);
  }

  for (const row of page.rows) {
    const previous = unsettled.get(row.nodeId);
    if (isFinalNodeStatus(row.status)) unsettled.delete(row.nodeId);
    else unsettled.set(row.nodeId, row.status);

    if (row.revision <= stateUntil) {
      if (row.status === 'completed') complete(row);
      continue;
    }
    // A waiting node that was cancelled or expired does not mean that the run continued.
    const isMove = row.status !== 'skipped' && !(row.status === 'failed' && previous);
    if (isWaitingRunStatus(status) && isMove) tell((status = 'running'), row.startedAt ?? row.completedAt);
    if (row.status === previous) continue;
    const wentThrough = row.status === 'completed' || row.status === 'failed';
    if (wentThrough && (previous === undefined || previous === 'pending')) tell('running', row.startedAt, row.nodeId);
    tell(row.status, row.status === 'running' ? row.startedAt : row.completedAt, row.nodeId);
    if (row.status === 'completed') complete(row);
  }

  if (!page.isLast) {
    const revision = page.rows.at(-1)?.revision ?? before.revision;
    return { messages: updates, after: { status, revision, stateUntil, unfinished: unsettled, isDone: false } };
  }

  const isDone = isFinalStatus(page.status);
  if (page.status !== status) {
    if (isDone) for (const nodeId of page.skipped) tell('skipped', page.completedAt, nodeId);
    tell((status = page.status), reached);
  }
  if (isDone) updates.push({ type: 'execution_completed', executionId, status, output: page.output ?? null });
  return { messages: updates, after: { status, revision: page.revision, stateUntil, unfinished: unsettled, isDone } };
}
