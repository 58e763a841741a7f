import { z } from 'zod';
import type { ConnectorChoiceSource } from '../../choices';
import type { ConnectorPaging, DataOperation } from '../../operation';
import { choiceParameter, countParameter } from '../../parameters';

// https://developer.zendesk.com/api-reference/introduction/pagination/
export const zendeskAddressPaging: ConnectorPaging = { kind: 'address', at: 'links.next' };
export const zendeskPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
export const zendeskParameterNames = { limit: 'page[size]' };

// https://developer.zendesk.com/api-reference/introduction/rate-limits/
export const zendeskRateLimit = '200 to 2,500 calls a minute, by plan.';

interface ListDetails {
  title: string;
  help: string;
  items: string;
  example: object;
}

/** An operation that lists something of the account. */
const listOperation = (id: string, path: string, { items, example, ...texts }: ListDetails): DataOperation => ({
  id,
  ...texts,
  limits: zendeskRateLimit,
  method: 'GET',
  path,
  inQuery: { limit: zendeskPageSize },
  names: zendeskParameterNames,
  items,
  paging: zendeskAddressPaging,
  example: { [items]: [example], links: { next: null } },
});

/** Operations of Zendesk that list what parameters are picked from. */
export const zendeskListOperations: DataOperation[] = [
  listOperation('groups.list', '/groups.json', {
    title: 'List groups',
    help: 'Groups of agents.',
    items: 'groups',
    example: { id: 211, name: 'Support', description: 'First level' },
  }),
  {
    ...listOperation('users.list', '/users.json', {
      title: 'List users',
      help: 'Agents and administrators, unless other roles are named.',
      items: 'users',
      example: { id: 7, name: 'Ada', email: 'ada@example.com', role: 'agent' },
    }),
    inQuery: {
      roles: z
        .array(choiceParameter('Role', ['agent', 'admin', 'end-user']))
        .min(1)
        .meta({ title: 'Roles' })
        .default(['agent', 'admin'])
        .describe('Of the users'),
      limit: zendeskPageSize,
    },
    names: { ...zendeskParameterNames, roles: 'role[]' },
    styles: { 'role[]': 'repeat' },
  },
  listOperation('brands.list', '/brands.json', {
    title: 'List brands',
    help: 'Brands of the account.',
    items: 'brands',
    example: { id: 360, name: 'Acme', subdomain: 'acme' },
  }),
  listOperation('tags.list', '/tags.json', {
    title: 'List tags',
    help: 'Those of the last 60 days, most used first.',
    items: 'tags',
    example: { name: 'vip', count: 42 },
  }),
  listOperation('ticket_fields.list', '/ticket_fields.json', {
    title: 'List fields of tickets',
    help: 'Those of Zendesk and own ones, with their choices.',
    items: 'ticket_fields',
    example: {
      id: 34,
      title: 'Plan',
      type: 'tagger',
      required: false,
      removable: true,
      custom_field_options: [{ name: 'Free', value: 'plan_free' }],
    },
  }),
];

const page = { parameters: { limit: 100 } };

/** What the parameters of Zendesk are picked from. */
export const zendeskChoices: Record<string, ConnectorChoiceSource> = {
  tickets: {
    operation: 'tickets.list',
    parameters: { limit: 100, sort: '-id' },
    value: 'id',
    label: ['subject'],
    hint: 'id',
  },
  groups: { ...page, operation: 'groups.list', value: 'id', label: ['name'], hint: 'description' },
  agents: { ...page, operation: 'users.list', value: 'id', label: ['name'], hint: 'email' },
  brands: { ...page, operation: 'brands.list', value: 'id', label: ['name'], hint: 'subdomain' },
  tags: { ...page, operation: 'tags.list', value: 'name', label: ['name'] },
  // Fields of Zendesk itself cannot be removed: they have parameters of their own.
  ticketFields: {
    ...page,
    operation: 'ticket_fields.list',
    where: { at: 'removable', is: [true] },
    value: 'id',
    label: ['title'],
    hint: 'type',
    column: {
      type: 'type',
      types: {
        integer: 'number',
        decimal: 'number',
        checkbox: 'boolean',
        date: 'date',
        tagger: 'options',
        multiselect: 'optionList',
        partialcreditcard: null,
      },
      options: { at: ['custom_field_options'], value: 'value', label: ['name'] },
    },
  },
};
