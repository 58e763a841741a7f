import { describe, expect, it, test } from 'vitest';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  readChoiceItems,
  readItemsWithin,
  toConnectorChoice,
  type OperationChoiceSource,
  type SteppedChoiceSource,
} from './choices';
import type { ConnectorDefinition } from './connector';
import { builtInConnectors } from './index';

// Every source of every record is asked with the example answer of its operation, so that a path that the service does
// not have is found.

/** The paths of a label: those in braces, or the label itself. */
const labelPaths = (label: string): string[] =>
  label.includes('{') ? [...label.matchAll(/\{([^}]*)\}/g)].map(([, path = '']) => path) : [label];

/** The items in the example answer of the operation that a source names. */
function exampleItems({ operations }: ConnectorDefinition, source: OperationChoiceSource): unknown[] {
  const operation = operations.find(({ id }) => id === source.operation);
  if (!operation) throw new Error(`${source.operation} is no operation`);
  const own = operation.steps ? '' : (operation.items ?? '');
  const items = readChoiceItems(getAtPath(operation.example, source.items ?? own));
  if (!items) throw new Error(`The example of ${source.operation} has no list`);
  const { within } = source;
  if (!within) return items;
  const [by = ''] = within.by;
  return items.flatMap((item) => readItemsWithin(within, String(getAtPath(item, by)), items) ?? []);
}

/** The items of the first page of a source with steps, whose calls get these answers in turn. */
function steppedItems(source: SteppedChoiceSource, values: Record<string, string>, answers: readonly unknown[]) {
  const steps = source.steps({ values, search: '', page: null });
  let step = steps.next();
  for (let calls = 0; !step.done; calls += 1)
    step = steps.next({ status: 200, headers: {}, body: answers[calls] ?? {} });
  return step.value.items;
}

function expectChoices(name: string, source: OperationChoiceSource | SteppedChoiceSource, items: unknown[]) {
  const choices = items.flatMap((item) => toConnectorChoice(source, item) ?? []);
  expect(choices.length, name).toBeGreaterThan(0);
  const has = (path: string) => items.some((item) => (getAtPath(item, path) ?? undefined) !== undefined);
  const { value, label, hint, where, column } = source;
  expect(
    label.some((one) => labelPaths(one).every(has)),
    `${name}: label`,
  ).toBe(true);
  const others = [value, ...(hint === undefined ? [] : [hint]), ...(where ? [where.at] : []), column?.type ?? ''];
  expect(
    others.filter((path) => !has(path)),
    name,
  ).toEqual([]);
}

const withChoices = builtInConnectors.filter(({ choices }) => choices);

test('what services say in a form of their own becomes choices', () => {
  const read = (id: string, name: string) => {
    const connector = builtInConnectors.find((one) => one.id === id);
    const source = connector?.choices?.[name] as SteppedChoiceSource;
    const items = steppedItems(source, ...(ANSWERS[`${id} ${name}`] ?? [{}, []]));
    return items.flatMap((item) => toConnectorChoice(source, item) ?? []);
  };
  expect(read('microsoft_graph', 'chatMessages')).toEqual([{ value: '1', label: 'The build is green', hint: 'Ada' }]);
  expect(read('google', 'drafts')).toMatchObject([{ value: 'r-1', label: 'Invoice 42', hint: 'ada@example.com' }]);
  expect(read('github', 'files')).toEqual([{ value: 'docs/readme.md', label: 'docs/readme.md' }]);
  expect(read('sap', 'sales_order_columns')).toMatchObject([
    { value: 'BusinessPartner', type: 'text' },
    { value: 'IsNatural', type: 'boolean' },
  ]);
  expect(read('monday', 'columns')[0]).toMatchObject({ type: 'options', options: [{ value: 'Done', label: 'Done' }] });
  expect(read('monday', 'peopleColumns').map(({ value }) => value)).toEqual(['person']);
  expect(read('stripe', 'itemColumns')[0]).toMatchObject({
    isRequired: true,
    options: [
      { value: 'price_1', label: 'Tea: 1999 eur' },
      { value: 'price_2', label: 'Coffee' },
    ],
  });
});

describe.each(withChoices.map((connector) => [connector.id, connector] as const))('%s', (id, connector) => {
  it.each(Object.entries(connector.choices ?? {}))('has choices of %s in the example answers', (name, source) => {
    if ('choices' in source) expect(source.choices.length).toBeGreaterThan(0);
    else if ('steps' in source) {
      const answered = ANSWERS[`${id} ${name}`];
      if (answered) expectChoices(name, source, steppedItems(source, ...answered));
      // Services may answer with less than what is documented.
      else expect(steppedItems(source, {}, [])).toBeInstanceOf(Array);
    } else expectChoices(name, source, exampleItems(connector, source));
  });
});

