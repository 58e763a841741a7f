import { expect, it } from 'vitest';
import { toConnectorChoice } from '../choices';
import { findBuiltInConnector } from '../index';
import type { ApiRequest, ApiResponse } from '../operation';

interface Query {
  values?: Record<string, string>;
  search?: string;
  page?: string;
}

/** Follows a source with steps, and answers its requests in turn. */
function listChoices(id: string, name: string, query: Query, ...answers: Partial<ApiResponse>[]) {
  const source = findBuiltInConnector(id)?.choices?.[name];
  if (!source || !('steps' in source)) throw new Error(`${id} has no source ${name} with steps`);
  const steps = source.steps({ values: query.values ?? {}, search: query.search ?? '', page: query.page ?? null });
  const requests: ApiRequest[] = [];
  let step = steps.next();
  while (!step.done) {
    const answer = answers[requests.length];
    requests.push(step.value);
    step = steps.next({ status: 200, headers: {}, body: {}, ...answer });
  }
  const { items, next = null } = step.value;
  return { requests, next, choices: items.flatMap((item) => toConnectorChoice(source, item) ?? []) };
}

const property = (name: string, others: object = {}) => ({ name, label: name, type: 'string', options: [], ...others });
const pipeline = (id: string, ...stages: string[]) => ({
  id,
  label: id.toUpperCase(),
  stages: stages.map((stage) => ({ id: stage, label: stage.toUpperCase() })),
});

it('properties of HubSpot have the owners, pipelines and stages that they take', () => {
  const results = [
    property('dealname'),
    property('dealstage', { type: 'enumeration' }),
    property('pipeline', { type: 'enumeration' }),
    property('hubspot_owner_id', { type: 'enumeration' }),
    property('hs_object_id', { modificationMetadata: { readOnlyValue: true } }),
    property('hs_internal', { hidden: true }),
  ];
  const owners = { body: { results: [{ id: '7', email: 'ada@example.com' }] } };
  const list = (...pipelines: object[]) =>
    listChoices('hubspot', 'dealsColumns', {}, { body: { results } }, owners, { body: { results: pipelines } });
  const { choices } = list(pipeline('sales', 'won'), pipeline('more', 'lost'));
  expect(choices.map(({ value, type }) => [value, type])).toEqual([
    ['dealname', 'text'],
    ['dealstage', 'options'],
    ['pipeline', 'options'],
    ['hubspot_owner_id', 'options'],
  ]);
  expect(choices[1]?.options).toEqual([
    { value: 'won', label: 'SALES: WON' },
    { value: 'lost', label: 'MORE: LOST' },
  ]);
  expect(choices[3]?.options).toEqual([{ value: '7', label: 'ada@example.com' }]);
  expect(list(pipeline('sales', 'won')).choices[1]?.options).toEqual([{ value: 'won', label: 'WON' }]);
});

it('properties of HubSpot are listed without the right to see owners and pipelines', () => {
  const refused = { status: 403, body: { message: 'missing scopes' } };
  const results = [property('dealstage', { type: 'enumeration' })];
  const { choices } = listChoices('hubspot', 'dealsColumns', {}, { body: { results } }, refused, refused);
  expect(choices).toEqual([{ value: 'dealstage', label: 'dealstage', type: 'text', isRequired: false }]);
});

it('fields of Jira are those of the type, without those that are parameters, and required unless they have a default', () => {
  const field = (fieldId: string, type: string, others = {}) => ({
    fieldId,
    name: fieldId,
    schema: { type },
    ...others,
  });
  const { requests, choices } = listChoices(
    'jira',
    'newFields',
    { values: { project: 'A/B', type: 'bug' } },
    { body: { issueTypes: [{ id: '1', name: 'Task' }], total: 2 } },
    { body: { issueTypes: [{ id: '2', name: 'Bug' }], total: 2 } },
    {
      body: {
        fields: [
          field('summary', 'string', { required: true }),
          field('customfield_1', 'number', { required: true }),
          field('customfield_2', 'option', { required: true, hasDefaultValue: true }),
        ],
        total: 3,
      },
    },
  );
  expect(requests.map(({ path, query }) => [path, query?.['startAt']])).toEqual([
    ['/issue/createmeta/A%2FB/issuetypes', 0],
    ['/issue/createmeta/A%2FB/issuetypes', 1],
    ['/issue/createmeta/A%2FB/issuetypes/2', 0],
  ]);
  expect(choices.map(({ value, type, isRequired }) => [value, type, isRequired])).toEqual([
    ['customfield_1', 'number', true],
    ['customfield_2', 'json', false],
  ]);
});

