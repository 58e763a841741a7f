import type { FieldError } from '@/contract/error';
import type { Definition, Workflow, WorkflowStatus, WorkflowSummary } from '@/contract/workflows/workflow';
import type { Prisma, Workflow as Row } from '@/generated/prisma/client';
import { conflict, invalid, invalidField, notFound } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { Cache } from '@/server/cache';
import { definitionUpTo, problemUpTo } from '@/server/workflow/part';
import { gapsOf } from '@/server/workflow/readiness';
import { inputIssues } from '@/server/nodes/flow/start';
import { limitOf, settingsOf } from './settings';

/** A workflow as every caller sees it. */
export type Common<Shown extends { isFavorite: boolean }> = Omit<Shown, 'isFavorite'>;

export const summary = (row: Omit<Row, 'definition'>): Common<WorkflowSummary> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status as WorkflowStatus,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
  draftVersion: row.draftVersion,
  concurrency: limitOf(row),
  settings: settingsOf(row),
  tags: row.tags,
  folderId: row.folderId,
  workspaceId: row.workspaceId,
  createdBy: row.createdBy,
});

export const presentWorkflow = (row: Row): Common<Workflow> => ({ ...summary(row), definition: definitionOf(row) });

/** Only validated definitions are ever stored. */
const definitionOf = (row: Row) => row.definition as Definition;

export const toJson = (definition: Definition) => definition as Prisma.InputJsonObject;

/** The workflow, if it is in the workspace. */
export async function findWorkflow(db: Db, workspaceId: string, id: string): Promise<Row> {
  const row = await db.workflow.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFound('The workflow');
  return row;
}

/** Locks the workflow until the transaction ends. Throws a 409 if it is no longer at the `expected` version. */
export async function lockWorkflow(db: Db, workspaceId: string, id: string, expected?: number): Promise<Row> {
  await db.$queryRaw`SELECT id FROM workflow WHERE id = ${id} AND workspace_id = ${workspaceId} FOR UPDATE`;
  const row = await findWorkflow(db, workspaceId, id);
  if (expected !== undefined && expected !== row.version) {
    throw conflict(`The workflow was changed by another request: it is at version ${row.version}.`);
  }
  return row;
}

/** Throws unless the definition can run, with all missing parts; up to a node, or, with null, as a whole. */
export async function requireReady(
  db: Db,
  workspaceId: string,
  definition: Definition,
  untilNodeId: string | null = null,
): Promise<void> {
  const problem = untilNodeId === null ? null : problemUpTo(definition, untilNodeId);
  if (problem) throw invalidField('untilNodeId', problem);
  const issues = await gapsOf(db, workspaceId, definitionUpTo(definition, untilNodeId));
  if (issues.length > 0) throw invalid(issues, 'The workflow is not ready to run.');
}

/** Throws for an input that cannot start a run, with the reasons. */
export function requireFit(issues: FieldError[]): void {
  if (issues.length > 0) throw invalid(issues, 'The input does not match the workflow’s schema.');
}

export type Content = Pick<Workflow, 'name' | 'description' | 'definition'>;

/** Whether both have the same content. Definitions keep their order, so their text can be compared. */
export const isSameContent = (before: Omit<Content, 'definition'> & { definition: unknown }, after: Content): boolean =>
  before.name === after.name &&
  before.description === after.description &&
  JSON.stringify(before.definition) === JSON.stringify(after.definition);

/** A filter: contains this text, case-insensitively. Wildcards of LIKE are escaped. */
export const containing = (search: string) => ({
  contains: search.replace(/[\\%_]/g, '\\$&'),
  mode: 'insensitive' as const,
});

/** Cache of versions, which never change, reduced to what validates an input. */
const starts = new Cache<string, { definition?: Definition }>(500);

/** Why `input` cannot start a run of a version. Cheap enough for every delivery. */
export async function inputIssuesOf(
  db: Db,
  workflowId: string,
  version: number,
  input: unknown,
  workspaceId: string,
): Promise<FieldError[]> {
  const entry = starts.get(`${workflowId}@${version}`, () => ({}));
  if (!entry.definition) {
    const where = { workflowId_version: { workflowId, version } };
    const row = await db.workflowVersion.findUnique({ where, select: { definition: true } });
    if (!row) throw notFound('The workflow');
    const { nodes } = row.definition as Definition;
    entry.definition = { nodes: nodes.filter(({ type }) => type === 'start'), connections: [] };
  }
  return inputIssues(entry.definition, input, { workspaceId });
}

/** Ids of the workflows whose names contain a text, or of a single one. */
export async function workflowsCalled(
  db: Db,
  workspaceId: string,
  search: string,
  id: string | undefined,
): Promise<string[]> {
  const where = { workspaceId, id, name: containing(search) };
  return (await db.workflow.findMany({ where, select: { id: true } })).map((found) => found.id);
}
