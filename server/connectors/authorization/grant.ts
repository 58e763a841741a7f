import type { Connector } from '../connector';
import { textOf, type OpenCredential } from '../open-credential';
import { registrationOf } from './registration';
import { fill } from '../url-template';
import { ProviderUnreachable, type TokenClient } from './token-endpoint';

/** How a credential gets fresh tokens. */
export interface Grant {
  client: TokenClient;
  form: Record<string, string>;
  /** Lifetime in seconds of a token without `expires_in`. */
  defaultLifetime: number | undefined;
}

/** Values for a connector's slots, from all places that store them. */
export const slotsFrom = (connector: Connector, values: Record<string, unknown>): Record<string, string | undefined> =>
  Object.fromEntries(
    (connector.parameters ?? []).map(({ name, fallback }) => {
      const value = values[name];
      return [name, typeof value === 'string' && value !== '' ? value.toLowerCase() : fallback];
    }),
  );

/** The parts of a credential that define how it gets tokens. */
type Kind = Pick<OpenCredential, 'type' | 'connector' | 'config'>;

/** The form that requests new tokens; undefined if the credential cannot request any. */
function formOf(credential: Kind, isMachine: boolean): Record<string, string> | undefined {
  const refreshToken = textOf(credential, 'refreshToken');
  if (refreshToken) return { grant_type: 'refresh_token', refresh_token: refreshToken };
  if (!isMachine) return undefined;
  const scopes = credential.config['scopes'];
  const scope = Array.isArray(scopes) ? scopes.join(' ') : '';
  return { grant_type: 'client_credentials', ...(scope ? { scope } : {}) };
}

/** Whether its tokens can be renewed without a user. */
export function isRenewable(credential: Kind): boolean {
  if (credential.type !== 'oauth2') return false;
  const { connector } = credential;
  if (connector) return connector.flow === 'client_credentials' || textOf(credential, 'refreshToken') !== undefined;
  return textOf(credential, 'tokenUrl') !== undefined && formOf(credential, isMachine(credential)) !== undefined;
}

/** A registration without an authorization page acts for itself. */
const isMachine = (credential: Kind): boolean =>
  Boolean(textOf(credential, 'clientId') && textOf(credential, 'clientSecret') && !textOf(credential, 'authorizeUrl'));

/** How to renew a credential that `isRenewable`. Throws ProviderUnreachable if its registration is gone. */
export async function grantOf(credential: OpenCredential): Promise<Grant> {
  const { connector } = credential;
  return connector ? connectorGrant(connector, credential) : ownGrant(credential);
}

/** How the client of a generic credential authenticates. */
export const clientAuthenticationOf = ({ config }: OpenCredential): 'basic' | 'form' =>
  config['clientAuthentication'] === 'basic' ? 'basic' : 'form';

/** The further parameters of token requests that a credential names. */
export const tokenParametersOf = ({ config }: Pick<OpenCredential, 'config'>): Record<string, string> =>
  (config['tokenParameters'] as Record<string, string> | undefined) ?? {};

function ownGrant(credential: OpenCredential): Grant {
  const form = formOf(credential, isMachine(credential)) ?? {};
  const client = {
    workspaceId: credential.workspaceId,
    tokenUrl: textOf(credential, 'tokenUrl') ?? '',
    clientId: textOf(credential, 'clientId'),
    clientSecret: textOf(credential, 'clientSecret'),
    authentication: clientAuthenticationOf(credential),
    parameters: tokenParametersOf(credential),
  };
  return { client, form, defaultLifetime: undefined };
}

async function connectorGrant(connector: Connector, credential: OpenCredential): Promise<Grant> {
  const registration = await registrationOf(connector, credential.workspaceId);
  const own = textOf(credential, 'clientId');
  const tokenUrl = registration?.tokenUrl ?? connector.tokenUrl;
  if ((!own && !registration) || !tokenUrl) {
    throw new ProviderUnreachable(`${connector.name} has no app registration in this workspace.`, true);
  }
  const client: TokenClient = {
    workspaceId: credential.workspaceId,
    tokenUrl: fill(tokenUrl, slotsFrom(connector, credential.config)),
    clientId: own ?? registration?.clientId,
    clientSecret: own ? textOf(credential, 'clientSecret') : registration?.clientSecret,
    authentication: connector.clientAuthentication ?? 'form',
    // Those of the registration belong to its client.
    parameters: { ...(own ? {} : registration?.tokenParameters), ...tokenParametersOf(credential) },
  };
  const form = formOf(credential, connector.flow === 'client_credentials') ?? {};
  const instanceUrl = textOf(credential, 'instanceUrl');
  const { thenScope } = connector.account ?? {};
  // Tokens of an account's own API must be requested with its scope again.
  if (thenScope && instanceUrl) form['scope'] = fill(thenScope, { instance_url: instanceUrl });
  return { client, form, defaultLifetime: connector.defaultLifetime };
}
