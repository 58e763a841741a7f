import type { ConnectorDetails } from '@/contract/connectors/custom-connector';
import type { Connector as Row } from '@/generated/prisma/client';
import type { Caller } from '@/server/access/caller';
import { configured } from '@/server/connectors/authorization/registration';
import { customConnector, isCustomId } from '@/server/connectors/custom/connector';
import type { Db } from '@/server/db/client';
import { conflict, notFound } from '@/server/errors/problem';
import { connectorOf } from '@/server/connectors';
import { presentCustom, presentOperation } from './present';
import { presentUses, usesOf } from './uses';

/** The row of a connector of the workspace. Throws a 404, and a 409 for a connector of the service. */
export async function stored(db: Db, workspaceId: string, id: string): Promise<Row> {
  const row = isCustomId(id) ? await db.connector.findFirst({ where: { id, workspaceId } }) : null;
  if (row) return row;
  if (connectorOf(id)) throw conflict('A connector of the service cannot be changed.');
  throw notFound('The connector');
}

/** A connector of the workspace with its operations and where it is used. */
export async function detailsOf(db: Db, caller: Caller, row: Row): Promise<ConnectorDetails> {
  const [operations, registered, uses] = await Promise.all([
    db.connectorOperation.findMany({ where: { connectorId: row.id }, orderBy: { position: 'asc' } }),
    configured(row.workspaceId, [customConnector(row)]),
    usesOf(db, row.workspaceId, row.id),
  ]);
  return {
    ...presentCustom(row, operations.map(presentOperation), registered),
    selection: row.selection as string[] | null,
    ...(await presentUses(db, caller, [...uses.keys()])),
  };
}
