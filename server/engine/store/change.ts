import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { pool } from '@/server/db/client';
import { DatabaseWait, retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { classifyFailure } from '@/server/db/failures/verdict';
import { BEGIN_BRIEFLY } from '@/server/db/session';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { NodeFailure } from '@/server/errors/node-failure';
import { log } from '@/server/log';
import type { ChangeData } from '@/server/nodes/node';
import { LIMIT_STATEMENTS } from '@/server/tables/faults';
import { FairSemaphore } from '../load/fair-semaphore';
import { parameters, publishSteps, WRITE_IN_TRANSACTION, type Checkpoint } from './checkpoint';
import { changeData } from './change-data';
import type { Row } from './rows';
import { readState, type StateRow } from './state-row';

/** An attempt of a node whose change and result are committed together. */
export interface ChangeStep {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  path: string;
  /** Aborted on timeout, cancellation and loss of the lease. */
  signal: AbortSignal;
  /** Makes the change and returns the result of the node. Null, or an error: the change is rolled back. */
  apply(data: ChangeData): Promise<Row | null>;
}

/** Returns the stored result; null: rolled back by `apply`. Throws what `apply` throws. */
export type CommitChange = (step: ChangeStep) => Promise<Row | null>;

/**
 * Number of changes in progress in one process: each holds a connection. One workspace gets three of them at most, so that changes that
 * wait for each other's locks do not stop those of other workspaces.
 */
const transactions = new FairSemaphore(4);

/** Begins a transaction, with limits of its statements. The pool limits the wait for a connection. */
const BEGIN = `${BEGIN_BRIEFLY}; ${LIMIT_STATEMENTS}`;
const RETRY_MS = 50;

const cancelled = () => new NodeFailure('CANCELLED', 'The run was cancelled.', false);
/** No code reads it: the next write of this run is refused as well. */
const notOwned = () => new NodeFailure('INTERNAL', 'The run belongs to another worker, or it has ended.', false);

const WRITE = { name: 'engine.change-result', text: WRITE_IN_TRANSACTION };

/** Rolls a transaction back without an error. */
class RolledBack extends Error {}

const checkpointOf = ({ executionId }: ChangeStep, row: Row): Checkpoint => ({
  executionId,
  parentId: null,
  limitedIn: null,
  status: 'running',
  final: null,
  release: null,
  unlessSignalled: false,
  answer: null,
  nodes: [row],
  logs: [],
});

/**
 * Writes the result of a node inside the transaction of its change, with the fencing of a checkpoint. Comes last: from here until the commit
 * it locks the execution, for which the checkpoints of all runs of this worker would wait.
 */
async function writeResult(client: pg.ClientBase, workerId: string, step: Checkpoint): Promise<void> {
  const { isInDatabase } = dispatcher();
  const { rows } = await client.query<{ updated: Record<string, boolean>; isStored: boolean }>({
    ...WRITE,
    values: parameters(workerId, [step], isInDatabase),
  });
  const [written] = rows;
  const isCancelled = written?.updated[step.executionId];
  if (isCancelled === undefined || !written?.isStored) throw notOwned();
  if (isCancelled) throw cancelled();
}

/** Throws RolledBack when `apply` returns null. Without an answer to a commit or rollback the connection is closed, which ends the transaction. */
async function commit(workerId: string, step: ChangeStep): Promise<Row> {
  const client = await pool().connect();
  let isBroken = true;
  try {
    await client.query(BEGIN);
    const row = await step.apply(changeData(client, step));
    step.signal.throwIfAborted();
    if (!row) throw new RolledBack();
    await writeResult(client, workerId, checkpointOf(step, row));
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

const STORED = {
  name: 'engine.stored-result',
  text: `SELECT node_id, status, port, attempts, tries, error, started_at, completed_at, wake_at, held, round, child_id,
      CASE WHEN large_bytes IS NULL THEN output END AS output, large_bytes, large_bytes IS NOT NULL AS is_away
    FROM node_result WHERE execution_id = $1 AND node_id = $2 AND status IN ('completed', 'failed')`,
};

/**
 * The final result of a node, if an earlier transaction has stored one: the response to its commit may have been lost. Such a transaction
 * may still be in progress; it holds a lock on the execution until it ends.
 */
async function storedResult({ executionId, path }: ChangeStep, lost: AbortSignal): Promise<Row | null> {
  return retryWhileUnavailable(lost, async () => {
    await pool().query('SELECT FROM execution WHERE id = $1 FOR NO KEY UPDATE', [executionId]);
    const { rows } = await pool().query<StateRow>({ ...STORED, values: [executionId, path] });
    return rows[0] ? { state: readState(rows[0]), json: null, resumeJson: null } : null;
  });
}

/** What a node's author may read of an error. */
function failureOf(error: unknown, { executionId, path }: ChangeStep): unknown {
  if (classifyFailure(error) === 'slow')
    return new NodeFailure('TIMEOUT', 'A statement of the change took too long. Narrow its filter.');
  if (error instanceof NodeFailure || !(error instanceof Error) || error.name === 'AbortError') return error;
  log().warn({ err: error, executionId, nodeId: path }, 'a change could not be stored');
  return new NodeFailure('INTERNAL', 'The change could not be stored.');
}

/** One attempt: the stored result, null if `apply` rolled it back, or why it has to be repeated. */
async function makeOnce(
  workerId: string,
  step: ChangeStep,
  lost: AbortSignal,
): Promise<Row | null | 'away' | 'collision'> {
  const release = await transactions.take(step.workspaceId, 1);
  try {
    step.signal.throwIfAborted();
    const row = await commit(workerId, step);
    if (!dispatcher().isInDatabase) publishSteps([checkpointOf(step, row)]);
    return row;
  } catch (error) {
    const stored = await storedResult(step, lost);
    if (stored) return stored;
    if (error instanceof RolledBack) return null;
    const verdict = classifyFailure(error);
    if (verdict === 'lasting' || verdict === 'slow') throw failureOf(error, step);
    return verdict === 'collision' ? 'collision' : 'away';
  } finally {
    release();
  }
}

/**
 * The writer of a worker for changes: each is one transaction with the result of its node. Transactions that fail for a passing reason are
 * repeated until the node's timeout. An error is reported only after it is certain that nothing was committed.
 */
export function changeWriter(workerId: string, lost: AbortSignal): CommitChange {
  return async (step) => {
    const wait = new DatabaseWait(step.signal);
    try {
      for (;;) {
        const made = await makeOnce(workerId, step, lost);
        if (made !== 'away' && made !== 'collision') return made;
        const pauseMs = RETRY_MS * (0.5 + Math.random());
        if (made === 'away') await wait.pause(pauseMs);
        else {
          // The database is there: this is time that the node takes.
          wait.end();
          await pause(pauseMs, undefined, { signal: step.signal });
        }
      }
    } finally {
      wait.end();
    }
  };
}
