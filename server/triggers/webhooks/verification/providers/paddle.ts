import { isFreshUnixSeconds, matchesAnyHmac, headerPairValues } from '../compare';
import { bodyFieldText, type WebhookProviderRecord } from '../provider-record';

/** https://developer.paddle.com/webhooks/signature-verification : several `h1` while a secret is replaced. */
export const paddleWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['paddle-signature'],
    admits: ({ headers }) => isFreshUnixSeconds(headerPairValues(headers.get('paddle-signature'), 'ts', ';')[0]),
    isValid({ headers }, rawBody) {
      const header = headers.get('paddle-signature');
      const [time = ''] = headerPairValues(header, 'ts', ';');
      return matchesAnyHmac(headerPairValues(header, 'h1', ';'), { key: secret, encoding: 'hex' }, `${time}:`, rawBody);
    },
    deliveryId: (_, body) => bodyFieldText(body, 'event_id'),
  }),
};
