import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  choiceParameter,
  columnsParameter,
  listedLineListParameter,
  listedLineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';
import {
  hubspotBodyPaging,
  hubspotObjectType,
  hubspotPageSize,
  hubspotProperties,
  hubspotRateLimit,
  hubspotRecordId,
  hubspotSearchLimit,
  hubspotSearchNames,
  hubspotSearchParameters,
  hubspotTokenPaging,
} from './hubspot-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const inRecord = { object: hubspotObjectType, record: hubspotRecordId };
const hubspotObjectExample = { id: '512', properties: { name: 'Ada' }, createdAt: '2026-01-31T08:15:30.000Z' };
const hubspotListId = listedLineParameter('List', 'lists').describe('Id of the list; it is in its address');
const hubspotMembers = listedLineListParameter('Records', 'recordsForList', ['list']).describe('Ids of records');
const hubspotMembershipExample = { recordsIdsAdded: ['512'], recordsIdsRemoved: [], recordIdsMissing: [] };
const inLink = {
  ...inRecord,
  toObject: listedLineParameter('Other object', 'objectTypes', [], 100).describe(
    'contacts, companies, deals, tickets, notes …',
  ),
};

/** Operations of HubSpot with the account, lists, forms and objects of any kind. https://developers.hubspot.com/docs */
export const hubspotAccountOperations: OperationDefinition[] = [
  {
    id: 'owners.list',
    title: 'List owners',
    help: 'Users that records can belong to. Needs crm.objects.owners.read.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/owners',
    inQuery: {
      email: valueLineParameter('Email address', 'address', 320).optional().describe('Only this user'),
      limit: hubspotPageSize,
    },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [{ id: '6629574', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }] },
  },
  {
    id: 'pipelines.list',
    title: 'List pipelines',
    help: 'With their stages.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/pipelines/{object}',
    inPath: { object: choiceParameter('Object', ['deals', 'tickets']).describe('What moves through the pipeline') },
    items: 'results',
    example: {
      results: [{ id: 'default', label: 'Sales', stages: [{ id: 'appointmentscheduled', label: 'Appointment' }] }],
    },
  },
  {
    id: 'properties.list',
    title: 'List properties',
    help: 'With their labels, types and choices.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/properties/{object}',
    inPath: { object: hubspotObjectType },
    items: 'results',
    example: { results: [{ name: 'email', label: 'Email', type: 'string', fieldType: 'text', options: [] }] },
  },
  {
    id: 'schemas.list',
    title: 'List own objects',
    help: 'Kinds of records that the account has made. Needs crm.schemas.custom.read.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/schemas',
    items: 'results',
    example: { results: [{ objectTypeId: '2-3465404', name: 'cars', labels: { plural: 'Cars' } }] },
  },
  {
    id: 'objects.list',
    title: 'List records of an object',
    help: 'Of any kind, also of the account’s own.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/objects/{object}',
    inPath: { object: hubspotObjectType },
    inQuery: { properties: hubspotProperties('properties', ['object']), limit: hubspotPageSize },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [hubspotObjectExample] },
  },
  {
    id: 'objects.get',
    title: 'Get a record of an object',
    help: 'Of any kind, also of the account’s own.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/objects/{object}/{record}',
    inPath: inRecord,
    inQuery: { properties: hubspotProperties('properties', ['object']) },
    example: hubspotObjectExample,
  },
  {
    id: 'objects.create',
    title: 'Create a record of an object',
    help: 'Of any kind, also of the account’s own.',
    limits: hubspotRateLimit,
    method: 'POST',
    path: '/crm/v3/objects/{object}',
    inPath: { object: hubspotObjectType },
    inBody: {
      properties: columnsParameter('Properties', 'columns', ['object']).describe('Internal names and values'),
    },
    example: hubspotObjectExample,
  },
  {
    id: 'objects.update',
    title: 'Update a record of an object',
    help: 'Changes the properties that are given; others stay.',
    limits: hubspotRateLimit,
    method: 'PATCH',
    path: '/crm/v3/objects/{object}/{record}',
    inPath: inRecord,
    inBody: {
      properties: someColumnsParameter('Properties', 'columns', ['object']).describe('Internal names and values'),
    },
    example: hubspotObjectExample,
  },
  {
    id: 'objects.delete',
    title: 'Delete a record of an object',
    help: 'It can be restored for 90 days.',
    limits: hubspotRateLimit,
    method: 'DELETE',
    path: '/crm/v3/objects/{object}/{record}',
    inPath: inRecord,
    example: null,
  },
  {
    id: 'objects.search',
    title: 'Search records of an object',
    help: 'By a text, or by filters.',
    limits: hubspotSearchLimit,
    method: 'POST',
    path: '/crm/v3/objects/{object}/search',
    inPath: { object: hubspotObjectType },
    inBody: hubspotSearchParameters('properties', ['object']),
    names: hubspotSearchNames,
    items: 'results',
    paging: hubspotBodyPaging,
    example: { total: 1, results: [hubspotObjectExample] },
  },
  {
    id: 'associations.list',
    title: 'List linked records',
    help: 'Ids of records of one kind that a record is linked to.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v4/objects/{object}/{record}/associations/{toObject}',
    inPath: inLink,
    inQuery: { limit: hubspotPageSize },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [{ toObjectId: 901, associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 1 }] }] },
  },
  {
    id: 'associations.create',
    title: 'Link two records',
    help: 'Without a label.',
    limits: hubspotRateLimit,
    method: 'PUT',
    path: '/crm/v4/objects/{object}/{record}/associations/default/{toObject}/{toRecord}',
    inPath: {
      ...inLink,
      toRecord: listedLineParameter('Other record', 'otherRecords', ['toObject']).describe('Id of the other record'),
    },
    example: { status: 'COMPLETE', results: [{ from: { id: '512' }, to: { id: '901' } }] },
  },
  {
    id: 'associations.delete',
    title: 'Unlink two records',
    help: 'Removes all links between them.',
    limits: hubspotRateLimit,
    method: 'DELETE',
    path: '/crm/v4/objects/{object}/{record}/associations/{toObject}/{toRecord}',
    inPath: {
      ...inLink,
      toRecord: listedLineParameter('Other record', 'otherRecords', ['toObject']).describe('Id of the other record'),
    },
    example: null,
  },
  defineSteppedOperation({
    id: 'lists.list',
    title: 'List lists',
    help: 'Lists of contacts and of other records. Needs crm.lists.read.',
    limits: hubspotRateLimit,
    parameters: { query: valueLineParameter('Text', 'search').optional().describe('A part of the name') },
    // https://developers.hubspot.com/docs/guides/api/crm/lists/overview
    *steps({ query }) {
      const found: unknown[] = [];
      let isLast = false;
      while (!isLast) {
        const value = { query, count: 250, offset: found.length };
        const { body } = yield { method: 'POST', path: '/crm/v3/lists/search', body: { as: 'json', value } };
        const lists = getAtPath(body, 'lists');
        const page = Array.isArray(lists) ? (lists as unknown[]) : [];
        found.push(...page);
        isLast = page.length === 0 || getAtPath(body, 'hasMore') !== true;
      }
      return found;
    },
    example: [{ listId: '9', name: 'Newsletter', objectTypeId: '0-1', processingType: 'MANUAL' }],
  }),
  {
    id: 'lists.list_members',
    title: 'List the members of a list',
    help: 'Ids of its records.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/lists/{list}/memberships',
    inPath: { list: hubspotListId },
    inQuery: { limit: hubspotPageSize },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [{ recordId: '512', membershipTimestamp: '2026-01-31T08:15:30.000Z' }] },
  },
  {
    id: 'lists.add_members',
    title: 'Add records to a list',
    help: 'Only to a list that is filled by hand. Needs crm.lists.write.',
    limits: hubspotRateLimit,
    method: 'PUT',
    path: '/crm/v3/lists/{list}/memberships/add',
    inPath: { list: hubspotListId },
    inBody: { records: hubspotMembers },
    wholeBody: 'records',
    example: hubspotMembershipExample,
  },
  {
    id: 'lists.remove_members',
    title: 'Remove records from a list',
    help: 'Only from a list that is filled by hand. Needs crm.lists.write.',
    limits: hubspotRateLimit,
    method: 'PUT',
    path: '/crm/v3/lists/{list}/memberships/remove',
    inPath: { list: hubspotListId },
    inBody: { records: hubspotMembers },
    wholeBody: 'records',
    example: hubspotMembershipExample,
  },
  {
    id: 'forms.list',
    title: 'List forms',
    help: 'With their fields. Needs forms.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/marketing/v3/forms',
    inQuery: { limit: hubspotPageSize },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [{ id: '5c1c5a0b', name: 'Contact us', fieldGroups: [] }] },
  },
  {
    id: 'forms.list_submissions',
    title: 'List submissions of a form',
    help: 'Newest first. Needs forms.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/form-integrations/v1/submissions/forms/{form}',
    inPath: { form: listedLineParameter('Form', 'forms').describe('Id of the form') },
    inQuery: { limit: hubspotPageSize },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [{ submittedAt: 1_769_847_330_000, values: [{ name: 'email', value: 'ada@example.com' }] }] },
    poll: {
      title: 'New form submission',
      words: 'hubspot trigger form submitted lead marketing',
      items: 'input.body.results',
      key: '$string(item.submittedAt) & $string(item.values)',
    },
  },
];
