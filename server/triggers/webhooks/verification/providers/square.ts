import { matchesHmac } from '../compare';
import { bodyFieldText, publicDeliveryUrl, type WebhookProviderRecord } from '../provider-record';

/** https://developer.squareup.com/docs/webhooks/step3validate : the signature covers the address and the body. */
export const squareWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-square-hmacsha256-signature', 'x-square-signature'],
    admits: ({ headers }) => headers.has('x-square-hmacsha256-signature'),
    isValid: (head, rawBody) =>
      matchesHmac(
        head.headers.get('x-square-hmacsha256-signature'),
        { key: secret, encoding: 'base64' },
        publicDeliveryUrl(head),
        rawBody,
      ),
    deliveryId: (_, body) => bodyFieldText(body, 'event_id'),
  }),
};
