import type { Definition } from '@/contract/workflows/workflow';
import { findCustomFacts } from '@/server/connectors/custom/store';
import { prisma } from '@/server/db/client';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { NodeFailure } from '@/server/errors/node-failure';
import { inputSchemas } from '@/server/nodes/flow/start';
import type { Facts, NamedObject } from '@/server/nodes/node';
import type { TableColumn } from '@/contract/tables/table';
import { requireUsable, type AuthorizedPoll, type AuthorizedVersion } from './authority';

interface Reader {
  workspaceId: string;
  version: AuthorizedVersion | AuthorizedPoll;
}

/** What a node may know of workflows, tables and operations: those that its run may use. Throws NodeFailure FORBIDDEN and those below. */
export const factsOf = (reader: Reader, named: NamedObject[], signal: AbortSignal): Promise<Facts[]> =>
  retryWhileUnavailable(signal, async () => {
    await requireUsable(reader.version, named);
    return Promise.all(named.map((one) => factsAbout(reader.workspaceId, one)));
  });

function factsAbout(workspaceId: string, named: NamedObject): Promise<Facts> {
  if (named.resource === 'connector') return ofOperation(workspaceId, named.id, named.operation);
  return named.resource === 'workflow' ? ofWorkflow(workspaceId, named.id) : ofTable(workspaceId, named.id);
}

async function ofOperation(workspaceId: string, connectorId: string, operation: string): Promise<Facts> {
  const found = await findCustomFacts(workspaceId, connectorId, operation);
  if (!found)
    throw new NodeFailure('CONFIG', `There is no operation "${operation.slice(0, 100)}" of this connector.`, false);
  const { title, help, parameters } = found;
  return { name: title, description: [title, help].filter(Boolean).join('. '), inputSchema: parameters };
}

async function ofWorkflow(workspaceId: string, id: string): Promise<Facts> {
  const row = await prisma().workflow.findFirst({
    where: { id, workspaceId },
    select: { name: true, description: true, definition: true },
  });
  if (!row) throw new NodeFailure('WORKFLOW_NOT_FOUND', `The workspace has no workflow ${id.slice(0, 100)}.`, false);
  const { name, description, definition } = row;
  const [inputSchema] = inputSchemas(definition as unknown as Definition);
  return { name, description, ...(inputSchema ? { inputSchema: inputSchema as Record<string, unknown> } : {}) };
}

async function ofTable(workspaceId: string, id: string): Promise<Facts> {
  const row = await prisma().dataTable.findFirst({ where: { id, workspaceId }, select: { name: true, columns: true } });
  if (!row) throw new NodeFailure('TABLE_NOT_FOUND', `The workspace has no table ${id.slice(0, 100)}.`, false);
  const columns = (row.columns as unknown as TableColumn[]).map(({ name, type }) => ({ name, type }));
  return { name: row.name, description: '', columns };
}
