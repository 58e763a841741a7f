import type { ServerMessage } from '@/contract/channel';
import type { ExecutionStatus, NodeStatus } from '@/contract/execution';
import { isFinal } from '@/contract/states';

/** A node's row as read. */
export interface NodeRow {
  nodeId: string;
  status: NodeStatus;
  output: unknown;
  startedAt: Date | null;
  completedAt: Date | null;
  /** The execution's revision that wrote it. */
  revision: number;
}

/** What one read of an execution brought: its row, and node rows newer than the reader's revision, oldest first. */
export interface Page {
  executionId: string;
  status: ExecutionStatus;
  revision: number;
  /** Only of a final execution. */
  output: unknown;
  startedAt: Date;
  completedAt: Date | null;
  rows: NodeRow[];
  /** False: there are more rows to read before the execution's row may be believed. */
  isLast: boolean;
  /** Nodes that a final execution never reached. */
  skipped: string[];
  readAt: Date;
}

/** How far a subscriber has been told. */
export interface Progress {
  /** The execution's status last told; null before the first page. */
  status: ExecutionStatus | null;
  /** Rows up to here have been read. */
  revision: number;
  /** Rows up to here are the state so far; what is newer is news. */
  stateUntil: number;
  /** Nodes that are not at their end, with the status last known. */
  unsettled: ReadonlyMap<string, NodeStatus>;
  isDone: boolean;
}

export const NOTHING_TOLD: Progress = {
  status: null,
  revision: -1,
  stateUntil: -1,
  unsettled: new Map(),
  isDone: false,
};

const isSettled = (status: NodeStatus) => status === 'completed' || status === 'failed' || status === 'skipped';
const isResting = (status: ExecutionStatus) => status === 'pending' || status === 'paused';

/**
 * What a subscriber has to be told after a read, and how far they have been told then. Pure.
 *
 * A read shows where things stand, not the way there, so steps that certainly happened in between are filled in: a
 * node that is suddenly at its end was running before, and so was an execution whose nodes moved.
 */
export function messages(before: Progress, page: Page): { messages: ServerMessage[]; after: Progress } {
  const { executionId } = page;
  const told: ServerMessage[] = [];
  const unsettled = new Map(before.unsettled);
  const tell = (status: ExecutionStatus | NodeStatus, at: Date | null, nodeId?: string) =>
    told.push({
      type: 'execution_update',
      executionId,
      status,
      ...(nodeId === undefined ? {} : { nodeId }),
      timestamp: (at ?? page.readAt).toISOString(),
    });
  const complete = ({ nodeId, output }: NodeRow) =>
    told.push({ type: 'node_completed', executionId, nodeId, output: output ?? null });
  const reached = page.status === 'pending' ? page.startedAt : page.completedAt;

  let { status, stateUntil } = before;
  if (status === null) {
    status = page.status;
    stateUntil = page.revision;
    tell(status, reached);
  }

  for (const row of page.rows) {
    const known = unsettled.get(row.nodeId);
    if (isSettled(row.status)) unsettled.delete(row.nodeId);
    else unsettled.set(row.nodeId, row.status);

    if (row.revision <= stateUntil) {
      if (row.status === 'completed') complete(row);
      continue;
    }
    // A waiting node that was given up (cancelled, expired) is no sign that the run went on.
    const isMove = row.status !== 'skipped' && !(row.status === 'failed' && known);
    if (isResting(status) && isMove) tell((status = 'running'), row.startedAt ?? row.completedAt);
    if (row.status === known) continue;
    const wentThrough = row.status === 'completed' || row.status === 'failed';
    if (wentThrough && (known === undefined || known === 'pending')) tell('running', row.startedAt, row.nodeId);
    tell(row.status, row.status === 'running' ? row.startedAt : row.completedAt, row.nodeId);
    if (row.status === 'completed') complete(row);
  }

  if (!page.isLast) {
    const revision = page.rows.at(-1)?.revision ?? before.revision;
    return { messages: told, after: { status, revision, stateUntil, unsettled, isDone: false } };
  }

  const isDone = isFinal(page.status);
  if (page.status !== status) {
    if (isDone) for (const nodeId of page.skipped) tell('skipped', page.completedAt, nodeId);
    tell((status = page.status), reached);
  }
  if (isDone) told.push({ type: 'execution_completed', executionId, status, output: page.output ?? null });
  return { messages: told, after: { status, revision: page.revision, stateUntil, unsettled, isDone } };
}
