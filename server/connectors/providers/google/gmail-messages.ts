import { defineSteppedOperation, type ConnectorPaging, type OperationDefinition } from '../../operation';
import { choiceParameter, countParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import { GMAIL_API, GMAIL_MESSAGES_PATH, gmailMessageId, gmailRateLimit, sentMailExample } from './gmail-parts';

// https://developers.google.com/workspace/gmail/api/guides/list-messages
export const gmailTokenPaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'pageToken' };
export const gmailSearchQuery = {
  query: valueLineParameter('Search', 'query', 2000)
    .optional()
    .describe('As in Gmail, e.g. is:unread from:ada@example.com'),
  limit: countParameter('Items a page', 500).optional().describe('At most 500; default 100'),
};
const gmailLabelId = listedLineParameter('Label', 'labels', [], 200).describe('Id of the label, e.g. Label_12');
const gmailLabelExample = { id: 'Label_12', name: 'Customers', type: 'user', messagesTotal: 7, messagesUnread: 1 };

/** Further operations with messages and labels. */
export const gmailMessageOperations: OperationDefinition[] = [
  {
    id: 'gmail.list_messages',
    title: 'List the ids of emails',
    help: 'Newest first, without their contents: all pages at a low price.',
    limits: gmailRateLimit,
    method: 'GET',
    api: GMAIL_API,
    path: GMAIL_MESSAGES_PATH,
    inQuery: gmailSearchQuery,
    names: { query: 'q', limit: 'maxResults' },
    items: 'messages',
    paging: gmailTokenPaging,
    example: { messages: [{ id: '19a2b3c4d5e6f708', threadId: '19a2b3c4d5e6f708' }], resultSizeEstimate: 1 },
  },
  defineSteppedOperation({
    id: 'gmail.untrash',
    title: 'Take an email out of the trash',
    help: 'It gets the labels back that it had.',
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId },
    *steps({ message: of }) {
      const path = `${GMAIL_MESSAGES_PATH}/${encodeURIComponent(of)}/untrash`;
      return (yield { method: 'POST', api: GMAIL_API, path }).body;
    },
    example: sentMailExample,
  }),
  {
    id: 'gmail.delete',
    title: 'Delete an email for good',
    help: 'It cannot be restored. Needs the scope mail.google.com; the trash needs none of its own.',
    limits: gmailRateLimit,
    method: 'DELETE',
    api: GMAIL_API,
    path: `${GMAIL_MESSAGES_PATH}/{message}`,
    inPath: { message: gmailMessageId },
    example: null,
  },
  {
    id: 'gmail.get_label',
    title: 'Get a label',
    help: 'Its name and the numbers of its emails.',
    limits: gmailRateLimit,
    method: 'GET',
    api: GMAIL_API,
    path: '/users/me/labels/{label}',
    inPath: { label: gmailLabelId },
    example: gmailLabelExample,
  },
  {
    id: 'gmail.create_label',
    title: 'Create a label',
    help: 'A name with slashes puts it below another one: Customers/Open.',
    limits: gmailRateLimit,
    method: 'POST',
    api: GMAIL_API,
    path: '/users/me/labels',
    inBody: {
      name: valueLineParameter('Name', 'new name', 225).describe('e.g. Customers/Open'),
      labelListVisibility: choiceParameter('In the list of labels', ['labelShow', 'labelShowIfUnread', 'labelHide'])
        .optional()
        .describe('Default labelShow: it is shown'),
      messageListVisibility: choiceParameter('In the list of emails', ['show', 'hide'])
        .optional()
        .describe('Default show: it is shown with each email'),
    },
    example: gmailLabelExample,
  },
  {
    id: 'gmail.delete_label',
    title: 'Delete a label',
    help: 'Its emails stay, without the label.',
    limits: gmailRateLimit,
    method: 'DELETE',
    api: GMAIL_API,
    path: '/users/me/labels/{label}',
    inPath: { label: gmailLabelId },
    example: null,
  },
  {
    id: 'gmail.list_senders',
    title: 'List sender addresses',
    help: 'The addresses that the account may send from, with their signatures.',
    limits: gmailRateLimit,
    method: 'GET',
    api: GMAIL_API,
    path: '/users/me/settings/sendAs',
    items: 'sendAs',
    example: { sendAs: [{ sendAsEmail: 'me@example.com', displayName: 'Me', isDefault: true, signature: '' }] },
  },
];
