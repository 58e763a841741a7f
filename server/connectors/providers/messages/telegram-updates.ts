import type { OperationDefinition } from '../../operation';
import { countParameter, valueLineParameter } from '../../parameters';
import { telegramDoneExample } from './telegram-parameters';

/** Operations of Telegram that receive. https://core.telegram.org/bots/api#getting-updates */
export const telegramUpdateOperations: OperationDefinition[] = [
  {
    id: 'bot.get',
    title: 'Get the bot',
    help: 'Its id and its name.',
    method: 'GET',
    path: '/getMe',
    example: { ok: true, result: { id: 123_456, is_bot: true, first_name: 'Helper', username: 'helper_bot' } },
  },
  {
    id: 'webhook.get',
    title: 'Get the webhook',
    help: 'Its address, and the last error of a call.',
    method: 'GET',
    path: '/getWebhookInfo',
    example: { ok: true, result: { url: '', has_custom_certificate: false, pending_update_count: 0 } },
  },
  {
    id: 'webhook.delete',
    title: 'Delete the webhook',
    help: 'Updates can be listed again.',
    method: 'POST',
    path: '/deleteWebhook',
    inBody: {},
    example: telegramDoneExample,
  },
  {
    id: 'webhook.set',
    title: 'Set the webhook',
    help: 'Sends updates of the bot to an address, such as a webhook of Weft for Telegram.',
    method: 'POST',
    path: '/setWebhook',
    inBody: {
      url: valueLineParameter('Address', 'address', 2000).describe(
        'https address of the webhook; it replaces the one before',
      ),
      secret: valueLineParameter('Secret token', 'new name', 256).optional().describe('As entered in the webhook'),
    },
    names: { secret: 'secret_token' },
    example: { ok: true, result: true, description: 'Webhook was set' },
  },
  {
    id: 'updates.list',
    title: 'List updates',
    help: 'Messages and other updates of the last 24 hours; fails while a webhook is set.',
    method: 'GET',
    path: '/getUpdates',
    inQuery: {
      offset: countParameter('From', 2 ** 52)
        .optional()
        .describe('Updates before this `update_id` are confirmed and gone'),
      limit: countParameter('Items', 100).optional().describe('At most 100'),
    },
    items: 'result',
    example: {
      ok: true,
      result: [{ update_id: 1, message: { message_id: 7, text: 'Hi', chat: { id: 123_456_789 } } }],
    },
    poll: {
      title: 'New message to a bot',
      words: 'telegram trigger bot message update',
      parameters: { offset: '{{ cursor }}' },
      items: 'input.body.result',
      key: 'item.update_id',
      cursor: '$max(input.body.result.update_id) + 1',
    },
  },
];
