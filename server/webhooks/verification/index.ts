import { createSecretKey } from 'node:crypto';
import { DOCUMENTED_VERIFICATION } from '@/contract/triggers/webhook-names';
import type { VerifiedAddress } from '../lookup';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { basicVerifier } from './basic';
import { headerVerifier } from './header';
import { jwtVerifier } from './jwt';
import { apiKeyVerifier, openVerifier } from './open';
import { PROVIDERS } from './provider';
import type { ProviderSecrets } from './provider-record';
import { openedSecrets, signingKey } from './secrets';
import { signatureVerifier } from './signature';
import type { Verifier } from './verifier';

export { sealWebhookSecret } from './secrets';
export { signatureOf } from './signature';

function makeVerifier({ id, workspaceId, sealedSecrets, verification }: VerifiedAddress): Verifier {
  const settings = verification ?? DOCUMENTED_VERIFICATION;
  if (settings.kind === 'signature') {
    return signatureVerifier(
      settings,
      sealedSecrets.map((sealed) => signingKey(id, sealed)),
    );
  }
  return verifierWith(workspaceId, settings, openedSecrets(id, sealedSecrets[0] ?? ''));
}

/** A verifier with these secrets, by field. */
export function verifierWith(
  workspaceId: string,
  settings: WebhookVerification,
  secrets: Record<string, string>,
): Verifier {
  switch (settings.kind) {
    case 'signature':
      return signatureVerifier(settings, [createSecretKey(secrets['secret'] ?? '', 'utf8')]);
    case 'provider':
      return PROVIDERS[settings.provider].verifier(secrets as unknown as ProviderSecrets);
    case 'basic':
      return basicVerifier(settings.username, secrets['password'] ?? '');
    case 'header':
      return headerVerifier(settings.name, secrets['value'] ?? '');
    case 'jwt':
      return jwtVerifier(workspaceId, { ...settings, key: secrets['key'] });
    case 'api_key':
      return apiKeyVerifier;
    case 'none':
      return openVerifier;
  }
}

/** What checks the deliveries of a webhook; made once for each version of it that is read. */
export const verifierOf = (webhook: VerifiedAddress): Verifier => (webhook.verifier ??= makeVerifier(webhook));
