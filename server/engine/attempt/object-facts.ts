import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { findCustomSummary } from '@/server/connectors/custom/store';
import { prismaClient } from '@/server/platform/db/client';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { listInputSchemas } from '@/server/workflow/nodes/flow/start';
import type { WorkspaceObjectDetails, WorkspaceObjectRef } from '@/server/workflow/nodes/node-type';
import type { TableColumn } from '@/contract/tables/table';
import { requireUsableObjects, type NodeAuthority } from './authority';

interface FactsReader {
  workspaceId: string;
  version: NodeAuthority;
}

/**
 * Loads what a node may know about the objects that its run may use. Throws NodeFailure: FORBIDDEN, CONFIG,
 * WORKFLOW_NOT_FOUND, TABLE_NOT_FOUND.
 */
export const loadObjectFacts = (
  reader: FactsReader,
  named: WorkspaceObjectRef[],
  signal: AbortSignal,
): Promise<WorkspaceObjectDetails[]> =>
  retryWhileUnavailable(signal, async () => {
    await requireUsableObjects(reader.version, named);
    return Promise.all(named.map((one) => loadFactsAbout(reader.workspaceId, one)));
  });

function loadFactsAbout(workspaceId: string, named: WorkspaceObjectRef): Promise<WorkspaceObjectDetails> {
  if (named.resource === 'connector') return loadOperationFacts(workspaceId, named.id, named.operation);
  return named.resource === 'workflow' ? loadWorkflowFacts(workspaceId, named) : loadTableFacts(workspaceId, named.id);
}

async function loadOperationFacts(
  workspaceId: string,
  connectorId: string,
  operation: string,
): Promise<WorkspaceObjectDetails> {
  const found = await findCustomSummary(workspaceId, connectorId, operation);
  if (!found)
    throw new NodeFailure('CONFIG', `There is no operation "${operation.slice(0, 100)}" of this connector.`, false);
  const { title, help, parameters } = found;
  return { name: title, description: [title, help].filter(Boolean).join('. '), inputSchema: parameters };
}

async function loadWorkflowFacts(
  workspaceId: string,
  { id, startNodeId }: Extract<WorkspaceObjectRef, { resource: 'workflow' }>,
): Promise<WorkspaceObjectDetails> {
  const row = await prismaClient().workflow.findFirst({
    where: { id, workspaceId },
    select: { name: true, description: true, definition: true },
  });
  if (!row) throw createNodeFailure('WORKFLOW_NOT_FOUND', { workflowId: id.slice(0, 100) });
  const { name, description, definition } = row;
  const [inputSchema] = listInputSchemas(definition as unknown as WorkflowDefinition, startNodeId);
  return { name, description, ...(inputSchema ? { inputSchema: inputSchema as Record<string, unknown> } : {}) };
}

async function loadTableFacts(workspaceId: string, id: string): Promise<WorkspaceObjectDetails> {
  const row = await prismaClient().dataTable.findFirst({
    where: { id, workspaceId },
    select: { name: true, columns: true },
  });
  if (!row) throw createNodeFailure('TABLE_NOT_FOUND', { tableId: id.slice(0, 100) });
  const columns = (row.columns as unknown as TableColumn[]).map(({ name, type }) => ({ name, type }));
  return { name: row.name, description: '', columns };
}
