import { runtime } from '@/server/runtime';
import type { Definition } from '@/contract/workflows/workflow';
import { TIERS, type Tier } from '@/contract/tier';
import { tokenBuckets, workspaceBucket } from '@/server/limits/buckets';
import { Problem } from '@/server/errors/problem';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { pool, prisma } from '@/server/db/client';
import { newOrderedId } from '@/server/db/ids';
import { isOverLimit } from '@/server/db/failures/sql-state';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { type ChildEnd, type ChildRequest, type ChildStart } from '@/server/nodes/node';
import { inputIssues } from '@/server/nodes/flow/start';
import { CHANNELS } from '@/server/db/notify-channels';
import { UNWANTED } from './child-sweep';
import { LARGE } from '../store/large-values';
import { abilitiesOfVersion } from '@/server/workflow/abilities';
import { gapsOf } from '@/server/workflow/readiness';
import { cancel } from './requests';
import { requireUsable } from '../attempt/authority';
import { takeRunQuota } from './admission/run-quota';
import { storedValue } from '../store/value';
import { NodeFailure } from '@/server/errors/node-failure';

/** Maximum nesting depth of runs. */
export const MAX_RUN_DEPTH = 10;

/** Maximum number of runs that descend from one run, at any depth: bounds the runs that one call can cause. */
export const MAX_DESCENDANTS = 1000;

/** The share of a workspace's burst that child runs leave to its API calls. */
const RESERVE = 1 / 4;

/** The attempt of a node that starts a child. */
interface ChildCall extends ChildRequest {
  path: string;
  attemptNumber: number;
}

export type StartChild = (call: ChildCall, signal: AbortSignal) => Promise<ChildStart>;

interface Found {
  workspace_id: string;
  parent_workflow: string;
  parent_version: number;
  tier: Tier;
  depth: number;
  descendants: number;
  child_id: string | null;
}

const FIND = `
SELECT p.workspace_id, p.workflow_id AS parent_workflow, p.workflow_version AS parent_version, s.tier, p.depth, c.id AS child_id, coalesce((
    SELECT descendants FROM run_family WHERE root_id = coalesce((SELECT id FROM execution WHERE id = p.root_id), p.id)
  ), 0) AS descendants
FROM execution p
JOIN workspace s ON s.id = p.workspace_id
LEFT JOIN execution c ON c.parent_id = p.id AND c.parent_node = $2 AND c.parent_attempt = $3
WHERE p.id = $1`;

const TARGET = 'SELECT version, definition FROM workflow WHERE id = $1 AND workspace_id = $2';

/**
 * Inserts one child per attempt of a node; none for a parent that is final, cancelled or not claimed, and none for a
 * family at its limit. The lock on the family's row makes the count exact. If the root was deleted, the parent replaces
 * it.
 */
const INSERT = `
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
  SELECT $1, p.workspace_id, child.workflow_id, child.workflow_version, 'pending', 'sub_workflow', $4::json, p.created_by, $5, p.id, $7, $8, p.depth + 1, counted.root_id, $9, ${abilitiesOfVersion('child')}
  FROM parent p CROSS JOIN counted CROSS JOIN (SELECT $2::text AS workflow_id, $3::int AS workflow_version) child
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT id, pg_notify('${CHANNELS.work}', '') FROM stored`;

const refused = (code: string, message: string) => new NodeFailure(code, message, false);

function requireFamilyLimits({ depth, descendants }: Found): void {
  if (depth >= MAX_RUN_DEPTH) {
    throw refused('TOO_DEEP', `Sub-workflows may be nested ${MAX_RUN_DEPTH} deep; does one of them run itself?`);
  }
  if (descendants >= MAX_DESCENDANTS) {
    const most = MAX_DESCENDANTS.toLocaleString('en');
    throw refused('TOO_MANY_RUNS', `At most ${most} runs may descend from one run; does one of them start itself?`);
  }
}

/** Takes a token of the workspace's rate limit; null: taken. Otherwise the delay until the next one, in milliseconds. */
async function takeToken({ workspace_id: workspaceId, tier }: Found): Promise<number | null> {
  const reserve = Math.floor(TIERS[tier].burst * RESERVE);
  const { isAllowed, retryAfter } = await tokenBuckets().take(workspaceBucket(workspaceId), tier, reserve);
  return isAllowed ? null : retryAfter * 1000;
}

