import { createSecretKey } from 'node:crypto';
import { matchesHmac } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';

const GITHUB_SIGNATURE_PREFIX = 'sha256=';

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
export const githubWebhooks: WebhookProviderRecord = {
  verifier({ secret }) {
    const hmac = { key: createSecretKey(secret, 'utf8'), encoding: 'hex' } as const;
    return {
      reads: ['x-hub-signature-256', 'x-hub-signature'],
      admits: ({ headers }) => headers.get('x-hub-signature-256')?.startsWith(GITHUB_SIGNATURE_PREFIX) ?? false,
      isValid: ({ headers }, rawBody) =>
        matchesHmac(headers.get('x-hub-signature-256')?.slice(GITHUB_SIGNATURE_PREFIX.length), hmac, rawBody),
      deliveryId: ({ headers }) => headers.get('x-github-delivery'),
    };
  },
};
