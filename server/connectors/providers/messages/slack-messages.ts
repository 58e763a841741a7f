import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { choiceParameter, countParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import {
  SLACK_TIER_2_LIMIT,
  SLACK_TIER_3_LIMIT,
  slackChannelId,
  slackMessageTimestamp,
  slackOwnChannelId,
  slackPageSize,
  slackTokenPaging,
} from './slack-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const slackReactedMessage = {
  ok: true,
  type: 'message',
  channel: 'C024BE91L',
  message: { text: 'Hi', ts: '1512085950.000216', reactions: [{ name: 'thumbsup', users: ['U012A3CDE'], count: 1 }] },
};

interface ReactedMessage {
  ts: string;
  text?: string;
  user?: string;
  reactions?: { name: string; users: string[] }[];
}

/** Operations of Slack that find and mark messages. https://docs.slack.dev/reference/methods */
export const slackMessageOperations: OperationDefinition[] = [
  {
    id: 'messages.search',
    title: 'Search messages',
    help: 'In all conversations of a user. Needs the token of a user with search:read.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'GET',
    path: '/search.messages',
    inQuery: {
      query: valueLineParameter('Query', 'query').describe(
        'Words, and filters such as in:#general, from:@ada, after:2026-01-31',
      ),
      sort: choiceParameter('Order', ['score', 'timestamp']).optional().describe('Default score: the best first'),
      limit: countParameter('Items a page', 100).optional().describe('Default 20'),
    },
    names: { limit: 'count' },
    items: 'messages.matches',
    paging: { kind: 'page', query: 'page', first: 1, size: 'count', defaultSize: 20 },
    example: {
      ok: true,
      messages: { total: 1, matches: [{ text: 'Hi', ts: '1512085950.000216', channel: { id: 'C024BE91L' } }] },
    },
  },
  defineSteppedOperation({
    id: 'messages.list_mentions',
    title: 'List messages that mention the bot',
    help: 'Messages of a channel since a time, without replies in threads. The bot must be a member.',
    limits: SLACK_TIER_3_LIMIT,
    parameters: {
      channel: slackOwnChannelId,
      oldest: valueLineParameter('After', 'quantity', 40).describe('Only messages after this timestamp'),
    },
    // https://docs.slack.dev/messaging/formatting-message-text#mentioning-users
    *steps({ channel, oldest }) {
      const mention = `<@${String(getAtPath((yield { path: '/auth.test' }).body, 'user_id'))}`;
      const found: unknown[] = [];
      let cursor: unknown;
      do {
        const query = { channel, oldest, limit: 200, cursor };
        const { body } = yield { path: '/conversations.history', query };
        const messages = getAtPath(body, 'messages');
        const all = Array.isArray(messages) ? (messages as unknown[]) : [];
        // An id may be followed by a name: <@U012A3CDE|weft>.
        const isMention = (text: string) =>
          text
            .split(mention)
            .slice(1)
            .some((rest) => /^[>|]/.test(rest));
        found.push(...all.filter((one) => isMention(String(getAtPath(one, 'text') ?? ''))));
        cursor = getAtPath(body, 'response_metadata.next_cursor');
      } while (typeof cursor === 'string' && cursor !== '');
      return found;
    },
    example: [{ type: 'message', user: 'U012A3CDE', text: '<@U0LAN0Z89> help', ts: '1512085950.000216' }],
    poll: {
      title: 'New mention of the bot in a channel',
      words: 'slack trigger mention app_mention bot message',
      // The first poll remembers the messages of the last hour.
      parameters: { oldest: '{{ cursor ?? $string($floor($millis() / 1000) - 3600) }}' },
      items: 'input.body',
      key: 'item.ts',
      cursor: '$string($floor($millis() / 1000) - 300)',
    },
  }),
  {
    id: 'messages.get_link',
    title: 'Get the link of a message',
    help: 'An address that opens the message in Slack.',
    limits: 'Hundreds of calls a minute.',
    method: 'GET',
    path: '/chat.getPermalink',
    inQuery: { channel: slackChannelId, timestamp: slackMessageTimestamp },
    names: { timestamp: 'message_ts' },
    example: { ok: true, permalink: 'https://acme.slack.com/archives/C024BE91L/p1512085950000216' },
  },
  {
    id: 'messages.list_scheduled',
    title: 'List scheduled messages',
    help: 'Messages of the bot that are not sent yet.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'GET',
    path: '/chat.scheduledMessages.list',
    inQuery: { channel: slackOwnChannelId.optional().describe('Only those for this channel'), limit: slackPageSize },
    items: 'scheduled_messages',
    paging: slackTokenPaging,
    example: {
      ok: true,
      scheduled_messages: [{ id: 'Q1298393284', channel_id: 'C024BE91L', post_at: 1_562_180_400, text: 'Hello' }],
    },
  },
  {
    id: 'messages.delete_scheduled',
    title: 'Delete a scheduled message',
    help: 'Refused in the last minute before it is sent.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'POST',
    path: '/chat.deleteScheduledMessage',
    inBody: {
      channel: slackChannelId,
      scheduled: listedLineParameter('Scheduled message', 'scheduled_messages', ['channel']).describe(
        'Its `scheduled_message_id`, e.g. Q1298393284',
      ),
    },
    names: { scheduled: 'scheduled_message_id' },
    example: { ok: true },
  },
  {
    id: 'reactions.get',
    title: 'Get the reactions to a message',
    help: 'Each emoji with the users who chose it. Needs reactions:read.',
    limits: SLACK_TIER_3_LIMIT,
    method: 'GET',
    path: '/reactions.get',
    inQuery: { channel: slackChannelId, timestamp: slackMessageTimestamp },
    query: { full: 'true' },
    example: slackReactedMessage,
  },
  defineSteppedOperation({
    id: 'reactions.list_recent',
    title: 'List reactions in a channel',
    help: 'Those to its 100 newest messages, each with its emoji and user. Needs the history scope of the channel.',
    limits: SLACK_TIER_3_LIMIT,
    parameters: { channel: slackChannelId },
    // https://docs.slack.dev/reference/methods/conversations.history
    *steps({ channel }) {
      const { body } = yield { path: '/conversations.history', query: { channel, limit: 100 } };
      return ((getAtPath(body, 'messages') ?? []) as ReactedMessage[]).flatMap(
        ({ ts, text, user: author, reactions = [] }) =>
          reactions.flatMap(({ name, users }) =>
            users.map((user) => ({ id: `${ts} ${name} ${user}`, name, user, message: { ts, text, user: author } })),
          ),
      );
    },
    example: [
      {
        id: '1512085950.000216 thumbsup U012A3CDE',
        name: 'thumbsup',
        user: 'U012A3CDE',
        message: { ts: '1512085950.000216', text: 'Hi', user: 'U0G9QF9C6' },
      },
    ],
    poll: {
      title: 'New reaction in a channel',
      words: 'slack trigger reaction emoji added',
      items: 'input.body',
      key: 'item.id',
    },
  }),
  {
    id: 'reactions.remove',
    title: 'Remove a reaction',
    help: 'Removes an emoji that the bot added.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/reactions.remove',
    inBody: {
      channel: slackChannelId,
      timestamp: slackMessageTimestamp,
      name: valueLineParameter('Emoji', 'code', 100).describe('Name without colons, e.g. thumbsup'),
    },
    example: { ok: true },
  },
  {
    id: 'pins.add',
    title: 'Pin a message',
    help: 'Needs pins:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/pins.add',
    inBody: { channel: slackOwnChannelId, timestamp: slackMessageTimestamp },
    example: { ok: true },
  },
  {
    id: 'pins.remove',
    title: 'Unpin a message',
    help: 'Needs pins:write.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'POST',
    path: '/pins.remove',
    inBody: { channel: slackOwnChannelId, timestamp: slackMessageTimestamp },
    example: { ok: true },
  },
  {
    id: 'pins.list',
    title: 'List the pinned messages of a channel',
    help: 'All of them in one answer. Needs pins:read.',
    limits: SLACK_TIER_2_LIMIT,
    method: 'GET',
    path: '/pins.list',
    inQuery: { channel: slackOwnChannelId },
    items: 'items',
    example: { ok: true, items: [{ type: 'message', channel: 'C024BE91L', message: { text: 'Hi' } }] },
  },
];
