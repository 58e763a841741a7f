import { isHmac } from '../compare';
import type { Provider } from '../provider-record';

const PREFIX = 'sha256=';

/** https://www.typeform.com/developers/webhooks/secure-your-webhooks/ */
export const typeform: Provider = {
  verifier: ({ secret }) => ({
    reads: ['typeform-signature'],
    admits: ({ headers }) => headers.get('typeform-signature')?.startsWith(PREFIX) ?? false,
    isValid: ({ headers }, rawBody) =>
      isHmac(headers.get('typeform-signature')?.slice(PREFIX.length), { key: secret, encoding: 'base64' }, rawBody),
  }),
};
