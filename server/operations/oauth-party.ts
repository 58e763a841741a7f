import { notFound, invalid, invalidField, Problem } from '../api/problem';
import { connectorOf } from '../connectors';
import { ownParty, type Party } from '../connectors/own';
import { registrationOf } from '../connectors/registration';
import type { ProviderUnreachable } from '../connectors/token-endpoint';
import { openCredentials } from '../connectors/vault';
import { runtime } from '../runtime';

export interface Named {
  connector_type?: string;
  credential_id?: string;
}

/**
 * With whom an account is to be connected: a connector and its registration, or, without a connector's name, what a
 * credential itself says.
 */
export async function partyOf(workspaceId: string, { connector_type: type, credential_id: id }: Named): Promise<Party> {
  if (type !== undefined) return registered(type, workspaceId);
  if (id === undefined) throw invalidField('connector_type', 'is required');
  const credential = (await openCredentials(workspaceId, [id])).get(id);
  if (!credential) throw notFound('The credential');
  if (credential.type !== 'oauth2') throw invalidField('credential_id', 'is not a credential of type oauth2');
  if (credential.connectorId !== null) throw invalidField('connector_type', 'is required for this credential');
  const party = ownParty(credential);
  if ('lacking' in party) {
    const issue = (name: string) => ({ field: `config.${name}`, message: 'must be set in the credential first' });
    throw invalid(party.lacking.map(issue));
  }
  return party;
}

async function registered(type: string, workspaceId: string): Promise<Party> {
  const connector = connectorOf(type);
  if (!connector) throw invalidField('connector_type', 'is not a known connector');
  const registration = await registrationOf(connector, workspaceId);
  if (registration) return { connector, registration };
  const message = `has no app registration: register one for this workspace, with the redirect address ${runtime().env.oauthRedirectUrl}`;
  throw invalidField('connector_type', message);
}

/** The provider was of no use: not the caller's fault, unless the address can't ever work. */
export function unreachable(error: ProviderUnreachable, field: string, requestId: string): Problem {
  if (error.isLasting) return invalidField(field, error.message);
  return new Problem('INTERNAL_ERROR', `${error.message} Try again later. Request id: ${requestId}`, [], {
    cause: error,
  });
}
