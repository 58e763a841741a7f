import type { ConvertedNodes } from '../../conversion';
import { parameterCode } from '../../conversion';
import { isN8nExpression } from '../../n8n-expressions';
import type { NodeConverter } from '../flow';
import { convertSendMail } from '../messages';
import { convertApprovalQuestion } from '../questions';
import { serviceConverter, type ConnectorCall, type ConnectorCallBuilder, type ParameterReader } from './service';

const OUTLOOK_SEND_AND_WAIT = 'sendAndWait';

/** The id of a message, encoded for a URL. */
function outlookMessageId(read: ParameterReader): string {
  const given = read.get('messageId');
  return isN8nExpression(given)
    ? `{{ $urlEncode(${parameterCode(given, read.expressions)}) }}`
    : encodeURIComponent(String(given ?? ''));
}

const outlookRequest = (method: string, path: string, body?: unknown): ConnectorCall => ({
  operation: 'request',
  parameters: { method, path, ...(body === undefined ? {} : { body }) },
});

/** Fields of a message as Graph names them. */
function outlookMessageFields(read: ParameterReader, path: string): Record<string, unknown> {
  const { bodyContent, bodyContentType, categories, isRead, importance, subject } = read.fields(path);
  const type = bodyContentType === 'html' ? 'HTML' : 'Text';
  return Object.fromEntries(
    Object.entries({
      subject,
      isRead,
      importance,
      categories,
      body: bodyContent === undefined ? undefined : { contentType: type, content: bodyContent },
    }).filter(([, value]) => value !== undefined),
  );
}

/** Addresses that are written out, as Graph takes them. */
const outlookRecipients = (text: string | undefined): unknown =>
  text === undefined || text.includes('{{')
    ? undefined
    : text.split(/[,;]/).map((address) => ({ emailAddress: { address: address.trim() } }));

const listOutlookMessages: ConnectorCallBuilder = (read) => {
  const { parameters, ...rest } = read.pages('value', 'top');
  const filter = read.text('filtersUI.values.filters.custom', 'filters.custom', 'additionalFields.filter');
  if (read.get('filtersUI.values.filters.foldersToInclude') !== undefined) read.addRemark('It reads all folders.');
  return { ...rest, operation: 'messages.list', parameters: { filter, ...parameters } };
};

const createOutlookDraft: ConnectorCallBuilder = (read) => {
  const to = read.text('additionalFields.toRecipients');
  const toRecipients = outlookRecipients(to);
  if (to !== undefined && toRecipients === undefined) read.addTodo('Enter whom it is sent to.');
  const isHtml = read.get('additionalFields.bodyContentType') === 'html';
  return outlookRequest('POST', '/me/messages', {
    subject: read.text('subject') ?? '',
    body: { contentType: isHtml ? 'HTML' : 'Text', content: read.text('bodyContent') ?? '' },
    ...(toRecipients === undefined ? {} : { toRecipients }),
  });
};

const convertOutlookItems = serviceConverter({
  connector: 'microsoft_graph',
  name: 'Microsoft Graph',
  resource: 'message',
  operation: { message: 'send', draft: 'create', folder: 'getAll' },
  hint: 'Its account needs the permission Mail.ReadWrite for changes.',
  calls: {
    'message.getAll': listOutlookMessages,
    'message.get': (read) => outlookRequest('GET', `/me/messages/${outlookMessageId(read)}`),
    'message.update': (read) =>
      outlookRequest('PATCH', `/me/messages/${outlookMessageId(read)}`, outlookMessageFields(read, 'updateFields')),
    'message.delete': (read) => outlookRequest('DELETE', `/me/messages/${outlookMessageId(read)}`),
    'message.move': (read) =>
      outlookRequest('POST', `/me/messages/${outlookMessageId(read)}/move`, {
        destinationId: read.text('folderId') ?? '',
      }),
    'message.reply': (read) =>
      outlookRequest('POST', `/me/messages/${outlookMessageId(read)}/reply`, {
        comment: read.text('message', 'comment') ?? '',
      }),
    'draft.create': createOutlookDraft,
    'draft.get': (read) => outlookRequest('GET', `/me/messages/${outlookMessageId(read)}`),
    'draft.update': (read) =>
      outlookRequest('PATCH', `/me/messages/${outlookMessageId(read)}`, outlookMessageFields(read, 'updateFields')),
    'draft.delete': (read) => outlookRequest('DELETE', `/me/messages/${outlookMessageId(read)}`),
    'draft.send': (read) => outlookRequest('POST', `/me/messages/${outlookMessageId(read)}/send`),
    'folder.getAll': () => ({ ...outlookRequest('GET', '/me/mailFolders'), path: '.body.value', isList: true }),
  },
});

/** Mail is sent by `send_email`; all other operations need a Microsoft account. */
export const convertMicrosoftOutlook: NodeConverter = (conversion): ConvertedNodes => {
  const { resource = 'message', operation = 'send', ...given } = conversion.node.parameters;
  if (operation === OUTLOOK_SEND_AND_WAIT)
    return convertApprovalQuestion(conversion, given['toRecipients'], given['message']);
  if (resource !== 'message' || operation !== 'send') return convertOutlookItems(conversion);
  return convertSendMail(conversion, {
    to: given['toRecipients'],
    subject: given['subject'],
    text: given['bodyContent'],
  });
};
