import { matchesHmac } from '../compare';
import { bodyFieldText, publicDeliveryUrl, type WebhookProviderRecord } from '../provider-record';

const nestedObjectId = (body: unknown, name: string): string | null =>
  bodyFieldText((body as Record<string, unknown> | null)?.[name], 'id');

/**
 * https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ : the signature covers the body and then the
 * address.
 */
export const trelloWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-trello-webhook'],
    admits: ({ headers }) => headers.has('x-trello-webhook'),
    isValid: (head, rawBody) =>
      matchesHmac(
        head.headers.get('x-trello-webhook'),
        { key: secret, algorithm: 'sha1', encoding: 'base64' },
        rawBody,
        publicDeliveryUrl(head),
      ),
    deliveryId(_, body) {
      const action = nestedObjectId(body, 'action');
      // Several webhooks of Trello may have the same address: each sends the same action.
      return action && [nestedObjectId(body, 'webhook'), action].filter(Boolean).join('.');
    },
  }),
};
