import { isSameTextConstantTime } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';
import type { DeliveryHead } from '../verifier';

/** The field of the query that carries the secret. */
const MAILCHIMP_SECRET_FIELD = 'secret';

const isMailchimpQuestion = ({ method }: DeliveryHead) => method === 'GET';

/**
 * https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/ : deliveries are not signed, so the
 * address has a secret. Mailchimp asks with GET whether the address exists.
 */
export const mailchimpWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: [],
    isHandshake: isMailchimpQuestion,
    admits: ({ rawQuery }) =>
      isSameTextConstantTime(new URLSearchParams(rawQuery).get(MAILCHIMP_SECRET_FIELD) ?? '', secret),
    challenge: (head) => (isMailchimpQuestion(head) ? new Response(null, { status: 200 }) : null),
  }),
};
