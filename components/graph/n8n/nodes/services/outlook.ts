import type { Piece } from '../../conversion';
import { codeOf } from '../../conversion';
import { isExpression } from '../../text';
import type { Convert } from '../flow';
import { mail } from '../messages';
import { question } from '../questions';
import { service, type Call, type CallOf, type Reader } from './service';

const WAITS = 'sendAndWait';

/** The id of a message as a part of an address. */
function idOf(read: Reader): string {
  const given = read.get('messageId');
  return isExpression(given)
    ? `{{ $urlEncode(${codeOf(given, read.expressions)}) }}`
    : encodeURIComponent(String(given ?? ''));
}

const request = (method: string, path: string, body?: unknown): Call => ({
  operation: 'request',
  parameters: { method, path, ...(body === undefined ? {} : { body }) },
});

/** Fields of a message as Graph names them. */
function fieldsOf(read: Reader, path: string): Record<string, unknown> {
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
const recipientsOf = (text: string | undefined): unknown =>
  text === undefined || text.includes('{{')
    ? undefined
    : text.split(/[,;]/).map((address) => ({ emailAddress: { address: address.trim() } }));

const all: CallOf = (read) => {
  const { parameters, ...rest } = read.pages('value', 'top');
  const filter = read.text('filtersUI.values.filters.custom', 'filters.custom', 'additionalFields.filter');
  if (read.get('filtersUI.values.filters.foldersToInclude') !== undefined) read.say('It reads all folders.');
  return { ...rest, operation: 'messages.list', parameters: { filter, ...parameters } };
};

const draft: CallOf = (read) => {
  const to = read.text('additionalFields.toRecipients');
  const toRecipients = recipientsOf(to);
  if (to !== undefined && toRecipients === undefined) read.todo('Enter whom it is sent to.');
  const isHtml = read.get('additionalFields.bodyContentType') === 'html';
  return request('POST', '/me/messages', {
    subject: read.text('subject') ?? '',
    body: { contentType: isHtml ? 'HTML' : 'Text', content: read.text('bodyContent') ?? '' },
    ...(toRecipients === undefined ? {} : { toRecipients }),
  });
};

const each = service({
  connector: 'microsoft_graph',
  name: 'Microsoft Graph',
  resource: 'message',
  operation: { message: 'send', draft: 'create', folder: 'getAll' },
  hint: 'Its account needs the permission Mail.ReadWrite for changes.',
  calls: {
    'message.getAll': all,
    'message.get': (read) => request('GET', `/me/messages/${idOf(read)}`),
    'message.update': (read) => request('PATCH', `/me/messages/${idOf(read)}`, fieldsOf(read, 'updateFields')),
    'message.delete': (read) => request('DELETE', `/me/messages/${idOf(read)}`),
    'message.move': (read) =>
      request('POST', `/me/messages/${idOf(read)}/move`, { destinationId: read.text('folderId') ?? '' }),
    'message.reply': (read) =>
      request('POST', `/me/messages/${idOf(read)}/reply`, { comment: read.text('message', 'comment') ?? '' }),
    'draft.create': draft,
    'draft.get': (read) => request('GET', `/me/messages/${idOf(read)}`),
    'draft.update': (read) => request('PATCH', `/me/messages/${idOf(read)}`, fieldsOf(read, 'updateFields')),
    'draft.delete': (read) => request('DELETE', `/me/messages/${idOf(read)}`),
    'draft.send': (read) => request('POST', `/me/messages/${idOf(read)}/send`),
    'folder.getAll': () => ({ ...request('GET', '/me/mailFolders'), path: '.body.value', isList: true }),
  },
});

/** A mail is sent as any other; the rest needs an account of Microsoft. */
export const microsoftOutlook: Convert = (conversion): Piece => {
  const { resource = 'message', operation = 'send', ...given } = conversion.node.parameters;
  if (operation === WAITS) return question(conversion, given['toRecipients'], given['message']);
  if (resource !== 'message' || operation !== 'send') return each(conversion);
  return mail(conversion, { to: given['toRecipients'], subject: given['subject'], text: given['bodyContent'] });
};
