import { describe, expect, it } from 'vitest';
import { NodeLabels } from '@/contract/workflows/node-labels';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { readinessIssues } from '@/server/workflow/definition/readiness';
import { importN8n } from '../../convert';

const chosen = (value: string, name?: string) => ({
  __rl: true,
  mode: name ? 'list' : 'id',
  value,
  ...(name ? { cachedResultName: name } : {}),
});
const to = (node: string) => [[{ node, type: 'main', index: 0 }]];

/** The import of one node of a service, behind a start or behind a list. */
function imported(type: string, parameters: object, { version = 2.1, isList = false } = {}) {
  const node = (name: string, kind: string, given: object, typeVersion: number) => ({
    name,
    type: `n8n-nodes-base.${kind}`,
    parameters: given,
    typeVersion,
    position: [0, 0],
  });
  const nodes = [
    node('Go', 'manualTrigger', {}, 1),
    ...(isList ? [node('Split', 'splitOut', { fieldToSplitOut: 'rows' }, 1)] : []),
    node('It', type, parameters, version),
    node('Then', 'set', { assignments: { assignments: [{ name: 'id', value: '={{ $json.id }}' }] } }, 3.4),
  ];
  const main = isList ? { Go: to('Split'), Split: to('It'), It: to('Then') } : { Go: to('It'), It: to('Then') };
  const connections = Object.fromEntries(Object.entries(main).map(([name, each]) => [name, { main: each }]));
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  const { outcome, message } = report.find((entry) => entry.node === 'It') ?? { outcome: '', message: '' };
  return { definition, outcome, message, config: callNode(definition)?.config };
}

/** The node that calls the service; the one with n8n's name comes behind it. */
const callNode = ({ nodes }: WorkflowDefinition) =>
  nodes.find(({ id }) => id === 'it_call') ?? nodes.find(({ id }) => id === 'it');

const gapsOf = (definition: WorkflowDefinition) =>
  readinessIssues(definition)
    .filter(({ field }) => !field.endsWith('credentialId'))
    .map(({ field, message }) => `${field} ${message}`);

const SHEET = { documentId: chosen('1Abc'), sheetName: chosen('gid=0', 'Leads') };
const TABLE = { base: chosen('app1', 'Base'), table: chosen('tbl1', 'People') };
const columns = (value: object, ...matchingColumns: string[]) => ({
  columns: { mappingMode: 'defineBelow', value, matchingColumns },
});

