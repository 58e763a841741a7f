import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { databasePool } from '@/server/platform/db/client';
import { DatabaseWait, retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { classifyDatabaseFailure } from '@/server/platform/db/failures/verdict';
import { BEGIN_BRIEF_TRANSACTION } from '@/server/platform/db/session';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { serviceLog } from '@/server/platform/log';
import type { ChangeTransaction } from '@/server/workflow/nodes/node-type';
import { LIMIT_STATEMENTS_SQL } from '@/server/data/tables/table-errors';
import { FairSemaphore } from '../load/fair-semaphore';
import { bindCheckpoint, publishCheckpoints, CHECKPOINT_IN_TRANSACTION, type RunCheckpoint } from './checkpoint';
import { openChangeData } from './change-data';
import type { PendingNodeRow } from './rows';
import { readNodeState, type StoredStateRow } from './state-row';

/** An attempt of a node whose change and result are committed together. */
export interface NodeChangeRequest {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  path: string;
  /** Aborted on timeout, cancellation and loss of the lease. */
  signal: AbortSignal;
  /** Makes the change and returns the result of the node. Null, or an error: the change is rolled back. */
  apply(data: ChangeTransaction): Promise<PendingNodeRow | null>;
}

/** Returns the stored result; null: rolled back by `apply`. Throws what `apply` throws. */
export type CommitChange = (step: NodeChangeRequest) => Promise<PendingNodeRow | null>;

/**
 * Number of changes in progress in one process: each holds a connection. One workspace gets three of them at most, so
 * that changes that wait for each other's locks do not stop those of other workspaces.
 */
const changeTransactionSlots = new FairSemaphore(4);

/** Begins a transaction and limits its statements. The pool limits the wait for a connection. */
const BEGIN_CHANGE = `${BEGIN_BRIEF_TRANSACTION}; ${LIMIT_STATEMENTS_SQL}`;
const CHANGE_RETRY_MS = 50;

const runCancelledFailure = () => new NodeFailure('CANCELLED', 'The run was cancelled.', false);
/** No code reads this failure, because the next write of this run is refused as well. */
const runNotOwnedFailure = () =>
  new NodeFailure('INTERNAL', 'The run belongs to another worker, or it has ended.', false);

const WRITE_CHANGE_RESULT = { name: 'engine.change-result', text: CHECKPOINT_IN_TRANSACTION };

/** Rolls a transaction back without an error. */
class ChangeRolledBack extends Error {}

const changeCheckpoint = ({ executionId }: NodeChangeRequest, row: PendingNodeRow): RunCheckpoint => ({
  executionId,
  parentId: null,
  limitedWorkspaceId: null,
  status: 'running',
  final: null,
  release: null,
  unlessSignalled: false,
  callerResponse: null,
  nodes: [row],
  logs: [],
});

/**
 * Writes the result of a node inside the transaction of its change, with the fencing of a checkpoint. Comes last: from
 * here until the commit it locks the execution, for which the checkpoints of all runs of this worker would wait.
 */
async function writeChangeResult(client: pg.ClientBase, workerId: string, step: RunCheckpoint): Promise<void> {
  const { isInDatabase } = currentDispatcher();
  const { rows } = await client.query<{ updated: Record<string, boolean>; isStored: boolean }>({
    ...WRITE_CHANGE_RESULT,
    values: bindCheckpoint(workerId, [step], isInDatabase),
  });
  const [written] = rows;
  const isCancelled = written?.updated[step.executionId];
  if (isCancelled === undefined || !written?.isStored) throw runNotOwnedFailure();
  if (isCancelled) throw runCancelledFailure();
}

/**
 * Throws RolledBack when `apply` returns null. Without an answer to a commit or rollback the connection is closed,
 * which ends the transaction.
 */
async function commitInTransaction(workerId: string, step: NodeChangeRequest): Promise<PendingNodeRow> {
  const client = await databasePool().connect();
  let isBroken = true;
  try {
    await client.query(BEGIN_CHANGE);
    const row = await step.apply(openChangeData(client, step));
    step.signal.throwIfAborted();
    if (!row) throw new ChangeRolledBack();
    await writeChangeResult(client, workerId, changeCheckpoint(step, row));
    await client.query('COMMIT');
    isBroken = false;
    return row;
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => {
        isBroken = false;
      },
      () => undefined,
    );
    throw error;
  } finally {
    client.release(isBroken);
  }
}

