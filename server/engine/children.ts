import type { Definition } from '@/contract/workflow';
import { dispatcher } from '../dispatch/dispatcher';
import { pool, prisma } from '../db/client';
import { newOrderedId } from '../db/ids';
import { isOverLimit } from '../db/over-limit';
import { patiently } from '../db/patiently';
import { NodeFailure, type ChildEnd, type ChildRequest } from '../nodes/node';
import { inputIssues } from '../nodes/start';
import { CHANNELS, payloads } from './channels';
import { LARGE } from './large';
import { gapsOf } from './readiness';
import { cancel } from './requests';
import { storedValue } from './value';

/** Runs above one another. */
const MAX_DEPTH = 10;

/** Who asks for a child: a try of a node of a run. */
interface Asking extends ChildRequest {
  path: string;
  attempt: number;
}

export type StartChild = (asking: Asking, signal: AbortSignal) => Promise<string>;

interface Found {
  workspace_id: string;
  depth: number;
  child_id: string | null;
  version: number | null;
  definition: Definition | null;
}

const FIND = `
SELECT p.workspace_id, p.depth, c.id AS child_id, w.version, w.definition
FROM execution p
LEFT JOIN execution c ON c.parent_id = p.id AND c.parent_node = $2 AND c.parent_attempt = $3
LEFT JOIN workflow w ON w.id = $4 AND w.workspace_id = p.workspace_id
WHERE p.id = $1`;

/** Once for each try; not for a parent that is over, is to be cancelled, or is somebody else's by now. */
const INSERT = `
WITH stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by, is_awaited,
    parent_id, parent_node, parent_attempt, depth)
  SELECT $1, p.workspace_id, $2, $3, 'pending', 'sub_workflow', $4::json, p.created_by, $5, p.id, $7, $8, p.depth + 1
  FROM execution p WHERE p.id = $6 AND p.worker_id IS NOT NULL AND p.cancel_requested_at IS NULL
    AND p.status NOT IN ('completed', 'failed')
  FOR KEY SHARE
  ON CONFLICT (parent_id, parent_node, parent_attempt) WHERE parent_id IS NOT NULL DO NOTHING
  RETURNING id
)
SELECT id, pg_notify('${CHANNELS.work}', '') FROM stored`;

const refused = (code: string, message: string) => new NodeFailure(code, message, false);

/** The definition and version that a child would run. */
async function target(found: Found, { workflowId, input }: Asking): Promise<number> {
  const { workspace_id: workspaceId, definition, version } = found;
  if (!definition || version === null) {
    throw refused('WORKFLOW_NOT_FOUND', `The workspace has no workflow ${workflowId.slice(0, 100)}.`);
  }
  if (found.depth >= MAX_DEPTH) {
    throw refused('TOO_DEEP', `Sub-workflows may be nested ${MAX_DEPTH} deep; does one of them run itself?`);
  }
  const [gap] = await gapsOf(prisma(), workspaceId, definition);
  if (gap) throw refused('WORKFLOW_NOT_READY', `The workflow is not ready to run: ${gap.field}: ${gap.message}`);
  const [misfit] = inputIssues(definition, input);
  if (misfit) throw refused('WORKFLOW_INPUT', `The workflow refuses its input: ${misfit.field}: ${misfit.message}`);
  return version;
}

async function start(parentId: string, asking: Asking): Promise<string> {
  const { workflowId, input, isAwaited, path, attempt } = asking;
  const find = async () =>
    (
      await pool().query<Found>({
        name: 'engine.find-child',
        text: FIND,
        values: [parentId, path, attempt, workflowId],
      })
    ).rows[0];
  const found = await find();
  if (found?.child_id) return found.child_id;
  if (!found) throw refused('CANCELLED', 'The run is gone.');
  const version = await target(found, asking);
  const { json } = storedValue(input);
  const values = [newOrderedId('exec'), workflowId, version, json, isAwaited, parentId, path, attempt];
  const { rows } = await pool().query<{ id: string }>({ name: 'engine.start-child', text: INSERT, values });
  const id = rows[0]?.id ?? (await find())?.child_id;
  if (!id) throw refused('CANCELLED', 'The run is over.');
  dispatcher().offer();
  return id;
}

/** How a child ended; a large output (its characters in `largeBytes`) is left where it is. */
export type Ended = ChildEnd & { largeBytes: number | null };

