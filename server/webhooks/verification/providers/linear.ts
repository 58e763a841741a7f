import { isFreshMs, isHmac } from '../compare';
import { fieldOf, unverifiedJson, type Provider } from '../provider-record';

/** https://linear.app/developers/webhooks#securing-webhooks : the time is in the body, in milliseconds. */
export const linear: Provider = {
  verifier: ({ secret }) => ({
    reads: ['linear-signature'],
    admits: ({ headers }) => headers.has('linear-signature'),
    isValid: ({ headers }, rawBody) =>
      isHmac(headers.get('linear-signature'), { key: secret, encoding: 'hex' }, rawBody) &&
      isFreshMs(fieldOf(unverifiedJson(rawBody), 'webhookTimestamp')),
    deliveryId: ({ headers }) => headers.get('linear-delivery'),
  }),
};
