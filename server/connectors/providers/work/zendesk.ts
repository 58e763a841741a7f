import { NodeFailure } from '@/server/platform/errors/node-failure';
import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../../connector';
import {
  zendeskAddressPaging,
  zendeskChoices,
  zendeskListOperations,
  zendeskPageSize,
  zendeskParameterNames,
  zendeskRateLimit,
} from './zendesk-lists';
import { defineSteppedOperation } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  columnsParameter,
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { zendeskSubscriptions } from '../../subscriptions/zendesk';

const zendeskTicketNumber = listedParameter(countParameter('Ticket', 2 ** 52), 'tickets').describe(
  'Number of the ticket',
);
const zendeskTags = listedLineListParameter('Tags', 'tags')
  .optional()
  .describe('Words; they replace the tags of the ticket');
const zendeskPriority = choiceParameter('Priority', ['low', 'normal', 'high', 'urgent'])
  .optional()
  .describe('Of the ticket');
const zendeskStatus = choiceParameter('Status', ['new', 'open', 'pending', 'hold', 'solved', 'closed'])
  .optional()
  .describe('Of the ticket');
const zendeskAgent = listedParameter(countParameter('Assignee', 2 ** 52), 'agents')
  .optional()
  .describe('Id of the agent');
const zendeskGroup = listedParameter(countParameter('Group', 2 ** 52), 'groups')
  .optional()
  .describe('Id of the group of agents');

const zendeskTicketExample = {
  id: 35_436,
  subject: 'Help!',
  status: 'open',
  priority: 'high',
  requester_id: 20_978_392,
  created_at: '2026-01-31T08:15:30Z',
};

/** A value of an own field. Throws NodeFailure CONFIG for a name that is no id. */
function toCustomField([id, value]: [string, unknown]): { id: number; value: unknown } {
  if (/^\d{1,15}$/.test(id)) return { id: Number(id), value };
  throw new NodeFailure('CONFIG', `parameters.fields: "${id.slice(0, 100)}" is not the id of a field`, false);
}