const driveItem = { id: '1', name: 'Leads.xlsx', webUrl: 'https://example.com/1', folder: {} };
const person = { id: '1', displayName: 'Ada', mail: 'ada@example.com', userPrincipalName: 'ada@example.com' };
const property = (fields: object) => ({ label: 'Label', type: 'string', ...fields });
const properties = { results: [property({ name: 'email' }), property({ name: 'dealstage' })] };

const pipedriveFields = {
  data: [
    { key: 'title', name: 'Title', field_type: 'varchar' },
    { key: 'dcf558aac1ae4e8c4f849ba5e668430d8df9be12', name: 'Region', field_type: 'enum', options: [] },
  ],
};
const dataverseTable = {
  value: [
    {
      Attributes: [
        {
          LogicalName: 'name',
          DisplayName: { UserLocalizedLabel: { Label: 'Account name' } },
          AttributeType: 'String',
          RequiredLevel: { Value: 'ApplicationRequired' },
          IsValidForRead: true,
          IsValidForCreate: true,
          IsValidForUpdate: true,
        },
      ],
    },
  ],
};
const servicenowRecord = { result: [{ sys_id: '1', number: 'INC1', name: 'Router', short_description: 'Down' }] };
const servicenowFields = [
  { result: [{ 'super_class.name': 'task' }] },
  { result: [{ 'super_class.name': '' }] },
  { result: [{ element: 'priority', column_label: 'Priority', internal_type: 'integer', mandatory: 'true' }] },
];
const notionPages = {
  results: [
    {
      id: '1',
      last_edited_time: '2026',
      properties: { Due: { type: 'date' }, Task: { type: 'title', title: [{ plain_text: 'Call Ada' }] } },
    },
  ],
};
const dropboxEntries = {
  entries: [
    { '.tag': 'folder', path_display: '/invoices' },
    { '.tag': 'file', path_display: '/invoices/42.pdf', server_modified: '2026' },
  ],
};

const mail = { id: '1', subject: 'Invoice 42', from: { emailAddress: { address: 'ada@example.com' } } };
const teamsMessage = {
  id: '1',
  createdDateTime: '2026',
  body: { content: '<p>The build is green</p>' },
  from: { user: { displayName: 'Ada' } },
};
const mailHeaders = [
  { name: 'Subject', value: 'Invoice 42' },
  { name: 'From', value: 'ada@example.com' },
];
const gmailMessage = { id: '1', snippet: 'Please find', payload: { headers: mailHeaders } };
const gitTree = {
  tree: [
    { path: 'docs', type: 'tree' },
    { path: 'docs/readme.md', type: 'blob' },
  ],
};
const sapPartners = {
  d: { results: [{ __metadata: { uri: 'x' }, BusinessPartner: '1', IsNatural: true, to_Role: {} }] },
};
const mondayBoards = {
  data: {
    boards: [
      {
        columns: [
          { id: 'status', title: 'Status', type: 'status', settings_str: '{"labels":{"0":"Done","5":""}}' },
          { id: 'person', title: 'Owner', type: 'people', settings_str: '{}' },
        ],
      },
    ],
  },
};

