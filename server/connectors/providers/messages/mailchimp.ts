import { createHash } from 'node:crypto';
import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  choiceParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';
import { mailchimpChoices } from './mailchimp-choices';
import { mailchimpSubscriptions } from '../../subscriptions/mailchimp';

// https://mailchimp.com/developer/marketing/docs/fundamentals/
const mailchimpOffsetPaging: ConnectorPaging = { kind: 'offset', query: 'offset', size: 'count', defaultSize: 10 };
const mailchimpAudienceId = listedLineParameter('Audience', 'audiences', [], 50).describe('Id of the audience');
const mailchimpContactEmail = listedLineParameter('Email address', 'members', ['list'], 320).describe('Of the contact');
const mailchimpPageSize = countParameter('Items a page', 1000).optional().describe('At most 1,000; default 10');
const mailchimpParameterNames = { limit: 'count' };
const mailchimpMergeFields = someColumnsParameter('Fields', 'merge_fields', ['list'])
  .optional()
  .describe('Merge fields, e.g. {"FNAME": "Ada"}');
const subscriptionStatus = choiceParameter('Status', [
  'subscribed',
  'unsubscribed',
  'pending',
  'cleaned',
  'transactional',
]);

const mailchimpRateLimit = '10 calls at a time.';
const mailchimpMemberExample = {
  id: '62eeb292278cc15f5817cb78f7790b08',
  email_address: 'ada@example.com',
  status: 'subscribed',
  full_name: 'Ada Lovelace',
  merge_fields: { FNAME: 'Ada', LNAME: 'Lovelace' },
};

/** A contact is named by the MD5 hash of its address in lower case. */
const audienceMemberPath = (inList: string, address: string, rest = ''): string => {
  const hash = createHash('md5').update(address.toLowerCase()).digest('hex');
  return `/lists/${encodeURIComponent(inList)}/members/${hash}${rest}`;
};