/** A type of n8n, its parameters, and the call that it becomes. */
const CASES: [string, object, string, object][] = [
  [
    'notion',
    {
      resource: 'databasePage',
      operation: 'getAll',
      limit: 5,
      databaseId: chosen('d1'),
      filterType: 'manual',
      matchType: 'allFilters',
      filters: {
        conditions: [
          { key: 'Status|select', condition: 'equals', selectValue: '={{ $json.status }}' },
          { key: 'Due|date', condition: 'past_week' },
          { key: 'Name|title', condition: 'is_not_empty' },
          { key: 'Created|created_time', condition: 'after', createdTimeValue: '2026-01-01' },
        ],
      },
    },
    'notion databases.query',
    {
      database: 'd1',
      limit: 5,
      filter: {
        and: [
          { property: 'Status', select: { equals: '{{ $json.status }}' } },
          { property: 'Due', date: { past_week: {} } },
          { property: 'Name', title: { is_not_empty: true } },
          { timestamp: 'created_time', created_time: { after: '2026-01-01' } },
        ],
      },
    },
  ],
  [
    'notion',
    {
      resource: 'databasePage',
      operation: 'getAll',
      returnAll: true,
      databaseId: chosen('d1'),
      filterType: 'manual',
      filters: { conditions: [{ key: 'Done|checkbox', condition: 'equals', checkboxValue: true }] },
    },
    'notion databases.query',
    { database: 'd1', allPages: true, filter: { property: 'Done', checkbox: { equals: true } } },
  ],
  [
    'notion',
    {
      resource: 'databasePage',
      databaseId: chosen('d1'),
      title: 'Trip',
      propertiesUi: {
        propertyValues: [
          { key: 'When|date', range: true, dateStart: '2026-01-01', dateEnd: '={{ $json.end }}' },
          { key: 'Who|people', peopleValue: ['u1'] },
        ],
      },
    },
    'notion pages.create',
    {
      parent: 'd1',
      isInDatabase: true,
      properties: {
        title: { title: [{ text: { content: 'Trip' } }] },
        When: { date: { start: '2026-01-01', end: '{{ $json.end }}' } },
        Who: { people: [{ id: 'u1' }] },
      },
    },
  ],
  [
    'gmail',
    { resource: 'thread', operation: 'addLabels', threadId: '={{ $json.threadId }}', labelIds: ['Label_1'] },
    'google gmail.add_thread_labels',
    { thread: '{{ $json.threadId }}', labels: ['Label_1'] },
  ],
  ['gmail', { resource: 'label', operation: 'create', name: 'A' }, 'google gmail.create_label', { name: 'A' }],
  [
    'googleSheets',
    {
      operation: 'delete',
      documentId: chosen('1Abc'),
      sheetName: chosen('gid=0', 'Leads'),
      toDelete: 'columns',
      startIndex: 'B',
    },
    'google sheets.delete_columns',
    { spreadsheet: '1Abc', sheet: 'Leads', from: 'B', count: 1 },
  ],
  [
    'microsoftOutlook',
    { operation: 'update', messageId: chosen('={{ $json.id }}'), updateFields: { isRead: true, categories: ['Done'] } },
    'microsoft_graph messages.update',
    { messageId: '{{ $json.id }}', isRead: true, categories: ['Done'] },
  ],
  [
    'microsoftOutlook',
    { operation: 'move', messageId: chosen('a/b='), folderId: chosen('f1', 'Junk') },
    'microsoft_graph messages.move',
    { messageId: 'a/b=', destinationId: 'f1' },
  ],
  [
    'microsoftOutlook',
    { operation: 'getAll', limit: 5, filtersUI: { values: { filters: { custom: 'isRead eq false' } } } },
    'microsoft_graph messages.list',
    { filter: 'isRead eq false', top: 5 },
  ],
  [
    'microsoftOutlook',
    { operation: 'reply', messageId: chosen('m1'), message: 'Thanks', replyToSenderOnly: false },
    'microsoft_graph messages.reply',
    { messageId: 'm1', text: 'Thanks', toAll: true },
  ],
  [
    'microsoftOutlook',
    { resource: 'draft', subject: 'Hi', bodyContent: 'x', additionalFields: { toRecipients: 'a@example.com' } },
    'microsoft_graph messages.create_draft',
    { to: 'a@example.com', subject: 'Hi', text: 'x' },
  ],
  [
    'microsoftOutlook',
    {
      resource: 'event',
      operation: 'create',
      subject: 'Planning',
      calendarId: chosen('c1'),
      startDateTime: '={{ $json.start }}',
      endDateTime: '2026-03-01T10:00:00Z',
      additionalFields: { body: 'Agenda', timeZone: 'Europe/Berlin' },
    },
    'microsoft_graph events.create',
    {
      calendarId: 'c1',
      title: 'Planning',
      start: '{{ $json.start }}',
      end: '2026-03-01T10:00:00Z',
      timeZone: 'Europe/Berlin',
      text: 'Agenda',
    },
  ],
  [
    'microsoftTeams',
    {
      resource: 'channelMessage',
      teamId: chosen('t1'),
      channelId: chosen('c1'),
      contentType: 'html',
      message: '<b>x</b>',
    },
    'microsoft_graph channel_messages.send',
    { teamId: 't1', channelId: 'c1', html: '<b>x</b>' },
  ],
  [
    'microsoftTeams',
    { resource: 'chatMessage', chatId: chosen('h1'), message: '={{ $json.text }}' },
    'microsoft_graph chat_messages.send',
    { chatId: 'h1', text: '{{ $json.text }}' },
  ],
  [
    'microsoftOneDrive',
    { fileName: 'a.txt', parentId: 'p1', fileContent: 'Hello' },
    'microsoft_graph files.create_text',
    { folderId: 'p1', name: 'a.txt', text: 'Hello' },
  ],
  [
    'microsoftOneDrive',
    { resource: 'folder', operation: 'getChildren', folderId: 'f1' },
    'microsoft_graph files.list',
    { folderId: 'f1' },
  ],
  [
    'microsoftSharePoint',
    {
      resource: 'item',
      operation: 'update',
      site: chosen('s1'),
      list: chosen('l1'),
      columns: { value: { id: '={{ $json.id }}', Status: 'Done' } },
    },
    'microsoft_graph list_items.update',
    { siteId: 's1', listId: 'l1', itemId: '{{ $json.id }}', fields: { Status: 'Done' } },
  ],
  [
    'microsoftExcel',
    {
      resource: 'worksheet',
      operation: 'update',
      workbook: chosen('w1'),
      worksheet: chosen('{1}'),
      columnToMatchOn: 'Name',
      valueToMatchOn: '={{ $json.name }}',
      fieldsUi: { values: [{ column: 'Email', fieldValue: 'a@example.com' }] },
    },
    'microsoft_graph worksheets.update_row',
    { workbookId: 'w1', worksheet: '{1}', key: 'Name', row: { Name: '{{ $json.name }}', Email: 'a@example.com' } },
  ],
  [
    'microsoftExcel',
    { resource: 'table', operation: 'getRows', workbook: chosen('w1'), table: chosen('t1') },
    'microsoft_graph tables.list_rows',
    { workbookId: 'w1', table: 't1' },
  ],
  [
    'supabase',
    {
      operation: 'getAll',
      tableId: 'docs',
      returnAll: true,
      filterType: 'string',
      filterString: '=status=eq.open&metadata->>id=like.*{{ $json.id }}',
    },
    'supabase rows.list',
    { table: 'docs', filters: { status: 'eq.open', 'metadata->>id': 'like.*{{ $json.id }}' } },
  ],
  [
    'hubspot',
    {
      operation: 'search',
      limit: 3,
      filterGroupsUi: {
        filterGroupsValues: [
          {
            filtersUi: { filterValues: [{ propertyName: 'email|string', operator: 'EQ', value: '={{ $json.mail }}' }] },
          },
          { filtersUi: { filterValues: [{ propertyName: 'phone|string', operator: 'HAS_PROPERTY' }] } },
        ],
      },
    },
    'hubspot request',
    {
      method: 'POST',
      path: '/crm/v3/objects/contacts/search',
      body: {
        filterGroups: [
          { filters: [{ propertyName: 'email', operator: 'EQ', value: '{{ $json.mail }}' }] },
          { filters: [{ propertyName: 'phone', operator: 'HAS_PROPERTY' }] },
        ],
        limit: 3,
      },
    },
  ],
  [
    'googleSheets',
    { ...SHEET, filtersUI: { values: [{ lookupColumn: 'Mail', lookupValue: '={{ $json.mail }}' }] } },
    'google sheets.read_rows',
    { spreadsheet: '1Abc', sheet: 'Leads', filter: { Mail: '{{ $json.mail }}' } },
  ],
  [
    'googleSheets',
    { ...SHEET, operation: 'append', ...columns({ Name: '={{ $json.name }}', Done: false }) },
    'google sheets.append_rows',
    { spreadsheet: '1Abc', sheet: 'Leads', rows: '{{ input }}' },
  ],
  [
    'googleSheets',
    { ...SHEET, operation: 'append', columns: { mappingMode: 'autoMapInputData' } },
    'google sheets.append_rows',
    { spreadsheet: '1Abc', sheet: 'Leads', rows: '{{ input }}' },
  ],
  [
    'googleSheets',
    {
      ...SHEET,
      operation: 'update',
      columns: { mappingMode: 'autoMapInputData', value: { Id: 0 }, matchingColumns: ['Id'] },
    },
    'google sheets.update_row',
    { spreadsheet: '1Abc', sheet: 'Leads', key: 'Id', row: '{{ $json }}' },
  ],
  [
    'googleSheets',
    { ...SHEET, operation: 'appendOrUpdate', ...columns({ Id: 1 }, 'Id') },
    'google sheets.upsert_row',
    { spreadsheet: '1Abc', sheet: 'Leads', key: 'Id', row: { Id: 1 } },
  ],
  ['googleSheets', { ...SHEET, operation: 'clear' }, 'google sheets.clear', { spreadsheet: '1Abc', sheet: 'Leads' }],
  [
    'gmail',
    { sendTo: 'a@example.com', subject: 'Hi', message: '<b>Hi</b>', options: { ccList: 'b@example.com' } },
    'google gmail.send',
    { to: 'a@example.com', subject: 'Hi', html: '<b>Hi</b>', cc: 'b@example.com' },
  ],
  [
    'gmail',
    { operation: 'getAll', limit: 5, filters: { q: 'invoice', readStatus: 'unread', labelIds: ['INBOX'] } },
    'google gmail.search',
    { query: 'invoice is:unread', labels: ['INBOX'], limit: 5 },
  ],
  [
    'gmail',
    { operation: 'addLabels', messageId: '={{ $json.id }}', labelIds: ['STARRED'] },
    'google gmail.add_labels',
    { message: '{{ $json.id }}', labels: ['STARRED'] },
  ],
  [
    'gmail',
    { resource: 'draft', subject: 'Hi', message: 'x', emailType: 'text', options: { sendTo: 'a@example.com' } },
    'google gmail.create_draft',
    { to: 'a@example.com', subject: 'Hi', text: 'x' },
  ],
  [
    'googleDrive',
    { operation: 'download', fileId: chosen('={{ $json.id }}') },
    'google drive.download',
    { file: '{{ $json.id }}' },
  ],
  [
    'googleDrive',
    { name: 'a.txt', folderId: chosen('root', 'My Drive') },
    'google drive.upload',
    { file: '{{ input.$files?.["data"] }}', name: 'a.txt' },
  ],
  [
    'googleDrive',
    { resource: 'fileFolder', queryString: 'report', limit: 3, filter: { folderId: chosen('f1') } },
    'google drive.search',
    { name: 'report', folder: 'f1', limit: 3 },
  ],
  [
    'googleDrive',
    {
      operation: 'share',
      fileId: chosen('f1'),
      permissionsUi: { permissionsValues: { role: 'reader', type: 'user', emailAddress: 'a@example.com' } },
    },
    'google drive.share',
    { file: 'f1', role: 'reader', with: 'user', email: 'a@example.com' },
  ],
  [
    'googleDocs',
    { title: '={{ $json.name }}', driveId: 'My Drive', folderId: 'f1' },
    'google request',
    {
      method: 'POST',
      path: '/drive/v3/files',
      body: { name: '{{ $json.name }}', mimeType: 'application/vnd.google-apps.document', parents: ['f1'] },
    },
  ],
  [
    'googleDocs',
    { operation: 'update', documentURL: 'd1', actionsUi: { actionFields: [{ action: 'insert', text: 'Hello' }] } },
    'google docs.append_text',
    { document: 'd1', text: 'Hello' },
  ],
  [
    'googleDocs',
    {
      operation: 'update',
      documentURL: 'd1',
      actionsUi: { actionFields: [{ action: 'replaceAll', text: '[name]', replaceText: '={{ $json.name }}' }] },
    },
    'google docs.replace_text',
    { document: 'd1', replacements: { '[name]': '{{ $json.name }}' } },
  ],
  [
    'googleCalendar',
    {
      calendar: chosen('me'),
      start: 'a',
      end: 'b',
      additionalFields: { summary: 'Call', attendees: ['a@example.com, b@example.com'] },
    },
    'google calendar.create_event',
    { calendar: 'me', title: 'Call', attendees: ['a@example.com', 'b@example.com'], start: 'a', end: 'b' },
  ],
  [
    'slack',
    { select: 'channel', channelId: chosen('C1', 'general'), text: '=Hi {{ $json.name }}', otherOptions: {} },
    'slack messages.post',
    { channel: 'C1', text: 'Hi {{ $json.name }}' },
  ],
  [
    'slack',
    {
      select: 'channel',
      channelId: chosen('C1'),
      messageType: 'block',
      text: 'x',
      blocksUi: '={ "blocks": [{ "type": "section", "text": { "type": "mrkdwn", "text": "{{ $json.a }}" } }] }',
    },
    'slack messages.post',
    { channel: 'C1', text: 'x', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '{{ $json.a }}' } }] },
  ],
  ['slack', { resource: 'channel', operation: 'getAll', returnAll: true }, 'slack channels.list', { allPages: true }],
  [
    'telegram',
    {
      chatId: '={{ $json.chat }}',
      text: 'Hi',
      additionalFields: { parse_mode: 'HTML' },
      replyMarkup: 'inlineKeyboard',
      inlineKeyboard: { rows: [{ row: { buttons: [{ text: 'Yes', additionalFields: { callback_data: 'y' } }] } }] },
    },
    'telegram messages.send',
    {
      chat: '{{ $json.chat }}',
      text: 'Hi',
      format: 'HTML',
      markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] },
    },
  ],
  [
    'telegram',
    { operation: 'sendPhoto', chatId: '1', file: 'https://example.com/a.png', additionalFields: {} },
    'telegram request',
    {
      method: 'POST',
      path: '/sendPhoto',
      body: { chat_id: '1', photo: 'https://example.com/a.png', parse_mode: 'Markdown' },
    },
  ],
  ['telegram', { resource: 'file', fileId: 'f' }, 'telegram files.get', { fileId: 'f' }],
  [
    'discord',
    { resource: 'message', guildId: chosen('1'), channelId: chosen('2'), content: 'Hi' },
    'discord messages.send',
    { channel: '2', content: 'Hi' },
  ],
  [
    'discord',
    { webhookUri: 'https://discord.com/api/webhooks/12/ab-c', text: 'Hi' },
    'discord webhooks.send',
    { webhook: '12', webhookToken: 'ab-c', content: 'Hi' },
  ],
  [
    'whatsApp',
    { operation: 'send', phoneNumberId: '1', recipientPhoneNumber: '49', textBody: 'Hi' },
    'whatsapp messages.send',
    { phone: '1', to: '49', text: 'Hi' },
  ],
  [
    'twilio',
    { to: '+1', from: '+2', message: 'Hi', toWhatsapp: true },
    'twilio messages.send_whatsapp',
    { to: '+1', from: '+2', text: 'Hi' },
  ],
  [
    'airtable',
    { ...TABLE, operation: 'search', filterByFormula: '={Mail} = "{{ $json.mail }}"' },
    'airtable records.list',
    { base: 'app1', table: 'tbl1', formula: '{Mail} = "{{ $json.mail }}"', allPages: true },
  ],
  [
    'airtable',
    { ...TABLE, operation: 'create', ...columns({ Name: 'Ada' }) },
    'airtable records.create',
    { base: 'app1', table: 'tbl1', fields: { Name: 'Ada' } },
  ],
  [
    'airtable',
    { ...TABLE, operation: 'update', ...columns({ id: '={{ $json.id }}', Name: 'Ada' }, 'id') },
    'airtable records.update',
    { base: 'app1', table: 'tbl1', record: '{{ $json.id }}', fields: { Name: 'Ada' } },
  ],
  [
    'airtable',
    { ...TABLE, operation: 'upsert', ...columns({ Mail: 'a' }, 'Mail') },
    'airtable records.upsert',
    { base: 'app1', table: 'tbl1', rows: [{ Mail: 'a' }], keys: ['Mail'] },
  ],
  [
    'notion',
    {
      resource: 'databasePage',
      databaseId: chosen('d1'),
      title: 'T',
      propertiesUi: {
        propertyValues: [{ key: 'Tags|multi_select', multiSelectValue: ['a'] }, { key: 'Done|checkbox' }],
      },
    },
    'notion pages.create',
    {
      parent: 'd1',
      isInDatabase: true,
      properties: {
        title: { title: [{ text: { content: 'T' } }] },
        Tags: { multi_select: [{ name: 'a' }] },
        Done: { checkbox: false },
      },
    },
  ],
  [
    'notion',
    {
      resource: 'databasePage',
      operation: 'getAll',
      databaseId: chosen('d1'),
      returnAll: true,
      filterType: 'json',
      filterJson: '{ "property": "A" }',
    },
    'notion databases.query',
    { database: 'd1', filter: { property: 'A' }, allPages: true },
  ],
  [
    'notion',
    {
      resource: 'block',
      blockId: chosen('b1'),
      blockUi: { blockValues: [{ textContent: 'One' }, { textContent: 'Two' }] },
    },
    'notion blocks.append_text',
    { block: 'b1', text: 'One\nTwo' },
  ],
  [
    'supabase',
    {
      operation: 'getAll',
      tableId: 't',
      returnAll: true,
      filters: { conditions: [{ keyName: 'id', condition: 'gt', keyValue: '={{ $json.id }}' }] },
    },
    'supabase rows.list',
    { table: 't', filters: { id: 'gt.{{ $json.id }}' } },
  ],
  [
    'supabase',
    { tableId: 't', fieldsUi: { fieldValues: [{ fieldId: 'a', fieldValue: '=1' }] } },
    'supabase rows.insert',
    { table: 't', row: { a: '1' } },
  ],
  [
    'github',
    {
      owner: chosen('https://github.com/acme'),
      repository: chosen('https://github.com/acme/web'),
      title: 'Bug',
      labels: [{ label: 'bug' }],
    },
    'github issues.create',
    { owner: 'acme', repo: 'web', title: 'Bug', labels: ['bug'] },
  ],
  [
    'jira',
    {
      project: chosen('10001', 'Support'),
      issueType: chosen('1', 'Bug'),
      summary: 'S',
      additionalFields: { labels: ['a'], priority: chosen('2', 'High') },
    },
    'jira issues.create',
    { project: '10001', type: '1', summary: 'S', labels: ['a'], priority: 'High' },
  ],
  [
    'linear',
    { teamId: 't', title: 'x', additionalFields: { priorityId: 2 } },
    'linear issues.create',
    { team: 't', title: 'x', priority: 2 },
  ],
  [
    'clickUp',
    { list: 'l', name: 'x', additionalFields: { content: 'y' } },
    'clickup tasks.create',
    { list: 'l', name: 'x', description: 'y' },
  ],
  [
    'trello',
    { listId: 'l', name: 'x', description: 'y' },
    'trello cards.create',
    { listId: 'l', name: 'x', description: 'y' },
  ],
  [
    'asana',
    { name: 'x', otherProperties: { projects: ['p'], notes: 'n' } },
    'asana tasks.create',
    { name: 'x', projects: ['p'], notes: 'n' },
  ],
  [
    'mondayCom',
    { resource: 'boardItem', boardId: 'b', groupId: 'g', name: 'x' },
    'monday items.create',
    { board: 'b', group: 'g', name: 'x' },
  ],
  [
    'hubspot',
    { resource: 'contact', email: 'a@example.com', additionalFields: { firstName: 'Ada' } },
    'hubspot request',
    {
      method: 'POST',
      path: '/crm/v3/objects/contacts/batch/upsert',
      body: {
        inputs: [
          { idProperty: 'email', id: 'a@example.com', properties: { email: 'a@example.com', firstname: 'Ada' } },
        ],
      },
    },
  ],
  [
    'pipedrive',
    { resource: 'person', name: 'Ada', additionalFields: { email: ['a@example.com'] } },
    'pipedrive persons.create',
    { name: 'Ada', email: 'a@example.com' },
  ],
  ['stripe', { resource: 'customer', customerId: 'cus_1' }, 'stripe customers.get', { customer: 'cus_1' }],
  [
    'zendesk',
    { description: 'Help', additionalFields: { subject: 'S' } },
    'zendesk tickets.create',
    { subject: 'S', text: 'Help' },
  ],
  [
    'mailchimp',
    {
      list: 'l',
      email: 'a@example.com',
      status: 'subscribed',
      mergeFieldsUi: { mergeFieldsValues: [{ name: 'FNAME', value: 'Ada' }] },
    },
    'mailchimp members.upsert',
    { list: 'l', email: 'a@example.com', status: 'subscribed', fields: { FNAME: 'Ada' } },
  ],
  [
    'wordpress',
    { title: 'T', additionalFields: { content: 'C', status: 'draft' } },
    'wordpress posts.create',
    { title: 'T', content: 'C', status: 'draft' },
  ],
  [
    'sendGrid',
    { resource: 'mail', toEmail: 'a@example.com', fromEmail: 'b@example.com', subject: 'S', contentValue: 'x' },
    'sendgrid mails.send',
    { to: ['a@example.com'], from: 'b@example.com', subject: 'S', text: 'x' },
  ],
  ['dropbox', { operation: 'download', path: '/a.txt' }, 'dropbox files.download', { path: '/a.txt' }],
  [
    'wooCommerce',
    { resource: 'order', operation: 'getAll', returnAll: true, options: { status: 'completed' } },
    'woocommerce orders.list',
    { status: 'completed', allPages: true },
  ],
];

