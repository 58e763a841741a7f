import type { Definition } from '@/contract/workflow';
import type { Db } from '../db/client';
import { newOrderedId } from '../db/ids';
import { nodeKinds } from '../nodes';
import { CHANNELS } from './channels';
import { compile, type Graph } from './graph';
import { partOf } from './part';
import type { Submitted } from './submission';

/** A run to be repeated, wholly or from one of its nodes on. */
export interface Rerun {
  executionId: string;
  /** What it runs, wholly or up to a node, and its version's number. */
  definition: Definition;
  workflowVersion: number;
  untilNodeId: string | null;
  /** Where to begin; null: at the beginning. */
  fromNodeId: string | null;
  /** Instead of what went in: at that node, or into the run. Undefined: the same again. */
  input: unknown;
  createdBy: string | null;
}

/** A node that was reached, and whether its result may stand. */
interface Reached {
  node_id: string;
  port: string | null;
  is_reusable: boolean;
}

const kinds = new Map(nodeKinds.map((kind) => [kind.type, kind]));

/**
 * The nodes whose results stand: finished, and not in the wake of `from`, of a node that did not finish, or of one
 * that is new.
 */
function standing(graph: Graph, from: string, reached: Map<string, boolean>, before: Definition): string[] {
  const types = new Map(before.nodes.map(({ id, type }) => [id, type]));
  const fresh = new Set<string>();
  for (const { id, node, incoming } of graph.nodes) {
    const isNew = types.get(id) !== node.type;
    const isAfter = incoming.some(({ source }) => fresh.has(source.id));
    if (id === from || isNew || isAfter || reached.get(id) === false) fresh.add(id);
  }
  return graph.nodes.map(({ id }) => id).filter((id) => reached.get(id) && !fresh.has(id));
}

/** Asks for a run to be repeated, as part of a transaction. `never-ran`: nothing ever came, or comes, to that node. */
export async function rerun(db: Db, { executionId, definition, ...request }: Rerun): Promise<Submitted | 'never-ran'> {
  const { workflowVersion, fromNodeId, untilNodeId, createdBy } = request;
  const graph = compile(partOf(definition, untilNodeId), kinds);
  const rows = await db.$queryRaw<Reached[]>`
    SELECT node_id, port, status = 'completed' OR (status = 'failed' AND port IS NOT NULL) AS is_reusable
    FROM node_result WHERE execution_id = ${executionId}`;
  const reached = new Map(rows.map((row) => [row.node_id, row.is_reusable]));
  // Drawn since, or left out: what was delivered comes to it now.
  const isDue = graph.byId
    .get(fromNodeId ?? '')
    ?.incoming.some(({ source, port }) => rows.some((row) => row.node_id === source.id && row.port === port));
  if (fromNodeId !== null && !reached.has(fromNodeId) && !isDue) return 'never-ran';

  const isGiven = request.input !== undefined;
  // What a run begins with is its input: everything follows from that.
  const isWhole = fromNodeId === null || (isGiven && graph.byId.get(fromNodeId)?.isRoot === true);
  const stands = isWhole ? [] : standing(graph, fromNodeId, reached, await definitionRun(db, executionId));
  const loops = stands.flatMap((id) => (graph.byId.get(id)?.body ? [`${id}[`] : []));

  const id = newOrderedId('exec');
  const startedAt = new Date();
  const input = isWhole && isGiven ? JSON.stringify(request.input) : null;
  const override = !isWhole && isGiven ? JSON.stringify({ nodeId: fromNodeId, input: request.input }) : null;
  // Only what has a revision is asked for its results when it is taken.
  const revision = stands.length > 0 ? 1 : 0;
  await db.$queryRaw`
    WITH stored AS (
      INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by,
        created_at, started_at, rerun_of, until_node, override, revision)
      SELECT ${id}, workspace_id, workflow_id, ${workflowVersion}::int, 'pending', 'rerun', coalesce(${input}::json, input),
        ${createdBy}, ${startedAt}, ${startedAt}, id, ${untilNodeId}, ${override}::json, ${revision}::int
      FROM execution WHERE id = ${executionId}
    ),
    copied AS (
      INSERT INTO node_result (execution_id, node_id, status, port, attempts, tries, output, error, started_at, completed_at,
        held, large_bytes, revision)
      SELECT ${id}, node_id, status, port, attempts, tries, output, error, started_at, completed_at, held, large_bytes, ${revision}::int
      FROM node_result r WHERE execution_id = ${executionId} AND (node_id = ANY(${stands}::text[])
        OR EXISTS (SELECT 1 FROM unnest(${loops}::text[]) AS loop(prefix) WHERE starts_with(r.node_id, loop.prefix)))
    )
    SELECT count(pg_notify(${CHANNELS.work}, ''))::int`;
  return { executionId: id, startedAt: startedAt.toISOString() };
}

async function definitionRun(db: Db, executionId: string): Promise<Definition> {
  const [row] = await db.$queryRaw<{ definition: Definition }[]>`
    SELECT v.definition FROM execution e
    JOIN workflow_version v ON v.workflow_id = e.workflow_id AND v.version = e.workflow_version
    WHERE e.id = ${executionId}`;
  return row?.definition ?? { nodes: [], connections: [] };
}
