import { createSecretKey } from 'node:crypto';
import { DEFAULT_VERIFICATION } from '@/contract/triggers/webhook-constants';
import type { WebhookVerificationData } from '../lookup';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { createBasicVerifier } from './basic';
import { createHeaderVerifier } from './header';
import { createJwtVerifier } from './jwt';
import { apiKeyVerifier, openVerifier } from './open';
import { WEBHOOK_PROVIDER_RECORDS } from './provider';
import type { ProviderSecrets } from './provider-record';
import { openWebhookSecrets, openSigningKey } from './secrets';
import { createSignatureVerifier } from './signature';
import type { WebhookVerifier } from './verifier';

export { sealWebhookSecret } from './secrets';
export { documentedSignature } from './signature';

function createVerifier({ id, workspaceId, sealedSecrets, verification }: WebhookVerificationData): WebhookVerifier {
  const settings = verification ?? DEFAULT_VERIFICATION;
  if (settings.kind === 'signature') {
    return createSignatureVerifier(
      settings,
      sealedSecrets.map((sealed) => openSigningKey(id, sealed)),
    );
  }
  return createVerifierWithSecrets(workspaceId, settings, openWebhookSecrets(id, sealedSecrets[0] ?? ''));
}

/** A verifier with these secrets, by field. */
export function createVerifierWithSecrets(
  workspaceId: string,
  settings: WebhookVerification,
  secrets: Record<string, string>,
): WebhookVerifier {
  switch (settings.kind) {
    case 'signature':
      return createSignatureVerifier(settings, [createSecretKey(secrets['secret'] ?? '', 'utf8')]);
    case 'provider':
      return WEBHOOK_PROVIDER_RECORDS[settings.provider].verifier(secrets as unknown as ProviderSecrets);
    case 'basic':
      return createBasicVerifier(settings.username, secrets['password'] ?? '');
    case 'header':
      return createHeaderVerifier(settings.name, secrets['value'] ?? '');
    case 'jwt':
      return createJwtVerifier(workspaceId, { ...settings, key: secrets['key'] });
    case 'api_key':
      return apiKeyVerifier;
    case 'none':
      return openVerifier;
  }
}

/** What checks the deliveries of a webhook; made once for each version of it that is read. */
export const webhookVerifier = (webhook: WebhookVerificationData): WebhookVerifier =>
  (webhook.verifier ??= createVerifier(webhook));