describe('a node of a service', () => {
  it.each(CASES)('%s %j becomes a call of its connector', async (type, parameters, call, expected) => {
    const { definition, outcome, config } = imported(type, parameters);
    const [connectorId, operation] = call.split(' ');
    expect(config).toEqual({ connectorId, operation, parameters: expected });
    expect(outcome).toBe('partly');
    expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
    expect(gapsOf(definition)).toEqual([]);
  });

  it('says which account it needs, and what to check', () => {
    expect(imported('slack', { channelId: chosen('C1'), text: 'x' }).message).toBe('Choose an account of Slack.');
  });

  it('without a counterpart is a placeholder that names its operation', () => {
    const { outcome, message } = imported('slack', { operation: 'getPermalink' });
    expect([outcome, message]).toEqual([
      'placeholder',
      'The connector Slack has no “message.getPermalink”: use its operation “request”, or an HTTP request.',
    ]);
  });

  it('acts on each item, but appends all rows of a sheet at once', () => {
    const each = imported('slack', { channelId: chosen('C1'), text: '={{ $json.name }}' }, { isList: true });
    expect(callNode(each.definition)?.each).toEqual({});
    const rows = imported('googleSheets', { ...SHEET, operation: 'append', ...columns({ Name: '={{ $json.name }}' }) });
    expect(callNode(rows.definition)?.each).toBeUndefined();
    expect(rows.definition.nodes.find(({ id }) => id === 'it_rows')?.config['expression']).toBe(
      'n8n.bodyFields(2.1, { rows: [{ name: "Name", value: () => ($json.name) }], nests: false })',
    );
  });

  it('gives what the next node reads', () => {
    const given = (type: string, parameters: object) =>
      imported(type, parameters).definition.nodes.find(({ id }) => id === 'it')?.config['expression'];
    expect(given('telegram', { chatId: '1', text: 'x' })).toContain('path: "body", isList: false');
    expect(given('airtable', { ...TABLE, operation: 'get', id: 'rec1' })).toContain(
      'shape: (row) => ({ ...row, ...row?.fields })',
    );
    expect(given('googleSheets', SHEET)).toContain('path: "body", isList: true');
    expect(given('notion', { resource: 'databasePage', operation: 'getAll', databaseId: chosen('d') })).toContain(
      'path: "body.results", isList: true',
    );
  });
});

