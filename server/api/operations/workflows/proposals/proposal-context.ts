import type { WorkspaceCaller } from '@/server/people/access/caller';
import { isActionAllowed } from '@/server/people/access/conditions';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { isAllowedOnEveryObject } from '@/server/people/access/permissions';
import { findRefusedReferences } from '@/server/people/access/references';
import type { WorkspaceSummary } from '@/server/workflow/builder/workspace-summary';
import { describeShape } from '@/server/workflow/builder/shapes';
import type { TableColumn } from '@/contract/tables/table';
import type { DatabaseClient } from '@/server/platform/db/client';

/** A model is told of at most this many objects of each kind. */
const MAX_OBJECTS_PER_KIND = 100;
/** Nodes whose data is described, and characters of one output: larger ones are left out. */
const MAX_DESCRIBED_OUTPUTS = 60;
const MAX_SHAPED_OUTPUT_BYTES = 32 * 1024;

const FIRST_BY_NAME = { orderBy: [{ name: 'asc' as const }, { id: 'asc' as const }], take: MAX_OBJECTS_PER_KIND };

/** What a model may know of the workspace: the objects that the caller may see and use, by name. */
export async function readProposalContext(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
): Promise<WorkspaceSummary> {
  const [credentials, tables, workflows, connectors, triggers, variables, shapes] = await Promise.all([
    listUsableCredentials(db, caller),
    listVisibleTables(db, caller),
    listCallableWorkflows(db, caller, workflowId),
    listUsableConnectors(db, caller),
    listWorkflowTriggers(db, caller, workflowId),
    listVariableNames(db, caller),
    readLastRunShapes(db, caller, workflowId),
  ]);
  return { credentials, tables, workflows, connectors, triggers, variables, shapes };
}

async function listUsableCredentials(
  db: DatabaseClient,
  caller: WorkspaceCaller,
): Promise<WorkspaceSummary['credentials']> {
  const rows = await db.credential.findMany({
    where: { AND: [{ workspaceId: caller.workspaceId }, visibleRowsFilter(caller, 'credential')] },
    select: { id: true, name: true, type: true, connectorId: true, status: true, createdBy: true },
    ...FIRST_BY_NAME,
  });
  return rows
    .filter((row) => isActionAllowed(caller, 'use', 'credential', row))
    .map(({ id, name, type, connectorId }) => ({ id, name, type, connectorId }));
}

async function listVisibleTables(db: DatabaseClient, caller: WorkspaceCaller): Promise<WorkspaceSummary['tables']> {
  const rows = await db.dataTable.findMany({
    where: { AND: [{ workspaceId: caller.workspaceId }, visibleRowsFilter(caller, 'table')] },
    select: { id: true, name: true, columns: true },
    ...FIRST_BY_NAME,
  });
  return rows.map(({ id, name, columns }) => ({
    id,
    name,
    columns: (columns as TableColumn[]).map((column) => ({ name: column.name, type: column.type })),
  }));
}

async function listCallableWorkflows(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
): Promise<WorkspaceSummary['workflows']> {
  const rows = await db.workflow.findMany({
    where: {
      AND: [{ workspaceId: caller.workspaceId, id: { not: workflowId } }, visibleRowsFilter(caller, 'workflow')],
    },
    select: { id: true, name: true, status: true, createdBy: true },
    ...FIRST_BY_NAME,
  });
  return rows
    .filter((row) => isActionAllowed(caller, 'execute', 'workflow', row))
    .map(({ id, name }) => ({ id, name }));
}

async function listUsableConnectors(
  db: DatabaseClient,
  caller: WorkspaceCaller,
): Promise<WorkspaceSummary['connectors']> {
  const { workspaceId, permissions } = caller;
  if (!isAllowedOnEveryObject(permissions, 'connector', 'read')) return [];
  const rows = await db.connector.findMany({
    where: { workspaceId },
    select: { id: true, name: true },
    ...FIRST_BY_NAME,
  });
  const refused = await findRefusedReferences(
    db,
    caller,
    rows.map(({ id }) => ({ resource: 'connector' as const, id })),
  );
  return rows.filter(({ id }) => !refused.some((one) => one.id === id));
}

/** The triggers of the workflow that the caller may see. */
async function listWorkflowTriggers(
  db: DatabaseClient,
  { permissions }: WorkspaceCaller,
  workflowId: string,
): Promise<WorkspaceSummary['triggers']> {
  const where = { workflowId };
  const take = MAX_OBJECTS_PER_KIND;
  const [webhooks, forms, chats, schedules, polls] = await Promise.all([
    db.webhook.findMany({ where, take, select: { path: true } }),
    db.form.findMany({ where, take, select: { title: true } }),
    db.chat.findMany({ where, take, select: { title: true } }),
    db.schedule.findMany({ where, take, select: { cron: true } }),
    db.poll.findMany({ where, take, select: { name: true } }),
  ]);
  const found = [
    ...webhooks.map(({ path }) => ({ kind: 'webhook' as const, name: path })),
    ...forms.map(({ title }) => ({ kind: 'form' as const, name: title })),
    ...chats.map(({ title }) => ({ kind: 'chat' as const, name: title })),
    ...schedules.map(({ cron }) => ({ kind: 'schedule' as const, name: cron })),
    ...polls.map(({ name }) => ({ kind: 'poll' as const, name })),
  ];
  return found.filter(({ kind }) => isAllowedOnEveryObject(permissions, kind, 'read'));
}

async function listVariableNames(db: DatabaseClient, { workspaceId, permissions }: WorkspaceCaller): Promise<string[]> {
  if (!isAllowedOnEveryObject(permissions, 'variable', 'read')) return [];
  const rows = await db.variable.findMany({
    where: { workspaceId },
    select: { name: true },
    orderBy: { name: 'asc' },
    take: MAX_OBJECTS_PER_KIND,
  });
  return rows.map(({ name }) => name);
}

/** Describes the shapes of the data of the last run that the caller may see. Returns null if there is no such run. */
async function readLastRunShapes(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  workflowId: string,
): Promise<WorkspaceSummary['shapes']> {
  const run = await db.execution.findFirst({
    where: { AND: [{ workspaceId: caller.workspaceId, workflowId }, visibleRowsFilter(caller, 'execution')] },
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  if (!run) return null;
  const [input, outputs] = await Promise.all([
    db.$queryRaw<{ value: unknown }[]>`
      SELECT input AS value FROM execution WHERE id = ${run.id} AND octet_length(input::text) <= ${MAX_SHAPED_OUTPUT_BYTES}`,
    // Rounds of loops have their results under paths such as loop[3].inner: those of the first round stand for all.
    db.$queryRaw<{ id: string; value: unknown }[]>`
      SELECT node_id AS id, output AS value FROM node_result
      WHERE execution_id = ${run.id} AND output IS NOT NULL AND coalesce(large_bytes, octet_length(output::text)) <= ${MAX_SHAPED_OUTPUT_BYTES}
        AND node_id !~ '\\[[1-9]' ORDER BY node_id LIMIT ${MAX_DESCRIBED_OUTPUTS}`,
  ]);
  return {
    input: input[0] ? describeShape(input[0].value) : '…',
    outputs: Object.fromEntries(outputs.map(({ id, value }) => [id, describeShape(value)])),
  };
}
