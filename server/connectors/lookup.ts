import type { CredentialType } from '@/contract/credentials/credential';
import type { Connector } from './connector';
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

/** The connector of a stored credential; undefined: its own config says how it is used. */
export function connectorFor({ type, connectorId, config }: Kind): Connector | undefined {
  if (!isOfConnector(type)) return undefined;
  // It was stored before its service became a connector.
  const hasOwnAddresses = type === 'oauth2' && Boolean(config['tokenUrl'] ?? config['authorizeUrl']);
  return hasOwnAddresses ? undefined : connectorOf(connectorId);
}
