import { isFreshUnixMs, matchesHmac } from '../compare';
import { bodyFieldText, type WebhookProviderRecord } from '../provider-record';

const ZENDESK_SIGNATURE = 'x-zendesk-webhook-signature';
const ZENDESK_TIME = 'x-zendesk-webhook-signature-timestamp';

/** https://developer.zendesk.com/documentation/webhooks/verifying/ : the time is written as ISO 8601. */
export const zendeskWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: [ZENDESK_SIGNATURE, ZENDESK_TIME],
    admits: ({ headers }) =>
      headers.has(ZENDESK_SIGNATURE) && isFreshUnixMs(String(Date.parse(headers.get(ZENDESK_TIME) ?? ''))),
    isValid: ({ headers }, rawBody) =>
      matchesHmac(
        headers.get(ZENDESK_SIGNATURE),
        { key: secret, encoding: 'base64' },
        headers.get(ZENDESK_TIME) ?? '',
        rawBody,
      ),
    deliveryId: (_, body) => bodyFieldText(body, 'id'),
  }),
};
