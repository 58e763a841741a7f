import type { ConnectorDefinition } from '../../connector';
import { booleanParameter, countParameter, lineParameter } from '../../parameters';
import { slackFileOperations } from './slack-files';
import {
  SLACK_POSTING_LIMIT,
  SLACK_TIER_2_LIMIT,
  SLACK_TIER_3_LIMIT,
  SLACK_TIER_4_LIMIT,
  slackChannelId,
  slackMessageContent,
  slackMessageTimestamp,
  slackPageSize,
  slackTokenPaging,
} from './slack-parameters';
import { slackUserOperations } from './slack-users';

const slackMessageExample = {
  ok: true,
  channel: 'C024BE91L',
  ts: '1355517523.000005',
  message: { text: 'Hello', type: 'message' },
};
const slackChannelExample = { id: 'C024BE91L', name: 'general', is_channel: true, is_archived: false, num_members: 23 };

export const slackConnector: ConnectorDefinition = {
  id: 'slack',
  name: 'Slack',
  description: 'Messages, channels, users and files.',
  synonyms: ['chat', 'message', 'channel', 'bot', 'notification', 'team'],
  flow: 'authorization_code',
  // https://docs.slack.dev/authentication/installing-with-oauth
  authorizeUrl: 'https://slack.com/oauth/v2/authorize',
  tokenUrl: 'https://slack.com/api/oauth.v2.access',
  apiUrl: 'https://slack.com/api',
  // Addresses of files: https://docs.slack.dev/reference/objects/file-object,
  // /reference/methods/files.getUploadURLExternal
  hosts: ['files.slack.com'],
  // https://docs.slack.dev/reference/scopes
  scopes: {
    'chat:write': 'chat:write',
    'channels:read': 'channels:read',
    'users:read': 'users:read',
    'users:read.email': 'users:read.email',
  },
  optionalScopes: {
    'chat:write.public': 'chat:write.public',
    'channels:history': 'channels:history',
    'channels:join': 'channels:join',
    'channels:manage': 'channels:manage',
    'groups:read': 'groups:read',
    'groups:history': 'groups:history',
    'im:write': 'im:write',
    'reactions:write': 'reactions:write',
    'files:read': 'files:read',
    'files:write': 'files:write',
  },
  scopeSeparator: ',',
  clientAuthentication: 'basic',
  token: {
    title: 'Bot token',
    setup:
      'At api.slack.com/apps create an app, add the scopes of a bot under "OAuth & Permissions", install it, and copy the "Bot User OAuth Token".',
    fields: [
      {
        name: 'token',
        title: 'Bot token',
        hint: 'Begins with xoxb-',
        isSecret: true,
        pattern: /^xox[a-z.]-[\w-]{8,500}$/,
        rule: 'must be a token of Slack, such as xoxb-…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  // https://docs.slack.dev/apis/web-api: refusals have the status 200.
  refusal: { kind: 'flag', at: 'ok', reason: 'error' },
  setup:
    'At api.slack.com/apps create an app. Under "OAuth & Permissions" add the redirect URL and the scopes; client id and secret are under "Basic Information".',
  probe: { path: '/auth.test' },
  operations: [
    {
      id: 'messages.post',
      title: 'Post a message',
      help: 'Posts to a channel, a user or a thread. The bot must be a member of the channel.',
      limits: SLACK_POSTING_LIMIT,
      method: 'POST',
      path: '/chat.postMessage',
      inBody: {
        channel: slackChannelId,
        ...slackMessageContent,
        thread: lineParameter('Thread').optional().describe('Timestamp `ts` of the message to reply to'),
        unfurlLinks: booleanParameter('Show previews of links').optional().describe('Default: previews of media only'),
        username: lineParameter('Name', 80)
          .optional()
          .describe('In place of the name of the bot; needs chat:write.customize'),
        iconEmoji: lineParameter('Emoji', 80).optional().describe('In place of the picture of the bot, e.g. :tada:'),
      },
      names: { thread: 'thread_ts', unfurlLinks: 'unfurl_links', iconEmoji: 'icon_emoji' },
      example: slackMessageExample,
    },
    {
      id: 'messages.update',
      title: 'Update a message',
      help: 'Replaces the text and blocks of a message of the bot.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'POST',
      path: '/chat.update',
      inBody: { channel: slackChannelId, timestamp: slackMessageTimestamp, ...slackMessageContent },
      names: { timestamp: 'ts' },
      example: { ok: true, channel: 'C024BE91L', ts: '1355517523.000005', text: 'Done' },
    },
    {
      id: 'messages.delete',
      title: 'Delete a message',
      help: 'Deletes a message of the bot.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'POST',
      path: '/chat.delete',
      inBody: { channel: slackChannelId, timestamp: slackMessageTimestamp },
      names: { timestamp: 'ts' },
      example: { ok: true, channel: 'C024BE91L', ts: '1355517523.000005' },
    },
    {
      id: 'messages.schedule',
      title: 'Schedule a message',
      help: 'Posts a message at a time within the next 120 days.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'POST',
      path: '/chat.scheduleMessage',
      inBody: {
        channel: slackChannelId,
        ...slackMessageContent,
        at: countParameter('Time', 9_999_999_999).describe('Unix time in seconds'),
      },
      names: { at: 'post_at' },
      example: { ok: true, channel: 'C024BE91L', scheduled_message_id: 'Q1298393284', post_at: 1_562_180_400 },
    },
    {
      id: 'messages.post_ephemeral',
      title: 'Post a message to one user in a channel',
      help: 'Only this user sees it, and only until the next reload.',
      limits: SLACK_TIER_4_LIMIT,
      method: 'POST',
      path: '/chat.postEphemeral',
      inBody: {
        channel: slackChannelId,
        user: lineParameter('User').describe('Id of the user, e.g. U0BPQUNTA'),
        ...slackMessageContent,
      },
      example: { ok: true, message_ts: '1502210682.580145' },
    },
    {
      id: 'reactions.add',
      title: 'Add a reaction',
      help: 'Adds an emoji to a message.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'POST',
      path: '/reactions.add',
      inBody: {
        channel: slackChannelId,
        timestamp: slackMessageTimestamp,
        name: lineParameter('Emoji', 100).describe('Name without colons, e.g. thumbsup'),
      },
      example: { ok: true },
    },
    {
      id: 'channels.list',
      title: 'List channels',
      help: 'Channels that the bot may see.',
      limits: SLACK_TIER_2_LIMIT,
      method: 'GET',
      path: '/conversations.list',
      inQuery: {
        types: lineParameter('Types', 100)
          .optional()
          .describe('Of public_channel, private_channel, mpim, im; default public_channel'),
        excludeArchived: booleanParameter('Without archived ones').optional().describe('Leaves archived channels out'),
        limit: slackPageSize,
      },
      names: { excludeArchived: 'exclude_archived' },
      items: 'channels',
      paging: slackTokenPaging,
      example: { ok: true, channels: [slackChannelExample], response_metadata: { next_cursor: '' } },
    },
    {
      id: 'channels.history',
      title: 'List the messages of a channel',
      help: 'Newest first, without replies in threads.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'GET',
      path: '/conversations.history',
      inQuery: {
        channel: slackChannelId,
        oldest: lineParameter('After', 40).optional().describe('Only messages after this timestamp'),
        latest: lineParameter('Before', 40).optional().describe('Only messages before this timestamp'),
        limit: slackPageSize,
      },
      items: 'messages',
      paging: slackTokenPaging,
      example: { ok: true, messages: [{ type: 'message', user: 'U012A3CDE', text: 'Hi', ts: '1512085950.000216' }] },
      poll: {
        title: 'New message in a channel',
        words: 'slack trigger message channel chat',
        // The first poll remembers the messages of the last hour.
        parameters: { oldest: '{{ cursor ?? $string($floor($millis() / 1000) - 3600) }}', allPages: true },
        items: 'input.body',
        key: 'item.ts',
        cursor: '$sort(input.body.ts)[-1]',
      },
    },
    {
      id: 'channels.replies',
      title: 'List the replies of a thread',
      help: 'The first one is the message that the thread belongs to.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'GET',
      path: '/conversations.replies',
      inQuery: { channel: slackChannelId, timestamp: slackMessageTimestamp, limit: slackPageSize },
      names: { timestamp: 'ts' },
      items: 'messages',
      paging: slackTokenPaging,
      example: {
        ok: true,
        messages: [{ user: 'U012A3CDE', text: 'Yes', thread_ts: '1482960137.003543', ts: '1483037603.017503' }],
      },
    },
    {
      id: 'channels.create',
      title: 'Create a channel',
      help: 'Needs channels:manage, or groups:write for a private one.',
      limits: SLACK_TIER_2_LIMIT,
      method: 'POST',
      path: '/conversations.create',
      inBody: {
        name: lineParameter('Name', 80).describe('Lower-case letters, digits, - and _'),
        isPrivate: booleanParameter('Private').optional().describe('Only invited users see it'),
      },
      names: { isPrivate: 'is_private' },
      example: { ok: true, channel: slackChannelExample },
    },
    {
      id: 'channels.invite',
      title: 'Invite users to a channel',
      help: 'The bot must be a member of the channel.',
      limits: SLACK_TIER_3_LIMIT,
      method: 'POST',
      path: '/conversations.invite',
      inBody: {
        channel: slackChannelId,
        users: lineParameter('Users', 10_000).describe('Ids of up to 100 users, separated by commas'),
      },
      example: { ok: true, channel: slackChannelExample },
    },
    ...slackUserOperations,
    ...slackFileOperations,
  ],
};
