import { matchesHmac } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';

/** https://shopify.dev/docs/apps/build/webhooks/subscribe/https : signed with the client secret of the app. */
export const shopifyWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-shopify-hmac-sha256'],
    admits: ({ headers }) => headers.has('x-shopify-hmac-sha256'),
    isValid: ({ headers }, rawBody) =>
      matchesHmac(headers.get('x-shopify-hmac-sha256'), { key: secret, encoding: 'base64' }, rawBody),
    deliveryId: ({ headers }) => headers.get('x-shopify-webhook-id'),
  }),
};
