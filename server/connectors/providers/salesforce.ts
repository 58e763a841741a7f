import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { jsonObjectParameter, lineParameter } from '../parameters';

// https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_query.htm
const salesforceAddressPaging: ConnectorPaging = { kind: 'address', at: 'nextRecordsUrl' };

export const salesforceConnector: ConnectorDefinition = {
  id: 'salesforce',
  name: 'Salesforce',
  description: 'Accounts, leads, opportunities and any other object of an org.',
  synonyms: ['crm', 'sales', 'soql'],
  flow: 'authorization_code',
  // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm (with PKCE)
  authorizeUrl: 'https://login.salesforce.com/services/oauth2/authorize',
  tokenUrl: 'https://login.salesforce.com/services/oauth2/token',
  apiUrl: '{instance_url}/services/data/v62.0',
  // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_tokens_scopes.htm
  scopes: { api: 'api', refresh_token: 'refresh_token', offline_access: 'offline_access' },
  clientAuthentication: 'form',
  // Answers have no expires_in: the session timeout of the org counts, two hours unless its admins change it.
  // https://developer.salesforce.com/docs/atlas.en-us.chatterapi.meta/chatterapi/intro_oauth_tokens.htm
  defaultLifetime: 7200,
  account: { hosts: ['*.salesforce.com', '*.force.com', '*.sfcrmproducts.cn'], from: 'token', url: 'instance_url' },
  setup:
    'In Setup, "External Client App Manager": make an app with OAuth, the redirect URL and the scopes api and refresh_token.',
  probe: { path: '/limits' },
  operations: [
    {
      id: 'records.query',
      title: 'Query with SOQL',
      method: 'GET',
      path: '/query',
      inQuery: { soql: lineParameter('SOQL, e.g. SELECT Id, Name FROM Account', 20_000) },
      names: { soql: 'q' },
      items: 'records',
      paging: salesforceAddressPaging,
    },
    {
      id: 'records.search',
      title: 'Search text in records',
      method: 'GET',
      path: '/parameterizedSearch',
      inQuery: { text: lineParameter('Text'), object: lineParameter('Object, e.g. Account').optional() },
      names: { text: 'q', object: 'sobject' },
      items: 'searchRecords',
    },
    {
      id: 'records.get',
      title: 'Get a record',
      method: 'GET',
      path: '/sobjects/{object}/{id}',
      inPath: { object: lineParameter('Object, e.g. Account'), id: lineParameter('Record id') },
    },
    {
      id: 'records.create',
      title: 'Create a record',
      method: 'POST',
      path: '/sobjects/{object}',
      inPath: { object: lineParameter('Object, e.g. Account') },
      inBody: { values: jsonObjectParameter('Fields') },
      wholeBody: 'values',
    },
    {
      id: 'records.update',
      title: 'Update a record',
      method: 'PATCH',
      path: '/sobjects/{object}/{id}',
      inPath: { object: lineParameter('Object, e.g. Account'), id: lineParameter('Record id') },
      inBody: { values: jsonObjectParameter('Fields') },
      wholeBody: 'values',
    },
    {
      id: 'records.upsert',
      title: 'Create or update by an external id',
      method: 'PATCH',
      path: '/sobjects/{object}/{field}/{value}',
      inPath: {
        object: lineParameter('Object'),
        field: lineParameter('External id field'),
        value: lineParameter('External id'),
      },
      inBody: { values: jsonObjectParameter('Fields') },
      wholeBody: 'values',
    },
    {
      id: 'records.delete',
      title: 'Delete a record',
      method: 'DELETE',
      path: '/sobjects/{object}/{id}',
      inPath: { object: lineParameter('Object'), id: lineParameter('Record id') },
    },
    {
      id: 'objects.describe',
      title: 'Describe an object',
      method: 'GET',
      path: '/sobjects/{object}/describe',
      inPath: { object: lineParameter('Object') },
    },
  ],
};
