import type { Workflow as Row } from '@/generated/prisma/client';
import {
  MAX_PROJECT_BYTES,
  MAX_PROJECT_WORKFLOWS,
  type Project,
  type ProjectQuery,
  type ProjectTable,
  type ProjectWorkflow,
} from '@/contract/projects/project';
import type { PollNode } from '@/contract/triggers/poll';
import type { Definition } from '@/contract/workflows/workflow';
import type { TableColumn } from '@/contract/tables/table';
import { visibleTo } from '@/server/access/filter';
import { requirePermission } from '@/server/access/require';
import type { SignedInCall } from '@/server/api/operation';
import { conflict } from '@/server/errors/problem';
import { keyedReferencesIn } from '@/server/workflow/references';
import { settingsOf } from '../workflows/settings';
import { keysOf, readCatalogue, type ReferenceKind } from './names';
import { withNodeReferences } from './parts';
import { folderPaths, headOf, partsPresent, storedParts, type Expressed, type WorkflowItem } from './stored';

/** Throws 409 before more is read than an answer can hold. */
async function requireSmall({ db }: SignedInCall, ids: string[]): Promise<void> {
  const narrower = 'Select fewer by a tag or a folder.';
  if (ids.length > MAX_PROJECT_WORKFLOWS)
    throw conflict(`A project has at most ${MAX_PROJECT_WORKFLOWS} workflows; these are ${ids.length}. ${narrower}`);
  const [sizes] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT octet_length(definition::text) AS bytes FROM workflow WHERE id = ANY(${ids})
      UNION ALL SELECT octet_length(input::text) + octet_length(mocks::text) + octet_length(expectations::text)
      FROM workflow_test WHERE workflow_id = ANY(${ids})) AS parts`;
  if ((sizes?.bytes ?? 0) > MAX_PROJECT_BYTES) throw conflict(`These workflows are larger than 8 MiB. ${narrower}`);
}

/** The workflows that the query selects, of those that the caller may read. */
async function selected({ db, caller }: SignedInCall, query: ProjectQuery, folders: Map<string, string[]>) {
  const inside = query.folder?.split('/');
  const folderIds = [...folders].flatMap(([id, path]) => (inside?.every((name, at) => path[at] === name) ? [id] : []));
  const filter = {
    workspaceId: caller.workspaceId,
    ...(query.tag === undefined ? {} : { tags: { has: query.tag } }),
    ...(inside === undefined ? {} : { folderId: { in: folderIds } }),
    ...(query.workflows === undefined ? {} : { id: { in: query.workflows.split(',') } }),
  };
  const where = { AND: [filter, visibleTo(caller, 'workflow')] };
  return (await db.workflow.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** The objects that workflows refer to, with their polls and error workflows. */
async function referencesOf({ db }: SignedInCall, rows: readonly Row[]): Promise<Record<ReferenceKind, Set<string>>> {
  const found = { credential: new Set<string>(), workflow: new Set<string>(), table: new Set<string>() };
  const polls = await db.poll.findMany({
    where: { workflowId: { in: rows.map(({ id }) => id) } },
    select: { node: true },
  });
  for (const { definition } of rows)
    for (const { resource, id } of keyedReferencesIn(definition as Definition)) found[resource].add(id);
  for (const { node } of polls)
    withNodeReferences(node as unknown as PollNode, ({ resource, id }) => {
      found[resource].add(id);
      return id;
    });
  for (const row of rows) {
    const { errorWorkflowId } = settingsOf(row);
    if (errorWorkflowId !== null) found.workflow.add(errorWorkflowId);
  }
  return found;
}

/** The rows with these ids, and of all workflows that they call, directly or not. */
async function withCalled(call: SignedInCall, ids: string[]): Promise<Row[]> {
  const { db, caller } = call;
  const found = new Map<string, Row>();
  const asked = new Set<string>();
  let next = ids;
  while (next.length > 0) {
    for (const id of next) asked.add(id);
    await requireSmall(call, [...asked]);
    const where = { AND: [{ workspaceId: caller.workspaceId, id: { in: next } }, visibleTo(caller, 'workflow')] };
    const rows = await db.workflow.findMany({ where });
    for (const row of rows) found.set(row.id, row);
    next = [...(await referencesOf(call, rows)).workflow].filter((id) => !asked.has(id));
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1) || (one.id < other.id ? -1 : 1));
}

const keyUnlessName = (key: string, name: string) => (key === name ? {} : { key });

/** The workflows of a workspace and what they refer to, as files without ids of this workspace and without secrets. */
export async function exportProject(call: SignedInCall, query: ProjectQuery): Promise<Project> {
  const { db, caller } = call;
  const { workspaceId } = caller;
  const isWhole = query.tag === undefined && query.folder === undefined && query.workflows === undefined;
  const folders = await folderPaths(db, workspaceId);
  const rows = await withCalled(call, await selected(call, query, folders));
  const named = await referencesOf(call, rows);
  const catalogue = await readCatalogue(db, caller);
  const keys = {
    credential: keysOf(catalogue.credential),
    workflow: keysOf(catalogue.workflow),
    table: keysOf(catalogue.table),
  };
  const present = await partsPresent(
    db,
    rows.map(({ id }) => id),
  );
  const expressed: Expressed = {
    // What the caller may not read, or what was deleted, stays as it is: a push says that it names nothing.
    toKey: ({ resource, id }) => keys[resource].get(id) ?? id,
    folders,
    present,
  };
  const records = await db.projectWorkflow.findMany({ where: { workspaceId, project: query.project } });
  const recorded = new Map(records.map(({ workflowId, key }) => [workflowId, key]));
  const workflows: WorkflowItem[] = [];
  for (const row of rows)
    workflows.push({
      id: recorded.get(row.id) ?? row.id,
      ...keyUnlessName(keys.workflow.get(row.id) ?? row.name, row.name),
      ...headOf(row, expressed),
      ...partsInFile(await storedParts(call, row.id, expressed)),
    });
  const isIn = (kind: ReferenceKind, id: string) => isWhole || named[kind].has(id);
  return {
    workflows,
    credentials: await credentialsOf(call, keys.credential, (id) => isIn('credential', id)),
    tables: await tablesOf(call, keys.table, (id) => isIn('table', id)),
    variables: await variablesOf(call, isWhole ? undefined : JSON.stringify(workflows)),
    workspaceId,
    versions: Object.fromEntries(rows.map((row) => [recorded.get(row.id) ?? row.id, row.version])),
  };
}

function partsInFile(parts: Awaited<ReturnType<typeof storedParts>>): Pick<WorkflowItem, 'triggers' | 'tests'> {
  const items: Record<string, unknown[]> = {};
  for (const [{ kind }, found] of parts) items[`${kind}s`] = found.map(({ item }) => item);
  const { tests, ...triggers } = items;
  return { triggers: triggers as ProjectWorkflow['triggers'], tests: tests as ProjectWorkflow['tests'] };
}

async function credentialsOf(
  { db, caller }: SignedInCall,
  keys: Map<string, string>,
  isIn: (id: string) => boolean,
): Promise<Project['credentials']> {
  const where = { workspaceId: caller.workspaceId, id: { in: [...keys.keys()].filter(isIn) } };
  const rows = await db.credential.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  return rows.map(({ id, name, type, connectorId, config }) => ({
    id,
    ...keyUnlessName(keys.get(id) ?? name, name),
    name,
    type: type as Project['credentials'][number]['type'],
    connectorId,
    config: config as Record<string, unknown>,
  }));
}

async function tablesOf(
  { db, caller }: SignedInCall,
  keys: Map<string, string>,
  isIn: (id: string) => boolean,
): Promise<Project['tables']> {
  const where = { workspaceId: caller.workspaceId, id: { in: [...keys.keys()].filter(isIn) } };
  const rows = await db.dataTable.findMany({ where, orderBy: { name: 'asc' } });
  return rows.map(({ id, name, columns }) => ({
    id,
    ...keyUnlessName(keys.get(id) ?? name, name),
    name,
    columns: columnsInFile(columns as TableColumn[]),
  }));
}

/** Columns have ids of their table; names find them elsewhere. */
export const columnsInFile = (columns: readonly TableColumn[]): ProjectTable['columns'] =>
  columns.map(({ name, type, isRequired, isUnique }) => ({ name, type, isRequired, isUnique }));

/** All variables, or those whose names are in `text`. */
async function variablesOf({ db, caller }: SignedInCall, text: string | undefined): Promise<Project['variables']> {
  requirePermission(caller, 'variable', 'read');
  const rows = await db.variable.findMany({ where: { workspaceId: caller.workspaceId }, orderBy: { name: 'asc' } });
  const words = text === undefined ? undefined : new Set(text.match(/[A-Z]\w*/g));
  return rows.flatMap(({ name, value }) => (words === undefined || words.has(name) ? [{ name, value }] : []));
}
