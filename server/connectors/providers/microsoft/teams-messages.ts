import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { contentLineParameter, listedLineListParameter, listedLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  encodePathPart,
  graphFilterParameter,
  graphODataNames,
  graphOrderParameter,
  microsoftGraphPaging,
  quoteODataText,
  SINCE_LAST_POLL,
  TEAMS_RATE_LIMIT,
} from './graph-parts';
import {
  teamChannelId,
  teamId,
  teamsChatId,
  teamsMemberExample,
  teamsMessageContent,
  teamsMessageExample,
  teamsPageSize,
  toTeamsMessage,
} from './teams-parts';

const channelMessageId = listedLineParameter('Message', 'channelMessages', ['teamId', 'channelId'], 200).describe(
  'Id of the message',
);
const chatMessageId = listedLineParameter('Message', 'chatMessages', ['chatId'], 200).describe('Id of the message');
const chatExample = {
  id: '19:2da4c29f6d7041eca70b638b43d45437@thread.v2',
  topic: 'Launch',
  chatType: 'group',
  createdDateTime: '2026-01-31T08:15:30.035Z',
  members: [teamsMemberExample],
};

const channelMessagesPath = (team: string, channel: string) =>
  `/teams/${encodePathPart(team)}/channels/${encodePathPart(channel)}/messages`;

/** A member of a new chat. The id is quoted, because it is a part of an address. */
const toChatMember = (user: string) => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `https://graph.microsoft.com/v1.0/users(${quoteODataText(user)})`,
});

/** Operations with messages in channels and chats. */
export const teamsMessageOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'channel_messages.send',
    title: 'Send a message to a channel',
    help: 'In the name of the connected account.',
    limits: TEAMS_RATE_LIMIT,
    parameters: { teamId, channelId: teamChannelId, ...teamsMessageContent },
    *steps({ teamId: team, channelId: channel, ...message }) {
      const body = { as: 'json', value: toTeamsMessage(message) } as const;
      return (yield { method: 'POST', path: channelMessagesPath(team, channel), body }).body;
    },
    example: teamsMessageExample,
  }),
  defineSteppedOperation({
    id: 'channel_messages.reply',
    title: 'Reply to a message in a channel',
    help: 'Below the message.',
    limits: TEAMS_RATE_LIMIT,
    parameters: { teamId, channelId: teamChannelId, messageId: channelMessageId, ...teamsMessageContent },
    *steps({ teamId: team, channelId: channel, messageId, ...message }) {
      const path = `${channelMessagesPath(team, channel)}/${encodePathPart(messageId)}/replies`;
      return (yield { method: 'POST', path, body: { as: 'json', value: toTeamsMessage(message) } }).body;
    },
    example: { ...teamsMessageExample, replyToId: '1616989510408' },
  }),
  {
    id: 'channel_messages.list',
    title: 'List messages of a channel',
    help: 'Without the answers to them.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}/channels/{channelId}/messages',
    inPath: { teamId, channelId: teamChannelId },
    inQuery: { top: teamsPageSize },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [teamsMessageExample] },
    poll: {
      title: 'New message in a channel',
      words: 'microsoft teams trigger channel message posted',
      parameters: { top: 50 },
      items: 'input.body.value',
      key: 'item.id',
    },
  },
  {
    id: 'channel_messages.list_replies',
    title: 'List the answers to a message',
    help: 'In a channel.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/teams/{teamId}/channels/{channelId}/messages/{messageId}/replies',
    inPath: { teamId, channelId: teamChannelId, messageId: channelMessageId },
    inQuery: { top: teamsPageSize },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [{ ...teamsMessageExample, replyToId: '1616989510408' }] },
  },
  {
    id: 'chats.list',
    title: 'List chats',
    help: 'Chats of the account, with their members.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/me/chats',
    inQuery: { top: teamsPageSize },
    names: graphODataNames,
    query: { $expand: 'members' },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [chatExample] },
    poll: {
      title: 'New chat',
      words: 'microsoft teams trigger chat created',
      parameters: { top: 50, allPages: true },
      items: 'input.body',
      key: 'item.id',
    },
  },
  defineSteppedOperation({
    id: 'chats.create',
    title: 'Create a chat',
    help: 'With one person the chat that exists is found; with several people it is a new group.',
    limits: TEAMS_RATE_LIMIT,
    parameters: {
      people: listedLineListParameter('People', 'people').describe(
        'Ids or email addresses, without the connected account',
      ),
      topic: contentLineParameter('Topic', 250).optional().describe('Title of a group'),
    },
    *steps({ people, topic }) {
      const own = String(getAtPath((yield { path: '/me', query: { $select: 'id' } }).body, 'id'));
      const isGroup = people.length > 1;
      const value = {
        chatType: isGroup ? 'group' : 'oneOnOne',
        topic: isGroup ? topic : undefined,
        members: [own, ...people].map(toChatMember),
      };
      return (yield { method: 'POST', path: '/chats', body: { as: 'json', value } }).body;
    },
    example: chatExample,
  }),
  defineSteppedOperation({
    id: 'chat_messages.send',
    title: 'Send a message to a chat',
    help: 'In the name of the connected account.',
    limits: TEAMS_RATE_LIMIT,
    parameters: { chatId: teamsChatId, ...teamsMessageContent },
    *steps({ chatId, ...message }) {
      const body = { as: 'json', value: toTeamsMessage(message) } as const;
      return (yield { method: 'POST', path: `/chats/${encodePathPart(chatId)}/messages`, body }).body;
    },
    example: teamsMessageExample,
  }),
  {
    id: 'chat_messages.list',
    title: 'List messages of a chat',
    help: 'The last changed first.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/chats/{chatId}/messages',
    inPath: { chatId: teamsChatId },
    inQuery: {
      filter: graphFilterParameter.describe('e.g. lastModifiedDateTime gt 2026-03-01T00:00:00Z, with this order'),
      order: graphOrderParameter.describe('lastModifiedDateTime desc (default) or createdDateTime desc'),
      top: teamsPageSize,
    },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [teamsMessageExample] },
    poll: {
      title: 'New message in a chat',
      words: 'microsoft teams trigger chat message received',
      parameters: {
        filter: `lastModifiedDateTime gt ${SINCE_LAST_POLL}`,
        order: 'lastModifiedDateTime desc',
        top: 50,
        allPages: true,
      },
      items: 'input.body',
      key: 'item.id',
      cursor: '$sort(input.body.lastModifiedDateTime)[-1]',
    },
  },
  {
    id: 'chat_messages.get',
    title: 'Get a message of a chat',
    help: 'Sender, text and attachments.',
    limits: TEAMS_RATE_LIMIT,
    method: 'GET',
    path: '/chats/{chatId}/messages/{messageId}',
    inPath: { chatId: teamsChatId, messageId: chatMessageId },
    example: teamsMessageExample,
  },
];
