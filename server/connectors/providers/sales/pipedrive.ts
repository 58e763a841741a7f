import type { Connector } from '../../connector';
import { stepped, type DataOperation, type Paging } from '../../operation';
import { amount, choice, count, fields, text, word } from '../../parameters';

// https://developers.pipedrive.com/docs/api/v1
const paging: Paging = { kind: 'token', at: 'additional_data.next_cursor', query: 'cursor' };
const id = (title: string) => count(title, 2 ** 31);
const limit = count('Items a page', 500).optional().describe('At most 500; default 100');
const custom = fields('Other fields').optional().describe('Custom fields by their keys, as JSON');

// https://pipedrive.readme.io/docs/core-api-concepts-rate-limiting
const limits = 'A daily budget of tokens for each user, by plan; lists cost 20, single objects 1 to 2.';
const deal = {
  id: 42,
  title: 'Acme',
  value: 1000,
  currency: 'EUR',
  status: 'open',
  person_id: 7,
  add_time: '2026-01-31T08:15:30Z',
};
const person = { id: 7, name: 'Ada Lovelace', emails: [{ value: 'ada@example.com', primary: true }], org_id: 3 };
const listOf = (one: object) => ({ success: true, data: [one], additional_data: { next_cursor: null } });
const single = (one: object) => ({ success: true, data: one });

const listing = (
  operation: Pick<DataOperation, 'id' | 'title' | 'help' | 'path' | 'example' | 'poll'>,
): DataOperation => ({
  limits,
  method: 'GET',
  inQuery: { since: word('Changed since', 64).optional().describe('ISO 8601'), limit },
  names: { since: 'updated_since' },
  items: 'data',
  paging,
  ...operation,
});