it('files of Microsoft are those at the top, and searched in the whole drive', () => {
  const values = { driveId: 'b!1' };
  const top = listChoices('microsoft_graph', 'documents', { values });
  expect(top.requests[0]?.path).toBe('/drives/b%211/root/children');
  const found = listChoices('microsoft_graph', 'documents', { values, search: "Ada's (new)" });
  expect(found.requests[0]?.path).toBe("/drives/b%211/root/search(q='Ada%27%27s%20(new)')");
  const next = 'https://graph.microsoft.com/v1.0/me/drive/root/children?$skiptoken=2';
  const folder = { id: '1', name: 'Invoices', folder: {} };
  const body = { value: [folder, { id: '2', name: 'a.pdf' }], '@odata.nextLink': next };
  const folders = listChoices('microsoft_graph', 'folders', {}, { body });
  expect([folders.choices.map(({ value }) => value), folders.next]).toEqual([['1'], next]);
  expect(listChoices('microsoft_graph', 'folders', { page: next }).requests[0]).toMatchObject({
    path: next,
    query: {},
  });
});

it('a search for people of Microsoft cannot leave its quotes', () => {
  const { requests } = listChoices('microsoft_graph', 'people', { search: 'a" OR "mail:b\\' });
  expect(requests[0]?.query?.['$search']).toBe('"displayName:a  OR  mail:b" OR "mail:a  OR  mail:b"');
  expect(requests[0]?.headers).toEqual({ ConsistencyLevel: 'eventual' });
  expect(listChoices('microsoft_graph', 'people', {}).requests[0]?.query?.['$search']).toBeUndefined();
});

it('columns of a list of SharePoint are those that can be written, by their types', () => {
  const column = (name: string, facet: object) => ({ name, displayName: name, required: false, ...facet });
  const { choices } = listChoices(
    'microsoft_graph',
    'listColumns',
    { values: { siteId: 's', listId: 'l' } },
    {
      body: {
        value: [
          column('Title', { text: {}, required: true }),
          column('Priority', { choice: { choices: ['High', 'Low'] } }),
          column('Kinds', { choice: { choices: ['A'], displayAs: 'checkBoxes' } }),
          column('Day', { dateTime: { format: 'dateOnly' } }),
          column('Owner', { personOrGroup: {} }),
          column('Total', { calculated: {} }),
          column('Created', { dateTime: {}, readOnly: true }),
          column('ContentType', { text: {} }),
        ],
      },
    },
  );
  expect(choices.map(({ value, type, isRequired }) => [value, type, isRequired])).toEqual([
    ['Title', 'text', true],
    ['Priority', 'options', false],
    ['Kinds', 'json', false],
    ['Day', 'date', false],
    ['OwnerLookupId', 'text', false],
  ]);
  expect(choices[1]?.options).toEqual(['High', 'Low'].map((value) => ({ value, label: value })));
});

it('folders of Outlook are named with those above them', () => {
  const { choices } = listChoices(
    'microsoft_graph',
    'mailFolders',
    {},
    {
      body: {
        value: [
          { id: '1', displayName: 'Inbox', childFolderCount: 1 },
          { id: '3', displayName: 'Sent' },
        ],
      },
    },
    { body: { value: [{ id: '2', displayName: 'Customers' }] } },
  );
  expect(choices.map(({ label }) => label)).toEqual(['Inbox', 'Inbox/Customers', 'Sent']);
});
