import { isHmac } from '../compare';
import { fieldOf, publicUrl, type Provider } from '../provider-record';

const innerId = (body: unknown, name: string): string | null =>
  fieldOf((body as Record<string, unknown> | null)?.[name], 'id');

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ : the signature covers the body and then the address. */
export const trello: Provider = {
  verifier: ({ secret }) => ({
    reads: ['x-trello-webhook'],
    admits: ({ headers }) => headers.has('x-trello-webhook'),
    isValid: (head, rawBody) =>
      isHmac(
        head.headers.get('x-trello-webhook'),
        { key: secret, algorithm: 'sha1', encoding: 'base64' },
        rawBody,
        publicUrl(head),
      ),
    deliveryId(_, body) {
      const action = innerId(body, 'action');
      // Several webhooks of Trello may have the same address: each sends the same action.
      return action && [innerId(body, 'webhook'), action].filter(Boolean).join('.');
    },
  }),
};
