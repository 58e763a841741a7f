import type { ConnectorDetails } from '@/contract/connectors/custom-connector';
import type { Connector as Row } from '@/generated/prisma/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { configuredConnectorIds } from '@/server/connectors/authorization/registration';
import { toCustomConnector, isCustomConnectorId } from '@/server/connectors/custom/connector';
import type { DatabaseClient } from '@/server/platform/db/client';
import { conflictProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { findBuiltInConnector } from '@/server/connectors';
import { toCustomConnectorResponse, toConnectorOperation } from './responses';
import { visibleConnectorUses, findConnectorUses } from './uses';

/** The row of a connector of the workspace. Throws a 404, and a 409 for a connector of the service. */
export async function requireCustomConnector(db: DatabaseClient, workspaceId: string, id: string): Promise<Row> {
  const row = isCustomConnectorId(id) ? await db.connector.findFirst({ where: { id, workspaceId } }) : null;
  if (row) return row;
  if (findBuiltInConnector(id)) throw conflictProblem('A connector of the service cannot be changed.');
  throw notFoundProblem('The connector');
}

/** Reads a connector of the workspace with its operations and the workflows that use it. */
export async function readConnectorDetails(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  row: Row,
): Promise<ConnectorDetails> {
  const [operations, registered, uses] = await Promise.all([
    db.connectorOperation.findMany({ where: { connectorId: row.id }, orderBy: { position: 'asc' } }),
    configuredConnectorIds(row.workspaceId, [toCustomConnector(row)]),
    findConnectorUses(db, row.workspaceId, row.id),
  ]);
  return {
    ...toCustomConnectorResponse(row, operations.map(toConnectorOperation), registered),
    selection: row.selection as string[] | null,
    ...(await visibleConnectorUses(db, caller, [...uses.keys()])),
  };
}
