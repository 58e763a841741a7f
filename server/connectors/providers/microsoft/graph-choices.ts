import { timeZoneChoices } from '../../fixed-choices';
import type { ColumnPaths, ConnectorChoiceSource, OperationChoiceSource } from '../../choices';
import { attachmentSource, messageSource, teamsMessageSource } from './message-choices';
import { driveItemSource, driveSource, workbookSource } from './drive-choices';
import { encodePathPart, graphPage } from './graph-parts';
import { listColumnSource } from './sharepoint-choices';

const page = { parameters: { top: 100 } };
const sheetColumn: ColumnPaths = { type: '', types: {} };
const inWorkbook = { driveId: 'driveId?', workbookId: 'workbookId' };
const named = { value: 'name', label: ['name'] } as const;
const DAYS_AHEAD_MS = 90 * 86_400_000;
/** Text in double quotes for a search. */
const quoteSearch = (text: string): string => text.replaceAll(/["\\]/g, ' ').trim();

/** People of the organization, by the beginnings of their names and addresses. */
const peopleSource = (value: 'id' | 'mail'): ConnectorChoiceSource => ({
  searches: true,
  // https://learn.microsoft.com/graph/search-query-parameter
  *steps({ search, page: address }) {
    const sought = quoteSearch(search);
    const query = {
      $top: 100,
      $select: 'id,displayName,mail,userPrincipalName',
      $search: sought === '' ? undefined : `"displayName:${sought}" OR "mail:${sought}"`,
    };
    return yield* graphPage({ path: '/users', query, headers: { ConsistencyLevel: 'eventual' } }, address);
  },
  value,
  label: ['displayName'],
  hint: 'userPrincipalName',
  ...(value === 'mail' ? { takesAddresses: true } : {}),
});

const channelsOrChats: Record<string, OperationChoiceSource> = {
  teams: { operation: 'teams.list', value: 'id', label: ['displayName'], hint: 'description' },
  channels: {
    operation: 'channels.list',
    parametersFrom: { teamId: 'teamId' },
    value: 'id',
    label: ['displayName'],
    hint: 'membershipType',
  },
  chats: {
    operation: 'chats.list',
    parameters: { top: 50 },
    value: 'id',
    label: ['topic', 'members.1.displayName', 'members.0.displayName'],
    hint: 'chatType',
  },
};

/** What the parameters of Microsoft Graph are picked from. */
export const microsoftGraphChoices: Record<string, ConnectorChoiceSource> = {
  ...channelsOrChats,
  people: peopleSource('id'),
  emailAddresses: peopleSource('mail'),
  mailFolders: {
    *steps() {
      const { items: top } = yield* graphPage({ path: '/me/mailFolders', query: { $top: 100 } }, null);
      const items: unknown[] = [];
      for (const folder of top as { id: string; displayName: string; childFolderCount?: number }[]) {
        items.push(folder);
        if (!folder.childFolderCount) continue;
        const path = `/me/mailFolders/${encodePathPart(folder.id)}/childFolders`;
        const { items: inner } = yield* graphPage({ path, query: { $top: 100 } }, null);
        items.push(...(inner as object[]).map((child) => ({ ...child, parent: folder.displayName })));
      }
      return { items };
    },
    value: 'id',
    label: ['{parent}/{displayName}', 'displayName'],
  },
  messages: messageSource,
  attachments: attachmentSource,
  channelMessages: teamsMessageSource(
    ['teamId', 'channelId'],
    (part) => `/teams/${part('teamId')}/channels/${part('channelId')}`,
  ),
  chatMessages: teamsMessageSource(['chatId'], (part) => `/chats/${part('chatId')}`),
  categories: { operation: 'categories.list', value: 'displayName', label: ['displayName'] },
  calendars: { ...page, operation: 'calendars.list', value: 'id', label: ['name'], hint: 'owner.address' },
  events: {
    *steps({ page: address }) {
      const now = Date.now();
      const query = {
        startDateTime: new Date(now).toISOString(),
        endDateTime: new Date(now + DAYS_AHEAD_MS).toISOString(),
        $orderby: 'start/dateTime',
        $select: 'id,subject,start',
        $top: 100,
      };
      return yield* graphPage({ path: '/me/calendarView', query }, address);
    },
    value: 'id',
    label: ['subject'],
    hint: 'start.dateTime',
  },
  files: driveItemSource(undefined, 'file'),
  folders: driveItemSource(undefined, 'folder'),
  documents: driveItemSource('driveId', 'file'),
  libraryFolders: driveItemSource('driveId', 'folder'),
  drives: driveSource,
  workbooks: workbookSource,
  worksheets: { operation: 'worksheets.list', parametersFrom: inWorkbook, ...named },
  columns: {
    operation: 'worksheets.list_columns',
    parametersFrom: { ...inWorkbook, worksheet: 'worksheet', headerRow: 'headerRow?' },
    ...named,
    hint: 'column',
    column: sheetColumn,
  },
  tables: { operation: 'tables.list', parametersFrom: inWorkbook, ...named },
  tableColumns: {
    operation: 'tables.list_columns',
    parametersFrom: { ...inWorkbook, table: 'table' },
    ...named,
    column: sheetColumn,
  },
  sites: {
    operation: 'sites.search',
    search: 'text',
    first: [{ value: 'root', label: 'Main site', hint: 'root' }],
    value: 'id',
    label: ['displayName'],
    hint: 'webUrl',
  },
  libraries: { operation: 'libraries.list', parametersFrom: { siteId: 'siteId' }, value: 'id', label: ['name'] },
  lists: {
    ...page,
    operation: 'lists.list',
    parametersFrom: { siteId: 'siteId' },
    value: 'id',
    label: ['displayName'],
  },
  listItems: {
    ...page,
    operation: 'list_items.list',
    parametersFrom: { siteId: 'siteId', listId: 'listId' },
    value: 'id',
    label: ['fields.Title'],
    hint: 'id',
  },
  listColumns: listColumnSource,
  timeZones: timeZoneChoices,
};
