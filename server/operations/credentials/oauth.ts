import {
  AuthorizeUrl,
  AuthorizeUrlRequest,
  ExchangeAnswer,
  ExchangeRequest,
  RefreshCredentialAnswer,
  RefreshCredentialRequest,
} from '@/contract/connectors/connector';
import type { Credential as Row } from '@/generated/prisma/client';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { conflict, invalid, invalidField, notFound } from '@/server/errors/problem';
import { transaction } from '@/server/db/transaction';
import { record } from '@/server/audit/record';
import { requirePermission } from '@/server/access/require';
import { beginAttempt, claimAttempt, releaseAttempt, consumeAttempt } from '@/server/connectors/authorization/attempts';
import {
  authorizationUrl,
  parameterIssues,
  redirectIssues,
  scopeIssues,
} from '@/server/connectors/authorization/authorization';
import { newTarget, storeGrant, type Target } from '@/server/connectors/authorization/connect';
import type { Connector } from '@/server/connectors/connector';
import { exchangeCode, grantToClient, type GrantedCredential } from '@/server/connectors/authorization/exchange';
import { isRenewable } from '@/server/connectors/authorization/grant';
import { refreshTokens } from '@/server/connectors/authorization/refresh';
import { ProviderUnreachable } from '@/server/connectors/authorization/token-endpoint';
import { TokenRefused } from '@/server/connectors/authorization/token-refusal';
import { findConnector } from '@/server/connectors/lookup';
import { openCredentials } from '@/server/connectors/vault';
import type { Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { partyOf, unreachable } from './oauth-party';

const tag = 'Connector OAuth';

const presentConnection = (row: Row) => ({
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
  summary: 'Start to connect an account',
  description:
    'Returns the address to open in a popup or browser. The attempt is the caller’s own, works once and for 10 minutes.',
  tag,
  access: memberAccess('credential', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(AuthorizeUrlRequest),
  reply: jsonReply(AuthorizeUrl),
  async run({ db, caller, note }, { body }) {
    const { workspaceId, userId } = caller;
    if (body.credential_id !== undefined) requirePermission(caller, 'credential', 'update');
    const { connector, registration } = await partyOf(workspaceId, body);
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
    const scopes = body.scopes ?? Object.keys(connector.scopes);
    const redirectUri = redirect ?? runtime().env.oauthRedirectUrl;
    const attempt = { workspaceId, userId, connectorId: connector.id, redirectUri, scopes, params };
    const used = await beginAttempt(db, { ...attempt, verifier, state });
    if (used.length > 0)
      throw invalid(used.map((field) => ({ field, message: 'was used before: create a new one for each attempt' })));
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
    'Exchanges the code for tokens and stores them as a credential. A refusal of the provider is a 400 on `code`; when it ' +
    'can’t be reached (500) the attempt stays usable. A success that can’t be understood has used up the code (400). Client-credentials connectors need no code and no verifier.',
  tag,
  access: memberAccess('credential', 'create'),
  effect: submitEffect('configuration_change'),
  body: jsonBody(ExchangeRequest),
  reply: jsonReply(ExchangeAnswer, { status: 201 }),
  async run(call, { body }) {
    const { connector, registration } = await partyOf(call.caller.workspaceId, body);
    const target = await targetOf(call, connector, body);
    call.note({ resourceId: target.id, metadata: { connector: connector.id, label: body.created_by } });
    if (connector.flow === 'client_credentials') {
      const grant = await granting(call, 'connector_type', () =>
        grantToClient(connector, registration, call.caller.workspaceId),
      );
      return keep(call, connector, target, grant);
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
      const ask = () =>
        exchangeCode(connector, registration, attempt, { workspaceId: call.caller.workspaceId, code, verifier });
      const grant = await granting(call, 'code', ask, attempt.redirectUri);
      return await keep(call, connector, target, grant, attempt.id);
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

async function targetOf({ db, caller }: SignedInCall, connector: Connector, request: Wanted): Promise<Target> {
  const { credential_id: id, credential_name: name } = request;
  if (id === undefined) {
    if (name === undefined) throw invalidField('credential_name', 'is required');
    return newTarget(name);
  }
  requirePermission(caller, 'credential', 'update');
  const where = { id, workspaceId: caller.workspaceId };
  const row = await db.credential.findFirst({ where, select: { connectorId: true } });
  if (!row) throw notFound('The credential');
  if ((row.connectorId ?? id) !== connector.id) throw invalidField('credential_id', 'belongs to another connector');
  return { id, name, isNew: false };
}

/** Calls the provider; a refusal is reported on `field`. */
async function granting(
  call: SignedInCall,
  field: string,
  ask: () => Promise<GrantedCredential>,
  redirectUri?: string,
) {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TokenRefused) throw invalidField(field, refusalText(error, redirectUri));
    if (!(error instanceof ProviderUnreachable)) throw error;
    if (field === 'code' && error.isAnswered)
      throw invalidField(field, `${error.message} The code is used up: connect again`);
    throw unreachable(error, 'connector_type', call.requestId);
  }
}

const refusalText = ({ error, reason }: TokenRefused, redirectUri?: string): string =>
  redirectUri && /redirect/i.test(error)
    ? `${reason}: register ${redirectUri} at the provider as redirect URL`
    : reason;

/** Throws a 409 if the connector was changed while the provider answered: the tokens are for its old addresses. */
async function requireUnchanged(db: Db, { id, custom }: Connector): Promise<void> {
  if (!custom) return;
  const current = await findConnector(custom.workspaceId, id, db, true);
  if (current?.custom?.version !== custom.version)
    throw conflict('The connector was changed meanwhile. Connect it again.');
}

/** The credential, the end of its attempt and the audit entry are one transaction. */
async function keep(
  call: SignedInCall,
  connector: Connector,
  target: Target,
  grant: GrantedCredential,
  attemptId?: string,
) {
  const { workspaceId, userId } = call.caller;
  const write = async (db: Db) => {
    await requireUnchanged(db, connector);
    const isOwn = connector.id === target.id;
    const owner = { workspaceId, userId, connectorId: isOwn ? null : connector.id };
    const row = await storeGrant(db, owner, target, grant);
    if (!row) throw notFound('The credential');
    if (attemptId && !(await consumeAttempt(db, attemptId)))
      throw conflict('The addresses were changed meanwhile. Connect it again.');
    await record(db, [call.auditEntry()]);
    return { credential: presentConnection(row) };
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
  access: memberAccess('credential', 'update'),
  effect: submitEffect('configuration_change'),
  body: jsonBody(RefreshCredentialRequest),
  reply: jsonReply(RefreshCredentialAnswer),
  async run(call, { body: { credential_id: id } }) {
    const { caller, requestId } = call;
    call.note({ resourceId: id });
    const credential = (await openCredentials(caller.workspaceId, [id])).get(id);
    if (!credential) throw notFound('The credential');
    if (credential.type !== 'oauth2') throw invalidField('credential_id', 'is not a credential of type oauth2');
    if (!isRenewable(credential)) throw conflict('It cannot be renewed: connect it again.');
    try {
      await refreshTokens(credential, true);
    } catch (error) {
      if (error instanceof TokenRefused) {
        const { reason, isOver } = error;
        throw conflict(
          isOver ? `The provider refused (${reason}): connect it again.` : `The provider refused: ${reason}`,
        );
      }
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
