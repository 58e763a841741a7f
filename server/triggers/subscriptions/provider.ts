import { requireUsableObjects } from '@/server/engine/attempt/authority';
import { SecretRedactor } from '@/server/engine/attempt/secret-redactor';
import { findAppRegistration } from '@/server/connectors/authorization/registration';
import { runConnectorRequests } from '@/server/connectors/calls/call';
import type { CallContext } from '@/server/connectors/calls/send';
import { openCredentialForNode } from '@/server/connectors/credential-for-node';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import { findBuiltInConnector } from '@/server/connectors';
import type { ConnectorSubscriptions, ProviderRequests, SubscriptionTarget } from '@/server/connectors/subscription';
import { openDeletedCredential } from '@/server/connectors/vault';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ClaimedSubscription } from './claim';

/** The provider of a subscription, with an open credential. */
export interface OpenProvider {
  name: string;
  subscriptions: ConnectorSubscriptions;
  target: SubscriptionTarget;
  /** The secret of the app by which the account was connected. Throws NodeFailure if there is none. */
  readAppSecret(): Promise<string>;
  /** Throws NodeFailure: what the provider or the network says, without secrets. */
  request<Result>(requests: ProviderRequests<Result>): Promise<Result>;
}

/** Opens the provider. Throws NodeFailure: a reason for people. */
export async function openProvider(claimed: ClaimedSubscription, signal: AbortSignal): Promise<OpenProvider> {
  const { connectorId, event, url, parameters, workspaceId } = claimed;
  const connector = findBuiltInConnector(connectorId);
  if (!connector?.subscriptions)
    throw new NodeFailure('CONFIG', 'The service cannot make webhooks at this provider any more.', false);
  const redactor = new SecretRedactor();
  const credential = await openSubscriptionCredential(claimed, (secrets) => redactor.add(secrets));
  const call: CallContext = {
    connector,
    workspaceId,
    credential,
    secrets: redactor,
    signal,
    idempotencyKey: claimed.token,
    log: () => undefined,
  };
  return {
    name: connector.name,
    subscriptions: connector.subscriptions,
    target: { url, event, parameters },
    async readAppSecret() {
      const registration =
        credential.credential.type === 'oauth2' && (await findAppRegistration(connector, workspaceId));
      if (registration && registration.clientSecret) return registration.clientSecret;
      const reason = `${connector.name} signs with the secret of an app: connect the account through an app registration.`;
      throw new NodeFailure('CREDENTIAL_INCOMPLETE', reason, false);
    },
    async request(requests) {
      try {
        return await runConnectorRequests(call, requests);
      } catch (error) {
        // Answers of providers are not checked field by field: one of another shape has no such fields.
        if (error instanceof TypeError)
          throw new NodeFailure('BAD_RESPONSE', `${connector.name} sent an unexpected answer.`);
        throw error;
      }
    },
  };
}

async function openSubscriptionCredential(
  { workspaceId, credentialId, isWanted, workflowId, workflowVersion, connectorId, ...rest }: ClaimedSubscription,
  learn: (secrets: string[]) => void,
): Promise<CredentialHandle> {
  if (credentialId === null) throw new NodeFailure('CREDENTIAL_MISSING', 'No account is chosen.', false);
  const { keptCredential, keptSealed } = rest;
  if (!isWanted && keptCredential && keptSealed !== null) {
    const credential = openDeletedCredential({ ...keptCredential, id: credentialId, workspaceId, sealed: keptSealed });
    learn(credential.secrets);
    const renew = () => Promise.reject(new NodeFailure('CREDENTIAL_MISSING', 'The credential was deleted.', false));
    return { credential, isRenewable: false, renew };
  }
  // What is removed was made with these rights.
  if (isWanted && workflowVersion !== null)
    await requireUsableObjects({ workflowId, workflowVersion }, [
      { resource: 'credential', id: credentialId },
      { resource: 'connector', id: connectorId },
    ]);
  return openCredentialForNode(workspaceId, credentialId, learn);
}
