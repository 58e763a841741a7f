import type { Caller } from '@/server/access/caller';
import { can } from '@/server/access/conditions';
import { visibleTo } from '@/server/access/filter';
import { isAllowed } from '@/server/access/permissions';
import { refusedAmong } from '@/server/access/references';
import type { Facts } from '@/server/builder/facts';
import { shapeOf } from '@/server/builder/shapes';
import type { TableColumn } from '@/contract/tables/table';
import type { Db } from '@/server/db/client';

/** Objects of each kind that a model is told of. */
const MOST = 100;
/** Nodes whose data is described, and characters of one output: larger ones are left out. */
const MAX_OUTPUTS = 60;
const MAX_OUTPUT = 32 * 1024;

const BY_NAME = { orderBy: [{ name: 'asc' as const }, { id: 'asc' as const }], take: MOST };

/** What a model may know of the workspace: the objects that the caller may see and use, by name. */
export async function factsFor(db: Db, caller: Caller, workflowId: string): Promise<Facts> {
  const [credentials, tables, workflows, connectors, variables, shapes] = await Promise.all([
    credentialsFor(db, caller),
    tablesFor(db, caller),
    workflowsFor(db, caller, workflowId),
    connectorsFor(db, caller),
    variablesFor(db, caller),
    lastShapes(db, caller, workflowId),
  ]);
  return { credentials, tables, workflows, connectors, variables, shapes };
}

async function credentialsFor(db: Db, caller: Caller): Promise<Facts['credentials']> {
  const rows = await db.credential.findMany({
    where: { AND: [{ workspaceId: caller.workspaceId }, visibleTo(caller, 'credential')] },
    select: { id: true, name: true, type: true, connectorId: true, status: true, createdBy: true },
    ...BY_NAME,
  });
  return rows
    .filter((row) => can(caller, 'use', 'credential', row))
    .map(({ id, name, type, connectorId }) => ({ id, name, type, connectorId }));
}

async function tablesFor(db: Db, caller: Caller): Promise<Facts['tables']> {
  const rows = await db.dataTable.findMany({
    where: { AND: [{ workspaceId: caller.workspaceId }, visibleTo(caller, 'table')] },
    select: { id: true, name: true, columns: true },
    ...BY_NAME,
  });
  return rows.map(({ id, name, columns }) => ({
    id,
    name,
    columns: (columns as TableColumn[]).map((column) => ({ name: column.name, type: column.type })),
  }));
}

async function workflowsFor(db: Db, caller: Caller, workflowId: string): Promise<Facts['workflows']> {
  const rows = await db.workflow.findMany({
    where: {
      AND: [{ workspaceId: caller.workspaceId, id: { not: workflowId } }, visibleTo(caller, 'workflow')],
    },
    select: { id: true, name: true, status: true, createdBy: true },
    ...BY_NAME,
  });
  return rows.filter((row) => can(caller, 'execute', 'workflow', row)).map(({ id, name }) => ({ id, name }));
}

async function connectorsFor(db: Db, caller: Caller): Promise<Facts['connectors']> {
  const { workspaceId, permissions } = caller;
  if (!isAllowed(permissions, 'connector', 'read')) return [];
  const rows = await db.connector.findMany({ where: { workspaceId }, select: { id: true, name: true }, ...BY_NAME });
  const refused = await refusedAmong(
    db,
    caller,
    rows.map(({ id }) => ({ resource: 'connector' as const, id })),
  );
  return rows.filter(({ id }) => !refused.some((one) => one.id === id));
}

async function variablesFor(db: Db, { workspaceId, permissions }: Caller): Promise<string[]> {
  if (!isAllowed(permissions, 'variable', 'read')) return [];
  const rows = await db.variable.findMany({
    where: { workspaceId },
    select: { name: true },
    orderBy: { name: 'asc' },
    take: MOST,
  });
  return rows.map(({ name }) => name);
}

/** The shapes of the data of the last run that the caller may see; null: there is none. */
async function lastShapes(db: Db, caller: Caller, workflowId: string): Promise<Facts['shapes']> {
  const run = await db.execution.findFirst({
    where: { AND: [{ workspaceId: caller.workspaceId, workflowId }, visibleTo(caller, 'execution')] },
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  if (!run) return null;
  const [input, outputs] = await Promise.all([
    db.$queryRaw<{ value: unknown }[]>`
      SELECT input AS value FROM execution WHERE id = ${run.id} AND octet_length(input::text) <= ${MAX_OUTPUT}`,
    // Rounds of loops have their results under paths such as loop[3].inner: those of the first round stand for all.
    db.$queryRaw<{ id: string; value: unknown }[]>`
      SELECT node_id AS id, output AS value FROM node_result
      WHERE execution_id = ${run.id} AND output IS NOT NULL AND coalesce(large_bytes, octet_length(output::text)) <= ${MAX_OUTPUT}
        AND node_id !~ '\\[[1-9]' ORDER BY node_id LIMIT ${MAX_OUTPUTS}`,
  ]);
  return {
    input: input[0] ? shapeOf(input[0].value) : '…',
    outputs: Object.fromEntries(outputs.map(({ id, value }) => [id, shapeOf(value)])),
  };
}
