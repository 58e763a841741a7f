import { getRuntime } from '@/server/platform/runtime';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { FIRST_ITEM_ABILITY, runAbilitiesSql } from '@/server/workflow/definition/abilities';
import { compileGraph, type WorkflowGraph } from '@/server/workflow/definition/graph';
import { partialDefinition } from '@/server/workflow/definition/partial-run';
import type { RunOverride } from './claim';
import type { PortShares } from '../store/port-shares';
import { takeRunQuota } from './admission/run-quota';
import type { SubmittedRun } from './submission';

/** A run to repeat, completely or from one of its nodes on. */
export interface RunRepetition {
  workspaceId: string;
  executionId: string;
  /** The definition and version to run, completely or up to a node. */
  definition: WorkflowDefinition;
  workflowVersion: number;
  untilNodeId: string | null;
  /** The start node at which it begins, as in the run that is repeated; null: every start node. */
  startNodeId: string | null;
  /** The node to start from; null: the beginning. */
  fromNodeId: string | null;
  /** Replaces the input of that node, or of the run. Undefined: the same input. */
  input: unknown;
  /** `fromNodeId` takes only the first item of its list. */
  firstItemOnly?: boolean;
  /** Outputs of nodes that do not run. */
  pins?: Readonly<Record<string, unknown>>;
  createdBy: string | null;
}

/** A node that was reached, and whether its result can be reused. */
interface ReachedNode {
  node_id: string;
  port: string | null;
  port_shares: PortShares | null;
  is_reusable: boolean;
}

const builtInNodeTypes = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));

/**
 * The nodes whose results are reused: finished, and neither `from`, unfinished or new themselves nor downstream of such
 * a node.
 */
function findReusableNodes(
  graph: WorkflowGraph,
  from: string,
  reached: Map<string, boolean>,
  before: WorkflowDefinition,
): string[] {
  const types = new Map(before.nodes.map(({ id, type }) => [id, type]));
  const rerunNodes = new Set<string>();
  for (const { id, definition: node, incoming } of graph.nodes) {
    const isNew = types.get(id) !== node.type;
    const isAfter = incoming.some(({ source }) => rerunNodes.has(source.id));
    if (id === from || isNew || isAfter || reached.get(id) === false) rerunNodes.add(id);
  }
  return graph.nodes.map(({ id }) => id).filter((id) => reached.get(id) && !rerunNodes.has(id));
}

const hasTaken = (row: ReachedNode, port: string): boolean =>
  row.port === port || row.port_shares?.ports.includes(port) === true;

const AGENT_STEP_PATH = /^([^[\]]+)\[(\d{1,7})\]\.model$/;

/** A step of an agent, which begins with a call of its model. */
export interface AgentStepRef {
  agentId: string;
  index: number;
}

/** Returns the step of an agent at a path such as `agent[2].model`; null: the path is not a step. */
export function findAgentStep({ nodes }: WorkflowDefinition, path: string | null): AgentStepRef | null {
  const [, agentId = '', index = ''] = AGENT_STEP_PATH.exec(path ?? '') ?? [];
  const owner = nodes.find(({ id, disabled }) => id === agentId && !disabled);
  return owner && builtInNodeTypes.get(owner.type)?.parts ? { agentId, index: Number(index) } : null;
}

/** Returns the results that are reused when an agent runs again from a step on: its start, and the steps before. */
const reusedStepPaths = ({ agentId, index }: AgentStepRef) => ({
  ids: [agentId, `${agentId}[0].start`],
  prefixes: Array.from({ length: index }, (_, round) => `${agentId}[${round}].`),
});

