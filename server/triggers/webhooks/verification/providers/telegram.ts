import { isSameTextConstantTime } from '../compare';
import { bodyFieldText, type WebhookProviderRecord } from '../provider-record';

const TELEGRAM_SECRET_PATTERN = /^[\w-]{1,256}$/;

/** https://core.telegram.org/bots/api#setwebhook : the `secret_token` of setWebhook. */
export const telegramWebhooks: WebhookProviderRecord = {
  secretIssue: (secret) => (TELEGRAM_SECRET_PATTERN.test(secret) ? null : 'must be 1 to 256 of A-Z a-z 0-9 _ -'),
  verifier: ({ secret }) => ({
    reads: ['x-telegram-bot-api-secret-token'],
    admits: ({ headers }) => isSameTextConstantTime(headers.get('x-telegram-bot-api-secret-token') ?? '', secret),
    deliveryId: (_, body) => bodyFieldText(body, 'update_id'),
  }),
};
