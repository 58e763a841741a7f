import { getRuntime } from '@/server/platform/runtime';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { RATE_LIMITS_BY_TIER, type WorkspaceTier } from '@/contract/tier';
import { processTokenBuckets, workspaceBucketName } from '@/server/platform/limits/buckets';
import { ApiProblem } from '@/server/platform/errors/problem';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { isOverConcurrencyLimit } from '@/server/platform/db/failures/sql-state';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { type ChildRunEnd, type ChildRunRequest, type ChildRunStart } from '@/server/workflow/nodes/node-type';
import { findRunInputIssues } from '@/server/workflow/nodes/flow/start';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { UNWANTED_CHILDREN_SQL } from './child-sweep';
import { IN_MEMORY_OUTPUT_LIMIT } from '../store/large-values';
import { versionAbilitiesSql } from '@/server/workflow/definition/abilities';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { requestCancellation } from './requests';
import { requireUsableObjects } from '../attempt/authority';
import { takeRunQuota } from './admission/run-quota';
import { normalizeValue } from '../store/value';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';

/** Maximum nesting depth of runs. */
export const MAX_RUN_DEPTH = 10;

/** Maximum number of runs that descend from one run, at any depth: bounds the runs that one call can cause. */
export const MAX_DESCENDANTS = 1000;

/** The part of a workspace's burst that is reserved for its API calls. */
const API_BURST_RESERVE = 1 / 4;

/** The attempt of a node that starts a child. */
interface ChildRunCall extends ChildRunRequest {
  path: string;
  attemptNumber: number;
}

export type ChildRunStarter = (call: ChildRunCall, signal: AbortSignal) => Promise<ChildRunStart>;

interface ParentRunRow {
  workspace_id: string;
  parent_workflow: string;
  parent_version: number;
  tier: WorkspaceTier;
  depth: number;
  descendants: number;
  child_id: string | null;
}

const FIND_PARENT_SQL = `
SELECT p.workspace_id, p.workflow_id AS parent_workflow, p.workflow_version AS parent_version, s.tier, p.depth, c.id AS child_id, coalesce((
    SELECT descendants FROM run_family WHERE root_id = coalesce((SELECT id FROM execution WHERE id = p.root_id), p.id)
  ), 0) AS descendants
FROM execution p
JOIN workspace s ON s.id = p.workspace_id
LEFT JOIN execution c ON c.parent_id = p.id AND c.parent_node = $2 AND c.parent_attempt = $3
WHERE p.id = $1`;

const READ_CHILD_TARGET_SQL = 'SELECT version, definition FROM workflow WHERE id = $1 AND workspace_id = $2';

/**
 * Inserts one child per attempt of a node; none for a parent that is final, cancelled or not claimed, and none for a
 * family at its limit. The lock on the family's row makes the count exact. If the root was deleted, the parent replaces
 * it.
 */
const INSERT_CHILD_SQL = `
WITH parent AS (
  SELECT p.* FROM execution p WHERE p.id = $6 AND p.worker_id IS NOT NULL AND p.cancel_requested_at IS NULL
    AND p.status NOT IN ('completed', 'failed')
  FOR KEY SHARE
),
root AS (
  SELECT r.id FROM parent p JOIN execution r ON r.id = p.root_id FOR KEY SHARE OF r
),
counted AS (
  INSERT INTO run_family AS f (root_id, descendants) SELECT coalesce((SELECT id FROM root), p.id), 1 FROM parent p
  ON CONFLICT (root_id) DO UPDATE SET descendants = f.descendants + 1 WHERE f.descendants < ${MAX_DESCENDANTS}
  RETURNING root_id
),
stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by, is_awaited,
    parent_id, parent_node, parent_attempt, depth, root_id, trace_parent, required_abilities)
  SELECT $1, p.workspace_id, child.workflow_id, child.workflow_version, 'pending', 'sub_workflow', $4::json, p.created_by, $5, p.id, $7, $8, p.depth + 1, counted.root_id, $9, ${versionAbilitiesSql('child')}
  FROM parent p CROSS JOIN counted CROSS JOIN (SELECT $2::text AS workflow_id, $3::int AS workflow_version) child
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT id, pg_notify('${NOTIFY_CHANNELS.work}', '') FROM stored`;

const childRefusal = (code: string, message: string) => new NodeFailure(code, message, false);

function requireFamilyLimits({ depth, descendants }: ParentRunRow): void {
  if (depth >= MAX_RUN_DEPTH) {
    throw createNodeFailure('TOO_DEEP', { maxDepth: MAX_RUN_DEPTH });
  }
  if (descendants >= MAX_DESCENDANTS) {
    const most = MAX_DESCENDANTS.toLocaleString('en');
    throw childRefusal(
      'TOO_MANY_RUNS',
      `At most ${most} runs may descend from one run; does one of them start itself?`,
    );
  }
}

/**
 * Takes a token of the workspace's rate limit; null: taken. Otherwise the delay until the next one, in milliseconds.
 */
async function takeChildRunToken({ workspace_id: workspaceId, tier }: ParentRunRow): Promise<number | null> {
  const reserve = Math.floor(RATE_LIMITS_BY_TIER[tier].burst * API_BURST_RESERVE);
  const { isAllowed, retryAfter } = await processTokenBuckets().take(workspaceBucketName(workspaceId), tier, reserve);
  return isAllowed ? null : retryAfter * 1000;
}

