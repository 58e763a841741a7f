import type { CredentialType } from '@/contract/credentials/credential';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import type { ConnectorDefinition } from './connector';
import { isCustomConnectorId } from './custom/connector';
import { findCustomConnector } from './custom/store';
import { findBuiltInConnector } from './index';

/** The fields of a stored credential that determine whether its connector defines how it is used. */
interface StoredCredentialType {
  type: string;
  connectorId: string | null;
  config: Record<string, unknown>;
}

/** Types of credentials that connectors define. */
export const isConnectorCredential = (type: string): type is Extract<CredentialType, 'oauth2' | 'token'> =>
  type === 'oauth2' || type === 'token';

/**
 * The connector of a stored credential; undefined: its own config says how it is used. `custom`: the workspace's
 * connector with that id, read together with the credential.
 */
export function connectorForCredential(
  { type, connectorId, config }: StoredCredentialType,
  custom: ConnectorDefinition | undefined,
): ConnectorDefinition | undefined {
  if (!isConnectorCredential(type)) return undefined;
  if (isCustomConnectorId(connectorId)) return custom;
  // A credential with its own addresses was stored before its service became a connector.
  const hasOwnAddresses = type === 'oauth2' && Boolean(config['tokenUrl'] ?? config['authorizeUrl']);
  return hasOwnAddresses ? undefined : findBuiltInConnector(connectorId);
}

/**
 * The connector with an id: one of the service, or one that the workspace has made. `isLocked`: one of the workspace
 * cannot change until the transaction ends.
 */
export async function findConnector(
  workspaceId: string,
  id: string | null,
  db: DatabaseClient = prismaClient(),
  isLocked = false,
): Promise<ConnectorDefinition | undefined> {
  return isCustomConnectorId(id) ? findCustomConnector(db, workspaceId, id, isLocked) : findBuiltInConnector(id);
}
