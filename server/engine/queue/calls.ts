import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import { findNodeByPath } from '@/server/workflow/definition/node-paths';
import type { CallTarget } from '../attempt/call-link';
import { notifyRunWorkers } from './requests';

/** A node that waits for a call, and the workspace and workflow of its run. */
export interface CalledNode {
  workspaceId: string;
  workflowId: string;
  node: WorkflowNode;
}

/** Returns the node that a call addresses; null: the run or its workspace was deleted. */
export async function findCalledNode(
  db: DatabaseClient,
  { executionId, nodeId }: CallTarget,
): Promise<CalledNode | null> {
  const [row] = await db.$queryRaw<{ workspaceId: string; workflowId: string; definition: WorkflowDefinition }[]>`
    SELECT e.workspace_id AS "workspaceId", e.workflow_id AS "workflowId", v.definition
    FROM execution e JOIN workspace s ON s.id = e.workspace_id AND s.deleted_at IS NULL
    JOIN workflow_version v ON v.workflow_id = e.workflow_id AND v.version = e.workflow_version
    WHERE e.id = ${executionId}`;
  const node = row && findNodeByPath(row.definition, nodeId);
  return node ? { workspaceId: row.workspaceId, workflowId: row.workflowId, node } : null;
}

/** Returns the paths of a node and of the loops around it: `a[1].b[2].c`, `a[1].b`, `a`. */
const enclosingNodePaths = (path: string): string[] => [
  path,
  ...[...path.matchAll(/\[\d+\]\./g)].map(({ index }) => path.slice(0, index)),
];

/**
 * Whether a call would be used: none has arrived yet, and neither the node, nor a loop around it, nor the run has
 * ended.
 */
export async function isOpenForCall(db: DatabaseClient, { executionId, nodeId }: CallTarget): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isOpen: boolean }[]>`
    SELECT e.status NOT IN ('completed', 'failed') AND e.cancel_requested_at IS NULL
      AND (e.deadline_at IS NULL OR e.deadline_at > now())
      AND NOT EXISTS (SELECT FROM received_call c WHERE c.execution_id = e.id AND c.node_id = ${nodeId})
      AND NOT EXISTS (SELECT FROM node_result r WHERE r.execution_id = e.id AND r.node_id = ANY(${enclosingNodePaths(nodeId)}::text[])
        AND (r.status IN ('completed', 'failed') OR (r.node_id = ${nodeId} AND r.wake_at <= now()))) AS "isOpen"
    FROM execution e WHERE e.id = ${executionId}`;
  return row?.isOpen === true;
}

/**
 * Stores a call within a transaction, and wakes its run. Of several calls exactly one is stored. Returns false if it
 * came too late. A call that is stored before the node expires is used: the expiry is refused while a signal waits.
 * `visitor`: who has filled in the page of a form.
 */
export async function storeReceivedCall(
  db: DatabaseClient,
  place: CallTarget,
  json: string,
  visitor: string | null = null,
): Promise<boolean> {
  const { executionId, nodeId } = place;
  // Checkpoints and other calls of the run wait for this lock, so that what is read next stays true.
  await db.$queryRaw`SELECT id FROM execution WHERE id = ${executionId} FOR UPDATE`;
  if (!(await isOpenForCall(db, place))) return false;
  await db.$executeRaw`
    INSERT INTO received_call (execution_id, node_id, value, visitor)
    VALUES (${executionId}, ${nodeId}, ${json}::json, ${visitor})`;
  // The node may be reached much later: until then the call itself keeps its files.
  await db.$executeRaw`
    SELECT note_files(id, workspace_id, ${json}::json) FROM execution WHERE id = ${executionId} AND names_files(${json}::json)`;
  // A claim reads calls only of runs with a revision. A run that waits for admission reads the call when it is
  // admitted.
  await db.$executeRaw`
    UPDATE execution SET available_at = CASE WHEN queued_at IS NULL THEN now() END, revision = greatest(revision, 1)
    WHERE id = ${executionId}`;
  await notifyRunWorkers(db, [executionId]);
  return true;
}

/** Whether the same call was stored within the last minute, for example by the first click of a double click. */
export async function isRepeatedCall(
  db: DatabaseClient,
  { executionId, nodeId }: CallTarget,
  json: string,
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isSame: boolean }[]>`
    SELECT value::text = ${json} AND received_at > now() - interval '1 minute' AS "isSame"
    FROM received_call WHERE execution_id = ${executionId} AND node_id = ${nodeId}`;
  return row?.isSame === true;
}

/** The values that a visitor has sent with a page; undefined: the page was not sent, or by another visitor. */
export async function readReceivedPage({ executionId, nodeId }: CallTarget, visitor: string): Promise<unknown> {
  const { rows } = await databasePool().query<{ value: unknown }>(
    'SELECT value FROM received_call WHERE execution_id = $1 AND node_id = $2 AND visitor = $3',
    [executionId, nodeId, visitor],
  );
  return rows[0]?.value;
}

export const NO_RECEIVED_CALLS: ReadonlySet<string> = new Set();

/** The paths at which calls have arrived, by execution. */
export async function readCalledPaths(executionIds: string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await databasePool().query<{ execution_id: string; paths: string[] }>({
    name: 'engine.calls',
    text: 'SELECT execution_id, array_agg(node_id) AS paths FROM received_call WHERE execution_id = ANY($1) GROUP BY 1',
    values: [executionIds],
  });
  return new Map(rows.map(({ execution_id, paths }) => [execution_id, new Set(paths)]));
}

/** The value of a call that has arrived; a large one stays text. Retries while the database is unavailable. */
export const readReceivedCall = ({ executionId, nodeId }: CallTarget, signal: AbortSignal): Promise<unknown> =>
  retryWhileUnavailable(signal, async () => {
    const { rows } = await databasePool().query<{ value: string }>({
      name: 'engine.read-call',
      text: 'SELECT value::text AS value FROM received_call WHERE execution_id = $1 AND node_id = $2',
      values: [executionId, nodeId],
    });
    return parseUnlessLarge(rows[0]?.value ?? 'null');
  });
