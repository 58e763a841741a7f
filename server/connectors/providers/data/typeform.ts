import type { ConnectorDefinition } from '../../connector';
import type { ConnectorPaging } from '../../operation';
import { countParameter, booleanParameter, lineParameter } from '../../parameters';
import { typeformSubscriptions } from '../../subscriptions/typeform';

// https://www.typeform.com/developers/
const typeformFormId = lineParameter('Form', 50).describe('Id of the form; it is in its address');
const typeformPagePaging: ConnectorPaging = {
  kind: 'page',
  query: 'page',
  first: 1,
  size: 'page_size',
  defaultSize: 10,
};
const typeformRateLimit = '2 calls a second.';
const formResponseExample = {
  token: '21085286190ffad1248d17c4135ee56f',
  submitted_at: '2026-01-31T08:15:30Z',
  answers: [{ field: { id: 'hVONkQcnSNRj', type: 'email' }, type: 'email', email: 'ada@example.com' }],
};

export const typeformConnector: ConnectorDefinition = {
  id: 'typeform',
  name: 'Typeform',
  description: 'Forms and their responses.',
  synonyms: ['form', 'survey', 'quiz', 'questionnaire', 'response'],
  flow: 'token',
  apiUrl: 'https://api.typeform.com',
  scopes: {},
  token: {
    title: 'Personal token',
    setup:
      'At admin.typeform.com/account#/section/tokens generate a token with the scopes Forms: Read, Responses: Read and Webhooks.',
    fields: [
      {
        name: 'token',
        title: 'Personal token',
        hint: 'Begins with tfp_',
        isSecret: true,
        pattern: /^[\w-]{20,200}$/,
        rule: 'must be a token of Typeform, such as tfp_…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: a user has tokens.',
  probe: { path: '/me' },
  subscriptions: typeformSubscriptions,
  operations: [
    {
      id: 'responses.list',
      title: 'List responses of a form',
      help: 'Newest first; recent ones may be missing for some minutes.',
      limits: typeformRateLimit,
      method: 'GET',
      path: '/forms/{form}/responses',
      inPath: { form: typeformFormId },
      inQuery: {
        since: lineParameter('Since', 64).optional().describe('ISO 8601'),
        until: lineParameter('Until', 64).optional().describe('ISO 8601'),
        query: lineParameter('Text', 500).optional().describe('Only responses that contain it'),
        limit: countParameter('Responses', 1000).optional().describe('At most 1,000; default 25'),
      },
      names: { limit: 'page_size' },
      items: 'items',
      example: { total_items: 1, items: [formResponseExample] },
      poll: {
        title: 'New response',
        words: 'typeform trigger form response submitted',
        // A response may appear some minutes after it was submitted.
        parameters: { since: '{{ cursor }}', limit: 1000 },
        items: 'input.body.items',
        key: 'item.token',
        cursor: '$fromMillis($millis() - 1800000)',
      },
    },
    {
      id: 'responses.delete',
      title: 'Delete responses',
      help: 'By their tokens.',
      limits: typeformRateLimit,
      method: 'DELETE',
      path: '/forms/{form}/responses',
      inPath: { form: typeformFormId },
      inQuery: { tokens: lineParameter('Responses', 10_000).describe('Tokens, separated by commas') },
      names: { tokens: 'included_response_ids' },
      example: null,
    },
    {
      id: 'forms.list',
      title: 'List forms',
      help: 'With their ids and addresses.',
      limits: typeformRateLimit,
      method: 'GET',
      path: '/forms',
      inQuery: {
        search: lineParameter('Title', 200).optional().describe('A part of the title'),
        limit: countParameter('Items a page', 200).optional().describe('At most 200; default 10'),
      },
      names: { limit: 'page_size' },
      items: 'items',
      paging: typeformPagePaging,
      example: {
        items: [{ id: 'abc123', title: 'Contact', _links: { display: 'https://acme.typeform.com/to/abc123' } }],
      },
    },
    {
      id: 'forms.get',
      title: 'Get a form',
      help: 'Its questions and settings.',
      limits: typeformRateLimit,
      method: 'GET',
      path: '/forms/{form}',
      inPath: { form: typeformFormId },
      example: { id: 'abc123', title: 'Contact', fields: [{ id: 'hVONkQcnSNRj', title: 'Email?', type: 'email' }] },
    },
    {
      id: 'webhooks.set',
      title: 'Set a webhook of a form',
      help: 'Sends responses to an address, such as a webhook of Weft for Typeform.',
      limits: typeformRateLimit,
      method: 'PUT',
      path: '/forms/{form}/webhooks/{tag}',
      inPath: { form: typeformFormId, tag: lineParameter('Tag', 100).describe('A name of your own, e.g. weft') },
      inBody: {
        url: lineParameter('Address', 2000).describe('Address of the webhook'),
        secret: lineParameter('Secret', 200).optional().describe('As entered in the webhook'),
        isEnabled: booleanParameter('Enabled').describe('Whether responses are sent'),
      },
      names: { isEnabled: 'enabled' },
      example: { id: 'yRtagDm8AT', tag: 'weft', url: 'https://example.com/webhooks/…', enabled: true },
    },
    {
      id: 'webhooks.list',
      title: 'List webhooks of a form',
      help: 'With their addresses.',
      limits: typeformRateLimit,
      method: 'GET',
      path: '/forms/{form}/webhooks',
      inPath: { form: typeformFormId },
      items: 'items',
      example: { items: [{ id: 'yRtagDm8AT', tag: 'weft', enabled: true }] },
    },
  ],
};
