import { matchesHmac } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';
import type { DeliveryHead } from '../verifier';

const HOOK_SECRET_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** Asana asks whether the address is the right one, and shows the secret of the new webhook. */
const offeredSecret = ({ headers }: DeliveryHead): string | null => {
  const offered = headers.get('x-hook-secret');
  return offered !== null && HOOK_SECRET_PATTERN.test(offered) ? offered : null;
};

const hasNoEvents = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !('events' in body && Array.isArray(body.events) && body.events.length > 0);

/**
 * https://developers.asana.com/docs/webhooks-guide : the answer to the one who makes the webhook has the secret, too. The
 * question is therefore answered without storing it: who has made another webhook for this address signs with another
 * secret, and is refused.
 */
export const asanaWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-hook-signature', 'x-hook-secret'],
    admits: (head) => head.headers.has('x-hook-signature') || offeredSecret(head) !== null,
    isValid: (head, rawBody) =>
      head.headers.has('x-hook-signature')
        ? matchesHmac(head.headers.get('x-hook-signature'), { key: secret, encoding: 'hex' }, rawBody)
        : offeredSecret(head) !== null,
    challenge(head, body) {
      if (!head.headers.has('x-hook-signature')) {
        const offered = offeredSecret(head);
        return new Response(null, { status: 204, headers: offered === null ? {} : { 'X-Hook-Secret': offered } });
      }
      // A sign of life, every eight hours.
      return hasNoEvents(body) ? new Response(null, { status: 204 }) : null;
    },
  }),
};