export const mailchimpConnector: ConnectorDefinition = {
  id: 'mailchimp',
  name: 'Mailchimp',
  description: 'Audiences, contacts, tags and campaigns.',
  synonyms: ['newsletter', 'email', 'marketing', 'subscriber', 'audience', 'campaign'],
  flow: 'token',
  apiUrl: 'https://{center}.api.mailchimp.com/3.0',
  scopes: {},
  parameters: [
    {
      name: 'center',
      title: 'Data center',
      hint: 'The end of the API key, e.g. us21',
      required: true,
      pattern: DNS_LABEL_PATTERN,
      rule: 'must be the end of the API key, such as us21',
    },
  ],
  token: {
    title: 'API key',
    setup:
      'In Mailchimp open the profile, "Extras" > "API keys", and create a key. Its end, such as us21, is the data center.',
    fields: [
      {
        name: 'token',
        title: 'API key',
        hint: '32 digits, - and the data center',
        isSecret: true,
        pattern: /^\w{20,60}-\w{2,10}$/,
        rule: 'must be an API key of Mailchimp, such as …-us21',
      },
    ],
    basic: { username: 'weft', password: '{token}' },
  },
  setup: 'Nothing has to be registered: an account has API keys.',
  probe: { path: '/ping' },
  // Ten connections at a time.
  limits: { concurrent: 10, source: 'https://mailchimp.com/developer/marketing/docs/fundamentals/#api-limits' },
  choices: mailchimpChoices,
  subscriptions: mailchimpSubscriptions,
  operations: [
    defineSteppedOperation({
      id: 'members.upsert',
      title: 'Add or update a contact',
      help: 'By email address.',
      limits: mailchimpRateLimit,
      parameters: {
        list: mailchimpAudienceId,
        email: valueLineParameter('Email address', 'address', 320).describe('Of the contact'),
        status: subscriptionStatus.optional().describe('Of a new contact; default subscribed'),
        fields: mailchimpMergeFields,
        tags: listedLineListParameter('Tags', 'tags', ['list']).optional().describe('Tags of a new contact'),
      },
      *steps({ list: of, email: address, status: state = 'subscribed', fields: values, tags }) {
        const value = { email_address: address, status_if_new: state, merge_fields: values, tags };
        return (yield { method: 'PUT', path: audienceMemberPath(of, address), body: { as: 'json', value } }).body;
      },
      example: mailchimpMemberExample,
    }),
    defineSteppedOperation({
      id: 'members.get',
      title: 'Get a contact',
      help: 'Status, fields and tags.',
      limits: mailchimpRateLimit,
      parameters: { list: mailchimpAudienceId, email: mailchimpContactEmail },
      *steps({ list: of, email: address }) {
        return (yield { path: audienceMemberPath(of, address) }).body;
      },
      example: mailchimpMemberExample,
    }),
    defineSteppedOperation({
      id: 'members.set_status',
      title: 'Change the status of a contact',
      help: 'Subscribes or unsubscribes.',
      limits: mailchimpRateLimit,
      parameters: {
        list: mailchimpAudienceId,
        email: mailchimpContactEmail,
        status: subscriptionStatus.describe('The new status'),
      },
      *steps({ list: of, email: address, status: state }) {
        return (yield {
          method: 'PATCH',
          path: audienceMemberPath(of, address),
          body: { as: 'json', value: { status: state } },
        }).body;
      },
      example: { ...mailchimpMemberExample, status: 'unsubscribed' },
    }),
    defineSteppedOperation({
      id: 'members.tag',
      title: 'Add or remove tags of a contact',
      help: 'Tags that do not exist are created.',
      limits: mailchimpRateLimit,
      parameters: {
        list: mailchimpAudienceId,
        email: mailchimpContactEmail,
        add: listedLineListParameter('Add', 'tags', ['list']).optional().describe('Names of tags'),
        remove: listedLineListParameter('Remove', 'tags', ['list']).optional().describe('Names of tags'),
      },
      *steps({ list: of, email: address, add = [], remove = [] }) {
        const tags = [
          ...add.map((name) => ({ name, status: 'active' })),
          ...remove.map((name) => ({ name, status: 'inactive' })),
        ];
        yield { method: 'POST', path: audienceMemberPath(of, address, '/tags'), body: { as: 'json', value: { tags } } };
        return { tags };
      },
      example: { tags: [{ name: 'Customer', status: 'active' }] },
    }),
    {
      id: 'members.list',
      title: 'List contacts',
      help: 'Of an audience.',
      limits: mailchimpRateLimit,
      method: 'GET',
      path: '/lists/{list}/members',
      inPath: { list: mailchimpAudienceId },
      inQuery: {
        status: subscriptionStatus.optional().describe('Only with this status'),
        since: valueLineParameter('Changed since', 'quantity', 64).optional().describe('ISO 8601'),
        limit: mailchimpPageSize,
      },
      names: { ...mailchimpParameterNames, since: 'since_last_changed' },
      items: 'members',
      paging: mailchimpOffsetPaging,
      example: { members: [mailchimpMemberExample], total_items: 1 },
      poll: {
        title: 'New contact',
        words: 'mailchimp trigger subscriber contact newsletter',
        parameters: { since: '{{ cursor }}', limit: 1000 },
        items: 'input.body.members',
        key: 'item.id',
        cursor: '$fromMillis($millis() - 120000)',
      },
    },
    {
      id: 'lists.list',
      title: 'List audiences',
      help: 'With their ids.',
      limits: mailchimpRateLimit,
      method: 'GET',
      path: '/lists',
      inQuery: { limit: mailchimpPageSize },
      names: mailchimpParameterNames,
      items: 'lists',
      paging: mailchimpOffsetPaging,
      example: { lists: [{ id: '57afe96172', name: 'Newsletter', stats: { member_count: 42 } }], total_items: 1 },
    },
    {
      id: 'tags.search',
      title: 'List tags of an audience',
      help: 'All of them, or those with a text in the name.',
      limits: mailchimpRateLimit,
      method: 'GET',
      path: '/lists/{list}/tag-search',
      inPath: { list: mailchimpAudienceId },
      inQuery: { name: valueLineParameter('Text', 'search', 100).optional().describe('The beginning of the name') },
      items: 'tags',
      example: { tags: [{ id: 12, name: 'Customer' }], total_items: 1 },
    },
    {
      id: 'merge_fields.list',
      title: 'List the fields of an audience',
      help: 'Merge fields with their tags and types, without the email address.',
      limits: mailchimpRateLimit,
      method: 'GET',
      path: '/lists/{list}/merge-fields',
      inPath: { list: mailchimpAudienceId },
      inQuery: { limit: mailchimpPageSize },
      names: mailchimpParameterNames,
      items: 'merge_fields',
      paging: mailchimpOffsetPaging,
      example: {
        merge_fields: [
          {
            merge_id: 1,
            tag: 'FNAME',
            name: 'First name',
            type: 'text',
            required: false,
            options: {},
            help_text: 'As on the invoice',
          },
        ],
        total_items: 1,
      },
    },
    {
      id: 'campaigns.list',
      title: 'List campaigns',
      help: 'With their status.',
      limits: mailchimpRateLimit,
      method: 'GET',
      path: '/campaigns',
      inQuery: { limit: mailchimpPageSize },
      names: mailchimpParameterNames,
      items: 'campaigns',
      paging: mailchimpOffsetPaging,
      example: { campaigns: [{ id: '42694e9e57', status: 'sent', settings: { title: 'March' } }], total_items: 1 },
    },
    {
      id: 'campaigns.send',
      title: 'Send a campaign',
      help: 'A campaign that is ready.',
      limits: mailchimpRateLimit,
      method: 'POST',
      path: '/campaigns/{campaign}/actions/send',
      inPath: { campaign: listedLineParameter('Campaign', 'campaigns', [], 50).describe('Id of the campaign') },
      example: null,
    },
    defineSteppedOperation({
      id: 'members.add_note',
      title: 'Add a note to a contact',
      help: 'At most 1,000 characters.',
      limits: mailchimpRateLimit,
      parameters: {
        list: mailchimpAudienceId,
        email: mailchimpContactEmail,
        note: multilineParameter('Note', 1000).describe('At most 1,000 characters'),
      },
      *steps({ list: of, email: address, note }) {
        return (yield {
          method: 'POST',
          path: audienceMemberPath(of, address, '/notes'),
          body: { as: 'json', value: { note } },
        }).body;
      },
      example: { id: 42, note: 'Called back' },
    }),
  ],
};
