import { isFreshUnixSeconds, matchesAnyHmac, headerPairValues } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';

/** https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures */
export const calendlyWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['calendly-webhook-signature'],
    admits: ({ headers }) =>
      isFreshUnixSeconds(headerPairValues(headers.get('calendly-webhook-signature'), 't', ',')[0]),
    isValid({ headers }, rawBody) {
      const header = headers.get('calendly-webhook-signature');
      const [time = ''] = headerPairValues(header, 't', ',');
      return matchesAnyHmac(headerPairValues(header, 'v1', ','), { key: secret, encoding: 'hex' }, `${time}.`, rawBody);
    },
  }),
};
