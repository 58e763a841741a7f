import { isHmac } from '../compare';
import { fieldOf, publicUrl, type Provider } from '../provider-record';

/** https://developer.squareup.com/docs/webhooks/step3validate : the signature covers the address and the body. */
export const square: Provider = {
  verifier: ({ secret }) => ({
    reads: ['x-square-hmacsha256-signature', 'x-square-signature'],
    admits: ({ headers }) => headers.has('x-square-hmacsha256-signature'),
    isValid: (head, rawBody) =>
      isHmac(
        head.headers.get('x-square-hmacsha256-signature'),
        { key: secret, encoding: 'base64' },
        publicUrl(head),
        rawBody,
      ),
    deliveryId: (_, body) => fieldOf(body, 'event_id'),
  }),
};
