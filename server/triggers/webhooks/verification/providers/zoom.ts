import { createHmac } from 'node:crypto';
import { isFreshUnixSeconds, matchesHmac } from '../compare';
import { bodyFieldText, type WebhookProviderRecord } from '../provider-record';

const ZOOM_SIGNATURE_PREFIX = 'v0=';

/** https://developers.zoom.us/docs/api/webhooks/#verify-webhook-events */
export const zoomWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-zm-signature', 'x-zm-request-timestamp'],
    admits: ({ headers }) =>
      isFreshUnixSeconds(headers.get('x-zm-request-timestamp')) &&
      (headers.get('x-zm-signature')?.startsWith(ZOOM_SIGNATURE_PREFIX) ?? false),
    isValid({ headers }, rawBody) {
      const given = headers.get('x-zm-signature')?.slice(ZOOM_SIGNATURE_PREFIX.length);
      const time = headers.get('x-zm-request-timestamp');
      return matchesHmac(given, { key: secret, encoding: 'hex' }, `v0:${time}:`, rawBody);
    },
    // Only signed requests get here: otherwise any caller could have texts of its choice signed.
    challenge(_, body) {
      const plainToken = bodyFieldText((body as { payload?: unknown } | null)?.payload, 'plainToken');
      if (bodyFieldText(body, 'event') !== 'endpoint.url_validation' || plainToken === null) return null;
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
      return Response.json({ plainToken, encryptedToken });
    },
  }),
};
