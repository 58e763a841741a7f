import { isFresh, hasHmac } from '../compare';
import type { CallHeaders } from '@/server/client-address';
import type { Provider } from '../provider-record';

const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]{4,}={0,2})$/;

const keyOf = (secret: string) => Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64');

/** Svix sends the same headers under its own names. */
const read = (headers: CallHeaders, name: 'id' | 'timestamp' | 'signature') =>
  headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`);

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooks: Provider = {
  secretIssue: (secret) => (SECRET.test(secret) ? null : 'must be whsec_ and standard base64'),
  verifier({ secret }) {
    const key = keyOf(secret);
    return {
      reads: ['webhook-signature', 'webhook-timestamp', 'svix-signature', 'svix-timestamp'],
      admits: ({ headers }) =>
        read(headers, 'id') !== null && isFresh(read(headers, 'timestamp')) && read(headers, 'signature') !== null,
      isValid({ headers }, rawBody) {
        const signed = `${read(headers, 'id')}.${read(headers, 'timestamp')}.`;
        const candidates = (read(headers, 'signature') ?? '').split(' ').filter((one) => one.startsWith('v1,'));
        const digests = candidates.map((one) => one.slice('v1,'.length));
        return hasHmac(digests, { key, encoding: 'base64' }, signed, rawBody);
      },
      deliveryId: ({ headers }) => read(headers, 'id'),
    };
  },
};
