import type { z } from 'zod';
import type { CredentialResponse, CredentialType } from '@/contract/credentials/credential';
import type { Credential as Row } from '@/generated/prisma/client';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleRowsFilter } from '@/server/people/access/filter';
import type { CredentialKind } from '@/server/connectors/config';
import { isCustomConnectorId } from '@/server/connectors/custom/connector';
import { findConnector, isConnectorCredential } from '@/server/connectors/lookup';
import type { DatabaseClient } from '@/server/platform/db/client';
import { workflowsUsingCredential } from '@/server/workflow/definition/credentials';

export const toCredentialResponse = (row: Row): z.input<typeof CredentialResponse> => ({
  id: row.id,
  name: row.name,
  type: row.type as CredentialType,
  connectorId: row.connectorId,
  status: row.status as 'active',
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdBy: row.createdBy,
  workspaceId: row.workspaceId,
  version: row.version,
  config: row.config as Record<string, unknown>,
  secretFields: row.secretFields,
});

/**
 * Resolves type and connector of a new credential. Throws 400 for an unknown connector, and for a token of a connector
 * that takes none.
 */
export async function resolveCredentialKind(
  db: DatabaseClient,
  workspaceId: string,
  type: CredentialType,
  connectorId: string | null,
): Promise<CredentialKind> {
  // The secrets are for the addresses that the connector has now.
  const connector = isConnectorCredential(type) ? await findConnector(workspaceId, connectorId, db, true) : undefined;
  if (isCustomConnectorId(connectorId) && !connector)
    throw invalidFieldProblem(
      'connectorId',
      isConnectorCredential(type) ? 'is not a connector of the workspace' : `takes no ${type}`,
    );
  if (type === 'token' && !connector?.token) {
    throw invalidFieldProblem('connectorId', 'must be a connector that takes a token');
  }
  return { type, connectorId, connector };
}

/** Reads and locks the row, if it is the workspace's and at the expected version. */
export async function lockCredential(
  db: DatabaseClient,
  workspaceId: string,
  id: string,
  expected: number | undefined,
): Promise<Row> {
  await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} AND workspace_id = ${workspaceId} FOR UPDATE`;
  const row = await db.credential.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFoundProblem('The credential');
  if (expected !== undefined && expected !== row.version)
    throw conflictProblem('The credential was changed meanwhile.');
  return row;
}

/** Lists the workflows that use the credential and that the caller may read, and counts the others. */
export async function findCredentialUses(db: DatabaseClient, caller: WorkspaceCaller, id: string) {
  const ids = await workflowsUsingCredential(db, caller.workspaceId, id);
  const usedBy = await db.workflow.findMany({
    where: { AND: [{ id: { in: ids } }, visibleRowsFilter(caller, 'workflow')] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return { usedBy, otherUses: ids.length - usedBy.length };
}