/** What a run of a worker can do about the runs that its nodes start. */
export interface ChildTools {
  starter(parent: { id: string }): StartChild;
  /** This and the next wait for a database that is away, until `lost`. */
  ends(ids: string[], lost: AbortSignal): Promise<Ended[]>;
  stopUnwanted(parentId: string, lost: AbortSignal): Promise<void>;
}

export const children: ChildTools = {
  /** Starts children of a run; waits for a database that is away. */
  starter: (parent) => async (asking, signal) => {
    try {
      const isRefusal = (error: unknown) => error instanceof NodeFailure || isOverLimit(error);
      return await patiently(signal, () => start(parent.id, asking), isRefusal);
    } catch (error) {
      if (!isOverLimit(error)) throw error;
      throw new NodeFailure('TOO_MANY_RUNS', 'As many runs as allowed are under way.');
    }
  },

  /** How these runs ended: those of them that have. One that is gone has failed. */
  async ends(ids, lost) {
    if (ids.length === 0) return [];
    const { rows } = await patiently(lost, () =>
      pool().query<{ id: string; status: string; output: unknown; bytes: number; error: End | null }>({
        name: 'engine.child-ends',
        text: `SELECT id, status, CASE WHEN bytes <= $2 THEN output END AS output, bytes, error
          FROM execution, LATERAL (SELECT coalesce(octet_length(output::text), 0) AS bytes) size WHERE id = ANY($1)`,
        values: [ids, LARGE],
      }),
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((executionId): Ended[] => {
      const row = known.get(executionId);
      const largeBytes = row && row.bytes > LARGE ? row.bytes : null;
      if (row?.status === 'completed') return [{ executionId, status: 'completed', output: row.output, largeBytes }];
      if (row && row.status !== 'failed') return [];
      return [{ executionId, status: 'failed', error: row?.error ?? GONE, largeBytes: null }];
    });
  },

  /** Cancels the children that nodes of this run waited for and no longer do. */
  async stopUnwanted(parentId, lost) {
    await patiently(lost, async () => {
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

/** A node that waits for its child is running, at the same try. */
const UNWANTED = `
SELECT c.id FROM execution c WHERE c.is_awaited AND c.status NOT IN ('completed', 'failed') AND c.cancel_requested_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM node_result r WHERE r.execution_id = c.parent_id AND r.node_id = c.parent_node
    AND r.status = 'running' AND r.attempts = c.parent_attempt AND r.error IS NULL)`;

/** Tells runs that something they wait for has ended. In the order of their ids, so that two callers never block each other. */
export async function wakeParents(ids: string[]): Promise<void> {
  await pool().query({
    name: 'engine.wake-parents',
    text: `WITH parent AS (SELECT id FROM execution WHERE id = ANY($1) AND status NOT IN ('completed', 'failed') ORDER BY id FOR UPDATE),
      woken AS (UPDATE execution e SET available_at = now() FROM parent WHERE e.id = parent.id)
      SELECT count(pg_notify('${CHANNELS.wishes}', payload)), pg_notify('${CHANNELS.work}', '') FROM unnest($2::text[]) payload`,
    values: [ids, payloads(ids)],
  });
  dispatcher().offer();
}

/** What a process that died in between has left: parents not woken, children not cancelled. Answers how many. */
export async function sweepChildren(): Promise<number> {
  const waiting = await pool().query<{ id: string }>({
    name: 'engine.sweep-parents',
    text: `SELECT DISTINCT p.id FROM node_result r JOIN execution p ON p.id = r.execution_id
      LEFT JOIN execution c ON c.id = r.held ->> 'childId'
      WHERE r.status = 'running' AND (r.held ->> 'childId') IS NOT NULL
        AND (c.id IS NULL OR c.status IN ('completed', 'failed'))
        AND p.status NOT IN ('completed', 'failed') AND (p.available_at IS NULL OR p.available_at > now())`,
  });
  const unwanted = await pool().query<{ id: string }>({ name: 'engine.sweep-children', text: UNWANTED });
  const parents = waiting.rows.map(({ id }) => id);
  const orphans = unwanted.rows.map(({ id }) => id);
  if (parents.length > 0) await wakeParents(parents);
  if (orphans.length > 0) await cancel(prisma(), orphans);
  return parents.length + orphans.length;
}