export const zendeskConnector: ConnectorDefinition = {
  id: 'zendesk',
  name: 'Zendesk',
  description: 'Tickets, comments and users.',
  synonyms: ['support', 'helpdesk', 'help desk', 'ticket', 'customer service'],
  flow: 'token',
  apiUrl: 'https://{subdomain}.zendesk.com/api/v2',
  scopes: {},
  parameters: [
    {
      name: 'subdomain',
      title: 'Subdomain',
      hint: 'acme for acme.zendesk.com',
      required: true,
      pattern: DNS_LABEL_PATTERN,
      rule: 'must be the name before .zendesk.com, without dots',
    },
  ],
  token: {
    title: 'API token',
    setup:
      'In the admin center open "Apps and integrations" > "APIs" > "API tokens", allow token access, and create a token.',
    fields: [
      {
        name: 'email',
        title: 'Email address',
        hint: 'Of an agent',
        isSecret: false,
        pattern: /^[^\s:@]+@[^\s:@]+$/,
        rule: 'must be an email address',
      },
      {
        name: 'token',
        title: 'API token',
        hint: '40 characters',
        isSecret: true,
        pattern: /^\w{20,100}$/,
        rule: 'must be an API token of Zendesk',
      },
    ],
    basic: { username: '{email}/token', password: '{token}' },
  },
  setup: 'Nothing has to be registered: an account has API tokens.',
  probe: { path: '/users/me.json' },
  // On the plan Team.
  limits: { perMinute: 200, source: 'https://developer.zendesk.com/api-reference/introduction/rate-limits/' },
  choices: zendeskChoices,
  subscriptions: zendeskSubscriptions,
  operations: [
    {
      id: 'tickets.list',
      title: 'List tickets',
      help: 'In the order of their numbers, or newest first.',
      limits: zendeskRateLimit,
      method: 'GET',
      path: '/tickets.json',
      inQuery: {
        sort: choiceParameter('Order', ['id', '-id', 'updated_at', '-updated_at'])
          .optional()
          .describe('- begins with the last one'),
        limit: zendeskPageSize,
      },
      names: zendeskParameterNames,
      items: 'tickets',
      paging: zendeskAddressPaging,
      example: { tickets: [zendeskTicketExample], links: { next: null } },
      poll: {
        title: 'New ticket',
        words: 'zendesk trigger ticket created support',
        parameters: { sort: '-id', limit: 100 },
        items: 'input.body.tickets',
        key: 'item.id',
      },
    },
    {
      id: 'tickets.get',
      title: 'Get a ticket',
      help: 'Its fields, without comments.',
      limits: zendeskRateLimit,
      method: 'GET',
      path: '/tickets/{ticket}.json',
      inPath: { ticket: zendeskTicketNumber },
      example: { ticket: zendeskTicketExample },
    },
    defineSteppedOperation({
      id: 'tickets.create',
      title: 'Create a ticket',
      help: 'With a first comment, for a requester.',
      limits: zendeskRateLimit,
      parameters: {
        subject: contentLineParameter('Subject', 500).describe('One line'),
        text: multilineParameter('Text', 65_536).describe('The first comment'),
        requesterEmail: valueLineParameter('Email address of the requester', 'address', 320)
          .optional()
          .describe('A new user is created if needed'),
        requesterName: contentLineParameter('Name of the requester', 255).optional().describe('For a new user'),
        priority: zendeskPriority,
        tags: zendeskTags,
        assignee: zendeskAgent,
        group: zendeskGroup,
        brand: listedParameter(countParameter('Brand', 2 ** 52), 'brands')
          .optional()
          .describe('Id of the brand'),
        fields: columnsParameter('Own fields', 'ticketFields')
          .optional()
          .describe('Ids of own fields and their values'),
      },
      *steps({ text: body, requesterEmail: email, requesterName: name, tags: all, ...given }) {
        const { subject, priority, assignee, group, brand, fields } = given;
        const requester = email === undefined ? {} : { requester: { email, name: name ?? email } };
        const place = { assignee_id: assignee, group_id: group, brand_id: brand };
        const custom_fields = fields && Object.entries(fields).map(toCustomField);
        const value = {
          ticket: { subject, comment: { body }, ...requester, priority, tags: all, ...place, custom_fields },
        };
        return (yield { method: 'POST', path: '/tickets.json', body: { as: 'json', value } }).body;
      },
      example: { ticket: zendeskTicketExample },
    }),
    {
      id: 'tickets.update',
      title: 'Update a ticket',
      help: 'Changes what is given.',
      limits: zendeskRateLimit,
      method: 'PUT',
      path: '/tickets/{ticket}.json',
      inPath: { ticket: zendeskTicketNumber },
      inBody: {
        status: zendeskStatus,
        priority: zendeskPriority,
        assignee: zendeskAgent,
        group: zendeskGroup,
        tags: zendeskTags,
      },
      names: { assignee: 'assignee_id', group: 'group_id' },
      wrap: 'ticket',
      example: { ticket: zendeskTicketExample },
    },
    defineSteppedOperation({
      id: 'comments.create',
      title: 'Comment on a ticket',
      help: 'A public answer, or an internal note.',
      limits: zendeskRateLimit,
      parameters: {
        ticket: zendeskTicketNumber,
        text: multilineParameter('Text', 65_536).describe('Plain text'),
        isInternal: booleanParameter('Internal note').optional().describe('Only agents see it'),
      },
      *steps({ ticket: id, text: body, isInternal = false }) {
        const value = { ticket: { comment: { body, public: !isInternal } } };
        return (yield { method: 'PUT', path: `/tickets/${id}.json`, body: { as: 'json', value } }).body;
      },
      example: { ticket: zendeskTicketExample },
    }),
    {
      id: 'comments.list',
      title: 'List comments of a ticket',
      help: 'Oldest first.',
      limits: zendeskRateLimit,
      method: 'GET',
      path: '/tickets/{ticket}/comments.json',
      inPath: { ticket: zendeskTicketNumber },
      inQuery: { limit: zendeskPageSize },
      names: zendeskParameterNames,
      items: 'comments',
      paging: zendeskAddressPaging,
      example: { comments: [{ id: 1, body: 'Thanks', public: true }], links: { next: null } },
    },
    {
      id: 'tickets.search',
      title: 'Search tickets and users',
      help: 'By the query language of Zendesk.',
      limits: zendeskRateLimit,
      method: 'GET',
      path: '/search.json',
      inQuery: { query: valueLineParameter('Query', 'query', 2000).describe('e.g. type:ticket status:open tags:vip') },
      items: 'results',
      paging: { kind: 'address', at: 'next_page' },
      example: { results: [zendeskTicketExample], next_page: null },
    },
    {
      id: 'users.upsert',
      title: 'Create or update a user',
      help: 'By email address.',
      limits: zendeskRateLimit,
      method: 'POST',
      path: '/users/create_or_update.json',
      inBody: {
        email: valueLineParameter('Email address', 'address', 320).describe('Of the user'),
        name: contentLineParameter('Name', 255).describe('Of the user'),
        phone: valueLineParameter('Phone', 'address', 50).optional().describe('Number'),
      },
      wrap: 'user',
      example: { user: { id: 20_978_392, name: 'Ada', email: 'ada@example.com' } },
    },
    ...zendeskListOperations,
  ],
};
