import type { ConnectorDefinition } from '../connector';
import {
  choiceParameter,
  contentLineParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  timeParameter,
  valueLineParameter,
} from '../parameters';

export const docusignConnector: ConnectorDefinition = {
  id: 'docusign',
  name: 'DocuSign',
  description: 'Envelopes and templates for signing.',
  synonyms: ['signature', 'sign', 'contract', 'esign'],
  flow: 'authorization_code',
  // https://developers.docusign.com/platform/auth/authcode/authcode-get-token/; the developer sandbox lives at
  // account-d.docusign.com. Access tokens last eight hours, refresh tokens thirty days.
  authorizeUrl: 'https://account.docusign.com/oauth/auth',
  tokenUrl: 'https://account.docusign.com/oauth/token',
  apiUrl: '{instance_url}/restapi/v2.1/accounts/{account_id}',
  // https://developers.docusign.com/platform/auth/reference/scopes/
  scopes: { signature: 'signature', impersonation: 'impersonation' },
  optionalScopes: { extended: 'extended' },
  clientAuthentication: 'basic',
  // https://developers.docusign.com/platform/auth/reference/user-info/: the API's address is that of the account.
  account: {
    hosts: ['*.docusign.net', '*.docusign.com'],
    from: { url: '{token_origin}/oauth/userinfo' },
    url: 'accounts[].base_uri',
    id: 'accounts[].account_id',
    preferred: 'is_default',
  },
  setup:
    'In "Apps and Keys" open your integration, add the redirect URL and a secret key; the integration key is the client id.',
  probe: { path: '/envelopes?count=1&from_date=2020-01-01' },
  // 3,000 calls an hour for an account.
  limits: { perMinute: 50, source: 'https://developers.docusign.com/platform/resource-limits' },
  choices: {
    templates: {
      operation: 'templates.list',
      parameters: { limit: 100 },
      value: 'templateId',
      label: ['name'],
      hint: 'description',
      search: 'text',
    },
    // The list needs a time to begin at.
    envelopes: {
      operation: 'envelopes.list',
      parameters: { from: '2010-01-01T00:00:00Z', limit: 100 },
      value: 'envelopeId',
      label: ['emailSubject'],
      hint: 'status',
    },
  },
  operations: [
    {
      id: 'envelopes.list',
      title: 'List envelopes',
      method: 'GET',
      path: '/envelopes',
      inQuery: {
        from: timeParameter('Changed since'),
        status: choiceParameter('Status', [
          'created',
          'sent',
          'delivered',
          'signed',
          'completed',
          'declined',
          'voided',
        ]).optional(),
        limit: countParameter('Items a page', 1000).optional(),
      },
      names: { from: 'from_date', limit: 'count' },
      items: 'envelopes',
      example: {
        envelopes: [{ envelopeId: '93be49ab-0000-0000-0000-f752070d71ec', emailSubject: 'Contract', status: 'sent' }],
      },
      // https://developers.docusign.com/docs/esign-rest-api/reference/envelopes/envelopes/liststatuschanges/
      paging: { kind: 'offset', query: 'start_position', size: 'count', defaultSize: 1000 },
    },
    {
      id: 'envelopes.get',
      title: 'Get an envelope',
      method: 'GET',
      path: '/envelopes/{envelopeId}',
      inPath: { envelopeId: listedLineParameter('Envelope id', 'envelopes') },
    },
    {
      id: 'envelopes.create',
      title: 'Create or send an envelope',
      method: 'POST',
      path: '/envelopes',
      inBody: {
        emailSubject: contentLineParameter('Subject', 100).optional(),
        status: choiceParameter('Status', ['created', 'sent']),
        templateId: listedLineParameter('Template id', 'templates').optional(),
        templateRoles: jsonObjectParameter('Role')
          .array()
          .max(100)
          .meta({ title: 'Roles', description: 'Each with email, name and roleName' })
          .optional(),
        documents: jsonObjectParameter('Document').array().max(100).meta({ title: 'Documents' }).optional(),
        recipients: jsonObjectParameter('Recipients').optional(),
      },
    },
    {
      id: 'envelopes.void',
      title: 'Void an envelope',
      method: 'PUT',
      path: '/envelopes/{envelopeId}',
      inPath: { envelopeId: listedLineParameter('Envelope id', 'envelopes') },
      inBody: {
        reason: contentLineParameter('Reason', 200),
        status: choiceParameter('Status', ['voided']).default('voided'),
      },
      names: { reason: 'voidedReason' },
    },
    {
      id: 'recipients.list',
      title: 'List the recipients of an envelope',
      method: 'GET',
      path: '/envelopes/{envelopeId}/recipients',
      inPath: { envelopeId: listedLineParameter('Envelope id', 'envelopes') },
    },
    {
      id: 'documents.list',
      title: 'List the documents of an envelope',
      method: 'GET',
      path: '/envelopes/{envelopeId}/documents',
      inPath: { envelopeId: listedLineParameter('Envelope id', 'envelopes') },
      items: 'envelopeDocuments',
    },
    {
      id: 'templates.list',
      title: 'List templates',
      method: 'GET',
      path: '/templates',
      inQuery: {
        text: valueLineParameter('Text', 'search').optional(),
        limit: countParameter('Items a page', 2000).optional(),
      },
      names: { text: 'search_text', limit: 'count' },
      items: 'envelopeTemplates',
      example: {
        envelopeTemplates: [
          { templateId: '9d5f9c3a-0000-0000-0000-5e21b6bbf4b0', name: 'Contract', description: 'For clients' },
        ],
      },
      paging: { kind: 'offset', query: 'start_position', size: 'count', defaultSize: 2000 },
    },
  ],
};
