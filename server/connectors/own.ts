import type { Connector } from './connector';
import { clientAuthenticationOf } from './grant';
import { textOf, type OpenCredential } from './open-credential';
import type { Registration } from './registration';

/** Whom to ask for consent and tokens, and as which client. */
export interface Party {
  connector: Connector;
  registration: Registration;
}

/** An address without what would read as a slot. */
const plain = (address: string) => new URL(address).href.replaceAll('{', '%7B').replaceAll('}', '%7D');

/**
 * A credential with addresses of its own as a connector that is nobody else's, so that it is connected in the same way.
 * Otherwise: the fields of its config that it lacks for that.
 */
export function ownParty(credential: OpenCredential): Party | { lacking: string[] } {
  const authorizeUrl = textOf(credential, 'authorizeUrl');
  const tokenUrl = textOf(credential, 'tokenUrl');
  const clientId = textOf(credential, 'clientId');
  if (!authorizeUrl || !tokenUrl || !clientId) {
    const needed = { clientId, authorizeUrl, tokenUrl };
    return { lacking: Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name])) };
  }
  const scopes = (credential.config['scopes'] ?? []) as string[];
  const addresses = { authorizeUrl: plain(authorizeUrl), tokenUrl: plain(tokenUrl) };
  const connector: Connector = {
    id: credential.id,
    name: credential.name,
    description: '',
    flow: 'authorization_code',
    ...addresses,
    apiUrl: new URL(tokenUrl).origin,
    scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
    clientAuthentication: clientAuthenticationOf(credential),
    probe: { path: '/' },
    operations: [],
    setup: '',
  };
  return {
    connector,
    registration: { clientId, clientSecret: textOf(credential, 'clientSecret') ?? '', ...addresses },
  };
}
