import { identifyAccount } from '../account';
import type { AuthorizationAttempt } from './attempts';
import type { ConnectorDefinition } from '../connector';
import { slotValues } from './grant';
import { hasTokenAndApiUrl, type AppRegistration } from './registration';
import { fillUrlTemplate } from '../url-template';
import { requestTokens, ProviderUnreachable, type TokenClient } from './token-endpoint';

/** The content of a credential after the provider's consent. */
export interface GrantedCredential {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
  expiresAt: Date | null;
}

/** Timeout of all requests to a provider for one exchange, in milliseconds. */
const EXCHANGE_TIMEOUT_MS = 20_000;

function buildTokenClient(
  connector: ConnectorDefinition,
  registration: AppRegistration,
  { workspaceId, params }: { workspaceId: string; params: Record<string, string> },
): TokenClient {
  const tokenUrl = registration.tokenUrl ?? connector.tokenUrl;
  if (!tokenUrl || !hasTokenAndApiUrl(connector, registration)) {
    throw new ProviderUnreachable(`The registration of ${connector.name} has no addresses.`, true);
  }
  return {
    workspaceId,
    tokenUrl: fillUrlTemplate(tokenUrl, slotValues(connector, params)),
    clientId: registration.clientId,
    clientSecret: registration.clientSecret,
    authentication: connector.clientAuthentication ?? 'form',
    parameters: registration.tokenParameters,
  };
}

/** Exchanges the code for tokens. Throws TokenRefused or ProviderUnreachable. Stores nothing. */
export async function exchangeCode(
  connector: ConnectorDefinition,
  registration: AppRegistration,
  attempt: AuthorizationAttempt,
  { workspaceId, code, verifier }: { workspaceId: string; code: string; verifier: string },
): Promise<GrantedCredential> {
  const client = buildTokenClient(connector, registration, { workspaceId, params: attempt.params });
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: attempt.redirectUri };
  return obtainGrant(
    connector,
    registration,
    client,
    { ...form, ...connector.exchangeParams },
    { ...attempt.params, scopes: attempt.scopes },
  );
}

/** Tokens for the client itself, without a user. */
export async function requestClientGrant(
  connector: ConnectorDefinition,
  registration: AppRegistration,
  workspaceId: string,
): Promise<GrantedCredential> {
  const client = buildTokenClient(connector, registration, { workspaceId, params: {} });
  return obtainGrant(connector, registration, client, { grant_type: 'client_credentials' }, {});
}

async function obtainGrant(
  connector: ConnectorDefinition,
  registration: AppRegistration,
  client: TokenClient,
  form: Record<string, string>,
  config: Record<string, unknown>,
): Promise<GrantedCredential> {
  const signal = AbortSignal.timeout(EXCHANGE_TIMEOUT_MS);
  const first = await requestTokens(client, form, signal);
  const isKnown = registration.apiUrl !== undefined;
  const { account, tokens } = await identifyAccount(connector, client, first, isKnown, signal).catch(
    (error: unknown) => {
      if (!(error instanceof ProviderUnreachable)) throw error;
      // The tokens are lost, and what was given for them is used up.
      throw new ProviderUnreachable(error.message, error.isLasting, true);
    },
  );
  const lifetime = tokens.expiresIn ?? connector.defaultLifetime;
  return {
    config: { ...config, ...account },
    secrets: { accessToken: tokens.accessToken, ...(tokens.refreshToken ? { refreshToken: tokens.refreshToken } : {}) },
    expiresAt: lifetime === undefined ? null : new Date(Date.now() + lifetime * 1000),
  };
}
