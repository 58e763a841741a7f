import type { DestinationFields } from '@/contract/credentials/credential-fields';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import { getRuntime } from '@/server/platform/runtime';
import type { ConnectorDefinition } from '../connector';

/** An app registration, and its addresses if they differ from the provider's usual ones. */
export interface AppRegistration {
  clientId: string;
  clientSecret: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  apiUrl?: string;
  /** Further parameters of token requests. */
  tokenParameters?: Record<string, string>;
}

const registrationSealContext = (workspaceId: string, connectorId: string) =>
  `registration:${workspaceId}:${connectorId}`;

/** The secrets of a registration as its row has them. */
export function sealRegistration(
  workspaceId: string,
  connectorId: string,
  { clientSecret, tokenParameters = {} }: Pick<AppRegistration, 'clientSecret' | 'tokenParameters'>,
) {
  const sealed = (text: string) =>
    sealText(text, registrationSealContext(workspaceId, connectorId), getRuntime().env.encryptionKeys);
  const hasParameters = Object.keys(tokenParameters).length > 0;
  return {
    sealed: sealed(clientSecret),
    sealedParameters: hasParameters ? sealed(JSON.stringify(tokenParameters)) : null,
  };
}

interface RegistrationRow {
  workspaceId: string;
  connectorId: string;
  clientId: string;
  sealed: string;
  sealedParameters: string | null;
  addresses: unknown;
}

function openRegistration(row: RegistrationRow): AppRegistration {
  const { workspaceId, connectorId, clientId, sealed, sealedParameters } = row;
  const opened = (text: string) =>
    openSealedText(text, registrationSealContext(workspaceId, connectorId), getRuntime().env.encryptionKeys);
  return {
    clientId,
    clientSecret: opened(sealed),
    ...(row.addresses as Pick<AppRegistration, 'tokenUrl' | 'apiUrl'>),
    ...(sealedParameters ? { tokenParameters: JSON.parse(opened(sealedParameters)) as Record<string, string> } : {}),
  };
}

/** Whether both addresses are set, for providers that have different ones for every customer. */
export const hasTokenAndApiUrl = (
  connector: ConnectorDefinition,
  { tokenUrl, apiUrl }: Partial<AppRegistration>,
): boolean => Boolean((connector.tokenUrl ?? tokenUrl) && (connector.apiUrl ?? apiUrl));

/** The service's registration from the environment; null if it is incomplete. */
function environmentRegistration(connector: ConnectorDefinition): AppRegistration | null {
  const { clientId, clientSecret, ...addresses } = getRuntime().env.connectors[connector.id] ?? {};
  if (!clientId || !clientSecret || !hasTokenAndApiUrl(connector, addresses)) return null;
  return { clientId, clientSecret, ...addresses };
}

/** The registration for a workspace's calls: its own if it has one, else the service's; null: none. */
export async function findAppRegistration(
  connector: ConnectorDefinition,
  workspaceId: string,
  db: DatabaseClient = prismaClient(),
): Promise<AppRegistration | null> {
  const row = await db.connectorRegistration.findUnique({
    where: { workspaceId_connectorId: { workspaceId, connectorId: connector.id } },
  });
  if (!row) return environmentRegistration(connector);
  // The secret belongs to the workspace: the workspace or the operator decides where it is sent.
  const { clientId: _id, clientSecret: _secret, ...addresses } = getRuntime().env.connectors[connector.id] ?? {};
  return { ...addresses, ...openRegistration(row) };
}

/** The address of the API that the workspace or the operator has set in place of the provider's. */
export const apiUrlOverride = ({ id }: ConnectorDefinition, registration: AppRegistration | null): string | undefined =>
  registration?.apiUrl ?? getRuntime().env.connectors[id]?.apiUrl;

/** The addresses that receive a connector's tokens and its client's secret. */
export const REGISTRATION_DESTINATIONS: DestinationFields = {
  authorizeUrl: 'address',
  tokenUrl: 'address',
  apiUrl: 'address',
};

/** The addresses of a registration. */
export const registrationAddresses = (connector: ConnectorDefinition, registration: AppRegistration | null) => ({
  authorizeUrl: registration?.authorizeUrl ?? connector.authorizeUrl,
  tokenUrl: registration?.tokenUrl ?? connector.tokenUrl,
  apiUrl: registration?.apiUrl ?? connector.apiUrl,
});

/** The connectors that a workspace can use, and which of them through its own registration. */
export async function configuredConnectorIds(workspaceId: string, connectors: readonly ConnectorDefinition[]) {
  const rows = await prismaClient().connectorRegistration.findMany({ where: { workspaceId } });
  const own = new Set(rows.map(({ connectorId }) => connectorId));
  const ready = new Set(
    connectors.filter((one) => own.has(one.id) || environmentRegistration(one)).map(({ id }) => id),
  );
  return { own, ready };
}
