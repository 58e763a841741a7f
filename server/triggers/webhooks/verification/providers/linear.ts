import { isFreshUnixMs, matchesHmac } from '../compare';
import { bodyFieldText, readUnverifiedJson, type WebhookProviderRecord } from '../provider-record';

/** https://linear.app/developers/webhooks#securing-webhooks : the time is in the body, in milliseconds. */
export const linearWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['linear-signature'],
    admits: ({ headers }) => headers.has('linear-signature'),
    isValid: ({ headers }, rawBody) =>
      matchesHmac(headers.get('linear-signature'), { key: secret, encoding: 'hex' }, rawBody) &&
      isFreshUnixMs(bodyFieldText(readUnverifiedJson(rawBody), 'webhookTimestamp')),
    deliveryId: ({ headers }) => headers.get('linear-delivery'),
  }),
};
