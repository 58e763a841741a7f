import {
  AuthorizeUrlResponse,
  AuthorizeUrlRequest,
  ExchangeCodeResponse,
  ExchangeCodeRequest,
  RefreshCredentialResponse,
  RefreshCredentialRequest,
} from '@/contract/connectors/connector';
import type { Credential as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import {
  conflictProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  notFoundProblem,
} from '@/server/platform/errors/problem';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { appendAuditEntries } from '@/server/people/audit/record';
import { requirePermission } from '@/server/people/access/require';
import {
  beginAuthorization,
  claimAuthorization,
  releaseAuthorization,
  consumeAuthorization,
} from '@/server/connectors/authorization/attempts';
import {
  buildAuthorizationUrl,
  addressSlotIssues,
  redirectUriIssues,
  scopeIssues,
} from '@/server/connectors/authorization/authorization';
import { newCredentialTarget, storeProviderGrant, type GrantTarget } from '@/server/connectors/authorization/connect';
import type { ConnectorDefinition } from '@/server/connectors/connector';
import { exchangeCode, requestClientGrant, type GrantedCredential } from '@/server/connectors/authorization/exchange';
import { isRenewable } from '@/server/connectors/authorization/grant';
import { refreshTokens } from '@/server/connectors/authorization/refresh';
import { ProviderUnreachable } from '@/server/connectors/authorization/token-endpoint';
import { TokenRefused } from '@/server/connectors/authorization/token-refusal';
import { findConnector } from '@/server/connectors/lookup';
import { openCredentials } from '@/server/connectors/vault';
import type { DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { resolveOAuthClient, toUnreachableProblem } from './oauth-client';

const OAUTH_TAG = 'Connector OAuth';

const toConnectionResponse = (row: Row) => ({
  id: row.id,
  name: row.name,
  connector_type: row.connectorId ?? '',
  type: 'oauth2' as const,
  status: row.status,
  expires_at: row.expiresAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

const createAuthorizeUrlOperation = defineOperation({
  id: 'oauth.authorizeUrl',
  method: 'POST',
  path: '/api/oauth/authorize-url',
  summary: 'Start to connect an account',
  description:
    'Returns the address to open in a popup or browser. The attempt is the caller’s own, works once and for 10 minutes.',
  tag: OAUTH_TAG,
  access: memberAccess('credential', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(AuthorizeUrlRequest),
  reply: jsonReply(AuthorizeUrlResponse),
  async run({ db, caller, note }, { body }) {
    const { workspaceId, userId } = caller;
    if (body.credential_id !== undefined) requirePermission(caller, 'credential', 'update');
    const { connector, registration } = await resolveOAuthClient(workspaceId, body);
    note({ metadata: { connector: connector.id } });
    if (connector.flow !== 'authorization_code') {
      throw invalidFieldProblem('connector_type', 'needs no authorization: exchange connects it directly');
    }
    const { additional_params: params, state, code_verifier: verifier, redirect_uri: redirect } = body;
    const issues = [
      ...scopeIssues(connector, body.scopes),
      ...addressSlotIssues(connector, params),
      ...redirectUriIssues(redirect),
    ];
    if (issues.length > 0) throw invalidRequestProblem(issues);
    const scopes = body.scopes ?? Object.keys(connector.scopes);
    const redirectUri = redirect ?? getRuntime().env.oauthRedirectUrl;
    const attempt = { workspaceId, userId, connectorId: connector.id, redirectUri, scopes, params };
    const used = await beginAuthorization(db, { ...attempt, verifier, state });
    if (used.length > 0)
      throw invalidRequestProblem(
        used.map((field) => ({ field, message: 'was used before: create a new one for each attempt' })),
      );
    return {
      authorization_url: buildAuthorizationUrl(connector, registration, {
        params,
        scopes,
        state,
        verifier,
        redirectUri,
      }),
    };
  },
});

const exchangeCodeOperation = defineOperation({
  id: 'oauth.exchange',
  method: 'POST',
  path: '/api/oauth/exchange',
  summary: 'Finish connecting an account',
  description:
    'Exchanges the code for tokens and stores them as a credential. A refusal of the provider is a 400 on `code`; when it ' +
    'can’t be reached (500) the attempt stays usable. A success that can’t be understood has used up the code (400). Client-credentials connectors need no code and no verifier.',
  tag: OAUTH_TAG,
  access: memberAccess('credential', 'create'),
  effect: submitEffect('configuration_change'),
  body: jsonBody(ExchangeCodeRequest),
  reply: jsonReply(ExchangeCodeResponse, { status: 201 }),
  async run(call, { body }) {
    const { connector, registration } = await resolveOAuthClient(call.caller.workspaceId, body);
    const target = await resolveGrantTarget(call, connector, body);
    call.note({ resourceId: target.id, metadata: { connector: connector.id, label: body.created_by } });
    if (connector.flow === 'client_credentials') {
      const grant = await requestGrant(call, 'connector_type', () =>
        requestClientGrant(connector, registration, call.caller.workspaceId),
      );
      return storeConnection(call, connector, target, grant);
    }
    const { code, code_verifier: verifier, state } = body;
    if (!code || !verifier) {
      const lacking = Object.entries({ code, code_verifier: verifier }).filter(([, value]) => !value);
      throw invalidRequestProblem(lacking.map(([field]) => ({ field, message: 'is required' })));
    }
    const attempt = await claimAuthorization(call.caller, { connectorId: connector.id, verifier, state });
    if (attempt === 'state') throw invalidFieldProblem('state', 'is not the state that the attempt began with');
    if (attempt === 'code_verifier')
      throw invalidFieldProblem('code_verifier', 'belongs to no unused attempt of the last 10 minutes');
    try {
      const ask = () =>
        exchangeCode(connector, registration, attempt, { workspaceId: call.caller.workspaceId, code, verifier });
      const grant = await requestGrant(call, 'code', ask, attempt.redirectUri);
      return await storeConnection(call, connector, target, grant, attempt.id);
    } catch (error) {
      await releaseAuthorization(attempt.id);
      throw error;
    }
  },
});

interface RequestedCredential {
  credential_id?: string;
  credential_name?: string;
}

async function resolveGrantTarget(
  { db, caller }: SignedInCall,
  connector: ConnectorDefinition,
  request: RequestedCredential,
): Promise<GrantTarget> {
  const { credential_id: id, credential_name: name } = request;
  if (id === undefined) {
    if (name === undefined) throw invalidFieldProblem('credential_name', 'is required');
    return newCredentialTarget(name);
  }
  requirePermission(caller, 'credential', 'update');
  const where = { id, workspaceId: caller.workspaceId };
  const row = await db.credential.findFirst({ where, select: { connectorId: true } });
  if (!row) throw notFoundProblem('The credential');
  if ((row.connectorId ?? id) !== connector.id)
    throw invalidFieldProblem('credential_id', 'belongs to another connector');
  return { id, name, isNew: false };
}

/** Calls the provider; a refusal is reported on `field`. */
async function requestGrant(
  call: SignedInCall,
  field: string,
  ask: () => Promise<GrantedCredential>,
  redirectUri?: string,
) {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TokenRefused) throw invalidFieldProblem(field, tokenRefusalText(error, redirectUri));
    if (!(error instanceof ProviderUnreachable)) throw error;
    if (field === 'code' && error.isAnswered)
      throw invalidFieldProblem(field, `${error.message} The code is used up: connect again`);
    throw toUnreachableProblem(error, 'connector_type', call.requestId);
  }
}

const tokenRefusalText = ({ error, reason }: TokenRefused, redirectUri?: string): string =>
  redirectUri && /redirect/i.test(error)
    ? `${reason}: register ${redirectUri} at the provider as redirect URL`
    : reason;

/** Throws a 409 if the connector was changed while the provider answered: the tokens are for its old addresses. */
async function requireUnchangedConnector(db: DatabaseClient, { id, custom }: ConnectorDefinition): Promise<void> {
  if (!custom) return;
  const current = await findConnector(custom.workspaceId, id, db, true);
  if (current?.custom?.version !== custom.version)
    throw conflictProblem('The connector was changed meanwhile. Connect it again.');
}

/** Stores the credential, the end of its attempt and the audit entry in one transaction. */
async function storeConnection(
  call: SignedInCall,
  connector: ConnectorDefinition,
  target: GrantTarget,
  grant: GrantedCredential,
  attemptId?: string,
) {
  const { workspaceId, userId } = call.caller;
  const write = async (db: DatabaseClient) => {
    await requireUnchangedConnector(db, connector);
    const isOwn = connector.id === target.id;
    const owner = { workspaceId, userId, connectorId: isOwn ? null : connector.id };
    const row = await storeProviderGrant(db, owner, target, grant);
    if (!row) throw notFoundProblem('The credential');
    if (attemptId && !(await consumeAuthorization(db, attemptId)))
      throw conflictProblem('The addresses were changed meanwhile. Connect it again.');
    await appendAuditEntries(db, [call.auditEntry()]);
    return { credential: toConnectionResponse(row) };
  };
  return call.inTransaction ? write(call.db) : runInDatabaseTransaction(true, write);
}

const refreshCredentialOperation = defineOperation({
  id: 'oauth.refresh',
  method: 'POST',
  path: '/api/oauth/refresh',
  summary: 'Renew the tokens of a credential',
  description:
    'The service does so by itself before it uses tokens that end within five minutes. When the provider refuses, the ' +
    'credential’s status turns to `expired` (409).',
  tag: OAUTH_TAG,
  access: memberAccess('credential', 'update'),
  effect: submitEffect('configuration_change'),
  body: jsonBody(RefreshCredentialRequest),
  reply: jsonReply(RefreshCredentialResponse),
  async run(call, { body: { credential_id: id } }) {
    const { caller, requestId } = call;
    call.note({ resourceId: id });
    const credential = (await openCredentials(caller.workspaceId, [id])).get(id);
    if (!credential) throw notFoundProblem('The credential');
    if (credential.type !== 'oauth2') throw invalidFieldProblem('credential_id', 'is not a credential of type oauth2');
    if (!isRenewable(credential)) throw conflictProblem('It cannot be renewed: connect it again.');
    try {
      await refreshTokens(credential, true);
    } catch (error) {
      if (error instanceof TokenRefused) {
        const { reason, isOver } = error;
        throw conflictProblem(
          isOver ? `The provider refused (${reason}): connect it again.` : `The provider refused: ${reason}`,
        );
      }
      if (error instanceof ProviderUnreachable) throw toUnreachableProblem(error, 'credential_id', requestId);
      throw error;
    }
    const fresh = (await openCredentials(caller.workspaceId, [id])).get(id);
    if (!fresh) throw notFoundProblem('The credential');
    await appendAuditEntries(call.db, [call.auditEntry()]);
    return { credential: { id, status: fresh.status, expires_at: fresh.expiresAt?.toISOString() ?? null } };
  },
});

export const oauthOperations = [createAuthorizeUrlOperation, exchangeCodeOperation, refreshCredentialOperation];
