import type { ConnectorDefinition } from '../connector';
import { storedClientAuthentication, storedTokenParameters } from './grant';
import { credentialText, type OpenCredential } from '../open-credential';
import type { AppRegistration } from './registration';

/** The endpoints for consent and tokens, and the client's registration there. */
export interface CustomClient {
  connector: ConnectorDefinition;
  registration: AppRegistration;
}

/** Encodes the braces of an address, which would read as a slot. */
const escapeAddressBraces = (address: string) => new URL(address).href.replaceAll('{', '%7B').replaceAll('}', '%7D');

/**
 * Turns a credential with its own addresses into a private connector, so that it is connected in the same way as
 * others. Returns the missing fields if its config is incomplete.
 */
export function toCustomClient(credential: OpenCredential): CustomClient | { lacking: string[] } {
  const authorizeUrl = credentialText(credential, 'authorizeUrl');
  const tokenUrl = credentialText(credential, 'tokenUrl');
  const clientId = credentialText(credential, 'clientId');
  if (!authorizeUrl || !tokenUrl || !clientId) {
    const needed = { clientId, authorizeUrl, tokenUrl };
    return { lacking: Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name])) };
  }
  const scopes = (credential.config['scopes'] ?? []) as string[];
  const addresses = { authorizeUrl: escapeAddressBraces(authorizeUrl), tokenUrl: escapeAddressBraces(tokenUrl) };
  const connector: ConnectorDefinition = {
    id: credential.id,
    name: credential.name,
    description: '',
    flow: 'authorization_code',
    ...addresses,
    apiUrl: new URL(tokenUrl).origin,
    scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
    clientAuthentication: storedClientAuthentication(credential),
    operations: [],
    setup: '',
  };
  return {
    connector,
    registration: {
      clientId,
      clientSecret: credentialText(credential, 'clientSecret') ?? '',
      ...addresses,
      tokenParameters: storedTokenParameters(credential),
    },
  };
}
