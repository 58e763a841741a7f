import { databasePool } from '@/server/platform/db/client';
import type { ExecutionStatus } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { createVersionLoader } from '@/server/workflow/definition/versions';
import { definitionsByNodeType, findNodeType } from '@/server/workflow/nodes';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';
import type { FormEnding, FormPageContent } from '@/server/workflow/nodes/node-type';
import type { FormRunLink } from '../attempt/form-run-link';

/** A page that a run has shown, or shows. */
export interface FormRunPage {
  nodeId: string;
  content: FormPageContent;
  /** True while the page waits to be filled in. */
  isOpen: boolean;
  isExpired: boolean;
  expiresAt: Date | null;
}

/** What a run shows to the visitor of a form. */
export interface FormRun {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  status: ExecutionStatus;
  isCancelled: boolean;
  isOverdue: boolean;
  /** The form that started the run; null: something else did. */
  formId: string | null;
  /** In the order in which the run reached them. */
  pages: FormRunPage[];
  /** The last one. */
  ending: FormEnding | null;
}

const { load } = createVersionLoader(definitionsByNodeType);

/** Pages and endings are node results with this last segment in their path. */
function listFormNodeIds(nodes: readonly Pick<WorkflowNode, 'id' | 'type' | 'config' | 'disabled'>[]): string[] {
  return nodes.flatMap((node) => {
    const nodeType = findNodeType(node.type);
    const isShown = (nodeType?.takesCall === 'page' || nodeType?.endsForm === true) && !node.disabled;
    return [...(isShown ? [node.id] : []), ...listFormNodeIds(listInnerNodes(node).map((inner) => inner.node))];
  });
}

const formNodeIdCache = new WeakMap<WorkflowGraph, readonly string[]>();

function findFormNodeIds(graph: WorkflowGraph): readonly string[] {
  let ids = formNodeIdCache.get(graph);
  if (!ids) {
    ids = listFormNodeIds(graph.nodes.map(({ definition }) => definition));
    formNodeIdCache.set(graph, ids);
  }
  return ids;
}

interface VersionStart {
  workflowId: string;
  workflowVersion: number;
  startNodeId: string | null;
}

/** Whether runs of a workflow show pages to the visitor of the form that starts them, or an ending. */
export async function hasFormPages({ workflowId, workflowVersion, startNodeId }: VersionStart): Promise<boolean> {
  const [graph] = await load([{ workflowId, workflowVersion, untilNodeId: null, startNodeId }]);
  return graph !== undefined && findFormNodeIds(graph).length > 0;
}

/** The ids of a node and of those after it, at the level of the workflow. */
function listFollowingIds({ byId }: WorkflowGraph, path: string): Set<string> {
  const [first = ''] = path.split('[', 1);
  const found = new Set([first]);
  for (const id of found) for (const { target } of byId.get(id)?.outgoing ?? []) found.add(target.id);
  return found;
}

const READ_FORM_RUN_SQL = `
SELECT e.workspace_id AS "workspaceId", e.workflow_id AS "workflowId", e.workflow_version AS "workflowVersion", e.start_node_id AS "startNodeId",
  e.status, e.cancel_requested_at IS NOT NULL OR e.error->>'code' = 'CANCELLED' AS "isCancelled",
  coalesce(e.deadline_at <= coalesce(e.completed_at, now()), false) AS "isOverdue",
  CASE WHEN e.trigger = 'form' THEN e.triggered_by->>'id' END AS "formId"
FROM execution e JOIN workspace s ON s.id = e.workspace_id AND s.deleted_at IS NULL WHERE e.id = $1`;

const READ_FORM_PAGES_SQL = `
SELECT r.node_id AS "nodeId", r.held, r.port = 'expired' AS "isExpired", r.wake_at AS "expiresAt",
  r.status = 'running' AND coalesce(r.wake_at > now(), true)
    AND NOT EXISTS (SELECT FROM received_call c WHERE c.execution_id = r.execution_id AND c.node_id = r.node_id) AS "isOpen"
FROM node_result r WHERE r.execution_id = $1 AND regexp_replace(r.node_id, '^.*[]][.]', '') = ANY($2) AND r.held IS NOT NULL
ORDER BY r.started_at, r.node_id`;

interface FormPageRow {
  nodeId: string;
  held: { page?: FormPageContent; ending?: FormEnding };
  isExpired: boolean | null;
  expiresAt: Date | null;
  isOpen: boolean;
}

/** Reads what a run shows at a link; null: it was deleted. */
export async function readFormRun({ executionId, nodeId }: FormRunLink): Promise<FormRun | null> {
  const { rows: runs } = await databasePool().query<Omit<FormRun, 'pages' | 'ending' | 'executionId'> & VersionStart>({
    name: 'engine.form-run',
    text: READ_FORM_RUN_SQL,
    values: [executionId],
  });
  const [run] = runs;
  if (!run) return null;
  const { workflowVersion, startNodeId, ...found } = run;
  const [graph] = await load([{ workflowId: run.workflowId, workflowVersion, untilNodeId: null, startNodeId }]);
  if (!graph) return null;
  const { rows } = await databasePool().query<FormPageRow>({
    name: 'engine.form-pages',
    text: READ_FORM_PAGES_SQL,
    values: [executionId, findFormNodeIds(graph)],
  });
  const following = nodeId === undefined ? undefined : listFollowingIds(graph, nodeId);
  const shown = following ? rows.filter((row) => following.has(row.nodeId.split('[', 1)[0] ?? '')) : rows;
  const isRunning = run.status !== 'completed' && run.status !== 'failed' && !run.isCancelled && !run.isOverdue;
  const pages = shown.flatMap(({ nodeId: path, held, isOpen, isExpired, expiresAt }) => {
    const page = { nodeId: path, isOpen: isOpen && isRunning, isExpired: isExpired === true, expiresAt };
    return held.page ? [{ ...page, content: held.page }] : [];
  });
  const ending = shown.flatMap(({ held }) => held.ending ?? []).at(-1) ?? null;
  return { executionId, ...found, pages, ending };
}
