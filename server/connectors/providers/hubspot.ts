import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { countParameter, jsonObjectParameter, lineParameter, lineListParameter } from '../parameters';

// https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide: `paging.next.after` goes into the next
// query.
const hubspotTokenPaging: ConnectorPaging = { kind: 'token', at: 'paging.next.after', query: 'after' };
const hubspotListParameters = {
  properties: lineListParameter('Properties').optional(),
  limit: countParameter('Items a page', 100).optional(),
};

export const hubspotConnector: ConnectorDefinition = {
  id: 'hubspot',
  name: 'HubSpot',
  description: 'Contacts, companies and deals of a CRM.',
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
  },
  impliedScopes: 'oauth',
  clientAuthentication: 'form',
  setup:
    'In your developer account open the app, "Auth": add the redirect URL and the scopes, copy client id and secret.',
  probe: { path: '/account-info/v3/details' },
  operations: [
    {
      id: 'contacts.list',
      title: 'List contacts',
      method: 'GET',
      path: '/crm/v3/objects/contacts',
      inQuery: hubspotListParameters,
      items: 'results',
      paging: hubspotTokenPaging,
    },
    {
      id: 'contacts.get',
      title: 'Get a contact',
      method: 'GET',
      path: '/crm/v3/objects/contacts/{contactId}',
      inPath: { contactId: lineParameter('Contact id') },
      inQuery: { properties: lineListParameter('Properties').optional() },
    },
    {
      id: 'contacts.create',
      title: 'Create a contact',
      method: 'POST',
      path: '/crm/v3/objects/contacts',
      inBody: { properties: jsonObjectParameter('Properties, e.g. email, firstname, lastname') },
    },
    {
      id: 'contacts.update',
      title: 'Update a contact',
      method: 'PATCH',
      path: '/crm/v3/objects/contacts/{contactId}',
      inPath: { contactId: lineParameter('Contact id') },
      inBody: { properties: jsonObjectParameter('Properties') },
    },
    {
      id: 'contacts.search',
      title: 'Search contacts',
      method: 'POST',
      path: '/crm/v3/objects/contacts/search',
      inBody: {
        query: lineParameter('Text', 3000).optional(),
        properties: lineListParameter('Properties').optional(),
        limit: countParameter('Items', 200).optional(),
      },
      items: 'results',
    },
    {
      id: 'companies.list',
      title: 'List companies',
      method: 'GET',
      path: '/crm/v3/objects/companies',
      inQuery: hubspotListParameters,
      items: 'results',
      paging: hubspotTokenPaging,
    },
    {
      id: 'companies.get',
      title: 'Get a company',
      method: 'GET',
      path: '/crm/v3/objects/companies/{companyId}',
      inPath: { companyId: lineParameter('Company id') },
      inQuery: { properties: lineListParameter('Properties').optional() },
    },
    {
      id: 'companies.create',
      title: 'Create a company',
      method: 'POST',
      path: '/crm/v3/objects/companies',
      inBody: { properties: jsonObjectParameter('Properties, e.g. name, domain') },
    },
    {
      id: 'deals.list',
      title: 'List deals',
      method: 'GET',
      path: '/crm/v3/objects/deals',
      inQuery: hubspotListParameters,
      items: 'results',
      paging: hubspotTokenPaging,
    },
    {
      id: 'deals.create',
      title: 'Create a deal',
      method: 'POST',
      path: '/crm/v3/objects/deals',
      inBody: { properties: jsonObjectParameter('Properties, e.g. dealname, amount, dealstage') },
    },
  ],
};
