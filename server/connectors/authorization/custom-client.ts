import type { Connector } from '../connector';
import { clientAuthenticationOf, tokenParametersOf } from './grant';
import { textOf, type OpenCredential } from '../open-credential';
import type { Registration } from './registration';

/** The endpoints for consent and tokens, and the client's registration there. */
export interface CustomClient {
  connector: Connector;
  registration: Registration;
}

/** An address without characters that would read as a slot. */
const plain = (address: string) => new URL(address).href.replaceAll('{', '%7B').replaceAll('}', '%7D');

/**
 * A credential with its own addresses as a private connector, so that it is connected in the same way. Otherwise: the fields that its
 * config lacks for that.
 */
export function customClientOf(credential: OpenCredential): CustomClient | { lacking: string[] } {
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
    operations: [],
    setup: '',
  };
  return {
    connector,
    registration: {
      clientId,
      clientSecret: textOf(credential, 'clientSecret') ?? '',
      ...addresses,
      tokenParameters: tokenParametersOf(credential),
    },
  };
}
