import type { ConnectorDefinition } from '../../connector';
import { booleanParameter, contentLineParameter, countParameter, valueLineParameter } from '../../parameters';
import { slackChannelOperations } from './slack-channels';
import { slackFileOperations } from './slack-files';
import { slackGroupOperations } from './slack-groups';
import { slackMessageOperations } from './slack-messages';
import {
  SLACK_POSTING_LIMIT,
  SLACK_TIER_3_LIMIT,
  SLACK_TIER_4_LIMIT,
  slackChannelId,
  slackChoices,
  slackMessageContent,
  slackMessageTimestamp,
  slackThreadTimestamp,
  slackUserId,
} from './slack-parameters';
import { slackUserOperations } from './slack-users';

const slackMessageExample = {
  ok: true,
  channel: 'C024BE91L',
  ts: '1355517523.000005',
  message: { text: 'Hello', type: 'message' },
};

export const slackConnector: ConnectorDefinition = {
  id: 'slack',
  name: 'Slack',
  description: 'Messages, channels, users, user groups and files.',
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
    'groups:write': 'groups:write',
    'im:read': 'im:read',
    'im:history': 'im:history',
    'im:write': 'im:write',
    'mpim:read': 'mpim:read',
    'mpim:history': 'mpim:history',
    'mpim:write': 'mpim:write',
    'chat:write.customize': 'chat:write.customize',
    'reactions:read': 'reactions:read',
    'reactions:write': 'reactions:write',
    'pins:read': 'pins:read',
    'pins:write': 'pins:write',
    'usergroups:read': 'usergroups:read',
    'usergroups:write': 'usergroups:write',
    'users.profile:read': 'users.profile:read',
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
  // Of most methods, by method and workspace.
  limits: { perMinute: 50, source: 'https://docs.slack.dev/apis/web-api/rate-limits' },
  choices: slackChoices,
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
        thread: slackThreadTimestamp.optional(),
        isBroadcast: booleanParameter('Also to the channel')
          .optional()
          .describe('A reply in a thread is shown in the channel, too'),
        unfurlLinks: booleanParameter('Show previews of links').optional().describe('Default: previews of media only'),
        username: contentLineParameter('Name', 80)
          .optional()
          .describe('In place of the name of the bot; needs chat:write.customize'),
        iconEmoji: valueLineParameter('Emoji', 'code', 80)
          .optional()
          .describe('In place of the picture of the bot, e.g. :tada:'),
        iconUrl: valueLineParameter('Picture', 'address', 2000)
          .optional()
          .describe('Address of a picture in place of that of the bot'),
      },
      names: {
        thread: 'thread_ts',
        isBroadcast: 'reply_broadcast',
        unfurlLinks: 'unfurl_links',
        iconEmoji: 'icon_emoji',
        iconUrl: 'icon_url',
      },
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
        user: slackUserId,
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
        name: valueLineParameter('Emoji', 'code', 100).describe('Name without colons, e.g. thumbsup'),
      },
      example: { ok: true },
    },
    ...slackMessageOperations,
    ...slackChannelOperations,
    ...slackUserOperations,
    ...slackGroupOperations,
    ...slackFileOperations,
  ],
};
