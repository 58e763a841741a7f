import type { Workflow as Row } from '@/generated/prisma/client';
import {
  MAX_PROJECT_BYTES,
  MAX_PROJECT_WORKFLOWS,
  type ProjectContent,
  type ExportProjectQuery,
  type ProjectTable,
  type ProjectWorkflow,
} from '@/contract/projects/project';
import type { PollSourceNode } from '@/contract/triggers/poll';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { TableColumn } from '@/contract/tables/table';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { requirePermission } from '@/server/people/access/require';
import type { SignedInCall } from '@/server/api/operation/operation';
import { conflictProblem } from '@/server/platform/errors/problem';
import { keyedReferences } from '@/server/workflow/definition/references';
import { toWorkflowSettings } from '../workflows/settings';
import { assignProjectKeys, listReadableObjects, type ReferenceKind } from './object-keys';
import { mapNodeReferences } from './workflow-parts';
import {
  readFolderPaths,
  toProjectHead,
  findPresentParts,
  readWorkflowParts,
  type ProjectNaming,
  type ProjectWorkflowItem,
} from './stored-workflow';

/** Throws 409 before more is read than a response can hold. */
async function requireExportableSize({ db }: SignedInCall, ids: string[]): Promise<void> {
  const narrower = 'Select fewer by a tag or a folder.';
  if (ids.length > MAX_PROJECT_WORKFLOWS)
    throw conflictProblem(
      `A project has at most ${MAX_PROJECT_WORKFLOWS} workflows; these are ${ids.length}. ${narrower}`,
    );
  const [sizes] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT octet_length(definition::text) AS bytes FROM workflow WHERE id = ANY(${ids})
      UNION ALL SELECT octet_length(input::text) + octet_length(mocks::text) + octet_length(expectations::text)
      FROM workflow_test WHERE workflow_id = ANY(${ids})) AS parts`;
  if ((sizes?.bytes ?? 0) > MAX_PROJECT_BYTES)
    throw conflictProblem(`These workflows are larger than 8 MiB. ${narrower}`);
}

/** The workflows that the query selects, of those that the caller may read. */
async function selectWorkflowIds(
  { db, caller }: SignedInCall,
  query: ExportProjectQuery,
  folders: Map<string, string[]>,
) {
  const inside = query.folder?.split('/');
  const folderIds = [...folders].flatMap(([id, path]) => (inside?.every((name, at) => path[at] === name) ? [id] : []));
  const filter = {
    workspaceId: caller.workspaceId,
    ...(query.tag === undefined ? {} : { tags: { has: query.tag } }),
    ...(inside === undefined ? {} : { folderId: { in: folderIds } }),
    ...(query.workflows === undefined ? {} : { id: { in: query.workflows.split(',') } }),
  };
  const where = { AND: [filter, visibleRowsFilter(caller, 'workflow')] };
  return (await db.workflow.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** Collects the ids that definitions, polls, subscriptions and error workflows refer to. */
async function collectReferencedIds(
  { db }: SignedInCall,
  rows: readonly Row[],
): Promise<Record<ReferenceKind, Set<string>>> {
  const found = { credential: new Set<string>(), workflow: new Set<string>(), table: new Set<string>() };
  const polls = await db.poll.findMany({
    where: { workflowId: { in: rows.map(({ id }) => id) } },
    select: { node: true },
  });
  const subscriptions = await db.webhookSubscription.findMany({
    where: { workflowId: { in: rows.map(({ id }) => id) }, isCurrent: true },
    select: { credentialId: true },
  });
  for (const { credentialId } of subscriptions) if (credentialId !== null) found.credential.add(credentialId);
  for (const { definition } of rows)
    for (const { resource, id } of keyedReferences(definition as WorkflowDefinition)) found[resource].add(id);
  for (const { node } of polls)
    mapNodeReferences(node as unknown as PollSourceNode, ({ resource, id }) => {
      found[resource].add(id);
      return id;
    });
  for (const row of rows) {
    const { errorWorkflowId } = toWorkflowSettings(row);
    if (errorWorkflowId !== null) found.workflow.add(errorWorkflowId);
  }
  return found;
}

/** Reads the workflows with these ids, and all that they call, directly or not. */
async function readWithCalledWorkflows(call: SignedInCall, ids: string[]): Promise<Row[]> {
  const { db, caller } = call;
  const found = new Map<string, Row>();
  const asked = new Set<string>();
  let next = ids;
  while (next.length > 0) {
    for (const id of next) asked.add(id);
    await requireExportableSize(call, [...asked]);
    const where = {
      AND: [{ workspaceId: caller.workspaceId, id: { in: next } }, visibleRowsFilter(caller, 'workflow')],
    };
    const rows = await db.workflow.findMany({ where });
    for (const row of rows) found.set(row.id, row);
    next = [...(await collectReferencedIds(call, rows)).workflow].filter((id) => !asked.has(id));
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1) || (one.id < other.id ? -1 : 1));
}

const explicitKeyField = (key: string, name: string) => (key === name ? {} : { key });

/** The workflows of a workspace and what they refer to, as files without ids of this workspace and without secrets. */
export async function exportProject(call: SignedInCall, query: ExportProjectQuery): Promise<ProjectContent> {
  const { db, caller } = call;
  const { workspaceId } = caller;
  const isWhole = query.tag === undefined && query.folder === undefined && query.workflows === undefined;
  const folders = await readFolderPaths(db, workspaceId);
  const rows = await readWithCalledWorkflows(call, await selectWorkflowIds(call, query, folders));
  const named = await collectReferencedIds(call, rows);
  const catalogue = await listReadableObjects(db, caller);
  const keys = {
    credential: assignProjectKeys(catalogue.credential),
    workflow: assignProjectKeys(catalogue.workflow),
    table: assignProjectKeys(catalogue.table),
  };
  const present = await findPresentParts(
    db,
    rows.map(({ id }) => id),
  );
  const expressed: ProjectNaming = {
    // The id of an unreadable or deleted object stays as it is, and a push reports that it names nothing.
    toKey: ({ resource, id }) => keys[resource].get(id) ?? id,
    folders,
    present,
  };
  const records = await db.projectWorkflow.findMany({ where: { workspaceId, project: query.project } });
  const recorded = new Map(records.map(({ workflowId, key }) => [workflowId, key]));
  const workflows: ProjectWorkflowItem[] = [];
  for (const row of rows)
    workflows.push({
      id: recorded.get(row.id) ?? row.id,
      ...explicitKeyField(keys.workflow.get(row.id) ?? row.name, row.name),
      ...toProjectHead(row, expressed),
      ...toProjectParts(await readWorkflowParts(call, row.id, expressed)),
    });
  const isIn = (kind: ReferenceKind, id: string) => isWhole || named[kind].has(id);
  return {
    workflows,
    credentials: await exportCredentials(call, keys.credential, (id) => isIn('credential', id)),
    tables: await exportTables(call, keys.table, (id) => isIn('table', id)),
    variables: await exportVariables(call, isWhole ? undefined : JSON.stringify(workflows)),
    workspaceId,
    versions: Object.fromEntries(rows.map((row) => [recorded.get(row.id) ?? row.id, row.version])),
  };
}

function toProjectParts(
  parts: Awaited<ReturnType<typeof readWorkflowParts>>,
): Pick<ProjectWorkflowItem, 'triggers' | 'tests'> {
  const items: Record<string, unknown[]> = {};
  for (const [{ kind }, found] of parts) items[`${kind}s`] = found.map(({ item }) => item);
  const { tests, ...triggers } = items;
  return { triggers: triggers as ProjectWorkflow['triggers'], tests: tests as ProjectWorkflow['tests'] };
}

async function exportCredentials(
  { db, caller }: SignedInCall,
  keys: Map<string, string>,
  isIn: (id: string) => boolean,
): Promise<ProjectContent['credentials']> {
  const where = { workspaceId: caller.workspaceId, id: { in: [...keys.keys()].filter(isIn) } };
  const rows = await db.credential.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  return rows.map(({ id, name, type, connectorId, config }) => ({
    id,
    ...explicitKeyField(keys.get(id) ?? name, name),
    name,
    type: type as ProjectContent['credentials'][number]['type'],
    connectorId,
    config: config as Record<string, unknown>,
  }));
}

async function exportTables(
  { db, caller }: SignedInCall,
  keys: Map<string, string>,
  isIn: (id: string) => boolean,
): Promise<ProjectContent['tables']> {
  const where = { workspaceId: caller.workspaceId, id: { in: [...keys.keys()].filter(isIn) } };
  const rows = await db.dataTable.findMany({ where, orderBy: { name: 'asc' } });
  return rows.map(({ id, name, columns }) => ({
    id,
    ...explicitKeyField(keys.get(id) ?? name, name),
    name,
    columns: toProjectColumns(columns as TableColumn[]),
  }));
}

/** Leaves out the ids of columns, which only exist in this table. A push finds columns by name. */
export const toProjectColumns = (columns: readonly TableColumn[]): ProjectTable['columns'] =>
  columns.map(({ name, type, isRequired, isUnique }) => ({ name, type, isRequired, isUnique }));

/** All variables, or those whose names are in `text`. */
async function exportVariables(
  { db, caller }: SignedInCall,
  text: string | undefined,
): Promise<ProjectContent['variables']> {
  requirePermission(caller, 'variable', 'read');
  const rows = await db.variable.findMany({ where: { workspaceId: caller.workspaceId }, orderBy: { name: 'asc' } });
  const words = text === undefined ? undefined : new Set(text.match(/[A-Z]\w*/g));
  return rows.flatMap(({ name, value }) => (words === undefined || words.has(name) ? [{ name, value }] : []));
}
