import type { ConvertedCall, NodeConverter } from '../../conversion';
import { convertSendMail } from '../messages';
import { sameParametersCall, serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

const outlookContent = (type: unknown, content: string | undefined): Record<string, unknown> =>
  type === 'html' ? { html: content } : { text: content };

/** The fields of a mail, which are in an object of the node. */
function outlookMailFields(read: ParameterReader, path: string): Record<string, unknown> {
  return {
    to: read.text(`${path}.toRecipients`),
    cc: read.text(`${path}.ccRecipients`),
    bcc: read.text(`${path}.bccRecipients`),
    replyTo: read.text(`${path}.replyTo`),
    subject: read.text(`${path}.subject`),
    importance: outlookImportance(read.get(`${path}.importance`)),
    ...outlookContent(read.get(`${path}.bodyContentType`), read.text(`${path}.bodyContent`)),
  };
}

const outlookImportance = (given: unknown): string | undefined => {
  const level = String(given).toLowerCase();
  return level === 'low' || level === 'normal' || level === 'high' ? level : undefined;
};

const listOutlookMessages: ConnectorCallBuilder = (read) => {
  const { parameters, ...rest } = read.pages('value', 'top');
  const filter = read.text('filtersUI.values.filters.custom', 'filters.custom', 'additionalFields.filter');
  if (read.get('filtersUI.values.filters.foldersToInclude') !== undefined) read.addRemark('It reads all folders.');
  return { ...rest, operation: 'messages.list', parameters: { filter, ...parameters } };
};

const updateOutlookMessage: ConnectorCallBuilder = (read) => ({
  operation: 'messages.update',
  parameters: {
    messageId: read.text('messageId'),
    isRead: read.value('updateFields.isRead'),
    categories: read.list('updateFields.categories'),
    ...outlookMailFields(read, 'updateFields'),
  },
});

const replyToOutlookMessage: ConnectorCallBuilder = (read) => ({
  operation: 'messages.reply',
  parameters: {
    messageId: read.text('messageId'),
    ...outlookContent(read.get('additionalFields.bodyContentType'), read.text('message', 'comment')),
    toAll: read.get('replyToSenderOnly') === false ? true : undefined,
  },
});

const createOutlookDraft: ConnectorCallBuilder = (read) => ({
  operation: 'messages.create_draft',
  parameters: {
    ...outlookMailFields(read, 'additionalFields'),
    subject: read.text('subject'),
    ...outlookContent(read.get('additionalFields.bodyContentType'), read.text('bodyContent')),
  },
});

const changeOutlookEvent =
  (operation: string): ConnectorCallBuilder =>
  (read) => ({
    operation,
    parameters: {
      ...(operation === 'events.create' ? { calendarId: read.text('calendarId') } : { eventId: read.text('eventId') }),
      title: read.text('subject', 'additionalFields.subject'),
      start: read.text('startDateTime', 'additionalFields.start'),
      end: read.text('endDateTime', 'additionalFields.end'),
      timeZone: read.text('additionalFields.timeZone'),
      text: read.text('additionalFields.body'),
      isAllDay: read.isSet('additionalFields.isAllDay') || undefined,
      hasMeeting: read.isSet('additionalFields.isOnlineMeeting') || undefined,
    },
  });

const listOutlookEvents: ConnectorCallBuilder = (read) => ({
  operation: 'events.list',
  parameters: {
    calendarId: read.text('calendarId'),
    filter: read.text('filtersUI.values.filters.custom', 'filters.custom'),
    limit: read.isSet('returnAll') ? 10_000 : read.value('limit'),
  },
  isList: true,
});

const messageCall = (operation: string) => sameParametersCall(operation, { messageId: 'messageId' });

const convertOutlookItems = serviceConverter({
  connector: 'microsoft_graph',
  name: 'Microsoft Graph',
  resource: 'message',
  operation: {
    message: 'send',
    draft: 'create',
    folder: 'getAll',
    folderMessage: 'getAll',
    messageAttachment: 'getAll',
    event: 'getAll',
    calendar: 'getAll',
    contact: 'getAll',
  },
  hint: 'Its account needs the permission Mail.ReadWrite for changes, and Calendars.ReadWrite for events.',
  calls: {
    'message.getAll': listOutlookMessages,
    'message.get': messageCall('messages.get'),
    'message.update': updateOutlookMessage,
    'message.delete': messageCall('messages.delete'),
    'message.move': sameParametersCall('messages.move', { messageId: 'messageId', destinationId: 'folderId' }),
    'message.reply': replyToOutlookMessage,
    'draft.create': createOutlookDraft,
    'draft.get': messageCall('messages.get'),
    'draft.update': updateOutlookMessage,
    'draft.delete': messageCall('messages.delete'),
    'draft.send': messageCall('messages.send_draft'),
    'folder.getAll': (read) => ({ ...read.pages('value', 'top'), operation: 'mail_folders.list' }),
    'folderMessage.getAll': (read) => {
      const { parameters, ...rest } = read.pages('value', 'top');
      return {
        ...rest,
        operation: 'messages.list_in_folder',
        parameters: { folderId: read.text('folderId'), ...parameters },
      };
    },
    'messageAttachment.getAll': (read) => ({
      operation: 'attachments.list',
      parameters: { messageId: read.text('messageId') },
      path: '.body.value',
      isList: true,
    }),
    'messageAttachment.download': sameParametersCall('attachments.download', {
      messageId: 'messageId',
      attachmentId: 'attachmentId',
    }),
    'calendar.getAll': (read) => ({ ...read.pages('value', 'top'), operation: 'calendars.list' }),
    'contact.getAll': (read) => ({ ...read.pages('value', 'top'), operation: 'contacts.list' }),
    'event.getAll': listOutlookEvents,
    'event.get': sameParametersCall('events.get', { eventId: 'eventId' }),
    'event.create': changeOutlookEvent('events.create'),
    'event.update': changeOutlookEvent('events.update'),
    'event.delete': sameParametersCall('events.delete', { eventId: 'eventId' }),
  },
});

/** Mail is sent by `send_email`; all other operations need a Microsoft account. */
export const convertMicrosoftOutlook: NodeConverter = (conversion): ConvertedCall => {
  const { resource = 'message', operation = 'send', ...given } = conversion.node.parameters;
  if (resource !== 'message' || operation !== 'send') return convertOutlookItems(conversion);
  return convertSendMail(conversion, {
    to: given['toRecipients'],
    subject: given['subject'],
    text: given['bodyContent'],
  });
};
