import type { CredentialType } from '@/contract/credentials/credential';
import { prisma, type Db } from '@/server/db/client';
import type { Connector } from './connector';
import { isCustomId } from './custom/connector';
import { findCustom } from './custom/store';
import { connectorOf } from './index';

/** What of a credential decides whether it is used as its connector says. */
interface Kind {
  type: string;
  connectorId: string | null;
  config: Record<string, unknown>;
}

/** Types of credentials that connectors define. */
export const isOfConnector = (type: string): type is Extract<CredentialType, 'oauth2' | 'token'> =>
  type === 'oauth2' || type === 'token';

/**
 * The connector of a stored credential; undefined: its own config says how it is used. `custom`: the workspace's connector with that id, read
 * together with the credential.
 */
export function connectorFor(
  { type, connectorId, config }: Kind,
  custom: Connector | undefined,
): Connector | undefined {
  if (!isOfConnector(type)) return undefined;
  if (isCustomId(connectorId)) return custom;
  // It was stored before its service became a connector.
  const hasOwnAddresses = type === 'oauth2' && Boolean(config['tokenUrl'] ?? config['authorizeUrl']);
  return hasOwnAddresses ? undefined : connectorOf(connectorId);
}

/**
 * The connector with an id: one of the service, or one that the workspace has made. `isLocked`: one of the workspace cannot change until the
 * transaction ends.
 */
export async function findConnector(
  workspaceId: string,
  id: string | null,
  db: Db = prisma(),
  isLocked = false,
): Promise<Connector | undefined> {
  return isCustomId(id) ? findCustom(db, workspaceId, id, isLocked) : connectorOf(id);
}