export const pipedrive: Connector = {
  id: 'pipedrive',
  name: 'Pipedrive',
  description: 'Deals, persons, organizations and activities.',
  synonyms: ['crm', 'sales', 'deal', 'lead', 'contact', 'pipeline'],
  flow: 'token',
  apiUrl: 'https://api.pipedrive.com',
  scopes: {},
  token: {
    title: 'API token',
    setup:
      'In Pipedrive open "Personal preferences" > "API" and copy the token. It acts with the permissions of its user.',
    fields: [
      {
        name: 'token',
        title: 'API token',
        hint: '40 characters',
        isSecret: true,
        pattern: /^\w{20,100}$/,
        rule: 'must be an API token of Pipedrive',
      },
    ],
    headers: { 'x-api-token': '{token}' },
  },
  setup: 'Nothing has to be registered: a user has an API token.',
  probe: { path: '/v1/users/me' },
  operations: [
    listing({
      id: 'deals.list',
      title: 'List deals',
      help: 'Also by the time of their last change.',
      path: '/api/v2/deals',
      example: listOf(deal),
      poll: {
        title: 'New deal',
        words: 'pipedrive trigger deal created sales',
        parameters: { since: '{{ cursor }}', limit: 500 },
        items: 'input.body.data',
        key: 'item.id',
        cursor: '$fromMillis($millis() - 120000, "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01]Z")',
      },
    }),
    {
      id: 'deals.create',
      title: 'Create a deal',
      help: 'With a value, a person and an organization.',
      limits,
      method: 'POST',
      path: '/api/v2/deals',
      inBody: {
        title: word('Title', 255).describe('Name of the deal'),
        value: amount('Value').optional().describe('e.g. 1000'),
        currency: word('Currency', 3).optional().describe('Three letters, e.g. EUR'),
        person: id('Person').optional().describe('Id of the person'),
        organization: id('Organization').optional().describe('Id of the organization'),
        stage: id('Stage').optional().describe('Id of the stage in a pipeline'),
        custom,
      },
      names: { person: 'person_id', organization: 'org_id', stage: 'stage_id', custom: 'custom_fields' },
      example: single(deal),
    },
    {
      id: 'deals.update',
      title: 'Update a deal',
      help: 'Changes what is given, e.g. status or stage.',
      limits,
      method: 'PATCH',
      path: '/api/v2/deals/{deal}',
      inPath: { deal: id('Deal').describe('Id of the deal') },
      inBody: {
        title: word('Title', 255).optional().describe('Name of the deal'),
        value: amount('Value').optional().describe('e.g. 1000'),
        status: choice('Status', ['open', 'won', 'lost']).optional().describe('Of the deal'),
        stage: id('Stage').optional().describe('Id of the stage in a pipeline'),
        custom,
      },
      names: { stage: 'stage_id', custom: 'custom_fields' },
      example: single(deal),
    },
    listing({
      id: 'persons.list',
      title: 'List persons',
      help: 'Contacts with their addresses.',
      path: '/api/v2/persons',
      example: listOf(person),
    }),
    stepped({
      id: 'persons.create',
      title: 'Create a person',
      help: 'A contact with email address and phone.',
      limits,
      parameters: {
        name: word('Name', 255).describe('Of the person'),
        email: word('Email address', 320).optional().describe('Of the person'),
        phone: word('Phone', 50).optional().describe('Number'),
        organization: id('Organization').optional().describe('Id of the organization'),
        custom,
      },
      *steps({ name, email, phone, organization, custom: others }) {
        const first = (value: string | undefined) => (value === undefined ? undefined : [{ value, primary: true }]);
        const value = { name, emails: first(email), phones: first(phone), org_id: organization, custom_fields: others };
        return (yield { method: 'POST', path: '/api/v2/persons', body: { as: 'json', value } }).body;
      },
      example: single(person),
    }),
    {
      id: 'persons.search',
      title: 'Find persons',
      help: 'By name, email address, phone or notes.',
      limits,
      method: 'GET',
      path: '/api/v2/persons/search',
      inQuery: {
        term: word('Text', 500).describe('At least two characters'),
        exact: choice('Match', ['true', 'false']).optional().describe('true: the whole value'),
        in: word('In', 100).optional().describe('e.g. email, or name,phone'),
      },
      names: { exact: 'exact_match', in: 'fields' },
      items: 'data.items',
      example: { success: true, data: { items: [{ result_score: 0.9, item: person }] } },
    },
    {
      id: 'organizations.create',
      title: 'Create an organization',
      help: 'A company.',
      limits,
      method: 'POST',
      path: '/api/v2/organizations',
      inBody: { name: word('Name', 255).describe('Of the organization'), custom },
      names: { custom: 'custom_fields' },
      example: single({ id: 3, name: 'Acme' }),
    },
    {
      id: 'activities.create',
      title: 'Create an activity',
      help: 'A call, a meeting or a task.',
      limits,
      method: 'POST',
      path: '/api/v2/activities',
      inBody: {
        subject: word('Subject', 255).describe('One line'),
        type: word('Type', 50).optional().describe('e.g. call, meeting, task'),
        day: word('Day', 10).optional().describe('e.g. 2026-03-01'),
        time: word('Time', 5).optional().describe('In UTC, e.g. 09:00'),
        deal: id('Deal').optional().describe('Id of the deal'),
        organization: id('Organization').optional().describe('Id of the organization'),
      },
      names: { day: 'due_date', time: 'due_time', deal: 'deal_id', organization: 'org_id' },
      example: single({ id: 5, subject: 'Call Ada', due_date: '2026-03-01' }),
    },
    {
      id: 'notes.create',
      title: 'Add a note',
      help: 'To a deal, a person or an organization.',
      limits,
      method: 'POST',
      path: '/v1/notes',
      inBody: {
        content: text('Text', 100_000).describe('HTML or plain text'),
        deal: id('Deal').optional().describe('Id of the deal'),
        person: id('Person').optional().describe('Id of the person'),
        organization: id('Organization').optional().describe('Id of the organization'),
      },
      names: { deal: 'deal_id', person: 'person_id', organization: 'org_id' },
      example: single({ id: 9, content: 'Called back' }),
    },
    {
      id: 'leads.create',
      title: 'Create a lead',
      help: 'Of a person or an organization.',
      limits,
      method: 'POST',
      path: '/v1/leads',
      inBody: {
        title: word('Title', 255).describe('Name of the lead'),
        person: id('Person').optional().describe('Id of the person'),
        organization: id('Organization').optional().describe('Id of the organization'),
      },
      names: { person: 'person_id', organization: 'organization_id' },
      example: single({ id: 'adf21080-0e10-11eb-879b-05d71fb426ec', title: 'Acme' }),
    },
  ],
};
