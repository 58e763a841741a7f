import { isFreshUnixSeconds, matchesAnyHmac, headerPairValues } from '../compare';
import { bodyFieldText, type WebhookProviderRecord } from '../provider-record';

/** https://docs.stripe.com/webhooks/signature : several `v1` while a secret is replaced. */
export const stripeWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['stripe-signature'],
    admits: ({ headers }) => isFreshUnixSeconds(headerPairValues(headers.get('stripe-signature'), 't', ',')[0]),
    isValid({ headers }, rawBody) {
      const header = headers.get('stripe-signature');
      const [time = ''] = headerPairValues(header, 't', ',');
      return matchesAnyHmac(headerPairValues(header, 'v1', ','), { key: secret, encoding: 'hex' }, `${time}.`, rawBody);
    },
    deliveryId: (_, body) => bodyFieldText(body, 'id'),
  }),
};
