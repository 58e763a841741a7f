import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import { discordChoices } from './discord-choices';
import {
  contentLineParameter,
  countParameter,
  fileParameter,
  jsonListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';

// https://discord.com/developers/docs/reference
const discordChannelId = listedLineParameter('Channel', 'channels', [], 30).describe(
  'Id of the channel; copy it in the developer mode of Discord',
);
const discordMessageId = listedLineParameter('Message', 'messages', ['channel'], 30).describe('Id of the message');
const discordServerId = listedLineParameter('Server', 'servers', [], 30).describe('Id of the server');
const discordText = multilineParameter('Text', 2000).describe('At most 2,000 characters, Markdown of Discord');
const discordEmbeds = jsonListParameter('Embeds', 10)
  .optional()
  .describe('Boxes with title, text, fields and colour, as JSON');

// https://discord.com/developers/docs/topics/rate-limits
const discordRateLimit = 'About 5 messages in 5 seconds in a channel, 50 calls a second for a bot.';
const discordMessageExample = {
  id: '1234567890123456789',
  channel_id: '223456789012345678',
  content: 'Hello',
  author: { id: '323456789012345678', username: 'weft' },
  timestamp: '2026-01-31T08:15:30.000000+00:00',
};

export const discordConnector: ConnectorDefinition = {
  id: 'discord',
  name: 'Discord',
  description: 'Messages, channels and members of a bot.',
  synonyms: ['chat', 'bot', 'message', 'community', 'server', 'notification'],
  flow: 'token',
  apiUrl: 'https://discord.com/api/v10',
  scopes: {},
  token: {
    title: 'Bot token',
    setup:
      'At discord.com/developers/applications create an application, reset the token under "Bot" and copy it, and invite the bot to the server under "OAuth2" with the scope bot.',
    fields: [
      {
        name: 'token',
        title: 'Bot token',
        hint: 'From the page "Bot" of the application',
        isSecret: true,
        pattern: /^[\w.-]{50,120}$/,
        rule: 'must be the token of a bot',
      },
    ],
    headers: { Authorization: 'Bot {token}' },
  },
  setup: 'Nothing has to be registered: a bot has a token of its own.',
  probe: { path: '/users/@me' },
  // 50 calls a second for a bot.
  limits: { perMinute: 3000, source: 'https://discord.com/developers/docs/topics/rate-limits' },
  choices: discordChoices,
  operations: [
    {
      id: 'messages.send',
      title: 'Send a message',
      help: 'The bot must be on the server and may write in the channel.',
      limits: discordRateLimit,
      method: 'POST',
      path: '/channels/{channel}/messages',
      inPath: { channel: discordChannelId },
      inBody: { content: discordText, embeds: discordEmbeds },
      example: discordMessageExample,
    },
    defineSteppedOperation({
      id: 'messages.send_file',
      title: 'Send a file',
      help: 'A file of the run with a text, at most 10 MB.',
      limits: discordRateLimit,
      parameters: { channel: discordChannelId, file: fileParameter('File'), content: discordText.optional() },
      *steps({ channel: to, file: sent, content: words = '' }) {
        const fields = { payload_json: JSON.stringify({ content: words }) };
        const path = `/channels/${encodeURIComponent(to)}/messages`;
        return (yield {
          method: 'POST',
          path,
          body: { as: 'multipart', fields, files: [{ name: 'files[0]', file: sent }] },
        }).body;
      },
      example: { ...discordMessageExample, attachments: [{ id: '1', filename: 'report.pdf' }] },
    }),
    {
      id: 'messages.edit',
      title: 'Edit a message',
      help: 'A message of the bot.',
      limits: discordRateLimit,
      method: 'PATCH',
      path: '/channels/{channel}/messages/{message}',
      inPath: { channel: discordChannelId, message: discordMessageId },
      inBody: { content: discordText, embeds: discordEmbeds },
      example: discordMessageExample,
    },
    {
      id: 'messages.delete',
      title: 'Delete a message',
      help: 'Messages of others need the permission to manage messages.',
      limits: discordRateLimit,
      method: 'DELETE',
      path: '/channels/{channel}/messages/{message}',
      inPath: { channel: discordChannelId, message: discordMessageId },
      example: null,
    },
    {
      id: 'messages.list',
      title: 'List messages of a channel',
      help: 'Newest first. Texts need the message content intent.',
      limits: discordRateLimit,
      method: 'GET',
      path: '/channels/{channel}/messages',
      inPath: { channel: discordChannelId },
      inQuery: {
        after: listedLineParameter('After', 'messages', ['channel'], 30)
          .optional()
          .describe('Only messages after this id'),
        limit: countParameter('Messages', 100).optional().describe('At most 100; default 50'),
      },
      items: '',
      example: [discordMessageExample],
      poll: {
        title: 'New message in a channel',
        words: 'discord trigger message chat',
        parameters: { after: '{{ cursor }}', limit: 100 },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.id)[-1]',
      },
    },
    {
      id: 'reactions.add',
      title: 'Add a reaction',
      help: 'Adds an emoji to a message.',
      limits: discordRateLimit,
      method: 'PUT',
      path: '/channels/{channel}/messages/{message}/reactions/{emoji}/@me',
      inPath: {
        channel: discordChannelId,
        message: discordMessageId,
        emoji: valueLineParameter('Emoji', 'code', 100).describe('A character such as 👍, or name:id of an own emoji'),
      },
      example: null,
    },
    {
      id: 'servers.list',
      title: 'List servers',
      help: 'Servers that the bot is on, at most 200.',
      limits: discordRateLimit,
      method: 'GET',
      path: '/users/@me/guilds',
      items: '',
      example: [{ id: '423456789012345678', name: 'Acme', owner: false }],
    },
    {
      id: 'roles.list',
      title: 'List roles of a server',
      help: 'With their ids; those of integrations are `managed`.',
      limits: discordRateLimit,
      method: 'GET',
      path: '/guilds/{server}/roles',
      inPath: { server: discordServerId },
      items: '',
      example: [{ id: '523456789012345678', name: 'Moderator', managed: false, position: 1 }],
    },
    {
      id: 'channels.list',
      title: 'List channels of a server',
      help: 'With their ids and kinds.',
      limits: discordRateLimit,
      method: 'GET',
      path: '/guilds/{server}/channels',
      inPath: { server: discordServerId },
      items: '',
      example: [{ id: '223456789012345678', name: 'general', type: 0 }],
    },
    {
      id: 'members.list',
      title: 'List members of a server',
      help: 'Needs the server members intent.',
      limits: discordRateLimit,
      method: 'GET',
      path: '/guilds/{server}/members',
      inPath: { server: discordServerId },
      inQuery: { limit: countParameter('Members', 1000).optional().describe('At most 1,000') },
      items: '',
      example: [{ user: { id: '323456789012345678', username: 'ada' }, roles: [] }],
    },
    {
      id: 'members.add_role',
      title: 'Give a role to a member',
      help: 'The bot needs the permission to manage roles.',
      limits: discordRateLimit,
      method: 'PUT',
      path: '/guilds/{server}/members/{user}/roles/{role}',
      inPath: {
        server: discordServerId,
        user: listedLineParameter('User', 'members', ['server'], 30).describe('Id of the user'),
        role: listedLineParameter('Role', 'roles', ['server'], 30).describe('Id of the role'),
      },
      example: null,
    },
    {
      id: 'webhooks.send',
      title: 'Send a message by a webhook of Discord',
      help: 'With the id and the token that are in the address of the webhook.',
      limits: discordRateLimit,
      method: 'POST',
      path: '/webhooks/{webhook}/{webhookToken}',
      inPath: {
        webhook: valueLineParameter('Webhook', 'address', 30).describe(
          'Id, the first part of the address after /webhooks/',
        ),
        webhookToken: valueLineParameter('Token of the webhook', 'address', 200).describe(
          'The last part of its address',
        ),
      },
      inBody: {
        content: discordText,
        embeds: discordEmbeds,
        username: contentLineParameter('Name', 80).optional().describe('In place of the name of the webhook'),
      },
      query: { wait: 'true' },
      example: discordMessageExample,
    },
  ],
};