/** The version that a child runs. Throws NodeFailure when it may not or cannot be run. */
async function targetVersion(found: Found, { workflowId, input }: ChildCall): Promise<number> {
  const { workspace_id: workspaceId, parent_workflow, parent_version } = found;
  const parent = { workflowId: parent_workflow, workflowVersion: parent_version };
  await requireUsable(parent, [{ resource: 'workflow', id: workflowId }]);
  const { rows } = await pool().query<{ version: number; definition: Definition }>({
    name: 'engine.child-target',
    text: TARGET,
    values: [workflowId, workspaceId],
  });
  if (!rows[0]) throw refused('WORKFLOW_NOT_FOUND', `The workspace has no workflow ${workflowId.slice(0, 100)}.`);
  const { version, definition } = rows[0];
  const [issue] = await gapsOf(prisma(), workspaceId, definition);
  if (issue) throw refused('WORKFLOW_NOT_READY', `The workflow is not ready to run: ${issue.field}: ${issue.message}`);
  const [inputIssue] = await inputIssues(definition, input, { workspaceId });
  if (inputIssue)
    throw refused('WORKFLOW_INPUT', `The workflow refuses its input: ${inputIssue.field}: ${inputIssue.message}`);
  return version;
}

async function start(parentId: string, call: ChildCall): Promise<ChildStart> {
  const { workflowId, input, isAwaited, path, attemptNumber } = call;
  const find = async () =>
    (
      await pool().query<Found>({
        name: 'engine.find-child',
        text: FIND,
        values: [parentId, path, attemptNumber],
      })
    ).rows[0];
  const found = await find();
  if (found?.child_id) return { executionId: found.child_id };
  if (!found) throw refused('CANCELLED', 'The run is gone.');
  requireFamilyLimits(found);
  const retryAfterMs = await takeToken(found);
  if (retryAfterMs !== null) return { retryAfterMs };
  const version = await targetVersion(found, call);
  await takeRunQuota(found.workspace_id);
  const { json } = storedValue(input);
  const traceParent = runtime().tracing?.active?.traceparent ?? null;
  const values = [
    newOrderedId('exec'),
    workflowId,
    version,
    json,
    isAwaited,
    parentId,
    path,
    attemptNumber,
    traceParent,
  ];
  const { rows } = await pool().query<{ id: string }>({ name: 'engine.start-child', text: INSERT, values });
  const executionId = rows[0]?.id ?? startedMeanwhile(await find());
  dispatcher().notifyWork();
  return { executionId };
}

/** The child that another worker has started for the same attempt. Throws the reason when there is none. */
function startedMeanwhile(found: Found | undefined): string {
  if (found?.child_id) return found.child_id;
  if (found) requireFamilyLimits(found);
  throw refused('CANCELLED', 'The run is over.');
}

/** How a child ended; a large output (its characters in `largeBytes`) is not loaded. */
export type Ended = ChildEnd & { largeBytes: number | null };

/** Operations of a run on the child runs that its nodes start. */
export interface ChildTools {
  starter(parent: { id: string }): StartChild;
  /** This function and the next one retry while the database is unavailable, until `lost`. */
  ends(ids: string[], lost: AbortSignal): Promise<Ended[]>;
  stopUnwanted(parentId: string, lost: AbortSignal): Promise<void>;
}

export const children: ChildTools = {
  /** Starts children of a run; retries while the database is unavailable. */
  starter: (parent) => async (call, signal) => {
    try {
      return await retryWhileUnavailable(signal, () => start(parent.id, call));
    } catch (error) {
      if (error instanceof Problem) throw refused('RUN_QUOTA', error.message);
      if (!isOverLimit(error)) throw error;
      throw new NodeFailure('CONCURRENCY_LIMIT', 'As many runs as allowed are under way.');
    }
  },

  /** The ends of those runs that have ended. A deleted run counts as failed. */
  async ends(ids, lost) {
    if (ids.length === 0) return [];
    const { rows } = await retryWhileUnavailable(lost, () =>
      pool().query<{ id: string; status: string; output: unknown; bytes: number; error: End | null }>({
        name: 'engine.child-ends',
        text: `SELECT id, status, CASE WHEN bytes <= $2 THEN output END AS output, bytes, error
          FROM execution, LATERAL (SELECT coalesce(octet_length(output::text), 0) AS bytes) size WHERE id = ANY($1)`,
        values: [ids, LARGE],
      }),
    );
    const rowById = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((executionId): Ended[] => {
      const row = rowById.get(executionId);
      const largeBytes = row && row.bytes > LARGE ? row.bytes : null;
      if (row?.status === 'completed') return [{ executionId, status: 'completed', output: row.output, largeBytes }];
      if (row && row.status !== 'failed') return [];
      return [{ executionId, status: 'failed', error: row?.error ?? GONE, largeBytes: null }];
    });
  },

  /** Cancels children for which the nodes of this run no longer wait. */
  async stopUnwanted(parentId, lost) {
    await retryWhileUnavailable(lost, async () => {
      const { rows } = await pool().query<{ id: string }>({
        name: 'engine.unwanted',
        text: `${UNWANTED} AND c.parent_id = $1`,
        values: [parentId],
      });
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await cancel(prisma(), ids);
    });
  },
};

interface End {
  code: string;
  message: string;
}

const GONE: End = { code: 'NOT_FOUND', message: 'The run was deleted.' };
