import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import { columnsParameter, valueLineParameter } from '../../parameters';
import { hubspotAccountOperations } from './hubspot-account';
import { hubspotActivityOperations } from './hubspot-activities';
import { hubspotChoices } from './hubspot-choices';
import {
  hubspotProperties,
  hubspotRateLimit,
  hubspotSearchLimit,
  requireHubspotSuccess,
  searchHubspotRecords,
} from './hubspot-parameters';
import { hubspotRecordOperations } from './hubspot-records';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

export const hubspotConnector: ConnectorDefinition = {
  id: 'hubspot',
  name: 'HubSpot',
  description: 'Contacts, companies, deals, tickets and activities of a CRM.',
  synonyms: ['crm', 'marketing', 'sales'],
  flow: 'authorization_code',
  // https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide: parameters in the form, tokens of 30
  // minutes.
  authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
  tokenUrl: 'https://api.hubapi.com/oauth/v3/token',
  apiUrl: 'https://api.hubapi.com',
  // https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/scopes
  scopes: {
    'crm.objects.contacts.read': 'crm.objects.contacts.read',
    'crm.objects.companies.read': 'crm.objects.companies.read',
  },
  optionalScopes: {
    'crm.objects.contacts.write': 'crm.objects.contacts.write',
    'crm.objects.companies.write': 'crm.objects.companies.write',
    'crm.objects.deals.read': 'crm.objects.deals.read',
    'crm.objects.deals.write': 'crm.objects.deals.write',
    'crm.objects.owners.read': 'crm.objects.owners.read',
    'crm.lists.read': 'crm.lists.read',
    'crm.lists.write': 'crm.lists.write',
    'crm.objects.custom.read': 'crm.objects.custom.read',
    'crm.objects.custom.write': 'crm.objects.custom.write',
    'crm.schemas.custom.read': 'crm.schemas.custom.read',
    'sales-email-read': 'sales-email-read',
    forms: 'forms',
    tickets: 'tickets',
  },
  impliedScopes: 'oauth',
  clientAuthentication: 'form',
  setup:
    'In your developer account open the app, "Auth": add the redirect URL and the scopes, copy client id and secret.',
  probe: { path: '/account-info/v3/details' },
  // 110 calls in ten seconds for each account.
  limits: {
    perMinute: 660,
    source: 'https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines',
  },
  choices: hubspotChoices,
  operations: [
    ...hubspotRecordOperations({
      id: 'contacts',
      one: 'a contact',
      parameter: 'contactId',
      properties: 'email, firstname, lastname',
      changedProperty: 'lastmodifieddate',
      words: 'contact person lead customer',
      example: { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace' },
    }),
    defineSteppedOperation({
      id: 'contacts.upsert',
      title: 'Create or update a contact',
      help: 'The contact with the email address is changed, or created.',
      limits: hubspotRateLimit,
      parameters: {
        email: valueLineParameter('Email address', 'address', 320).describe('Of the contact'),
        properties: columnsParameter('Properties', 'contactsColumns')
          .optional()
          .describe('Internal names and values, e.g. firstname'),
      },
      // https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts
      *steps({ email, properties }) {
        const value = { inputs: [{ idProperty: 'email', id: email, properties: { email, ...properties } }] };
        const path = '/crm/v3/objects/contacts/batch/upsert';
        const { body } = yield { method: 'POST', path, body: { as: 'json', value } };
        requireHubspotSuccess(body);
        return getAtPath(body, 'results.0') ?? null;
      },
      example: { id: '512', properties: { email: 'ada@example.com' }, new: true },
    }),
    ...hubspotRecordOperations({
      id: 'companies',
      one: 'a company',
      parameter: 'companyId',
      properties: 'name, domain',
      changedProperty: 'hs_lastmodifieddate',
      words: 'company organization account',
      example: { name: 'Acme', domain: 'acme.example' },
    }),
    defineSteppedOperation({
      id: 'companies.find_by_domain',
      title: 'Find companies by their domain',
      help: 'All companies with exactly this domain.',
      limits: hubspotSearchLimit,
      parameters: {
        domain: valueLineParameter('Domain', 'address', 255).describe('e.g. acme.example'),
        properties: hubspotProperties('companiesProperties'),
      },
      *steps({ domain, properties }) {
        const filterGroups = [{ filters: [{ propertyName: 'domain', operator: 'EQ', value: domain }] }];
        return yield* searchHubspotRecords('/crm/v3/objects/companies', { filterGroups, properties, limit: 200 });
      },
      example: [{ id: '512', properties: { name: 'Acme', domain: 'acme.example' } }],
    }),
    ...hubspotRecordOperations({
      id: 'deals',
      one: 'a deal',
      parameter: 'dealId',
      properties: 'dealname, amount, dealstage',
      changedProperty: 'hs_lastmodifieddate',
      words: 'deal opportunity sale pipeline',
      example: { dealname: 'Acme', amount: '1500.00', dealstage: 'appointmentscheduled' },
    }),
    ...hubspotRecordOperations({
      id: 'tickets',
      one: 'a ticket',
      parameter: 'ticketId',
      properties: 'subject, content, hs_pipeline_stage',
      changedProperty: 'hs_lastmodifieddate',
      words: 'ticket support issue service',
      example: { subject: 'Login fails', hs_pipeline_stage: '1' },
    }),
    ...hubspotActivityOperations,
    ...hubspotAccountOperations,
  ],
};
