import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import {
  columnsParameter,
  countParameter,
  listedJoinedParameter,
  listedLineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../parameters';
import { dynamicsChoices } from './dynamics365-choices';

// https://learn.microsoft.com/power-apps/developer/data-platform/webapi/query/page-results
const dynamicsAddressPaging: ConnectorPaging = { kind: 'address', at: '@odata.nextLink' };
const dynamicsListParameters = (source: string, dependsOn: readonly string[] = []) => ({
  filter: valueLineParameter('Filter, e.g. revenue gt 1000', 'query', 4000).optional(),
  select: listedJoinedParameter('Columns, parted by commas', source, dependsOn, 4000).optional(),
  top: countParameter('Items', 5000).optional(),
});
const dynamicsODataNames = { filter: '$filter', select: '$select', top: '$top' };

export const dynamics365Connector: ConnectorDefinition = {
  id: 'dynamics365',
  name: 'Dynamics 365',
  description: 'Accounts, contacts, opportunities and any other table of Dataverse.',
  synonyms: ['crm', 'dataverse', 'power platform', 'microsoft'],
  flow: 'authorization_code',
  // https://learn.microsoft.com/power-apps/developer/data-platform/authenticate-oauth
  authorizeUrl: 'https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize',
  // https://learn.microsoft.com/entra/identity-platform/refresh-tokens: a used refresh token stays good for a while,
  // and one refresh token serves every resource that the person may reach.
  tokenUrl: 'https://login.microsoftonline.com/organizations/oauth2/v2.0/token',
  apiUrl: '{instance_url}/api/data/v9.2',
  scopes: { user_impersonation: 'https://globaldisco.crm.dynamics.com/user_impersonation' },
  impliedScopes: 'offline_access',
  clientAuthentication: 'form',
  // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/discover-url-organization-web-api: every
  // environment has an address and tokens of its own; the discovery service knows which ones the person has.
  account: {
    hosts: ['*.dynamics.com', '*.microsoftdynamics.us', '*.appsplatform.us', '*.dynamics.cn'],
    from: { url: 'https://globaldisco.crm.dynamics.com/api/discovery/v2.0/Instances?$select=ApiUrl,FriendlyName' },
    url: 'value[].ApiUrl',
    thenScope: '{instance_url}/user_impersonation offline_access',
  },
  headers: { 'OData-Version': '4.0', 'OData-MaxVersion': '4.0' },
  setup:
    'In Microsoft Entra register an app with the redirect URL (type Web), give it the Dynamics CRM permission user_impersonation and make a client secret.',
  probe: { path: '/WhoAmI' },
  // By default 6,000 calls in five minutes for a user, 52 or more at a time, of each web server.
  limits: {
    perMinute: 1200,
    concurrent: 52,
    source: 'https://learn.microsoft.com/power-apps/developer/data-platform/api-limits',
  },
  choices: dynamicsChoices,
  operations: [
    {
      id: 'accounts.list',
      title: 'List accounts',
      method: 'GET',
      path: '/accounts',
      inQuery: dynamicsListParameters('account_fields'),
      names: dynamicsODataNames,
      items: 'value',
      paging: dynamicsAddressPaging,
    },
    {
      id: 'accounts.get',
      title: 'Get an account',
      method: 'GET',
      path: '/accounts({id})',
      inPath: { id: listedLineParameter('Account id', 'accounts') },
    },
    {
      id: 'accounts.create',
      title: 'Create an account',
      method: 'POST',
      path: '/accounts',
      inBody: { values: columnsParameter('Columns, e.g. name, telephone1', 'account_columns') },
      wholeBody: 'values',
      headers: { Prefer: 'return=representation' },
    },
    {
      id: 'accounts.update',
      title: 'Update an account',
      method: 'PATCH',
      path: '/accounts({id})',
      inPath: { id: listedLineParameter('Account id', 'accounts') },
      inBody: { values: someColumnsParameter('Columns', 'changed_account_columns') },
      wholeBody: 'values',
      // Without this header a PATCH creates missing objects.
      headers: { Prefer: 'return=representation', 'If-Match': '*' },
    },
    {
      id: 'contacts.list',
      title: 'List contacts',
      method: 'GET',
      path: '/contacts',
      inQuery: dynamicsListParameters('contact_fields'),
      names: dynamicsODataNames,
      items: 'value',
      paging: dynamicsAddressPaging,
    },
    {
      id: 'contacts.create',
      title: 'Create a contact',
      method: 'POST',
      path: '/contacts',
      inBody: { values: columnsParameter('Columns, e.g. firstname, lastname, emailaddress1', 'contact_columns') },
      wholeBody: 'values',
      headers: { Prefer: 'return=representation' },
    },
    {
      id: 'opportunities.list',
      title: 'List opportunities',
      method: 'GET',
      path: '/opportunities',
      inQuery: dynamicsListParameters('opportunity_fields'),
      names: dynamicsODataNames,
      items: 'value',
      paging: dynamicsAddressPaging,
    },
    {
      id: 'tables.list',
      title: 'List tables',
      method: 'GET',
      path: '/EntityDefinitions',
      query: { $select: 'LogicalName,EntitySetName,DisplayName' },
      items: 'value',
      paging: dynamicsAddressPaging,
      example: {
        value: [
          {
            LogicalName: 'account',
            EntitySetName: 'accounts',
            DisplayName: { UserLocalizedLabel: { Label: 'Account', LanguageCode: 1033 } },
          },
        ],
      },
    },
    {
      id: 'rows.list',
      title: 'List rows of a table',
      method: 'GET',
      path: '/{table}',
      inPath: { table: listedLineParameter('Table (plural name)', 'tables') },
      inQuery: dynamicsListParameters('fields', ['table']),
      names: dynamicsODataNames,
      items: 'value',
      paging: dynamicsAddressPaging,
    },
  ],
};