/** Requests the repetition of a run within a transaction. `never-ran`: that node never received an input. */
export async function rerunExecution(
  db: DatabaseClient,
  { executionId, definition, ...request }: RunRepetition,
): Promise<SubmittedRun | 'never-ran'> {
  const { workflowVersion, fromNodeId, untilNodeId, startNodeId, createdBy } = request;
  const graph = compileGraph(partialDefinition(definition, untilNodeId), builtInNodeTypes, { startNodeId });
  const rows = await db.$queryRaw<ReachedNode[]>`
    SELECT node_id, port, port_shares, status = 'completed' OR (status = 'failed' AND port IS NOT NULL) AS is_reusable
    FROM node_result WHERE execution_id = ${executionId}`;
  const reached = new Map(rows.map((row) => [row.node_id, row.is_reusable]));
  // A node that was added later, or was not reached, can still receive an output of the original run.
  const isReachable = graph.byId
    .get(fromNodeId ?? '')
    ?.incoming.some(({ source, port }) => rows.some((row) => row.node_id === source.id && hasTaken(row, port)));
  if (fromNodeId !== null && !reached.has(fromNodeId) && !isReachable) return 'never-ran';

  const hasNewInput = request.input !== undefined;
  // New input for a root node is the run's input: the whole run is repeated.
  const isWhole = fromNodeId === null || (hasNewInput && graph.byId.get(fromNodeId)?.isRoot === true);
  const step = findAgentStep(definition, fromNodeId);
  const steps = step && reusedStepPaths(step);
  const from = step?.agentId ?? fromNodeId ?? '';
  const nodes = isWhole ? [] : findReusableNodes(graph, from, reached, await readExecutedDefinition(db, executionId));
  const reused = [...nodes, ...(steps?.ids ?? [])];
  const loops = [...nodes.flatMap((id) => (graph.byId.get(id)?.body ? [`${id}[`] : [])), ...(steps?.prefixes ?? [])];
  // The agent is in progress again, at that step.
  const openId = step?.agentId ?? null;
  const held = step && JSON.stringify({ round: step.index });

  await takeRunQuota(request.workspaceId);
  const id = generateOrderedId('exec');
  const startedAt = new Date();
  const input = isWhole && hasNewInput ? JSON.stringify(request.input) : null;
  const changes: RunOverride = {
    ...(fromNodeId !== null && !isWhole && hasNewInput && { nodeId: fromNodeId, input: request.input }),
    ...(request.pins && { pins: request.pins }),
    ...(fromNodeId !== null && request.firstItemOnly && { firstItemOf: fromNodeId }),
  };
  const ability = changes.firstItemOf === undefined ? 0 : FIRST_ITEM_ABILITY;
  const override = Object.keys(changes).length > 0 ? JSON.stringify(changes) : null;
  const traceParent = getRuntime().tracing?.active?.traceparent ?? null;
  // A claim reads node results only for runs with a revision.
  const revision = reused.length > 0 ? 1 : 0;
  await db.$queryRaw`
    WITH stored AS (
      INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by,
        created_at, started_at, rerun_of, until_node, start_node_id, override, revision, trace_parent, required_abilities)
      SELECT ${id}, workspace_id, run.workflow_id, run.workflow_version, 'pending', 'rerun', coalesce(${input}::json, input),
        ${createdBy}, ${startedAt}, ${startedAt}, id, ${untilNodeId}, run.start_node_id, ${override}::json,
        ${revision}::int, ${traceParent}, ${Prisma.raw(runAbilitiesSql('run'))} | ${ability}::int
      FROM execution CROSS JOIN LATERAL (
        SELECT execution.workflow_id, ${workflowVersion}::int AS workflow_version, ${startNodeId}::text AS start_node_id) run
      WHERE id = ${executionId}
    ),
    copied AS (
      INSERT INTO node_result (execution_id, node_id, status, port, port_shares, origins, attempts, tries, output, error, started_at, completed_at,
        held, round, child_id, large_bytes, revision)
      SELECT ${id}, node_id, CASE WHEN node_id = ${openId} THEN 'running' ELSE status END,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN port END,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN port_shares END,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN origins END, attempts,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN tries END,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN output END,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN error END, started_at,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN completed_at END,
        CASE WHEN node_id = ${openId} THEN ${held}::json ELSE held END,
        CASE WHEN node_id = ${openId} THEN ${step?.index ?? null}::int ELSE round END, child_id,
        CASE WHEN node_id IS DISTINCT FROM ${openId} THEN large_bytes END, ${revision}::int
      FROM node_result r WHERE execution_id = ${executionId} AND (node_id = ANY(${reused}::text[])
        OR EXISTS (SELECT 1 FROM unnest(${loops}::text[]) AS loop(prefix) WHERE starts_with(r.node_id, loop.prefix)))
    )
    SELECT count(pg_notify(${NOTIFY_CHANNELS.work}, ''))::int`;
  return { executionId: id, startedAt: startedAt.toISOString() };
}

async function readExecutedDefinition(db: DatabaseClient, executionId: string): Promise<WorkflowDefinition> {
  const [row] = await db.$queryRaw<{ definition: WorkflowDefinition }[]>`
    SELECT v.definition FROM execution e
    JOIN workflow_version v ON v.workflow_id = e.workflow_id AND v.version = e.workflow_version
    WHERE e.id = ${executionId}`;
  return row?.definition ?? { nodes: [], connections: [] };
}
