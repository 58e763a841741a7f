import { isFreshMs, isHmac } from '../compare';
import { publicUrl, type Provider } from '../provider-record';

/** The characters that HubSpot decodes in the address before it signs. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/** https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation : version 3. */
export const hubspot: Provider = {
  verifier: ({ secret }) => ({
    reads: [
      'x-hubspot-signature-v3',
      'x-hubspot-request-timestamp',
      'x-hubspot-signature',
      'x-hubspot-signature-version',
    ],
    admits: ({ headers }) =>
      isFreshMs(headers.get('x-hubspot-request-timestamp')) && headers.has('x-hubspot-signature-v3'),
    isValid(head, rawBody) {
      const given = head.headers.get('x-hubspot-signature-v3');
      const url = publicUrl(head).replace(DECODED, decodeURIComponent);
      const time = head.headers.get('x-hubspot-request-timestamp') ?? '';
      return isHmac(given, { key: secret, encoding: 'base64' }, head.method + url, rawBody, time);
    },
  }),
};
