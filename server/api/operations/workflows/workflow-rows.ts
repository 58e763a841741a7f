import type { FieldIssue } from '@/contract/error-response';
import type {
  WorkflowDefinition,
  WorkflowResponse,
  WorkflowStatus,
  WorkflowSummary,
} from '@/contract/workflows/workflow';
import type { Prisma, Workflow as Row } from '@/generated/prisma/client';
import {
  conflictProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  notFoundProblem,
} from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { BoundedCache } from '@/server/platform/cache/cache';
import { disableNodesOutside, partialRunProblem, type RunBounds } from '@/server/workflow/definition/partial-run';
import { unreviewedFieldIssues } from '@/server/workflow/definition/unreviewed';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { findRunInputIssues, startNodeProblem } from '@/server/workflow/nodes/flow/start';
import { toRunLimit, toWorkflowSettings } from './settings';

/** A workflow as every caller sees it. */
export type WithoutFavorite<Shown extends { isFavorite: boolean }> = Omit<Shown, 'isFavorite'>;

export const toWorkflowSummary = (row: Omit<Row, 'definition'>): WithoutFavorite<WorkflowSummary> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status as WorkflowStatus,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
  draftVersion: row.draftVersion,
  concurrency: toRunLimit(row),
  settings: toWorkflowSettings(row),
  tags: row.tags,
  folderId: row.folderId,
  workspaceId: row.workspaceId,
  createdBy: row.createdBy,
});

export const toWorkflowResponse = (row: Row): WithoutFavorite<WorkflowResponse> => ({
  ...toWorkflowSummary(row),
  definition: storedDefinition(row),
});

/** Only validated definitions are ever stored. */
const storedDefinition = (row: Row) => row.definition as WorkflowDefinition;

export const toDefinitionJson = (definition: WorkflowDefinition) => definition as Prisma.InputJsonObject;

/** Returns the workflow. Throws 404 unless it is in the workspace. */
export async function findWorkflow(db: DatabaseClient, workspaceId: string, id: string): Promise<Row> {
  const row = await db.workflow.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFoundProblem('The workflow');
  return row;
}

/** Locks the workflow until the transaction ends. Throws a 409 if it is no longer at the `expected` version. */
export async function lockWorkflow(
  db: DatabaseClient,
  workspaceId: string,
  id: string,
  expected?: number,
): Promise<Row> {
  await db.$queryRaw`SELECT id FROM workflow WHERE id = ${id} AND workspace_id = ${workspaceId} FOR UPDATE`;
  const row = await findWorkflow(db, workspaceId, id);
  if (expected !== undefined && expected !== row.version) {
    throw conflictProblem(`The workflow was changed by another request: it is at version ${row.version}.`);
  }
  return row;
}

/** The bounds of a run of a whole definition, from all its start nodes. */
const WHOLE_RUN: RunBounds = { untilNodeId: null, startNodeId: null };

/** Throws with everything that is missing unless the definition can run within these bounds. */
export async function requireReadyToRun(
  db: DatabaseClient,
  workspaceId: string,
  definition: WorkflowDefinition,
  bounds: RunBounds = WHOLE_RUN,
): Promise<void> {
  const { untilNodeId, startNodeId } = bounds;
  const startProblem = startNodeProblem(definition, startNodeId);
  if (startProblem) throw invalidFieldProblem('startNodeId', startProblem);
  const problem = untilNodeId === null ? null : partialRunProblem(definition, untilNodeId, startNodeId);
  if (problem) throw invalidFieldProblem('untilNodeId', problem);
  const issues = await activationIssues(db, workspaceId, disableNodesOutside(definition, bounds));
  if (issues.length > 0) throw invalidRequestProblem(issues, 'The workflow is not ready to run.');
}

/** Throws for a definition with fields that somebody has to look at before it is published. */
export function requireReviewed(definition: WorkflowDefinition): void {
  const issues = unreviewedFieldIssues(definition);
  if (issues.length > 0) throw invalidRequestProblem(issues, 'Converted expressions have to be looked at first.');
}

/** Throws with everything that is missing unless triggers can run the definition. */
export async function requireReadyToActivate(
  db: DatabaseClient,
  workspaceId: string,
  definition: WorkflowDefinition,
): Promise<void> {
  await requireReadyToRun(db, workspaceId, definition);
  requireReviewed(definition);
}

/** Throws for an input that cannot start a run, with the reasons. */
export function requireMatchingInput(issues: FieldIssue[]): void {
  if (issues.length > 0) throw invalidRequestProblem(issues, 'The input does not match the workflow’s schema.');
}

export type WorkflowContent = Pick<WorkflowResponse, 'name' | 'description' | 'definition'>;

/** Whether both have the same content. Definitions keep their order, so their text can be compared. */
export const isSameContent = (
  before: Omit<WorkflowContent, 'definition'> & { definition: unknown },
  after: WorkflowContent,
): boolean =>
  before.name === after.name &&
  before.description === after.description &&
  JSON.stringify(before.definition) === JSON.stringify(after.definition);

/** Makes a filter for texts that contain this one in any case. It escapes the wildcards of LIKE. */
export const caseInsensitiveContains = (search: string) => ({
  contains: search.replace(/[\\%_]/g, '\\$&'),
  mode: 'insensitive' as const,
});

/** Caches the start nodes of versions, which validate inputs. Versions never change. */
const startNodeCache = new BoundedCache<string, { definition?: WorkflowDefinition }>(500);

/** What a trigger says about the runs that it starts. */
export interface TriggerTarget {
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  /** The start node at which they begin; null: every start node. */
  startNodeId: string | null;
}

/**
 * Why `input` cannot start a run of a version. It is cheap enough to be called for every delivery. Throws 409 if the
 * version no longer has the start node of the trigger.
 */
export async function findInputIssues(
  db: DatabaseClient,
  { workspaceId, workflowId, workflowVersion: version, startNodeId }: TriggerTarget,
  input: unknown,
): Promise<FieldIssue[]> {
  const entry = startNodeCache.get(`${workflowId}@${version}`, () => ({}));
  if (!entry.definition) {
    const where = { workflowId_version: { workflowId, version } };
    const row = await db.workflowVersion.findUnique({ where, select: { definition: true } });
    if (!row) throw notFoundProblem('The workflow');
    const { nodes } = row.definition as WorkflowDefinition;
    entry.definition = { nodes: nodes.filter(({ type }) => type === 'start'), connections: [] };
  }
  const problem = startNodeProblem(entry.definition, startNodeId);
  if (problem !== null) throw conflictProblem(`The start node of this trigger ${problem}.`);
  return findRunInputIssues(entry.definition, input, { workspaceId }, startNodeId);
}

/** Finds the ids of the workflows whose names contain a text, all of them or one with this id. */
export async function findWorkflowIdsByName(
  db: DatabaseClient,
  workspaceId: string,
  search: string,
  id: string | undefined,
): Promise<string[]> {
  const where = { workspaceId, id, name: caseInsensitiveContains(search) };
  return (await db.workflow.findMany({ where, select: { id: true } })).map((found) => found.id);
}
