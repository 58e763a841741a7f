import { notFound, invalid, invalidField, Problem } from '@/server/errors/problem';
import { customClientOf, type CustomClient } from '@/server/connectors/authorization/custom-client';
import { findConnector } from '@/server/connectors/lookup';
import { registrationOf } from '@/server/connectors/authorization/registration';
import type { ProviderUnreachable } from '@/server/connectors/authorization/token-endpoint';
import { openCredentials } from '@/server/connectors/vault';
import { runtime } from '@/server/runtime';

export interface Named {
  connector_type?: string;
  credential_id?: string;
}

/** The provider of an authorization: a connector and its registration, or, without a connector's name, the credential's own settings. */
export async function partyOf(
  workspaceId: string,
  { connector_type: type, credential_id: id }: Named,
): Promise<CustomClient> {
  if (type !== undefined) return registered(type, workspaceId);
  if (id === undefined) throw invalidField('connector_type', 'is required');
  const credential = (await openCredentials(workspaceId, [id])).get(id);
  if (!credential) throw notFound('The credential');
  if (credential.type !== 'oauth2') throw invalidField('credential_id', 'is not a credential of type oauth2');
  if (credential.connectorId !== null) throw invalidField('connector_type', 'is required for this credential');
  const party = customClientOf(credential);
  if ('lacking' in party) {
    const issue = (name: string) => ({ field: `config.${name}`, message: 'must be set in the credential first' });
    throw invalid(party.lacking.map(issue));
  }
  return party;
}

async function registered(type: string, workspaceId: string): Promise<CustomClient> {
  const connector = await findConnector(workspaceId, type);
  if (!connector) throw invalidField('connector_type', 'is not a known connector');
  if (connector.flow === 'token') {
    throw invalidField('connector_type', 'takes a token: store it as a credential of the type token');
  }
  const registration = await registrationOf(connector, workspaceId);
  if (registration) return { connector, registration };
  const message = `has no app registration: register one for this workspace, with the redirect URL ${runtime().env.oauthRedirectUrl}`;
  throw invalidField('connector_type', message);
}

/** The provider failed: retriable, unless the address is invalid. */
export function unreachable(error: ProviderUnreachable, field: string, requestId: string): Problem {
  if (error.isLasting) return invalidField(field, error.message);
  return new Problem('INTERNAL_ERROR', `${error.message} Try again later. Request id: ${requestId}`, [], {
    cause: error,
  });
}
