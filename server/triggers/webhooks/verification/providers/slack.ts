import { isFreshUnixSeconds, matchesHmac } from '../compare';
import { bodyFieldText, type WebhookProviderRecord } from '../provider-record';

const SLACK_SIGNATURE_PREFIX = 'v0=';

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const slackWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-slack-signature', 'x-slack-request-timestamp'],
    admits: ({ headers }) =>
      isFreshUnixSeconds(headers.get('x-slack-request-timestamp')) &&
      (headers.get('x-slack-signature')?.startsWith(SLACK_SIGNATURE_PREFIX) ?? false),
    isValid({ headers }, rawBody) {
      const given = headers.get('x-slack-signature')?.slice(SLACK_SIGNATURE_PREFIX.length);
      const time = headers.get('x-slack-request-timestamp');
      return matchesHmac(given, { key: secret, encoding: 'hex' }, `v0:${time}:`, rawBody);
    },
    deliveryId: (_, body) => bodyFieldText(body, 'event_id'),
    challenge(_, body) {
      const challenge = bodyFieldText(body, 'challenge');
      if (bodyFieldText(body, 'type') !== 'url_verification' || challenge === null) return null;
      return Response.json({ challenge });
    },
  }),
};
