import type { Definition, Node } from '@/contract/workflows/workflow';
import { pool, type Db } from '@/server/db/client';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { fromJson } from '@/server/expressions/large-json';
import { nodeAt } from '@/server/workflow/definition';
import type { CallPlace } from '../attempt/call-link';
import { wake } from './requests';

/** A node that takes a call, and the workspace and workflow of its run. */
export interface CallTaker {
  workspaceId: string;
  workflowId: string;
  node: Node;
}

/** The node at a place; null: the run or its workspace was deleted. */
export async function callTaker(db: Db, { executionId, nodeId }: CallPlace): Promise<CallTaker | null> {
  const [row] = await db.$queryRaw<{ workspaceId: string; workflowId: string; definition: Definition }[]>`
    SELECT e.workspace_id AS "workspaceId", e.workflow_id AS "workflowId", v.definition
    FROM execution e JOIN workspace s ON s.id = e.workspace_id AND s.deleted_at IS NULL
    JOIN workflow_version v ON v.workflow_id = e.workflow_id AND v.version = e.workflow_version
    WHERE e.id = ${executionId}`;
  const node = row && nodeAt(row.definition, nodeId);
  return node ? { workspaceId: row.workspaceId, workflowId: row.workflowId, node } : null;
}

/** The paths of a node and of the loops around it: `a[1].b[2].c`, `a[1].b`, `a`. */
const pathsTo = (path: string): string[] => [
  path,
  ...[...path.matchAll(/\[\d+\]\./g)].map(({ index }) => path.slice(0, index)),
];

/** Whether a call can still be of use: none has arrived, and neither the node, a loop around it, nor the run has ended. */
export async function isOpenForCall(db: Db, { executionId, nodeId }: CallPlace): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isOpen: boolean }[]>`
    SELECT e.status NOT IN ('completed', 'failed') AND e.cancel_requested_at IS NULL
      AND (e.deadline_at IS NULL OR e.deadline_at > now())
      AND NOT EXISTS (SELECT FROM received_call c WHERE c.execution_id = e.id AND c.node_id = ${nodeId})
      AND NOT EXISTS (SELECT FROM node_result r WHERE r.execution_id = e.id AND r.node_id = ANY(${pathsTo(nodeId)}::text[])
        AND (r.status IN ('completed', 'failed') OR (r.node_id = ${nodeId} AND r.wake_at <= now()))) AS "isOpen"
    FROM execution e WHERE e.id = ${executionId}`;
  return row?.isOpen === true;
}

/**
 * Stores a call within a transaction, and wakes its run. Of several calls exactly one is stored. False: it was of no use any
 * more. A call that is stored before the node expires is used: the expiry is refused while a signal waits.
 */
export async function storeCall(db: Db, place: CallPlace, json: string): Promise<boolean> {
  const { executionId, nodeId } = place;
  // Checkpoints and other calls of the run wait for this lock, so that what is read next stays true.
  await db.$queryRaw`SELECT id FROM execution WHERE id = ${executionId} FOR UPDATE`;
  if (!(await isOpenForCall(db, place))) return false;
  await db.$executeRaw`
    INSERT INTO received_call (execution_id, node_id, value) VALUES (${executionId}, ${nodeId}, ${json}::json)`;
  // The node may be reached much later: until then the call itself keeps its files.
  await db.$executeRaw`
    SELECT note_files(id, workspace_id, ${json}::json) FROM execution WHERE id = ${executionId} AND names_files(${json}::json)`;
  // The revision: a claim reads calls only of runs with one. A run that waits for room reads the call when it is let go.
  await db.$executeRaw`
    UPDATE execution SET available_at = CASE WHEN queued_at IS NULL THEN now() END, revision = greatest(revision, 1)
    WHERE id = ${executionId}`;
  await wake(db, [executionId]);
  return true;
}

/** Whether the same call was stored within the last minute, as by the first half of a double click. */
export async function wasCallJustStored(db: Db, { executionId, nodeId }: CallPlace, json: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isSame: boolean }[]>`
    SELECT value::text = ${json} AND received_at > now() - interval '1 minute' AS "isSame"
    FROM received_call WHERE execution_id = ${executionId} AND node_id = ${nodeId}`;
  return row?.isSame === true;
}

export const NO_CALLS: ReadonlySet<string> = new Set();

/** The paths at which calls have arrived, by execution. */
export async function readCalledPaths(executionIds: string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await pool().query<{ execution_id: string; paths: string[] }>({
    name: 'engine.calls',
    text: 'SELECT execution_id, array_agg(node_id) AS paths FROM received_call WHERE execution_id = ANY($1) GROUP BY 1',
    values: [executionIds],
  });
  return new Map(rows.map(({ execution_id, paths }) => [execution_id, new Set(paths)]));
}

/** The value of a call that has arrived; a large one stays text. Retries while the database is unavailable. */
export const readCall = ({ executionId, nodeId }: CallPlace, signal: AbortSignal): Promise<unknown> =>
  retryWhileUnavailable(signal, async () => {
    const { rows } = await pool().query<{ value: string }>({
      name: 'engine.read-call',
      text: 'SELECT value::text AS value FROM received_call WHERE execution_id = $1 AND node_id = $2',
      values: [executionId, nodeId],
    });
    return fromJson(rows[0]?.value ?? 'null');
  });
