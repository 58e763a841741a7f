import { isFresh, isHmac } from '../compare';
import { fieldOf, type Provider } from '../provider-record';

const PREFIX = 'v0=';

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const slack: Provider = {
  verifier: ({ secret }) => ({
    reads: ['x-slack-signature', 'x-slack-request-timestamp'],
    admits: ({ headers }) =>
      isFresh(headers.get('x-slack-request-timestamp')) &&
      (headers.get('x-slack-signature')?.startsWith(PREFIX) ?? false),
    isValid({ headers }, rawBody) {
      const given = headers.get('x-slack-signature')?.slice(PREFIX.length);
      const time = headers.get('x-slack-request-timestamp');
      return isHmac(given, { key: secret, encoding: 'hex' }, `v0:${time}:`, rawBody);
    },
    deliveryId: (_, body) => fieldOf(body, 'event_id'),
    challenge(_, body) {
      const challenge = fieldOf(body, 'challenge');
      if (fieldOf(body, 'type') !== 'url_verification' || challenge === null) return null;
      return Response.json({ challenge });
    },
  }),
};
