import type { Connector } from '../../connector';

import { stepped } from '../../operation';
import { count, file, objects, text, word } from '../../parameters';

// https://discord.com/developers/docs/reference
const channel = word('Channel', 30).describe('Id of the channel; copy it in the developer mode of Discord');
const message = word('Message', 30).describe('Id of the message');
const server = word('Server', 30).describe('Id of the server');
const content = text('Text', 2000).describe('At most 2,000 characters, Markdown of Discord');
const embeds = objects('Embeds', 10).optional().describe('Boxes with title, text, fields and colour, as JSON');

// https://discord.com/developers/docs/topics/rate-limits
const limits = 'About 5 messages in 5 seconds in a channel, 50 calls a second for a bot.';
const one = {
  id: '1234567890123456789',
  channel_id: '223456789012345678',
  content: 'Hello',
  author: { id: '323456789012345678', username: 'weft' },
  timestamp: '2026-01-31T08:15:30.000000+00:00',
};

export const discord: Connector = {
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
  operations: [
    {
      id: 'messages.send',
      title: 'Send a message',
      help: 'The bot must be on the server and may write in the channel.',
      limits,
      method: 'POST',
      path: '/channels/{channel}/messages',
      inPath: { channel },
      inBody: { content, embeds },
      example: one,
    },
    stepped({
      id: 'messages.send_file',
      title: 'Send a file',
      help: 'A file of the run with a text, at most 10 MB.',
      limits,
      parameters: { channel, file: file('File'), content: content.optional() },
      *steps({ channel: to, file: sent, content: words = '' }) {
        const fields = { payload_json: JSON.stringify({ content: words }) };
        const path = `/channels/${encodeURIComponent(to)}/messages`;
        return (yield {
          method: 'POST',
          path,
          body: { as: 'multipart', fields, files: [{ name: 'files[0]', file: sent }] },
        }).body;
      },
      example: { ...one, attachments: [{ id: '1', filename: 'report.pdf' }] },
    }),
    {
      id: 'messages.edit',
      title: 'Edit a message',
      help: 'A message of the bot.',
      limits,
      method: 'PATCH',
      path: '/channels/{channel}/messages/{message}',
      inPath: { channel, message },
      inBody: { content, embeds },
      example: one,
    },
    {
      id: 'messages.delete',
      title: 'Delete a message',
      help: 'Messages of others need the permission to manage messages.',
      limits,
      method: 'DELETE',
      path: '/channels/{channel}/messages/{message}',
      inPath: { channel, message },
      example: null,
    },
    {
      id: 'messages.list',
      title: 'List messages of a channel',
      help: 'Newest first. Texts need the message content intent.',
      limits,
      method: 'GET',
      path: '/channels/{channel}/messages',
      inPath: { channel },
      inQuery: {
        after: word('After', 30).optional().describe('Only messages after this id'),
        limit: count('Messages', 100).optional().describe('At most 100; default 50'),
      },
      items: '',
      example: [one],
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
      limits,
      method: 'PUT',
      path: '/channels/{channel}/messages/{message}/reactions/{emoji}/@me',
      inPath: {
        channel,
        message,
        emoji: word('Emoji', 100).describe('A character such as 👍, or name:id of an own emoji'),
      },
      example: null,
    },
    {
      id: 'channels.list',
      title: 'List channels of a server',
      help: 'With their ids and kinds.',
      limits,
      method: 'GET',
      path: '/guilds/{server}/channels',
      inPath: { server },
      items: '',
      example: [{ id: '223456789012345678', name: 'general', type: 0 }],
    },
    {
      id: 'members.list',
      title: 'List members of a server',
      help: 'Needs the server members intent.',
      limits,
      method: 'GET',
      path: '/guilds/{server}/members',
      inPath: { server },
      inQuery: { limit: count('Members', 1000).optional().describe('At most 1,000') },
      items: '',
      example: [{ user: { id: '323456789012345678', username: 'ada' }, roles: [] }],
    },
    {
      id: 'members.add_role',
      title: 'Give a role to a member',
      help: 'The bot needs the permission to manage roles.',
      limits,
      method: 'PUT',
      path: '/guilds/{server}/members/{user}/roles/{role}',
      inPath: {
        server,
        user: word('User', 30).describe('Id of the user'),
        role: word('Role', 30).describe('Id of the role'),
      },
      example: null,
    },
    {
      id: 'webhooks.send',
      title: 'Send a message by a webhook of Discord',
      help: 'With the id and the token that are in the address of the webhook.',
      limits,
      method: 'POST',
      path: '/webhooks/{webhook}/{webhookToken}',
      inPath: {
        webhook: word('Webhook', 30).describe('Id, the first part of the address after /webhooks/'),
        webhookToken: word('Token of the webhook', 200).describe('The last part of its address'),
      },
      inBody: {
        content,
        embeds,
        username: word('Name', 80).optional().describe('In place of the name of the webhook'),
      },
      query: { wait: 'true' },
      example: one,
    },
  ],
};
