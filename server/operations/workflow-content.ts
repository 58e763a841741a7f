import type { FieldError } from '@/contract/error';
import type { Definition, RunLimit, Workflow, WorkflowStatus, WorkflowSummary } from '@/contract/workflow';
import type { Prisma, Workflow as Row } from '@/generated/prisma/client';
import { conflict, invalid, invalidField, notFound } from '../api/problem';
import type { Db } from '../db/client';
import { Cache } from '../engine/cache';
import { judgedUpTo, problemUpTo } from '../engine/part';
import { gapsOf } from '../engine/readiness';
import { inputIssues } from '../nodes/start';

/** A limit on runs as the API shows it. */
export const limitOf = (row: { concurrencyLimit: number | null; concurrencyOverflow: string }): RunLimit | null =>
  row.concurrencyLimit === null
    ? null
    : { limit: row.concurrencyLimit, overflow: row.concurrencyOverflow as RunLimit['overflow'] };

/** The same as it is stored; undefined: as it is. */
export const limitColumns = (limit: RunLimit | null | undefined) =>
  limit === undefined
    ? {}
    : { concurrencyLimit: limit?.limit ?? null, concurrencyOverflow: limit?.overflow ?? 'queue' };

export const summary = (row: Omit<Row, 'definition'>): WorkflowSummary => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status as WorkflowStatus,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
  draftVersion: row.draftVersion,
  concurrency: limitOf(row),
  workspaceId: row.workspaceId,
  createdBy: row.createdBy,
});

export const shown = (row: Row): Workflow => ({ ...summary(row), definition: definitionOf(row) });

/** Only checked definitions are ever stored. */
const definitionOf = (row: Row) => row.definition as Definition;

export const stored = (definition: Definition) => definition as Prisma.InputJsonObject;

/** The workflow, if it is in the workspace. */
export async function seen(db: Db, workspaceId: string, id: string): Promise<Row> {
  const row = await db.workflow.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFound('The workflow');
  return row;
}

/** The workflow, locked until the transaction ends; a 409 if it is no longer at the `expected` version. */
export async function hold(db: Db, workspaceId: string, id: string, expected?: number): Promise<Row> {
  await db.$queryRaw`SELECT id FROM workflow WHERE id = ${id} AND workspace_id = ${workspaceId} FOR UPDATE`;
  const row = await seen(db, workspaceId, id);
  if (expected !== undefined && expected !== row.version) {
    throw conflict(`The workflow was changed meanwhile: it is at version ${row.version}.`);
  }
  return row;
}

/** Refuses what can't be run, with all that is missing; up to a node, or, with null, as a whole. */
export async function requireReady(
  db: Db,
  workspaceId: string,
  definition: Definition,
  untilNodeId: string | null = null,
): Promise<void> {
  const problem = untilNodeId === null ? null : problemUpTo(definition, untilNodeId);
  if (problem) throw invalidField('untilNodeId', problem);
  const issues = await gapsOf(db, workspaceId, judgedUpTo(definition, untilNodeId));
  if (issues.length > 0) throw invalid(issues, 'The workflow is not ready to run.');
}

/** Refuses an input with what keeps it from starting a run. */
export function requireFit(issues: FieldError[]): void {
  if (issues.length > 0) throw invalid(issues, 'The input does not fit the workflow.');
}

export type Content = Pick<Workflow, 'name' | 'description' | 'definition'>;

/** Whether nothing that makes a version differs. Definitions keep the order they were written in, so text tells. */
export const isSameContent = (before: Omit<Content, 'definition'> & { definition: unknown }, after: Content): boolean =>
  before.name === after.name &&
  before.description === after.description &&
  JSON.stringify(before.definition) === JSON.stringify(after.definition);

/** As a filter: contains this text, in any case. The wildcards of LIKE stand for themselves. */
export const containing = (search: string) => ({
  contains: search.replace(/[\\%_]/g, '\\$&'),
  mode: 'insensitive' as const,
});

/** Versions never change, so the lately run ones are kept, cut down to what judges an input. */
const starts = new Cache<string, { definition?: Definition }>(500);

/** What keeps `input` from starting a run of a version. Cheap enough for every delivery. */
export async function inputIssuesOf(
  db: Db,
  workflowId: string,
  version: number,
  input: unknown,
): Promise<FieldError[]> {
  const entry = starts.get(`${workflowId}@${version}`, () => ({}));
  if (!entry.definition) {
    const where = { workflowId_version: { workflowId, version } };
    const row = await db.workflowVersion.findUnique({ where, select: { definition: true } });
    if (!row) throw notFound('The workflow');
    const { nodes } = row.definition as Definition;
    entry.definition = { nodes: nodes.filter(({ type }) => type === 'start'), connections: [] };
  }
  return inputIssues(entry.definition, input);
}

/** The workflows whose names contain a text; of one alone, if that is asked for. */
export async function workflowsCalled(
  db: Db,
  workspaceId: string,
  search: string,
  id: string | undefined,
): Promise<string[]> {
  const where = { workspaceId, id, name: containing(search) };
  return (await db.workflow.findMany({ where, select: { id: true } })).map((found) => found.id);
}