/** The values on which sources with steps depend, and the answers to their calls. */
const ANSWERS: Record<string, readonly [Record<string, string>, readonly unknown[]]> = {
  'google events': [{}, [{ items: [{ id: '1', summary: 'Planning', start: { dateTime: '2026-03-01T09:00:00Z' } }] }]],
  'trello labels': [{ listId: 'l' }, [{ idBoard: 'b' }, [{ id: '1', name: 'Urgent', color: 'red' }]]],
  'trello membersOfCard': [{ cardId: 'c' }, [{ idBoard: 'b' }, [{ id: '1', fullName: 'Ada', username: 'ada' }]]],
  'jira newFields': [
    { project: 'P', type: 'bug' },
    [
      { issueTypes: [{ id: '1', name: 'Bug' }], total: 1 },
      { fields: [{ fieldId: 'customfield_1', name: 'Size', schema: { type: 'number' }, required: true }], total: 1 },
    ],
  ],
  'jira changedFields': [
    { issue: 'P-1' },
    [{ fields: { customfield_1: { name: 'Size', schema: { type: 'number' } }, summary: { name: 'Summary' } } }],
  ],
  'calendly events': [
    {},
    [
      { resource: { uri: 'https://api.calendly.com/users/A' } },
      { collection: [{ uri: 'https://api.calendly.com/scheduled_events/B', name: '15 minutes', start_time: '2026' }] },
    ],
  ],
  'hubspot contactsColumns': [{}, [properties]],
  'hubspot companiesColumns': [{}, [properties]],
  'hubspot dealsColumns': [{}, [properties]],
  'hubspot ticketsColumns': [{}, [properties]],
  'hubspot columns': [{ object: 'deals' }, [properties]],
  'hubspot activityColumns': [{ kind: 'notes' }, [properties]],
  'hubspot objectTypes': [{}, [{ results: [{ objectTypeId: '2-1', name: 'cars', labels: { plural: 'Cars' } }] }]],
  'microsoft_graph people': [{}, [{ value: [person] }]],
  'microsoft_graph emailAddresses': [{}, [{ value: [person] }]],
  'microsoft_graph mailFolders': [
    {},
    [
      { value: [{ id: '1', displayName: 'Inbox', childFolderCount: 1 }] },
      { value: [{ id: '2', displayName: 'Customers' }] },
    ],
  ],
  'microsoft_graph events': [{}, [{ value: [{ id: '1', subject: 'Planning', start: { dateTime: '2026' } }] }]],
  'microsoft_graph files': [{}, [{ value: [driveItem] }]],
  'microsoft_graph folders': [{}, [{ value: [driveItem] }]],
  'microsoft_graph documents': [{ driveId: 'd' }, [{ value: [driveItem] }]],
  'microsoft_graph libraryFolders': [{ driveId: 'd' }, [{ value: [driveItem] }]],
  'microsoft_graph drives': [{}, [{ value: [driveItem] }]],
  'microsoft_graph workbooks': [{}, [{ value: [driveItem] }]],
  'discord channels': [
    {},
    [
      [{ id: '1', name: 'Acme' }],
      [
        { id: '2', name: 'general', type: 0 },
        { id: '3', name: 'Sales', type: 4 },
      ],
    ],
  ],
  'discord members': [{ server: '1' }, [[{ nick: 'Ada', user: { id: '2', username: 'ada' } }]]],
  'telegram chats': [
    {},
    [
      { ok: true, result: { url: '' } },
      { ok: true, result: [{ message: { chat: { id: 1, type: 'private' } } }] },
    ],
  ],
  'sendgrid contacts': [{}, [{ result: [{ id: '1', email: 'ada@example.com', first_name: 'Ada' }] }]],
  'stripe customers': [{}, [{ data: [{ id: 'cus_1', name: 'Ada', email: 'ada@example.com' }], has_more: false }]],
  'shopify collections': [
    {},
    [{ data: { collections: { nodes: [{ legacyResourceId: '1', title: 'Teas', handle: 'teas' }] } } }],
  ],
  'pipedrive deal_fields': [{}, [pipedriveFields]],
  'pipedrive person_fields': [{}, [pipedriveFields]],
  'pipedrive organization_fields': [{}, [pipedriveFields]],
  'spotify own_user': [{}, [{ id: 'ada', display_name: 'Ada' }]],
  'google_cloud buckets': [{}, [{ projects: [{ projectId: 'acme' }] }, { items: [{ name: 'reports' }] }]],
  'sap business_partners': [{}, [{ d: { results: [{ BusinessPartner: '1', BusinessPartnerFullName: 'Acme' }] } }]],
  'sap sales_orders': [{}, [{ d: { results: [{ SalesOrder: '1', PurchaseOrderByCustomer: 'PO 7' }] } }]],
  'salesforce records': [
    { object: 'Account' },
    [{ name: 'Account', fields: [{ name: 'Name', nameField: true }] }, { records: [{ Id: '001', Name: 'Acme' }] }],
  ],
  'dynamics365 accounts': [{}, [{ value: [{ accountid: '1', name: 'Acme', emailaddress1: 'a@example.com' }] }]],
  'dynamics365 fields': [{ table: 'accounts' }, [dataverseTable]],
  'dynamics365 account_fields': [{}, [dataverseTable]],
  'dynamics365 contact_fields': [{}, [dataverseTable]],
  'dynamics365 opportunity_fields': [{}, [dataverseTable]],
  'dynamics365 account_columns': [{}, [dataverseTable]],
  'dynamics365 changed_account_columns': [{}, [dataverseTable]],
  'dynamics365 contact_columns': [{}, [dataverseTable]],
  'servicenow tables': [{}, [{ result: [{ name: 'incident', label: 'Incident' }] }]],
  'servicenow records': [{ table: 'cmdb_ci' }, [servicenowRecord]],
  'servicenow incidents': [{}, [servicenowRecord]],
  'servicenow users': [{}, [{ result: [{ sys_id: '1', name: 'Ada', email: 'ada@example.com' }] }]],
  'servicenow incident_states': [{}, [{ result: [{ value: '1', label: 'New' }] }]],
  'servicenow fields': [{ table: 'incident' }, servicenowFields],
  'servicenow incident_fields': [{}, servicenowFields],
  'servicenow columns': [{ table: 'incident' }, servicenowFields],
  'notion databases': [{}, [{ results: [{ id: '1', title: [{ plain_text: 'Tasks' }], last_edited_time: '2026' }] }]],
  'notion pages': [{}, [notionPages]],
  'notion property_options': [
    { database: '1', property: 'Status' },
    [{ properties: { Status: { type: 'select', select: { options: [{ id: 'a', name: 'New' }] } } } }],
  ],
  'notion parents': [{ isInDatabase: 'false' }, [notionPages]],
  'supabase objects': [{ bucket: 'documents' }, [[{ id: '1', name: '42.pdf' }]]],
  'dropbox entries': [{}, [dropboxEntries]],
  'dropbox folders': [{}, [dropboxEntries]],
  'microsoft_graph listColumns': [
    { siteId: 's', listId: 'l' },
    [{ value: [{ name: 'Title', displayName: 'Title', required: true, text: {} }] }],
  ],
  'microsoft_graph messages': [{}, [{ value: [mail] }]],
  'microsoft_graph channelMessages': [{ teamId: 't', channelId: 'c' }, [{ value: [teamsMessage] }]],
  'microsoft_graph chatMessages': [{ chatId: 'c' }, [{ value: [teamsMessage] }]],
  'google messages': [{}, [{ messages: [{ id: '1' }] }, gmailMessage]],
  'google drafts': [{}, [{ drafts: [{ id: 'r-1', message: { id: '1' } }] }, gmailMessage]],
  'airtable records': [
    { base: 'app', table: 'People' },
    [
      { tables: [{ id: 'tbl', name: 'People', primaryFieldId: 'fld', fields: [{ id: 'fld', name: 'Name' }] }] },
      { records: [{ id: 'rec', createdTime: '2026', fields: { Name: 'Ada' } }] },
    ],
  ],
  'clickup tasks': [
    {},
    [{ teams: [{ id: '1' }] }, { tasks: [{ id: '9hx', name: 'Call Ada', list: { name: 'Sales' } }] }],
  ],
  'asana tags': [{}, [{ data: [{ gid: '42' }] }, { data: [{ gid: '1', name: 'Urgent' }] }]],
  'asana tasks': [
    {},
    [{ data: [{ gid: '42' }] }, { data: [{ gid: '1', name: 'Call Ada', projects: [{ name: 'Website' }] }] }],
  ],
  'hubspot recordsForList': [
    { list: '9' },
    [
      { list: { objectTypeId: '0-1' } },
      { results: [{ id: '512', properties: { firstname: 'Ada', lastname: 'L', email: 'a' } }] },
    ],
  ],
  'github files': [{ owner: 'o', repo: 'r' }, [gitTree]],
  'github folders': [{ owner: 'o', repo: 'r' }, [gitTree]],
  'github users': [{}, [[{ login: 'octocat', type: 'User' }]]],
  'whatsapp accounts': [{}, [{ data: [{ id: '1' }] }, { data: [{ id: '2', name: 'Acme' }] }]],
  'sap business_partner_fields': [{}, [sapPartners]],
  'sap sales_order_fields': [{}, [sapPartners]],
  'sap product_fields': [{}, [sapPartners]],
  'sap business_partner_columns': [{}, [sapPartners]],
  'sap sales_order_columns': [{}, [sapPartners]],
  'stripe itemColumns': [
    {},
    [
      {
        data: [
          { id: 'price_1', unit_amount: 1999, currency: 'eur', product: { name: 'Tea' } },
          { id: 'price_2', unit_amount: null, nickname: null, currency: 'eur', product: { name: 'Coffee' } },
        ],
      },
    ],
  ],
  'woocommerce lineColumns': [{}, [[{ id: 93, name: 'Tea' }]]],
  'monday columns': [{ board: '1' }, [mondayBoards]],
  'monday peopleColumns': [{ board: '1' }, [mondayBoards]],
};
