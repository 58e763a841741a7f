import { databasePool } from '@/server/platform/db/client';
import type { ExecutionStatus } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import type { GraphNode, WorkflowGraph } from '@/server/workflow/definition/graph';
import { createVersionLoader } from '@/server/workflow/definition/versions';
import { definitionsByNodeType } from '@/server/workflow/nodes';
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
  /** In the order in which the run reached them, and only those that the link shows. */
  pages: FormRunPage[];
  /** The last one that the link shows. */
  ending: FormEnding | null;
}

const { load } = createVersionLoader(definitionsByNodeType);

const isFormPage = ({ nodeType }: GraphNode): boolean => nodeType?.takesCall === 'page';
const isFormEnding = ({ nodeType }: GraphNode): boolean => nodeType?.endsForm === true;

/** The nodes that show pages or end a form, at every level of a workflow. */
const listFormNodes = ({ nodes }: WorkflowGraph): GraphNode[] =>
  nodes.flatMap((node) => {
    const isShown = !node.definition.disabled && (isFormPage(node) || isFormEnding(node));
    return [...(isShown ? [node] : []), ...(node.body ? listFormNodes(node.body) : [])];
  });

const formNodeCache = new WeakMap<WorkflowGraph, readonly GraphNode[]>();

function findFormNodes(graph: WorkflowGraph): readonly GraphNode[] {
  let nodes = formNodeCache.get(graph);
  if (!nodes) {
    nodes = listFormNodes(graph);
    formNodeCache.set(graph, nodes);
  }
  return nodes;
}

interface VersionStart {
  workflowId: string;
  workflowVersion: number;
  startNodeId: string | null;
}

/** Whether runs of a workflow show pages to the visitor of the form that starts them, or an ending. */
export async function hasFormPages({ workflowId, workflowVersion, startNodeId }: VersionStart): Promise<boolean> {
  const [graph] = await load([{ workflowId, workflowVersion, untilNodeId: null, startNodeId }]);
  return graph !== undefined && findFormNodes(graph).length > 0;
}

function listFollowingNodes(node: GraphNode): GraphNode[] {
  const found = new Set([node]);
  for (const { outgoing } of found) for (const { target } of outgoing) found.add(target);
  return [...found].slice(1);
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);

const ROUND_PATTERN = /^([^[]*)\[(\d+)\]\.(.*)$/;

/**
 * A regular expression of the database for the paths of a node and of what follows it: what comes after it in its round,
 * and after the loops around it. The other rounds of a list may be for other people. Those of a loop that decides after
 * each round follow one another.
 */
function buildFollowingPattern(graph: WorkflowGraph | undefined, path: string): string {
  const [, loopId, index = '', inner] = ROUND_PATTERN.exec(path) ?? [];
  const node = graph?.byId.get(loopId ?? path);
  const id = escapePattern(loopId ?? path);
  const after = (node ? listFollowingNodes(node) : []).flatMap((other) => {
    if (other.body) return [`${escapePattern(other.id)}\\[.*`];
    return isFormPage(other) || isFormEnding(other) ? [escapePattern(other.id)] : [];
  });
  if (inner === undefined) return [id, ...after].join('|');
  const own = `${id}\\[${index}\\]\\.(${buildFollowingPattern(node?.body, inner)})`;
  const others = node?.nodeType?.type === 'repeat' ? [`${id}\\[(?!${index}\\])\\d+\\]\\..*`] : [];
  return [own, ...others, ...after].join('|');
}

/** The paths that a link shows; null: all of them. What follows a page belongs to the visitor who has filled it in. */
function buildShownPattern(graph: WorkflowGraph, { nodeId, visitor }: FormRunLink): string | null {
  if (nodeId === undefined) return null;
  const pattern = visitor === undefined ? escapePattern(nodeId) : buildFollowingPattern(graph, nodeId);
  return `^(${pattern})$`;
}

const READ_FORM_RUN_SQL = `
SELECT e.workspace_id AS "workspaceId", e.workflow_id AS "workflowId", e.workflow_version AS "workflowVersion", e.start_node_id AS "startNodeId",
  e.status, e.cancel_requested_at IS NOT NULL OR e.error->>'code' = 'CANCELLED' AS "isCancelled",
  coalesce(e.deadline_at <= coalesce(e.completed_at, now()), false) AS "isOverdue",
  CASE WHEN e.trigger = 'form' THEN e.triggered_by->>'id' END AS "formId"
FROM execution e JOIN workspace s ON s.id = e.workspace_id AND s.deleted_at IS NULL WHERE e.id = $1`;

/** How many pages of a run are read at most: first those that are open, then those that were reached last. */
export const MAX_READ_PAGES = 100;

/** SQL: the results of nodes with one of these ids, at the paths that the link shows. */
const shownResultsSql = (ids: string) => `
FROM node_result r WHERE r.execution_id = $1 AND regexp_replace(r.node_id, '^.*[]][.]', '') = ANY(${ids}) AND r.held IS NOT NULL
  AND ($4::text IS NULL OR r.node_id ~ $4)`;

const READ_FORM_PAGES_SQL = `
SELECT * FROM (
  SELECT *, row_number() OVER (ORDER BY "isOpen" DESC, CASE WHEN "isOpen" THEN "startedAt" END, "startedAt" DESC, "nodeId") AS place FROM (
    SELECT r.node_id AS "nodeId", r.held, r.port = 'expired' AS "isExpired", r.wake_at AS "expiresAt", r.started_at AS "startedAt",
      r.status = 'running' AND coalesce(r.wake_at > now(), true)
        AND NOT EXISTS (SELECT FROM received_call c WHERE c.execution_id = r.execution_id AND c.node_id = r.node_id) AS "isOpen"
    ${shownResultsSql('$2')}
  ) reached
) placed WHERE place <= ${MAX_READ_PAGES}
UNION ALL (
  SELECT r.node_id, r.held, false, NULL, r.started_at, false, 0
  ${shownResultsSql('$3')} ORDER BY r.started_at DESC, r.node_id DESC LIMIT 1
)
ORDER BY "startedAt", "nodeId"`;

interface FormPageRow {
  nodeId: string;
  /** Null: the node is tried again. */
  held: { page?: FormPageContent; ending?: FormEnding } | null;
  isExpired: boolean | null;
  expiresAt: Date | null;
  isOpen: boolean;
}

/** Reads what a run shows at a link; null: it was deleted. */
export async function readFormRun(link: FormRunLink): Promise<FormRun | null> {
  const { executionId } = link;
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
  const listIds = (isWanted: (node: GraphNode) => boolean) =>
    findFormNodes(graph)
      .filter(isWanted)
      .map(({ id }) => id);
  const { rows } = await databasePool().query<FormPageRow>({
    name: 'engine.form-pages',
    text: READ_FORM_PAGES_SQL,
    values: [executionId, listIds(isFormPage), listIds(isFormEnding), buildShownPattern(graph, link)],
  });
  const isRunning = !isFinalStatus(run.status) && !run.isCancelled && !run.isOverdue;
  const pages = rows.flatMap(({ nodeId, held, isOpen, isExpired, expiresAt }) => {
    const page = { nodeId, isOpen: isOpen && isRunning, isExpired: isExpired === true, expiresAt };
    return held?.page ? [{ ...page, content: held.page }] : [];
  });
  const ending = rows.flatMap(({ held }) => held?.ending ?? []).at(-1) ?? null;
  return { executionId, ...found, pages, ending };
}
