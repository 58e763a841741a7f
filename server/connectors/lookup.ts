import type { CredentialType } from '@/contract/credential';
import type { Connector } from './connector';
import { connectorOf } from './index';

/** The connector that a workspace knows by this id. */
export const findConnector = async (_workspaceId: string, id: string | null): Promise<Connector | undefined> =>
  connectorOf(id);

/** What of a credential decides whether it is used as its connector says. */
interface Kind {
  workspaceId: string;
  type: string;
  connectorId: string | null;
  config: Record<string, unknown>;
}

/** Types of credentials that connectors define. */
export const isOfConnector = (type: string): type is Extract<CredentialType, 'oauth2' | 'token'> =>
  type === 'oauth2' || type === 'token';

/** The connector of a stored credential; undefined: its own config says how it is used. */
export async function connectorFor({ workspaceId, type, connectorId, config }: Kind): Promise<Connector | undefined> {
  if (!isOfConnector(type)) return undefined;
  // It was stored before its service became a connector.
  const hasOwnAddresses = type === 'oauth2' && Boolean(config['tokenUrl'] ?? config['authorizeUrl']);
  return hasOwnAddresses ? undefined : findConnector(workspaceId, connectorId);
}