/** The version that a child runs. Throws NodeFailure when it may not or cannot be run. */
async function requireChildVersion(found: ParentRunRow, { workflowId, input }: ChildRunCall): Promise<number> {
  const { workspace_id: workspaceId, parent_workflow, parent_version } = found;
  const parent = { workflowId: parent_workflow, workflowVersion: parent_version };
  await requireUsableObjects(parent, [{ resource: 'workflow', id: workflowId }]);
  const { rows } = await databasePool().query<{ version: number; definition: WorkflowDefinition }>({
    name: 'engine.child-target',
    text: READ_CHILD_TARGET_SQL,
    values: [workflowId, workspaceId],
  });
  if (!rows[0]) throw createNodeFailure('WORKFLOW_NOT_FOUND', { workflowId: workflowId.slice(0, 100) });
  const { version, definition } = rows[0];
  const [issue] = await activationIssues(prismaClient(), workspaceId, definition);
  if (issue)
    throw childRefusal('WORKFLOW_NOT_READY', `The workflow is not ready to run: ${issue.field}: ${issue.message}`);
  const [inputIssue] = await findRunInputIssues(definition, input, { workspaceId });
  if (inputIssue)
    throw childRefusal('WORKFLOW_INPUT', `The workflow refuses its input: ${inputIssue.field}: ${inputIssue.message}`);
  return version;
}

async function startChildRun(parentId: string, call: ChildRunCall): Promise<ChildRunStart> {
  const { workflowId, input, isAwaited, path, attemptNumber } = call;
  const find = async () =>
    (
      await databasePool().query<ParentRunRow>({
        name: 'engine.find-child',
        text: FIND_PARENT_SQL,
        values: [parentId, path, attemptNumber],
      })
    ).rows[0];
  const found = await find();
  if (found?.child_id) return { executionId: found.child_id };
  if (!found) throw childRefusal('CANCELLED', 'The run is gone.');
  requireFamilyLimits(found);
  const retryAfterMs = await takeChildRunToken(found);
  if (retryAfterMs !== null) return { retryAfterMs };
  const version = await requireChildVersion(found, call);
  await takeRunQuota(found.workspace_id);
  const { json } = normalizeValue(input);
  const traceParent = getRuntime().tracing?.active?.traceparent ?? null;
  const values = [
    generateOrderedId('exec'),
    workflowId,
    version,
    json,
    isAwaited,
    parentId,
    path,
    attemptNumber,
    traceParent,
  ];
  const { rows } = await databasePool().query<{ id: string }>({
    name: 'engine.start-child',
    text: INSERT_CHILD_SQL,
    values,
  });
  const executionId = rows[0]?.id ?? requireStartedChild(await find());
  currentDispatcher().notifyWork();
  return { executionId };
}

/** The child that another worker has started for the same attempt. Throws the reason when there is none. */
function requireStartedChild(found: ParentRunRow | undefined): string {
  if (found?.child_id) return found.child_id;
  if (found) requireFamilyLimits(found);
  throw childRefusal('CANCELLED', 'The run is over.');
}

/** How a child ended. A large output is not loaded; `largeBytes` is its size. */
export type EndedChildRun = ChildRunEnd & { largeBytes: number | null };

/** Operations of a run on the child runs that its nodes start. */
export interface ChildRunTools {
  createStarter(parent: { id: string }): ChildRunStarter;
  /** Reads the ends of children. Like `stopUnwanted`, it retries while the database is unavailable, until `lost`. */
  readEnds(ids: string[], lost: AbortSignal): Promise<EndedChildRun[]>;
  stopUnwanted(parentId: string, lost: AbortSignal): Promise<void>;
}

export const childRunTools: ChildRunTools = {
  /** Starts children of a run; retries while the database is unavailable. */
  createStarter: (parent) => async (call, signal) => {
    try {
      return await retryWhileUnavailable(signal, () => startChildRun(parent.id, call));
    } catch (error) {
      if (error instanceof ApiProblem) throw childRefusal('RUN_QUOTA', error.message);
      if (!isOverConcurrencyLimit(error)) throw error;
      throw new NodeFailure('CONCURRENCY_LIMIT', 'As many runs as allowed are under way.');
    }
  },

  /** Returns the ends of those runs that have ended. A deleted run counts as failed. */
  async readEnds(ids, lost) {
    if (ids.length === 0) return [];
    const { rows } = await retryWhileUnavailable(lost, () =>
      databasePool().query<{
        id: string;
        status: string;
        output: unknown;
        bytes: number;
        error: StoredChildError | null;
      }>({
        name: 'engine.child-ends',
        text: `SELECT id, status, CASE WHEN bytes <= $2 THEN output END AS output, bytes, error
          FROM execution, LATERAL (SELECT coalesce(octet_length(output::text), 0) AS bytes) size WHERE id = ANY($1)`,
        values: [ids, IN_MEMORY_OUTPUT_LIMIT],
      }),
    );
    const rowById = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((executionId): EndedChildRun[] => {
      const row = rowById.get(executionId);
      const largeBytes = row && row.bytes > IN_MEMORY_OUTPUT_LIMIT ? row.bytes : null;
      if (row?.status === 'completed') return [{ executionId, status: 'completed', output: row.output, largeBytes }];
      if (row && row.status !== 'failed') return [];
      return [{ executionId, status: 'failed', error: row?.error ?? DELETED_CHILD_ERROR, largeBytes: null }];
    });
  },

  /** Cancels children for which the nodes of this run no longer wait. */
  async stopUnwanted(parentId, lost) {
    await retryWhileUnavailable(lost, async () => {
      const { rows } = await databasePool().query<{ id: string }>({
        name: 'engine.unwanted',
        text: `${UNWANTED_CHILDREN_SQL} AND c.parent_id = $1`,
        values: [parentId],
      });
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await requestCancellation(prismaClient(), ids);
    });
  },
};

interface StoredChildError {
  code: string;
  message: string;
}

const DELETED_CHILD_ERROR: StoredChildError = { code: 'NOT_FOUND', message: 'The run was deleted.' };
