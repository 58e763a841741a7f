import { matchesHmac, isSameTextConstantTime } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';
import type { DeliveryHead } from '../verifier';

const META_SIGNATURE_PREFIX = 'sha256=';
const MAX_CHALLENGE_LENGTH = 1000;

const isMetaSubscription = ({ method, rawQuery }: DeliveryHead) => method === 'GET' && rawQuery.includes('hub.mode=');

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started : also Instagram and WhatsApp. */
export const metaWebhooks: WebhookProviderRecord = {
  verifier: ({ secret, verifyToken = '' }) => ({
    reads: ['x-hub-signature-256', 'x-hub-signature'],
    isHandshake: isMetaSubscription,
    admits(head) {
      if (!isMetaSubscription(head))
        return head.headers.get('x-hub-signature-256')?.startsWith(META_SIGNATURE_PREFIX) ?? false;
      const query = new URLSearchParams(head.rawQuery);
      return (
        query.get('hub.mode') === 'subscribe' &&
        isSameTextConstantTime(query.get('hub.verify_token') ?? '', verifyToken)
      );
    },
    isValid(head, rawBody) {
      if (isMetaSubscription(head)) return true;
      const given = head.headers.get('x-hub-signature-256')?.slice(META_SIGNATURE_PREFIX.length);
      return matchesHmac(given, { key: secret, encoding: 'hex' }, rawBody);
    },
    challenge(head) {
      if (!isMetaSubscription(head)) return null;
      const challenge = new URLSearchParams(head.rawQuery).get('hub.challenge') ?? '';
      return new Response(challenge.slice(0, MAX_CHALLENGE_LENGTH), { headers: { 'Content-Type': 'text/plain' } });
    },
  }),
};
