import { matchesHmac } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';

const TYPEFORM_SIGNATURE_PREFIX = 'sha256=';

/** https://www.typeform.com/developers/webhooks/secure-your-webhooks/ */
export const typeformWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['typeform-signature'],
    admits: ({ headers }) => headers.get('typeform-signature')?.startsWith(TYPEFORM_SIGNATURE_PREFIX) ?? false,
    isValid: ({ headers }, rawBody) =>
      matchesHmac(
        headers.get('typeform-signature')?.slice(TYPEFORM_SIGNATURE_PREFIX.length),
        { key: secret, encoding: 'base64' },
        rawBody,
      ),
  }),
};
