import { isFreshUnixMs, matchesHmac } from '../compare';
import { publicDeliveryUrl, type WebhookProviderRecord } from '../provider-record';

/** The characters that HubSpot decodes in the address before it signs. */
const HUBSPOT_DECODED_CHARACTERS = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/**
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation : version 3.
 */
export const hubspotWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: [
      'x-hubspot-signature-v3',
      'x-hubspot-request-timestamp',
      'x-hubspot-signature',
      'x-hubspot-signature-version',
    ],
    admits: ({ headers }) =>
      isFreshUnixMs(headers.get('x-hubspot-request-timestamp')) && headers.has('x-hubspot-signature-v3'),
    isValid(head, rawBody) {
      const given = head.headers.get('x-hubspot-signature-v3');
      const url = publicDeliveryUrl(head).replace(HUBSPOT_DECODED_CHARACTERS, decodeURIComponent);
      const time = head.headers.get('x-hubspot-request-timestamp') ?? '';
      return matchesHmac(given, { key: secret, encoding: 'base64' }, head.method + url, rawBody, time);
    },
  }),
};
