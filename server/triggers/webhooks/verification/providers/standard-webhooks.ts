import { isFreshUnixSeconds, matchesAnyHmac } from '../compare';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import type { WebhookProviderRecord } from '../provider-record';

const STANDARD_SECRET_PATTERN = /^(?:whsec_)?([A-Za-z0-9+/]{4,}={0,2})$/;

const standardWebhooksKey = (secret: string) => Buffer.from(STANDARD_SECRET_PATTERN.exec(secret)?.[1] ?? '', 'base64');

/** Svix sends the same headers under its own names. */
const readSignedHeader = (headers: CallHeaders, name: 'id' | 'timestamp' | 'signature') =>
  headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`);

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const standardWebhooksProvider: WebhookProviderRecord = {
  secretIssue: (secret) => (STANDARD_SECRET_PATTERN.test(secret) ? null : 'must be whsec_ and standard base64'),
  verifier({ secret }) {
    const key = standardWebhooksKey(secret);
    return {
      reads: ['webhook-signature', 'webhook-timestamp', 'svix-signature', 'svix-timestamp'],
      admits: ({ headers }) =>
        readSignedHeader(headers, 'id') !== null &&
        isFreshUnixSeconds(readSignedHeader(headers, 'timestamp')) &&
        readSignedHeader(headers, 'signature') !== null,
      isValid({ headers }, rawBody) {
        const signed = `${readSignedHeader(headers, 'id')}.${readSignedHeader(headers, 'timestamp')}.`;
        const candidates = (readSignedHeader(headers, 'signature') ?? '')
          .split(' ')
          .filter((one) => one.startsWith('v1,'));
        const digests = candidates.map((one) => one.slice('v1,'.length));
        return matchesAnyHmac(digests, { key, encoding: 'base64' }, signed, rawBody);
      },
      deliveryId: ({ headers }) => readSignedHeader(headers, 'id'),
    };
  },
};
