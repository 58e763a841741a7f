import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  choiceParameter,
  countParameter,
  booleanParameter,
  multilineParameter,
  lineParameter,
  lineListParameter,
} from '../../parameters';

// https://developer.zendesk.com/api-reference/introduction/pagination/
const zendeskAddressPaging: ConnectorPaging = { kind: 'address', at: 'links.next' };
const zendeskTicketNumber = countParameter('Ticket', 2 ** 52).describe('Number of the ticket');
const zendeskPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
const zendeskParameterNames = { limit: 'page[size]' };
const zendeskTags = lineListParameter('Tags').optional().describe('Words; they replace the tags of the ticket');
const zendeskPriority = choiceParameter('Priority', ['low', 'normal', 'high', 'urgent'])
  .optional()
  .describe('Of the ticket');
const zendeskStatus = choiceParameter('Status', ['new', 'open', 'pending', 'hold', 'solved', 'closed'])
  .optional()
  .describe('Of the ticket');

// https://developer.zendesk.com/api-reference/introduction/rate-limits/
const zendeskRateLimit = '200 to 2,500 calls a minute, by plan.';
const zendeskTicketExample = {
  id: 35_436,
  subject: 'Help!',
  status: 'open',
  priority: 'high',
  requester_id: 20_978_392,
  created_at: '2026-01-31T08:15:30Z',
};

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
        subject: lineParameter('Subject', 500).describe('One line'),
        text: multilineParameter('Text', 65_536).describe('The first comment'),
        requesterEmail: lineParameter('Email address of the requester', 320)
          .optional()
          .describe('A new user is created if needed'),
        requesterName: lineParameter('Name of the requester', 255).optional().describe('For a new user'),
        priority: zendeskPriority,
        tags: zendeskTags,
      },
      *steps({ subject, text: body, requesterEmail: email, requesterName: name, priority: level, tags: all }) {
        const requester = email === undefined ? {} : { requester: { email, name: name ?? email } };
        const value = { ticket: { subject, comment: { body }, ...requester, priority: level, tags: all } };
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
        assignee: countParameter('Assignee', 2 ** 52)
          .optional()
          .describe('Id of the agent'),
        tags: zendeskTags,
      },
      names: { assignee: 'assignee_id' },
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
      inQuery: { query: lineParameter('Query', 2000).describe('e.g. type:ticket status:open tags:vip') },
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
        email: lineParameter('Email address', 320).describe('Of the user'),
        name: lineParameter('Name', 255).describe('Of the user'),
        phone: lineParameter('Phone', 50).optional().describe('Number'),
      },
      wrap: 'user',
      example: { user: { id: 20_978_392, name: 'Ada', email: 'ada@example.com' } },
    },
  ],
};
