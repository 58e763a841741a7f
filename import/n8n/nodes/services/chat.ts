import { asN8nObject } from '../../file';
import { parameterValue, type NodeConverter } from '../../conversion';
import {
  pagedListCall,
  sameParametersCall,
  serviceConverter,
  type ConnectorCallBuilder,
  type ParameterReader,
} from './service';

/** The channel or the user that a message goes to. */
const slackChannel = (read: ParameterReader): string | undefined =>
  read.get('select') === 'user' ? read.text('user') : read.text('channelId', 'channel');

/** The blocks of a message of Slack; undefined: it has none. */
function slackBlocks(read: ParameterReader): unknown {
  if (read.get('messageType') !== undefined && read.get('messageType') !== 'block') return undefined;
  if (typeof read.get('blocksUi') !== 'string') return undefined;
  const blocks = asN8nObject(read.json('blocksUi'))['blocks'];
  if (Array.isArray(blocks)) return blocks;
  if (read.get('messageType') === 'block') read.addTodo('Add its blocks.');
  return undefined;
}

/** The attachments of a message, as Slack takes them: n8n keeps their fields in a list of its own. */
const slackAttachments = (read: ParameterReader): unknown[] =>
  read.rows('attachments').map(({ fields, ...attachment }) => {
    const { item } = asN8nObject(fields);
    const given = fields === undefined || item === undefined ? attachment : { ...attachment, fields: item };
    return parameterValue(given, read.expressions);
  });

const slackMessage = (read: ParameterReader) => {
  const { version } = read.conversion.node;
  // From version 2 they are kept in the file also where another kind of message is chosen.
  if (read.rows('attachments').length > 0 && (version < 2 || read.get('messageType') === 'attachment'))
    read.addTodo('Write its attachments as blocks.');
  return {
    channel: slackChannel(read),
    text: read.text('text') ?? read.text('blocksUi.text') ?? ' ',
    blocks: slackBlocks(read),
  };
};

/** A message with attachments, which Slack keeps for apps of before: what nodes of version 1 send. */
function postSlackAttachments(read: ParameterReader): ReturnType<ConnectorCallBuilder> {
  const { parameters } = read.conversion.node;
  const options = parameterValue(parameters['otherOptions'] ?? {}, read.expressions);
  const body = {
    channel: slackChannel(read),
    text: read.text('text') ?? '',
    attachments: slackAttachments(read),
    ...asN8nObject(options),
  };
  return { operation: 'request', parameters: { method: 'POST', path: '/chat.postMessage', body } };
}

/** Whether a message of version 1 has attachments, and no blocks beside them. */
const hasAttachmentsAlone = (read: ParameterReader): boolean =>
  read.conversion.node.version < 2 &&
  !read.isSet('jsonParameters') &&
  read.rows('attachments').length > 0 &&
  read.rows('blocksUi.blocksValues').length === 0;

const postSlackMessage: ConnectorCallBuilder = (read) =>
  hasAttachmentsAlone(read)
    ? postSlackAttachments(read)
    : {
        operation: 'messages.post',
        parameters: {
          ...slackMessage(read),
          thread: read.text('otherOptions.thread_ts.replyValues.thread_ts'),
          unfurlLinks: read.value('otherOptions.unfurl_links'),
          username: read.text('otherOptions.username'),
        },
      };

