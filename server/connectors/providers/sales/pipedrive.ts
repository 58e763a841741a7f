import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  choiceParameter,
  contentLineParameter,
  listedJoinedParameter,
  listedLineParameter,
  multilineParameter,
  numberParameter,
  valueLineParameter,
} from '../../parameters';
import {
  pipedriveIdParameter,
  pipedriveCustomFields,
  pipedriveOwner,
  pipedriveRateLimit,
  pipedriveDealExample,
  pipedrivePersonExample,
  pipedriveListExample,
  pipedriveSingleExample,
  pipedriveListOperation,
} from './pipedrive-parts';
import { pipedriveChoices } from './pipedrive-choices';
import { pipedriveSettingOperations } from './pipedrive-settings';
import { pipedriveSubscriptions } from '../../subscriptions/pipedrive';

export const pipedriveConnector: ConnectorDefinition = {
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
  // 20 calls in two seconds on the smallest plan.
  limits: { perMinute: 600, source: 'https://pipedrive.readme.io/docs/core-api-concepts-rate-limiting' },
  choices: pipedriveChoices,
  subscriptions: pipedriveSubscriptions,
  operations: [
    pipedriveListOperation({
      id: 'deals.list',
      title: 'List deals',
      help: 'Also by the time of their last change.',
      path: '/api/v2/deals',
      example: pipedriveListExample(pipedriveDealExample),
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
      limits: pipedriveRateLimit,
      method: 'POST',
      path: '/api/v2/deals',
      inBody: {
        title: contentLineParameter('Title', 255).describe('Name of the deal'),
        value: numberParameter('Value').optional().describe('e.g. 1000'),
        currency: listedLineParameter('Currency', 'currencies', [], 3).optional().describe('Three letters, e.g. EUR'),
        person: pipedriveIdParameter('Person', 'persons').optional().describe('Id of the person'),
        organization: pipedriveIdParameter('Organization', 'organizations')
          .optional()
          .describe('Id of the organization'),
        stage: pipedriveIdParameter('Stage', 'stages').optional().describe('Id of the stage in a pipeline'),
        owner: pipedriveOwner,
        custom: pipedriveCustomFields('deal_fields'),
      },
      names: {
        owner: 'owner_id',
        person: 'person_id',
        organization: 'org_id',
        stage: 'stage_id',
        custom: 'custom_fields',
      },
      example: pipedriveSingleExample(pipedriveDealExample),
    },
    {
      id: 'deals.update',
      title: 'Update a deal',
      help: 'Changes what is given, e.g. status or stage.',
      limits: pipedriveRateLimit,
      method: 'PATCH',
      path: '/api/v2/deals/{deal}',
      inPath: { deal: pipedriveIdParameter('Deal', 'deals').describe('Id of the deal') },
      inBody: {
        title: contentLineParameter('Title', 255).optional().describe('Name of the deal'),
        value: numberParameter('Value').optional().describe('e.g. 1000'),
        status: choiceParameter('Status', ['open', 'won', 'lost']).optional().describe('Of the deal'),
        stage: pipedriveIdParameter('Stage', 'stages').optional().describe('Id of the stage in a pipeline'),
        owner: pipedriveOwner,
        custom: pipedriveCustomFields('deal_fields'),
      },
      names: { owner: 'owner_id', stage: 'stage_id', custom: 'custom_fields' },
      example: pipedriveSingleExample(pipedriveDealExample),
    },
    pipedriveListOperation({
      id: 'persons.list',
      title: 'List persons',
      help: 'Contacts with their addresses.',
      path: '/api/v2/persons',
      example: pipedriveListExample(pipedrivePersonExample),
    }),
    defineSteppedOperation({
      id: 'persons.create',
      title: 'Create a person',
      help: 'A contact with email address and phone.',
      limits: pipedriveRateLimit,
      parameters: {
        name: contentLineParameter('Name', 255).describe('Of the person'),
        email: valueLineParameter('Email address', 'address', 320).optional().describe('Of the person'),
        phone: valueLineParameter('Phone', 'address', 50).optional().describe('Number'),
        organization: pipedriveIdParameter('Organization', 'organizations')
          .optional()
          .describe('Id of the organization'),
        custom: pipedriveCustomFields('person_fields'),
      },
      *steps({ name, email, phone, organization, custom: others }) {
        const first = (value: string | undefined) => (value === undefined ? undefined : [{ value, primary: true }]);
        const value = { name, emails: first(email), phones: first(phone), org_id: organization, custom_fields: others };
        return (yield { method: 'POST', path: '/api/v2/persons', body: { as: 'json', value } }).body;
      },
      example: pipedriveSingleExample(pipedrivePersonExample),
    }),
    {
      id: 'persons.search',
      title: 'Find persons',
      help: 'By name, email address, phone or notes.',
      limits: pipedriveRateLimit,
      method: 'GET',
      path: '/api/v2/persons/search',
      inQuery: {
        term: valueLineParameter('Text', 'search', 500).describe('At least two characters'),
        exact: choiceParameter('Match', ['true', 'false']).optional().describe('true: the whole value'),
        in: listedJoinedParameter('In', 'person_search_fields', [], 100)
          .optional()
          .describe('e.g. email, or name,phone'),
      },
      names: { exact: 'exact_match', in: 'fields' },
      items: 'data.items',
      example: { success: true, data: { items: [{ result_score: 0.9, item: pipedrivePersonExample }] } },
    },
    pipedriveListOperation({
      id: 'organizations.list',
      title: 'List organizations',
      help: 'Companies.',
      path: '/api/v2/organizations',
      example: pipedriveListExample({ id: 3, name: 'Acme', address: { value: 'Main street 1, Berlin' } }),
    }),
    {
      id: 'organizations.create',
      title: 'Create an organization',
      help: 'A company.',
      limits: pipedriveRateLimit,
      method: 'POST',
      path: '/api/v2/organizations',
      inBody: {
        name: contentLineParameter('Name', 255).describe('Of the organization'),
        custom: pipedriveCustomFields('organization_fields'),
      },
      names: { custom: 'custom_fields' },
      example: pipedriveSingleExample({ id: 3, name: 'Acme' }),
    },
    {
      id: 'activities.create',
      title: 'Create an activity',
      help: 'A call, a meeting or a task.',
      limits: pipedriveRateLimit,
      method: 'POST',
      path: '/api/v2/activities',
      inBody: {
        subject: contentLineParameter('Subject', 255).describe('One line'),
        type: listedLineParameter('Type', 'activity_types', [], 50).optional().describe('e.g. call, meeting, task'),
        day: valueLineParameter('Day', 'quantity', 10).optional().describe('e.g. 2026-03-01'),
        time: valueLineParameter('Time', 'quantity', 5).optional().describe('In UTC, e.g. 09:00'),
        deal: pipedriveIdParameter('Deal', 'deals').optional().describe('Id of the deal'),
        organization: pipedriveIdParameter('Organization', 'organizations')
          .optional()
          .describe('Id of the organization'),
      },
      names: { day: 'due_date', time: 'due_time', deal: 'deal_id', organization: 'org_id' },
      example: pipedriveSingleExample({ id: 5, subject: 'Call Ada', due_date: '2026-03-01' }),
    },
    {
      id: 'notes.create',
      title: 'Add a note',
      help: 'To a deal, a person or an organization.',
      limits: pipedriveRateLimit,
      method: 'POST',
      path: '/v1/notes',
      inBody: {
        content: multilineParameter('Text', 100_000).describe('HTML or plain text'),
        deal: pipedriveIdParameter('Deal', 'deals').optional().describe('Id of the deal'),
        person: pipedriveIdParameter('Person', 'persons').optional().describe('Id of the person'),
        organization: pipedriveIdParameter('Organization', 'organizations')
          .optional()
          .describe('Id of the organization'),
      },
      names: { deal: 'deal_id', person: 'person_id', organization: 'org_id' },
      example: pipedriveSingleExample({ id: 9, content: 'Called back' }),
    },
    {
      id: 'leads.create',
      title: 'Create a lead',
      help: 'Of a person or an organization.',
      limits: pipedriveRateLimit,
      method: 'POST',
      path: '/v1/leads',
      inBody: {
        title: contentLineParameter('Title', 255).describe('Name of the lead'),
        person: pipedriveIdParameter('Person', 'persons').optional().describe('Id of the person'),
        organization: pipedriveIdParameter('Organization', 'organizations')
          .optional()
          .describe('Id of the organization'),
      },
      names: { person: 'person_id', organization: 'organization_id' },
      example: pipedriveSingleExample({ id: 'adf21080-0e10-11eb-879b-05d71fb426ec', title: 'Acme' }),
    },
    ...pipedriveSettingOperations,
  ],
};
