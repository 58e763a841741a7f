import {
  notFoundProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  ApiProblem,
} from '@/server/platform/errors/problem';
import { toCustomClient, type CustomClient } from '@/server/connectors/authorization/custom-client';
import { findConnector } from '@/server/connectors/lookup';
import { findAppRegistration } from '@/server/connectors/authorization/registration';
import type { ProviderUnreachable } from '@/server/connectors/authorization/token-endpoint';
import { openCredentials } from '@/server/connectors/vault';
import { getRuntime } from '@/server/platform/runtime';

export interface AuthorizationSubject {
  connector_type?: string;
  credential_id?: string;
}

/**
 * Resolves the OAuth client of a request: a connector with its registration or, without a connector, the settings of
 * the credential.
 */
export async function resolveOAuthClient(
  workspaceId: string,
  { connector_type: type, credential_id: id }: AuthorizationSubject,
): Promise<CustomClient> {
  if (type !== undefined) return registeredOAuthClient(type, workspaceId);
  if (id === undefined) throw invalidFieldProblem('connector_type', 'is required');
  const credential = (await openCredentials(workspaceId, [id])).get(id);
  if (!credential) throw notFoundProblem('The credential');
  if (credential.type !== 'oauth2') throw invalidFieldProblem('credential_id', 'is not a credential of type oauth2');
  if (credential.connectorId !== null) throw invalidFieldProblem('connector_type', 'is required for this credential');
  const party = toCustomClient(credential);
  if ('lacking' in party) {
    const issue = (name: string) => ({ field: `config.${name}`, message: 'must be set in the credential first' });
    throw invalidRequestProblem(party.lacking.map(issue));
  }
  return party;
}

async function registeredOAuthClient(type: string, workspaceId: string): Promise<CustomClient> {
  const connector = await findConnector(workspaceId, type);
  if (!connector) throw invalidFieldProblem('connector_type', 'is not a known connector');
  if (connector.flow === 'token') {
    throw invalidFieldProblem('connector_type', 'takes a token: store it as a credential of the type token');
  }
  const registration = await findAppRegistration(connector, workspaceId);
  if (registration) return { connector, registration };
  const message = `has no app registration: register one for this workspace, with the redirect URL ${getRuntime().env.oauthRedirectUrl}`;
  throw invalidFieldProblem('connector_type', message);
}

/** Turns a failure of the provider into a retriable error, or into a 400 if the address is invalid. */
export function toUnreachableProblem(error: ProviderUnreachable, field: string, requestId: string): ApiProblem {
  if (error.isLasting) return invalidFieldProblem(field, error.message);
  return new ApiProblem('INTERNAL_ERROR', `${error.message} Try again later. Request id: ${requestId}`, [], {
    cause: error,
  });
}
