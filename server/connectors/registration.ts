import { prisma } from '../db/client';
import { open, seal } from '../db/seal';
import { runtime } from '../runtime';
import type { Connector } from './connector';

/** An app registration, and the addresses that go with it where they aren't the provider's usual ones. */
export interface Registration {
  clientId: string;
  clientSecret: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  apiUrl?: string;
}

const boundTo = (workspaceId: string, connectorId: string) => `registration:${workspaceId}:${connectorId}`;

export const sealClientSecret = (workspaceId: string, connectorId: string, secret: string): string =>
  seal(secret, boundTo(workspaceId, connectorId), runtime().env.encryptionKeys);

interface Row {
  workspaceId: string;
  connectorId: string;
  clientId: string;
  sealed: string;
  addresses: unknown;
}

function opened(row: Row): Registration {
  const { workspaceId, connectorId, clientId, sealed } = row;
  const clientSecret = open(sealed, boundTo(workspaceId, connectorId), runtime().env.encryptionKeys);
  return { clientId, clientSecret, ...(row.addresses as Pick<Registration, 'tokenUrl' | 'apiUrl'>) };
}

/** True when both addresses that every customer of some providers has for their own are known. */
export const hasAddresses = (connector: Connector, { tokenUrl, apiUrl }: Partial<Registration>): boolean =>
  Boolean((connector.tokenUrl ?? tokenUrl) && (connector.apiUrl ?? apiUrl));

/** The service's registration by environment; null when it is incomplete. */
function fromEnvironment(connector: Connector): Registration | null {
  const { clientId, clientSecret, ...addresses } = runtime().env.connectors[connector.id] ?? {};
  if (!clientId || !clientSecret || !hasAddresses(connector, addresses)) return null;
  return { clientId, clientSecret, ...addresses };
}

/** The registration that a workspace's calls go by: its own if it has one, else the service's; null: none. */
export async function registrationOf(connector: Connector, workspaceId: string): Promise<Registration | null> {
  const row = await prisma().connectorRegistration.findUnique({
    where: { workspaceId_connectorId: { workspaceId, connectorId: connector.id } },
  });
  if (!row) return fromEnvironment(connector);
  // A secret of the workspace's own: where it is sent is the workspace's business, or the operator's.
  const { clientId: _id, clientSecret: _secret, ...addresses } = runtime().env.connectors[connector.id] ?? {};
  return { ...addresses, ...opened(row) };
}

/** Which connectors a workspace can use now, and which of them by a registration of its own. */
export async function configured(workspaceId: string, connectors: readonly Connector[]) {
  const rows = await prisma().connectorRegistration.findMany({ where: { workspaceId } });
  const own = new Set(rows.map(({ connectorId }) => connectorId));
  const ready = new Set(connectors.filter((one) => own.has(one.id) || fromEnvironment(one)).map(({ id }) => id));
  return { own, ready };
}
