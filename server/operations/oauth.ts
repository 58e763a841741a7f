import {
  AuthorizeUrl,
  AuthorizeUrlRequest,
  ExchangeAnswer,
  ExchangeRequest,
  RefreshCredentialAnswer,
  RefreshCredentialRequest,
} from '@/contract/connector';
import type { Credential as Row } from '@/generated/prisma/client';
import { operation, type SignedInCall } from '../api/operation';
import { conflict, forbidden, invalid, invalidField, notFound, Problem } from '../api/problem';
import { transaction } from '../api/steps/transaction';
import { record } from '../auth/audit';
import { isAllowed } from '../auth/permissions';
import { beginAttempt, claimAttempt, releaseAttempt, spendAttempt } from '../connectors/attempts';
import { authorizationUrl, parameterIssues, redirectIssues, scopeIssues } from '../connectors/authorization';
import { newTarget, storeGrant, type Target } from '../connectors/connect';
import type { Connector } from '../connectors/connector';
import { exchangeCode, grantToClient, type Granted } from '../connectors/exchange';
import { isRenewable } from '../connectors/grant';
import { connectorOf } from '../connectors';
import { registrationOf, type Registration } from '../connectors/registration';
import { renew } from '../connectors/renewal';
import { ProviderUnreachable, TokenRefused } from '../connectors/token-endpoint';
import { openCredentials } from '../connectors/vault';
import type { Db } from '../db/client';
import { runtime } from '../runtime';

const tag = 'Connector OAuth';

const knownConnector = (id: string): Connector => {
  const connector = connectorOf(id);
  if (!connector) throw invalidField('connector_type', 'is not a known connector');
  return connector;
};

async function registered(connector: Connector, workspaceId: string): Promise<Registration> {
  const registration = await registrationOf(connector, workspaceId);
  if (registration) return registration;
  const message = `has no app registration: register one for this workspace, with the redirect address ${runtime().env.oauthRedirectUrl}`;
  throw invalidField('connector_type', message);
}

/** The provider was of no use: not the caller's fault, unless the address can't ever work. */
function unreachable(error: ProviderUnreachable, field: string, requestId: string): Problem {
  if (error.isLasting) return invalidField(field, error.message);
  return new Problem('INTERNAL_ERROR', `${error.message} Try again later. Request id: ${requestId}`, [], {
    cause: error,
  });
}

const told = (row: Row) => ({
  id: row.id,
  name: row.name,
  connector_type: row.connectorId ?? '',
  type: 'oauth2' as const,
  status: row.status,
  expires_at: row.expiresAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

const authorizeUrl = operation({
  id: 'oauth.authorizeUrl',
  method: 'POST',
  path: '/api/oauth/authorize-url',
  summary: 'Begin to connect an account',
  description:
    'Answers the address to open in a popup or browser. The attempt is the caller’s own, works once and for 10 minutes.',
  tag,
  access: { resource: 'credential', action: 'create' },
  effect: 'write',
  body: AuthorizeUrlRequest,
  output: AuthorizeUrl,
  audit: 'configuration_change',
  async run({ db, caller, note }, { body }) {
    const connector = knownConnector(body.connector_type);
    note({ metadata: { connector: connector.id } });
    if (connector.flow !== 'authorization_code') {
      throw invalidField('connector_type', 'needs no authorization: exchange connects it directly');
    }
    const { additional_params: params, state, code_verifier: verifier, redirect_uri: redirect } = body;
    const issues = [
      ...scopeIssues(connector, body.scopes),
      ...parameterIssues(connector, params),
      ...redirectIssues(redirect),
    ];
    if (issues.length > 0) throw invalid(issues);
    const { workspaceId, userId } = caller;
    const registration = await registered(connector, workspaceId);
    const scopes = body.scopes ?? Object.keys(connector.scopes);
    const redirectUri = redirect ?? runtime().env.oauthRedirectUrl;
    const attempt = { workspaceId, userId, connectorId: connector.id, redirectUri, scopes, params };
    const used = await beginAttempt(db, { ...attempt, verifier, state });
    if (used.length > 0)
      throw invalid(used.map((field) => ({ field, message: 'was used before: make a new one for each attempt' })));
    return {
      authorization_url: authorizationUrl(connector, registration, { params, scopes, state, verifier, redirectUri }),
    };
  },
});

const exchange = operation({
  id: 'oauth.exchange',
  method: 'POST',
  path: '/api/oauth/exchange',
  summary: 'Finish connecting an account',
  description:
    'Trades the code for tokens and stores them as a credential. A refusal of the provider is a 400 on `code`; when it ' +
    'can’t be reached (500) the attempt stays usable. Client-credentials connectors need no code and no verifier.',
  tag,
  access: { resource: 'credential', action: 'create' },
  effect: 'submit',
  body: ExchangeRequest,
  output: ExchangeAnswer,
  status: 201,
  audit: 'configuration_change',
  async run(call, { body }) {
    const connector = knownConnector(body.connector_type);
    const target = await targetOf(call, connector, body);
    call.note({ resourceId: target.id, metadata: { connector: connector.id, label: body.created_by } });
    const registration = await registered(connector, call.caller.workspaceId);
    if (connector.flow === 'client_credentials') {
      const granted = await granting(call, 'connector_type', () => grantToClient(connector, registration));
      return keep(call, connector, target, granted);
    }
    const { code, code_verifier: verifier, state } = body;
    if (!code || !verifier) {
      const lacking = Object.entries({ code, code_verifier: verifier }).filter(([, value]) => !value);
      throw invalid(lacking.map(([field]) => ({ field, message: 'is required' })));
    }
    const attempt = await claimAttempt(call.caller, { connectorId: connector.id, verifier, state });
    if (attempt === 'state') throw invalidField('state', 'is not the state that the attempt began with');
    if (attempt === 'code_verifier')
      throw invalidField('code_verifier', 'belongs to no unused attempt of the last 10 minutes');
    try {
      const granted = await granting(call, 'code', () =>
        exchangeCode(connector, registration, attempt, { code, verifier }),
      );
      return await keep(call, connector, target, granted, attempt.id);
    } catch (error) {
      await releaseAttempt(attempt.id);
      throw error;
    }
  },
});

interface Wanted {
  credential_id?: string;
  credential_name?: string;
}

async function targetOf({ db, caller }: SignedInCall, connector: Connector, wanted: Wanted): Promise<Target> {
  const { credential_id: id, credential_name: name } = wanted;
  if (id === undefined) {
    if (name === undefined) throw invalidField('credential_name', 'is required');
    return newTarget(name);
  }
  if (!isAllowed(caller.permissions, 'credential', 'update'))
    throw forbidden('This needs the permission credential:update.');
  const where = { id, workspaceId: caller.workspaceId };
  const row = await db.credential.findFirst({ where, select: { connectorId: true } });
  if (!row) throw notFound('The credential');
  if (row.connectorId !== connector.id) throw invalidField('credential_id', 'belongs to another connector');
  return { id, name, isNew: false };
}

/** Asks the provider; what it says no to is on `field`. */
async function granting(call: SignedInCall, field: string, ask: () => Promise<Granted>): Promise<Granted> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TokenRefused) throw invalidField(field, refusalText(error));
    if (error instanceof ProviderUnreachable) throw unreachable(error, 'connector_type', call.requestId);
    throw error;
  }
}