export const convertSlack = serviceConverter({
  connector: 'slack',
  name: 'Slack',
  resource: 'message',
  operation: { message: 'post', channel: 'create', user: 'info', reaction: 'add', file: 'upload' },
  calls: {
    'message.post': postSlackMessage,
    'message.update': (read) => ({
      operation: 'messages.update',
      parameters: { ...slackMessage(read), timestamp: read.text('ts', 'timestamp') },
    }),
    'message.delete': (read) => ({
      operation: 'messages.delete',
      parameters: { channel: slackChannel(read), timestamp: read.text('timestamp') },
    }),
    'channel.create': (read) => ({
      operation: 'channels.create',
      parameters: {
        name: read.text('channelId'),
        isPrivate: read.get('channelVisibility') === 'private' ? true : undefined,
      },
    }),
    'channel.getAll': pagedListCall('channels.list', 'channels', { excludeArchived: 'filters.excludeArchived' }),
    'channel.history': pagedListCall('channels.history', 'messages', {
      channel: 'channelId',
      oldest: 'filters.oldest',
    }),
    'channel.replies': pagedListCall('channels.replies', 'messages', { channel: 'channelId', timestamp: 'ts' }),
    'channel.invite': (read) => ({
      operation: 'channels.invite',
      parameters: { channel: read.text('channelId'), users: [read.list('userIds')].flat().join(',') },
    }),
    'user.info': (read) => ({ operation: 'users.get', parameters: { user: read.text('user') }, path: '.body.user' }),
    'user.getAll': pagedListCall('users.list', 'members'),
    'user.getProfile': (read) => ({
      operation: 'users.get_profile',
      parameters: { user: read.text('user') },
      path: '.body.profile',
    }),
    'user.getPresence': sameParametersCall('users.get_presence', { user: 'user' }),
    'userProfile.update': (read) => ({
      operation: 'users.update_profile',
      parameters: { profile: read.fields('additionalFields') },
      path: '.body.profile',
    }),
    'message.search': (read) => ({
      operation: 'messages.search',
      parameters: {
        query: read.text('query'),
        sort: read.get('sort') === 'relevance' ? 'score' : 'timestamp',
        ...read.pages('messages.matches').parameters,
      },
      path: read.isSet('returnAll') ? '.body' : '.body.messages.matches',
      isList: true,
    }),
    'channel.get': (read) => ({
      operation: 'channels.get',
      parameters: { channel: read.text('channelId') },
      path: '.body.channel',
    }),
    'channel.member': pagedListCall('channels.list_members', 'members', { channel: 'channelId' }),
    'channel.open': (read) => ({
      operation: 'channels.open_direct',
      parameters: { users: [read.list('options.users')].flat().join(',') },
      path: '.body.channel',
    }),
    'reaction.get': sameParametersCall('reactions.get', { channel: 'channelId', timestamp: 'timestamp' }),
    'reaction.remove': sameParametersCall('reactions.remove', {
      channel: 'channelId',
      timestamp: 'timestamp',
      name: 'name',
    }),
    'file.get': (read) => ({ operation: 'files.get', parameters: { file: read.text('fileId') }, path: '.body.file' }),
    'reaction.add': sameParametersCall('reactions.add', { channel: 'channelId', timestamp: 'timestamp', name: 'name' }),
    'file.upload': (read) => ({
      operation: 'files.upload',
      parameters: {
        file: read.file(),
        channel: read.text('options.channelId') ?? [read.list('options.channelIds')].flat()[0],
        comment: read.text('options.initialComment'),
        title: read.text('options.title'),
      },
    }),
  },
});

const convertDiscordBot = serviceConverter({
  connector: 'discord',
  name: 'Discord',
  resource: 'message',
  operation: { message: 'send', channel: 'getAll', member: 'getAll' },
  calls: {
    'message.send': (read) => {
      if (read.get('sendTo') === 'user') read.addTodo('Enter the channel of its direct messages.');
      const parameters = { channel: read.text('channelId'), content: read.text('content') ?? '' };
      const hasFiles = read.rows('files.values').some((file) => Object.keys(file).length > 0);
      return hasFiles
        ? { operation: 'messages.send_file', parameters: { ...parameters, file: read.file() } }
        : { operation: 'messages.send', parameters };
    },
    'message.deleteMessage': sameParametersCall('messages.delete', { channel: 'channelId', message: 'messageId' }),
    'message.getAll': (read) => ({
      operation: 'messages.list',
      parameters: { channel: read.text('channelId'), limit: read.isSet('returnAll') ? 100 : read.value('limit') },
      isList: true,
    }),
    'message.react': sameParametersCall('reactions.add', {
      channel: 'channelId',
      message: 'messageId',
      emoji: 'emoji',
    }),
    'channel.getAll': (read) => ({
      operation: 'channels.list',
      parameters: { server: read.text('guildId') },
      isList: true,
    }),
    'member.getAll': (read) => ({
      operation: 'members.list',
      parameters: { server: read.text('guildId'), limit: read.value('limit') },
      isList: true,
    }),
    'member.roleAdd': (read) => ({
      operation: 'members.add_role',
      parameters: { server: read.text('guildId'), user: read.text('userId'), role: [read.list('role')].flat()[0] },
    }),
  },
});