const SELECT_STORED_RESULT = {
  name: 'engine.stored-result',
  text: `SELECT node_id, status, port, attempts, tries, error, started_at, completed_at, wake_at, held, round, child_id,
      CASE WHEN large_bytes IS NULL THEN output END AS output, large_bytes, large_bytes IS NOT NULL AS is_away
    FROM node_result WHERE execution_id = $1 AND node_id = $2 AND status IN ('completed', 'failed')`,
};

/**
 * The final result of a node, if an earlier transaction has stored one: the response to its commit may have been lost.
 * Such a transaction may still be in progress; it holds a lock on the execution until it ends.
 */
async function findStoredResult(
  { executionId, path }: NodeChangeRequest,
  lost: AbortSignal,
): Promise<PendingNodeRow | null> {
  return retryWhileUnavailable(lost, async () => {
    await databasePool().query('SELECT FROM execution WHERE id = $1 FOR NO KEY UPDATE', [executionId]);
    const { rows } = await databasePool().query<StoredStateRow>({
      ...SELECT_STORED_RESULT,
      values: [executionId, path],
    });
    return rows[0] ? { state: readNodeState(rows[0]), json: null, resumeJson: null } : null;
  });
}

/** Converts an error into one that a node's author may read. Failures that say nothing to the author are logged. */
function toChangeFailure(error: unknown, { executionId, path }: NodeChangeRequest): unknown {
  if (classifyDatabaseFailure(error) === 'slow')
    return new NodeFailure('TIMEOUT', 'A statement of the change took too long. Narrow its filter.');
  if (error instanceof NodeFailure || !(error instanceof Error) || error.name === 'AbortError') return error;
  serviceLog().warn({ err: error, executionId, nodeId: path }, 'a change could not be stored');
  return new NodeFailure('INTERNAL', 'The change could not be stored.');
}

/** One attempt: the stored result, null if `apply` rolled it back, or why it has to be repeated. */
async function tryChangeOnce(
  workerId: string,
  step: NodeChangeRequest,
  lost: AbortSignal,
): Promise<PendingNodeRow | null | 'away' | 'collision'> {
  const release = await changeTransactionSlots.acquire(step.workspaceId, 1);
  try {
    step.signal.throwIfAborted();
    const row = await commitInTransaction(workerId, step);
    if (!currentDispatcher().isInDatabase) publishCheckpoints([changeCheckpoint(step, row)]);
    return row;
  } catch (error) {
    const stored = await findStoredResult(step, lost);
    if (stored) return stored;
    if (error instanceof ChangeRolledBack) return null;
    const verdict = classifyDatabaseFailure(error);
    if (verdict === 'lasting' || verdict === 'slow') throw toChangeFailure(error, step);
    return verdict === 'collision' ? 'collision' : 'away';
  } finally {
    release();
  }
}

/**
 * The writer of a worker for changes: each is one transaction with the result of its node. Transactions that fail for a
 * passing reason are repeated until the node's timeout. An error is reported only after it is certain that nothing was
 * committed.
 */
export function createChangeWriter(workerId: string, lost: AbortSignal): CommitChange {
  return async (step) => {
    const wait = new DatabaseWait(step.signal);
    try {
      for (;;) {
        const made = await tryChangeOnce(workerId, step, lost);
        if (made !== 'away' && made !== 'collision') return made;
        const pauseMs = CHANGE_RETRY_MS * (0.5 + Math.random());
        if (made === 'away') await wait.pause(pauseMs);
        else {
          // The database answers, so this pause counts as time of the node.
          wait.end();
          await pause(pauseMs, undefined, { signal: step.signal });
        }
      }
    } finally {
      wait.end();
    }
  };
}
