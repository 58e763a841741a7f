import { isFresh, hasHmac, valuesIn } from '../compare';
import { fieldOf, type Provider } from '../provider-record';

/** https://docs.stripe.com/webhooks/signature : several `v1` while a secret is replaced. */
export const stripe: Provider = {
  verifier: ({ secret }) => ({
    reads: ['stripe-signature'],
    admits: ({ headers }) => isFresh(valuesIn(headers.get('stripe-signature'), 't', ',')[0]),
    isValid({ headers }, rawBody) {
      const header = headers.get('stripe-signature');
      const [time = ''] = valuesIn(header, 't', ',');
      return hasHmac(valuesIn(header, 'v1', ','), { key: secret, encoding: 'hex' }, `${time}.`, rawBody);
    },
    deliveryId: (_, body) => fieldOf(body, 'id'),
  }),
};
