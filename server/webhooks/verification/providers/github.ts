import { createSecretKey } from 'node:crypto';
import { isHmac } from '../compare';
import type { Provider } from '../provider-record';

const PREFIX = 'sha256=';

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
export const github: Provider = {
  verifier({ secret }) {
    const hmac = { key: createSecretKey(secret, 'utf8'), encoding: 'hex' } as const;
    return {
      reads: ['x-hub-signature-256', 'x-hub-signature'],
      admits: ({ headers }) => headers.get('x-hub-signature-256')?.startsWith(PREFIX) ?? false,
      isValid: ({ headers }, rawBody) =>
        isHmac(headers.get('x-hub-signature-256')?.slice(PREFIX.length), hmac, rawBody),
      deliveryId: ({ headers }) => headers.get('x-github-delivery'),
    };
  },
};
