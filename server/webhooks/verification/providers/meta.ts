import { isHmac, isSameText } from '../compare';
import type { Provider } from '../provider-record';
import type { DeliveryHead } from '../verifier';

const PREFIX = 'sha256=';
const MAX_CHALLENGE = 1000;

const isSubscription = ({ method, rawQuery }: DeliveryHead) => method === 'GET' && rawQuery.includes('hub.mode=');

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started : also Instagram and WhatsApp. */
export const meta: Provider = {
  verifier: ({ secret, verifyToken = '' }) => ({
    reads: ['x-hub-signature-256', 'x-hub-signature'],
    isHandshake: isSubscription,
    admits(head) {
      if (!isSubscription(head)) return head.headers.get('x-hub-signature-256')?.startsWith(PREFIX) ?? false;
      const query = new URLSearchParams(head.rawQuery);
      return query.get('hub.mode') === 'subscribe' && isSameText(query.get('hub.verify_token') ?? '', verifyToken);
    },
    isValid(head, rawBody) {
      if (isSubscription(head)) return true;
      const given = head.headers.get('x-hub-signature-256')?.slice(PREFIX.length);
      return isHmac(given, { key: secret, encoding: 'hex' }, rawBody);
    },
    challenge(head) {
      if (!isSubscription(head)) return null;
      const challenge = new URLSearchParams(head.rawQuery).get('hub.challenge') ?? '';
      return new Response(challenge.slice(0, MAX_CHALLENGE), { headers: { 'Content-Type': 'text/plain' } });
    },
  }),
};
