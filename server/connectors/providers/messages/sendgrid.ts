import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  contentLineParameter,
  countParameter,
  jsonListParameter,
  jsonObjectParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineListParameter,
  valueLineParameter,
} from '../../parameters';
import { sendgridChoices } from './sendgrid-choices';

// https://www.twilio.com/docs/sendgrid/api-reference
const sendgridAddressPaging: ConnectorPaging = { kind: 'address', at: '_metadata.next' };
const sendgridPageSize = (max: number) =>
  countParameter('Items a page', max)
    .optional()
    .describe(`At most ${max.toLocaleString('en')}`);
const sendgridRateLimit = 'Sending has no limit of its own; other calls a few hundred a minute.';
const sendgridContactExample = {
  email: 'ada@example.com',
  first_name: 'Ada',
  id: '8e4f0b6e-6c86-4d5c-9f0a-1f9c2f3b4a5d',
};

export const sendgridConnector: ConnectorDefinition = {
  id: 'sendgrid',
  name: 'SendGrid',
  description: 'Emails, templates and contacts.',
  synonyms: ['email', 'mail', 'newsletter', 'marketing', 'transactional'],
  flow: 'token',
  apiUrl: 'https://api.sendgrid.com/v3',
  scopes: {},
  token: {
    title: 'API key',
    setup:
      'At app.sendgrid.com open "Settings" > "API Keys" and create a key with Mail Send, and Marketing for contacts.',
    fields: [
      {
        name: 'token',
        title: 'API key',
        hint: 'Begins with SG.',
        isSecret: true,
        pattern: /^SG\.[\w-]{10,50}\.[\w-]{20,100}$/,
        rule: 'must be an API key of SendGrid, such as SG.…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: an account has API keys.',
  probe: { path: '/scopes' },
  // Each call has a number of its own, which its answer says.
  limits: { source: 'https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/rate-limits' },
  choices: sendgridChoices,
  operations: [
    defineSteppedOperation({
      id: 'mails.send',
      title: 'Send an email',
      help: 'The sender must be verified.',
      limits: sendgridRateLimit,
      parameters: {
        to: valueLineListParameter('To', 'address').describe('Email addresses'),
        from: listedLineParameter('From', 'senders', [], 320).describe('Verified sender address'),
        fromName: contentLineParameter('Name of the sender', 200).optional().describe('Shown in place of the address'),
        subject: contentLineParameter('Subject', 1000).describe('One line'),
        text: multilineParameter('Text', 500_000).optional().describe('Plain text'),
        html: multilineParameter('HTML', 500_000).optional().describe('In place of, or beside, the text'),
        replyTo: listedLineParameter('Reply to', 'senders', [], 320).optional().describe('Address for answers'),
      },
      *steps({ to, from, fromName, subject, text: plain, html, replyTo }) {
        const content = [
          ...(plain === undefined ? [] : [{ type: 'text/plain', value: plain }]),
          ...(html === undefined ? [] : [{ type: 'text/html', value: html }]),
        ];
        const value = {
          personalizations: [{ to: to.map((email) => ({ email })) }],
          from: { email: from, name: fromName },
          subject,
          content,
          ...(replyTo === undefined ? {} : { reply_to: { email: replyTo } }),
        };
        const { headers } = yield { method: 'POST', path: '/mail/send', body: { as: 'json', value } };
        return { messageId: headers['x-message-id'] ?? null };
      },
      example: { messageId: '14c5d75ce93.dfd.64b469' },
    }),
    defineSteppedOperation({
      id: 'mails.send_template',
      title: 'Send a template',
      help: 'A dynamic template with values.',
      limits: sendgridRateLimit,
      parameters: {
        to: valueLineListParameter('To', 'address').describe('Email addresses'),
        from: listedLineParameter('From', 'senders', [], 320).describe('Verified sender address'),
        template: listedLineParameter('Template', 'templates', [], 100).describe(
          'Id, e.g. d-f43daeeaef504760851f727007e0b5d0',
        ),
        values: jsonObjectParameter('Values').optional().describe('Names and values of the template'),
      },
      *steps({ to, from, template, values }) {
        const personalizations = [{ to: to.map((email) => ({ email })), dynamic_template_data: values }];
        const value = { personalizations, from: { email: from }, template_id: template };
        const { headers } = yield { method: 'POST', path: '/mail/send', body: { as: 'json', value } };
        return { messageId: headers['x-message-id'] ?? null };
      },
      example: { messageId: '14c5d75ce93.dfd.64b469' },
    }),
    {
      id: 'contacts.upsert',
      title: 'Add or update contacts',
      help: 'By email address; processed within some minutes.',
      limits: sendgridRateLimit,
      method: 'PUT',
      path: '/marketing/contacts',
      inBody: {
        contacts: jsonListParameter('Contacts', 30_000).describe(
          'As JSON, e.g. [{"email": "ada@example.com", "first_name": "Ada"}]',
        ),
        lists: listedLineListParameter('Lists', 'lists').optional().describe('Ids of lists'),
      },
      names: { lists: 'list_ids' },
      example: { job_id: '1c5c0b9e-…' },
    },
    {
      id: 'contacts.search',
      title: 'Search contacts',
      help: 'By the query language of SendGrid; at most 50.',
      limits: sendgridRateLimit,
      method: 'POST',
      path: '/marketing/contacts/search',
      inBody: { query: valueLineParameter('Query', 'query', 2000).describe("e.g. email LIKE 'ada%'") },
      items: 'result',
      example: { result: [sendgridContactExample], contact_count: 1 },
    },
    {
      id: 'contacts.delete',
      title: 'Delete contacts',
      help: 'By their ids.',
      limits: sendgridRateLimit,
      method: 'DELETE',
      path: '/marketing/contacts',
      inQuery: { ids: listedLineListParameter('Contacts', 'contacts').describe('Ids of contacts') },
      example: { job_id: '1c5c0b9e-…' },
    },
    {
      id: 'lists.list',
      title: 'List contact lists',
      help: 'With their ids.',
      limits: sendgridRateLimit,
      method: 'GET',
      path: '/marketing/lists',
      inQuery: { limit: sendgridPageSize(1000) },
      names: { limit: 'page_size' },
      items: 'result',
      paging: sendgridAddressPaging,
      example: { result: [{ id: 'ca1255d8-…', name: 'Newsletter', contact_count: 42 }] },
    },
    {
      id: 'templates.list',
      title: 'List templates',
      help: 'Dynamic templates with their ids.',
      limits: sendgridRateLimit,
      method: 'GET',
      path: '/templates',
      inQuery: { limit: sendgridPageSize(200) },
      names: { limit: 'page_size' },
      query: { generations: 'dynamic', page_size: '200' },
      items: 'result',
      paging: sendgridAddressPaging,
      example: {
        result: [
          {
            id: 'd-f43daeeaef504760851f727007e0b5d0',
            name: 'Welcome',
            generation: 'dynamic',
            updated_at: '2026-01-31 08:15:30',
          },
        ],
        _metadata: { count: 1 },
      },
    },
    {
      id: 'senders.list',
      title: 'List senders',
      help: 'Addresses that were entered as senders, with whether they are verified.',
      limits: sendgridRateLimit,
      method: 'GET',
      path: '/verified_senders',
      inQuery: { limit: countParameter('Senders', 1000).optional().describe('Default: all') },
      items: 'results',
      example: {
        results: [{ id: 1234, nickname: 'Team', from_email: 'team@example.com', from_name: 'Acme', verified: true }],
      },
    },
    {
      id: 'bounces.list',
      title: 'List bounces',
      help: 'Addresses that did not take an email.',
      limits: sendgridRateLimit,
      method: 'GET',
      path: '/suppression/bounces',
      inQuery: { since: countParameter('Since', 9_999_999_999).optional().describe('Unix time in seconds') },
      names: { since: 'start_time' },
      items: '',
      example: [{ email: 'bob@example.com', reason: '550 unknown user', created: 1_769_847_330 }],
    },
  ],
};
