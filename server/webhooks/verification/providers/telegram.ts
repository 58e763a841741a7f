import { isSameText } from '../compare';
import { fieldOf, type Provider } from '../provider-record';

const SECRET_TOKEN = /^[\w-]{1,256}$/;

/** https://core.telegram.org/bots/api#setwebhook : the `secret_token` of setWebhook. */
export const telegram: Provider = {
  secretIssue: (secret) => (SECRET_TOKEN.test(secret) ? null : 'must be 1 to 256 of A-Z a-z 0-9 _ -'),
  verifier: ({ secret }) => ({
    reads: ['x-telegram-bot-api-secret-token'],
    admits: ({ headers }) => isSameText(headers.get('x-telegram-bot-api-secret-token') ?? '', secret),
    deliveryId: (_, body) => fieldOf(body, 'update_id'),
  }),
};
