import type { ConnectorDefinition } from '../connector';
import { credentialText, type OpenCredential } from '../open-credential';
import { findAppRegistration } from './registration';
import { fillUrlTemplate } from '../url-template';
import { ProviderUnreachable, type TokenClient } from './token-endpoint';

/** How a credential gets fresh tokens. */
export interface TokenGrant {
  client: TokenClient;
  form: Record<string, string>;
  /** Lifetime in seconds of a token without `expires_in`. */
  defaultLifetime: number | undefined;
}

/** The values for the slots of a connector's addresses; a slot without a value gets its fallback. */
export const slotValues = (
  connector: ConnectorDefinition,
  values: Record<string, unknown>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    (connector.parameters ?? []).map(({ name, fallback }) => {
      const value = values[name];
      return [name, typeof value === 'string' && value !== '' ? value.toLowerCase() : fallback];
    }),
  );

/** The parts of a credential that define how it gets tokens. */
type TokenSource = Pick<OpenCredential, 'type' | 'connector' | 'config'>;

/** The form that requests new tokens; undefined if the credential cannot request any. */
function tokenRequestForm(credential: TokenSource, isMachine: boolean): Record<string, string> | undefined {
  const refreshToken = credentialText(credential, 'refreshToken');
  if (refreshToken) return { grant_type: 'refresh_token', refresh_token: refreshToken };
  if (!isMachine) return undefined;
  const scopes = credential.config['scopes'];
  const scope = Array.isArray(scopes) ? scopes.join(' ') : '';
  return { grant_type: 'client_credentials', ...(scope ? { scope } : {}) };
}

/** Whether its tokens can be renewed without a user. */
export function isRenewable(credential: TokenSource): boolean {
  if (credential.type !== 'oauth2') return false;
  const { connector } = credential;
  if (connector)
    return connector.flow === 'client_credentials' || credentialText(credential, 'refreshToken') !== undefined;
  return (
    credentialText(credential, 'tokenUrl') !== undefined &&
    tokenRequestForm(credential, isMachineClient(credential)) !== undefined
  );
}

/** Whether a client acts for itself, without a user: it has a secret and no authorization page. */
const isMachineClient = (credential: TokenSource): boolean =>
  Boolean(
    credentialText(credential, 'clientId') &&
    credentialText(credential, 'clientSecret') &&
    !credentialText(credential, 'authorizeUrl'),
  );

/** How to renew a credential that `isRenewable`. Throws ProviderUnreachable if its registration is gone. */
export async function renewalGrant(credential: OpenCredential): Promise<TokenGrant> {
  const { connector } = credential;
  return connector ? connectorGrant(connector, credential) : customClientGrant(credential);
}

/** How the client of a generic credential authenticates. */
export const storedClientAuthentication = ({ config }: OpenCredential): 'basic' | 'form' =>
  config['clientAuthentication'] === 'basic' ? 'basic' : 'form';

/** The further parameters of token requests that a credential names. */
export const storedTokenParameters = ({ config }: Pick<OpenCredential, 'config'>): Record<string, string> =>
  (config['tokenParameters'] as Record<string, string> | undefined) ?? {};

function customClientGrant(credential: OpenCredential): TokenGrant {
  const form = tokenRequestForm(credential, isMachineClient(credential)) ?? {};
  const client = {
    workspaceId: credential.workspaceId,
    tokenUrl: credentialText(credential, 'tokenUrl') ?? '',
    clientId: credentialText(credential, 'clientId'),
    clientSecret: credentialText(credential, 'clientSecret'),
    authentication: storedClientAuthentication(credential),
    parameters: storedTokenParameters(credential),
  };
  return { client, form, defaultLifetime: undefined };
}

async function connectorGrant(connector: ConnectorDefinition, credential: OpenCredential): Promise<TokenGrant> {
  const registration = await findAppRegistration(connector, credential.workspaceId);
  const own = credentialText(credential, 'clientId');
  const tokenUrl = registration?.tokenUrl ?? connector.tokenUrl;
  if ((!own && !registration) || !tokenUrl) {
    throw new ProviderUnreachable(`${connector.name} has no app registration in this workspace.`, true);
  }
  const client: TokenClient = {
    workspaceId: credential.workspaceId,
    tokenUrl: fillUrlTemplate(tokenUrl, slotValues(connector, credential.config)),
    clientId: own ?? registration?.clientId,
    clientSecret: own ? credentialText(credential, 'clientSecret') : registration?.clientSecret,
    authentication: connector.clientAuthentication ?? 'form',
    // The parameters of the registration belong to its client.
    parameters: { ...(own ? {} : registration?.tokenParameters), ...storedTokenParameters(credential) },
  };
  const form = tokenRequestForm(credential, connector.flow === 'client_credentials') ?? {};
  const instanceUrl = credentialText(credential, 'instanceUrl');
  const { thenScope } = connector.account ?? {};
  // Tokens of an account's own API must be requested with its scope again.
  if (thenScope && instanceUrl) form['scope'] = fillUrlTemplate(thenScope, { instance_url: instanceUrl });
  return { client, form, defaultLifetime: connector.defaultLifetime };
}