/** Webhooks of Discord have their secret in their address, which is in n8n's credential. */
const sendDiscordWebhook: ConnectorCallBuilder = (read) => {
  const [, id, token] = /\/webhooks\/(\d+)\/([\w-]+)$/.exec(read.text('webhookUri') ?? '') ?? [];
  if (id === undefined)
    read.addTodo('Enter its secret: id and token of its webhook, which are in the address of the webhook.');
  const content = read.text('content', 'text') ?? '';
  return { operation: 'webhooks.send', parameters: { webhook: id, webhookToken: token, content } };
};
const convertDiscordWebhook = serviceConverter({
  connector: 'discord',
  name: 'Discord',
  operation: 'send',
  calls: { send: sendDiscordWebhook, sendLegacy: sendDiscordWebhook },
});

export const convertDiscord: NodeConverter = (conversion) => {
  const { authentication, resource, guildId } = conversion.node.parameters;
  const isWebhook = authentication === 'webhook' || (resource === undefined && guildId === undefined);
  return isWebhook ? convertDiscordWebhook(conversion) : convertDiscordBot(conversion);
};

export const convertWhatsApp = serviceConverter({
  connector: 'whatsapp',
  name: 'WhatsApp',
  resource: 'message',
  operation: { message: 'send', media: 'mediaUrlGet' },
  calls: {
    'message.send': (read) => {
      const to = { phone: read.text('phoneNumberId'), to: read.text('recipientPhoneNumber') };
      const kind = read.text('messageType') ?? 'text';
      if (kind === 'text') return { operation: 'messages.send', parameters: { ...to, text: read.text('textBody') } };
      const isFile = ['image', 'video', 'audio', 'document'].includes(kind);
      const caption = read.text('additionalFields.mediaCaption');
      return isFile
        ? { operation: 'messages.send_file', parameters: { ...to, file: read.file(), kind, caption } }
        : undefined;
    },
    'message.sendTemplate': (read) => {
      const [template, language = 'en_US'] = (read.text('template') ?? '').split('|');
      if (read.rows('components.component').length > 0) read.addTodo('Add the values of its template.');
      const to = { phone: read.text('phoneNumberId'), to: read.text('recipientPhoneNumber') };
      return { operation: 'messages.send_template', parameters: { ...to, template, language } };
    },
    'media.mediaUrlGet': (read) => {
      read.addTodo('It gives the file itself: leave out the request behind it that downloads it.');
      return { operation: 'media.get', parameters: { media: read.text('mediaGetId') } };
    },
  },
});

export const convertTwilio = serviceConverter({
  connector: 'twilio',
  name: 'Twilio',
  resource: 'sms',
  operation: { sms: 'send', call: 'make' },
  calls: {
    'sms.send': (read) => ({
      operation: read.isSet('toWhatsapp') ? 'messages.send_whatsapp' : 'messages.send',
      parameters: { to: read.text('to'), from: read.text('from'), text: read.text('message') ?? '' },
    }),
    'call.make': (read) => {
      const text = (read.text('message') ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      const twiml = read.isSet('twiml') ? read.text('message') : `<Response><Say>${text}</Say></Response>`;
      return { operation: 'calls.create', parameters: { to: read.text('to'), from: read.text('from'), twiml } };
    },
  },
});
