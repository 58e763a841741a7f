import { isFresh, hasHmac, valuesIn } from '../compare';
import type { Provider } from '../provider-record';

/** https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures */
export const calendly: Provider = {
  verifier: ({ secret }) => ({
    reads: ['calendly-webhook-signature'],
    admits: ({ headers }) => isFresh(valuesIn(headers.get('calendly-webhook-signature'), 't', ',')[0]),
    isValid({ headers }, rawBody) {
      const header = headers.get('calendly-webhook-signature');
      const [time = ''] = valuesIn(header, 't', ',');
      return hasHmac(valuesIn(header, 'v1', ','), { key: secret, encoding: 'hex' }, `${time}.`, rawBody);
    },
  }),
};
