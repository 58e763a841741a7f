import { DOCUMENTED_VERIFICATION } from '@/contract/webhook-names';
import type { CallingWebhook } from '../lookup';
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

function makeVerifier({ id, workspaceId, sealedSecrets, verification }: CallingWebhook): Verifier {
  const settings = verification ?? DOCUMENTED_VERIFICATION;
  if (settings.kind === 'signature') {
    return signatureVerifier(
      settings,
      sealedSecrets.map((sealed) => signingKey(id, sealed)),
    );
  }
  const secrets = openedSecrets(id, sealedSecrets[0] ?? '');
  switch (settings.kind) {
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
export const verifierOf = (webhook: CallingWebhook): Verifier => (webhook.verifier ??= makeVerifier(webhook));
