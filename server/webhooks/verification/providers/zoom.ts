import { createHmac } from 'node:crypto';
import { isFresh, isHmac } from '../compare';
import { fieldOf, type Provider } from '../provider-record';

const PREFIX = 'v0=';

/** https://developers.zoom.us/docs/api/webhooks/#verify-webhook-events */
export const zoom: Provider = {
  verifier: ({ secret }) => ({
    reads: ['x-zm-signature', 'x-zm-request-timestamp'],
    admits: ({ headers }) =>
      isFresh(headers.get('x-zm-request-timestamp')) && (headers.get('x-zm-signature')?.startsWith(PREFIX) ?? false),
    isValid({ headers }, rawBody) {
      const given = headers.get('x-zm-signature')?.slice(PREFIX.length);
      const time = headers.get('x-zm-request-timestamp');
      return isHmac(given, { key: secret, encoding: 'hex' }, `v0:${time}:`, rawBody);
    },
    // Only signed requests get here: otherwise any caller could have texts of its choice signed.
    challenge(_, body) {
      const plainToken = fieldOf((body as { payload?: unknown } | null)?.payload, 'plainToken');
      if (fieldOf(body, 'event') !== 'endpoint.url_validation' || plainToken === null) return null;
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
      return Response.json({ plainToken, encryptedToken });
    },
  }),
};
