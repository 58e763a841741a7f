import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  countParameter,
  listedLineListParameter,
  valueLineParameter,
} from '../../parameters';
import {
  collectGraphItems,
  graphFilterParameter,
  graphODataNames,
  graphOrderParameter,
  graphPageSizeParameter,
  microsoftGraphPaging,
  OUTLOOK_RATE_LIMIT,
  SINCE_LAST_POLL,
} from './graph-parts';
import {
  outlookFolderId,
  outlookMailParameters,
  outlookMessageExample,
  outlookMessageId,
  outlookMessagePath,
  toGraphMessage,
} from './outlook-mail';

const OUTLOOK_ORDER_HINT = 'e.g. receivedDateTime desc';
const outlookListQuery = {
  filter: graphFilterParameter.describe('An OData condition, e.g. isRead eq false'),
  top: graphPageSizeParameter.describe('At most 999; default 10'),
};

/** Operations that read, change and file emails of Outlook. */
export const outlookMessageOperations: OperationDefinition[] = [
  {
    id: 'messages.list',
    title: 'List emails',
    help: 'Of all folders, sent ones and drafts among them.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'GET',
    path: '/me/messages',
    inQuery: { ...outlookListQuery, order: graphOrderParameter.describe(OUTLOOK_ORDER_HINT) },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [outlookMessageExample] },
  },
  {
    id: 'messages.list_in_folder',
    title: 'List emails of a folder',
    help: 'Of the inbox, if no other folder is named.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'GET',
    path: '/me/mailFolders/{folderId}/messages',
    inPath: { folderId: outlookFolderId('Folder').default('inbox') },
    inQuery: { ...outlookListQuery, order: graphOrderParameter.describe(OUTLOOK_ORDER_HINT) },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [outlookMessageExample] },
    poll: {
      title: 'New email',
      words: 'outlook trigger mail message received inbox office 365',
      // The first poll remembers the emails of the last hour.
      parameters: {
        folderId: 'inbox',
        filter: `receivedDateTime ge ${SINCE_LAST_POLL}`,
        order: 'receivedDateTime desc',
        top: 100,
        allPages: true,
      },
      items: 'input.body',
      key: 'item.id',
      cursor: '$sort(input.body.receivedDateTime)[-1]',
    },
  },
  defineSteppedOperation({
    id: 'messages.search',
    title: 'Search emails',
    help: 'By words in sender, subject and text, or as in Outlook: from:ada subject:invoice.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      text: valueLineParameter('Search', 'search', 1000).describe(
        'Words, or e.g. from:ada@example.com hasAttachments:true',
      ),
      limit: countParameter('Emails', 1000).optional().describe('At most 1,000; default 25'),
    },
    *steps({ text, limit = 25 }) {
      const query = {
        $search: `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
        $top: Math.min(limit, 250),
      };
      return yield* collectGraphItems({ path: '/me/messages', query }, limit);
    },
    example: [outlookMessageExample],
  }),
  {
    id: 'messages.get',
    title: 'Get an email',
    help: 'Sender, subject and text; attachments are listed by an operation of their own.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'GET',
    path: '/me/messages/{messageId}',
    inPath: { messageId: outlookMessageId },
    example: outlookMessageExample,
  },
  defineSteppedOperation({
    id: 'messages.update',
    title: 'Update an email',
    help: 'Marks it, or changes the addresses, subject and text of a draft. What is not given stays.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      messageId: outlookMessageId,
      isRead: booleanParameter('Read').optional().describe('Whether it counts as read'),
      categories: listedLineListParameter('Categories', 'categories')
        .optional()
        .describe('Names of categories; they replace those it has'),
      flag: choiceParameter('Flag', ['notFlagged', 'flagged', 'complete']).optional().describe('For following it up'),
      ...outlookMailParameters,
    },
    *steps({ messageId, isRead, categories, flag, ...mail }) {
      const value = {
        isRead,
        categories,
        flag: flag === undefined ? undefined : { flagStatus: flag },
        ...toGraphMessage(mail),
      };
      return (yield { method: 'PATCH', path: outlookMessagePath(messageId), body: { as: 'json', value } }).body;
    },
    example: outlookMessageExample,
  }),
  ...(['move', 'copy'] as const).map((action): OperationDefinition => ({
    id: `messages.${action}`,
    title: action === 'move' ? 'Move an email' : 'Copy an email',
    help: action === 'move' ? 'To another folder, where it gets another id.' : 'To a folder; the email itself stays.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'POST',
    path: `/me/messages/{messageId}/${action}`,
    inPath: { messageId: outlookMessageId },
    inBody: { destinationId: outlookFolderId('To folder') },
    example: outlookMessageExample,
  })),
  {
    id: 'messages.delete',
    title: 'Delete an email',
    help: 'Moves it to the deleted items.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'DELETE',
    path: '/me/messages/{messageId}',
    inPath: { messageId: outlookMessageId },
    example: null,
  },
];
