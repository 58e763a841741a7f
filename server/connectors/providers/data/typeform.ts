import type { ConnectorDefinition } from '../../connector';
import type { ConnectorPaging } from '../../operation';
import {
  booleanParameter,
  countParameter,
  listedJoinedParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import { typeformSubscriptions } from '../../subscriptions/typeform';

// https://www.typeform.com/developers/
const typeformFormId = listedLineParameter('Form', 'forms', [], 50).describe('Id of the form; it is in its address');
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
  // Two calls a second.
  limits: { perMinute: 120, source: 'https://www.typeform.com/developers/get-started/#rate-limits' },
  choices: {
    forms: {
      operation: 'forms.list',
      parameters: { limit: 100 },
      value: 'id',
      label: ['title'],
      hint: 'last_updated_at',
      search: 'search',
    },
    workspaces: {
      operation: 'workspaces.list',
      parameters: { limit: 100 },
      value: 'id',
      label: ['name'],
      search: 'search',
    },
    responses: {
      operation: 'responses.list',
      parameters: { limit: 100 },
      parametersFrom: { form: 'form' },
      value: 'token',
      label: ['answers.0.email', 'answers.0.text', 'submitted_at'],
      hint: 'submitted_at',
      search: 'query',
    },
  },
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
        since: valueLineParameter('Since', 'quantity', 64).optional().describe('ISO 8601'),
        until: valueLineParameter('Until', 'quantity', 64).optional().describe('ISO 8601'),
        query: valueLineParameter('Text', 'search', 500).optional().describe('Only responses that contain it'),
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
      inQuery: {
        tokens: listedJoinedParameter('Responses', 'responses', ['form'], 10_000).describe(
          'Tokens, separated by commas',
        ),
      },
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
        search: valueLineParameter('Title', 'search', 200).optional().describe('A part of the title'),
        workspace: listedLineParameter('Workspace', 'workspaces', [], 50)
          .optional()
          .describe('Only forms of this workspace'),
        limit: countParameter('Items a page', 200).optional().describe('At most 200; default 10'),
      },
      names: { limit: 'page_size', workspace: 'workspace_id' },
      items: 'items',
      paging: typeformPagePaging,
      example: {
        items: [
          {
            id: 'abc123',
            title: 'Contact',
            last_updated_at: '2026-01-31T08:15:30Z',
            _links: { display: 'https://acme.typeform.com/to/abc123' },
          },
        ],
      },
    },
    {
      id: 'workspaces.list',
      title: 'List workspaces',
      help: 'With their ids. Needs the scope Workspaces: Read.',
      limits: typeformRateLimit,
      method: 'GET',
      path: '/workspaces',
      inQuery: {
        search: valueLineParameter('Name', 'search', 200).optional().describe('A part of the name'),
        limit: countParameter('Items a page', 200).optional().describe('At most 200; default 10'),
      },
      names: { limit: 'page_size' },
      items: 'items',
      paging: typeformPagePaging,
      example: { items: [{ id: 'a1b2c3', name: 'Marketing', forms: { count: 3 } }], page_count: 1, total_items: 1 },
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
      inPath: {
        form: typeformFormId,
        tag: valueLineParameter('Tag', 'new name', 100).describe('A name of your own, e.g. weft'),
      },
      inBody: {
        url: valueLineParameter('Address', 'address', 2000).describe('Address of the webhook'),
        secret: valueLineParameter('Secret', 'new name', 200).optional().describe('As entered in the webhook'),
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