it('keeps what picked values were called, for nodes alone and in loops', () => {
  const parameters = { operation: 'get', resource: 'record', ...TABLE, id: 'rec1' };
  for (const isList of [false, true]) {
    const { definition } = imported('airtable', parameters, { isList });
    expect(JSON.stringify(definition)).toContain('"labels":{"parameters.base":"Base","parameters.table":"People"}');
  }
  const long = { ...parameters, base: chosen('app1', 'x\u0001'.repeat(5000)) };
  const node = callNode(imported('airtable', long).definition);
  expect(NodeLabels.safeParse(node?.labels).success).toBe(true);
});

it('attachments of a message of Slack are sent by its first version, and by later ones where they are chosen', () => {
  const attachments = [
    { title: '={{ $json.title }}', fields: { item: [{ title: 'Price', value: '={{ $json.price }}', short: true }] } },
    { text: 'plain' },
  ];
  const given = { channel: 'shop', text: 'New', attachments, otherOptions: { mrkdwn: true } };
  const { config, message } = imported('slack', given, { version: 1 });
  expect(config).toEqual({
    connectorId: 'slack',
    operation: 'request',
    parameters: {
      method: 'POST',
      path: '/chat.postMessage',
      body: {
        channel: 'shop',
        text: 'New',
        attachments: [
          { title: '{{ $json.title }}', fields: [{ title: 'Price', value: '{{ $json.price }}', short: true }] },
          { text: 'plain' },
        ],
        mrkdwn: true,
      },
    },
  });
  expect(message).toBe('Choose an account of Slack.');
  expect(imported('slack', given).message).toBe('Choose an account of Slack.');
  expect(imported('slack', { ...given, messageType: 'attachment' }).message).toContain('as blocks');
});
