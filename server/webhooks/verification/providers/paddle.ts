import { isFresh, hasHmac, valuesIn } from '../compare';
import { fieldOf, type Provider } from '../provider-record';

/** https://developer.paddle.com/webhooks/signature-verification : several `h1` while a secret is replaced. */
export const paddle: Provider = {
  verifier: ({ secret }) => ({
    reads: ['paddle-signature'],
    admits: ({ headers }) => isFresh(valuesIn(headers.get('paddle-signature'), 'ts', ';')[0]),
    isValid({ headers }, rawBody) {
      const header = headers.get('paddle-signature');
      const [time = ''] = valuesIn(header, 'ts', ';');
      return hasHmac(valuesIn(header, 'h1', ';'), { key: secret, encoding: 'hex' }, `${time}:`, rawBody);
    },
    deliveryId: (_, body) => fieldOf(body, 'event_id'),
  }),
};