const refusalText = ({ error }: TokenRefused): string => {
  const isMismatch = /redirect/i.test(error);
  return isMismatch
    ? `${error}: register ${runtime().env.oauthRedirectUrl} at the provider as redirect address`
    : error;
};

/** The credential, the end of its attempt and the audit entry: all or none. */
async function keep(call: SignedInCall, connector: Connector, target: Target, granted: Granted, attemptId?: string) {
  const { workspaceId, userId } = call.caller;
  const write = async (db: Db) => {
    const row = await storeGrant(db, { workspaceId, userId, connectorId: connector.id }, target, granted);
    if (!row) throw notFound('The credential');
    if (attemptId) await spendAttempt(db, attemptId);
    await record(db, [call.auditEntry()]);
    return { credential: told(row) };
  };
  return call.inTransaction ? write(call.db) : transaction(true, write);
}

const refresh = operation({
  id: 'oauth.refresh',
  method: 'POST',
  path: '/api/oauth/refresh',
  summary: 'Renew the tokens of a credential',
  description:
    'The service does so by itself before it uses tokens that end within five minutes. When the provider refuses, the ' +
    'credential’s status turns to `expired` (409).',
  tag,
  access: { resource: 'credential', action: 'update' },
  effect: 'submit',
  body: RefreshCredentialRequest,
  output: RefreshCredentialAnswer,
  audit: 'configuration_change',
  async run(call, { body: { credential_id: id } }) {
    const { caller, requestId } = call;
    call.note({ resourceId: id });
    const credential = (await openCredentials(caller.workspaceId, [id])).get(id);
    if (!credential) throw notFound('The credential');
    if (credential.type !== 'oauth2') throw invalidField('credential_id', 'is not a credential of type oauth2');
    if (!isRenewable(credential)) throw conflict('There is nothing to renew it with: connect it again.');
    try {
      await renew(credential, true);
    } catch (error) {
      if (error instanceof TokenRefused) throw conflict(`The provider refused (${error.error}): connect it again.`);
      if (error instanceof ProviderUnreachable) throw unreachable(error, 'credential_id', requestId);
      throw error;
    }
    const fresh = (await openCredentials(caller.workspaceId, [id])).get(id);
    if (!fresh) throw notFound('The credential');
    await record(call.db, [call.auditEntry()]);
    return { credential: { id, status: fresh.status, expires_at: fresh.expiresAt?.toISOString() ?? null } };
  },
});

export const oauth = [authorizeUrl, exchange, refresh];
