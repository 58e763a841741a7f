import type { Destinations } from '@/contract/credentials/credential-marks';
import { prisma, type Db } from '@/server/db/client';
import { open, seal } from '@/server/db/seal';
import { runtime } from '@/server/runtime';
import type { Connector } from '../connector';

/** An app registration, and its addresses if they differ from the provider's usual ones. */
export interface Registration {
  clientId: string;
  clientSecret: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  apiUrl?: string;
  /** Further parameters of token requests. */
  tokenParameters?: Record<string, string>;
}

const boundTo = (workspaceId: string, connectorId: string) => `registration:${workspaceId}:${connectorId}`;

/** The secrets of a registration as its row has them. */
export function sealRegistration(
  workspaceId: string,
  connectorId: string,
  { clientSecret, tokenParameters = {} }: Pick<Registration, 'clientSecret' | 'tokenParameters'>,
) {
  const sealed = (text: string) => seal(text, boundTo(workspaceId, connectorId), runtime().env.encryptionKeys);
  const hasParameters = Object.keys(tokenParameters).length > 0;
  return {
    sealed: sealed(clientSecret),
    sealedParameters: hasParameters ? sealed(JSON.stringify(tokenParameters)) : null,
  };
}

interface Row {
  workspaceId: string;
  connectorId: string;
  clientId: string;
  sealed: string;
  sealedParameters: string | null;
  addresses: unknown;
}

function openRegistration(row: Row): Registration {
  const { workspaceId, connectorId, clientId, sealed, sealedParameters } = row;
  const opened = (text: string) => open(text, boundTo(workspaceId, connectorId), runtime().env.encryptionKeys);
  return {
    clientId,
    clientSecret: opened(sealed),
    ...(row.addresses as Pick<Registration, 'tokenUrl' | 'apiUrl'>),
    ...(sealedParameters ? { tokenParameters: JSON.parse(opened(sealedParameters)) as Record<string, string> } : {}),
  };
}

/** Whether both addresses are set, for providers that have different ones for every customer. */
export const hasAddresses = (connector: Connector, { tokenUrl, apiUrl }: Partial<Registration>): boolean =>
  Boolean((connector.tokenUrl ?? tokenUrl) && (connector.apiUrl ?? apiUrl));

/** The service's registration from the environment; null if it is incomplete. */
function fromEnvironment(connector: Connector): Registration | null {
  const { clientId, clientSecret, ...addresses } = runtime().env.connectors[connector.id] ?? {};
  if (!clientId || !clientSecret || !hasAddresses(connector, addresses)) return null;
  return { clientId, clientSecret, ...addresses };
}

/** The registration for a workspace's calls: its own if it has one, else the service's; null: none. */
export async function registrationOf(
  connector: Connector,
  workspaceId: string,
  db: Db = prisma(),
): Promise<Registration | null> {
  const row = await db.connectorRegistration.findUnique({
    where: { workspaceId_connectorId: { workspaceId, connectorId: connector.id } },
  });
  if (!row) return fromEnvironment(connector);
  // A workspace's own secret: the workspace or the operator decides where it is sent.
  const { clientId: _id, clientSecret: _secret, ...addresses } = runtime().env.connectors[connector.id] ?? {};
  return { ...addresses, ...openRegistration(row) };
}

/** The address of the API that the workspace or the operator has set in place of the provider's. */
export const apiUrlOf = ({ id }: Connector, registration: Registration | null): string | undefined =>
  registration?.apiUrl ?? runtime().env.connectors[id]?.apiUrl;

/** The addresses that receive a connector's tokens and its client's secret. */
export const REGISTRATION_DESTINATIONS: Destinations = {
  authorizeUrl: 'address',
  tokenUrl: 'address',
  apiUrl: 'address',
};

/** The addresses of a registration. */
export const addressesOf = (connector: Connector, registration: Registration | null) => ({
  authorizeUrl: registration?.authorizeUrl ?? connector.authorizeUrl,
  tokenUrl: registration?.tokenUrl ?? connector.tokenUrl,
  apiUrl: registration?.apiUrl ?? connector.apiUrl,
});

/** The connectors that a workspace can use, and which of them through its own registration. */
export async function configured(workspaceId: string, connectors: readonly Connector[]) {
  const rows = await prisma().connectorRegistration.findMany({ where: { workspaceId } });
  const own = new Set(rows.map(({ connectorId }) => connectorId));
  const ready = new Set(connectors.filter((one) => own.has(one.id) || fromEnvironment(one)).map(({ id }) => id));
  return { own, ready };
}
