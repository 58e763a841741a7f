import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { columnsParameter, listedLineParameter, someColumnsParameter, valueLineParameter } from '../parameters';
import { salesforceChoices } from './salesforce-choices';

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
  // Only calls of 20 seconds or longer are limited at a time; the number for a day depends on the edition.
  limits: {
    source:
      'https://developer.salesforce.com/docs/platform/salesforce-app-limits-cheatsheet/guide/salesforce-app-limits-platform-api.html',
  },
  choices: salesforceChoices,
  operations: [
    {
      id: 'records.query',
      title: 'Query with SOQL',
      method: 'GET',
      path: '/query',
      inQuery: { soql: valueLineParameter('SOQL, e.g. SELECT Id, Name FROM Account', 'query', 20_000) },
      names: { soql: 'q' },
      items: 'records',
      paging: salesforceAddressPaging,
    },
    {
      id: 'records.search',
      title: 'Search text in records',
      method: 'GET',
      path: '/parameterizedSearch',
      inQuery: {
        text: valueLineParameter('Text', 'search'),
        object: listedLineParameter('Object, e.g. Account', 'objects').optional(),
      },
      names: { text: 'q', object: 'sobject' },
      items: 'searchRecords',
    },
    {
      id: 'records.get',
      title: 'Get a record',
      method: 'GET',
      path: '/sobjects/{object}/{id}',
      inPath: {
        object: listedLineParameter('Object, e.g. Account', 'objects'),
        id: listedLineParameter('Record id', 'records', ['object']),
      },
    },
    {
      id: 'records.create',
      title: 'Create a record',
      method: 'POST',
      path: '/sobjects/{object}',
      inPath: { object: listedLineParameter('Object, e.g. Account', 'objects') },
      inBody: { values: columnsParameter('Fields', 'columns', ['object']) },
      wholeBody: 'values',
    },
    {
      id: 'records.update',
      title: 'Update a record',
      method: 'PATCH',
      path: '/sobjects/{object}/{id}',
      inPath: {
        object: listedLineParameter('Object, e.g. Account', 'objects'),
        id: listedLineParameter('Record id', 'records', ['object']),
      },
      inBody: { values: someColumnsParameter('Fields', 'changed_columns', ['object']) },
      wholeBody: 'values',
    },
    {
      id: 'records.upsert',
      title: 'Create or update by an external id',
      method: 'PATCH',
      path: '/sobjects/{object}/{field}/{value}',
      inPath: {
        object: listedLineParameter('Object', 'objects'),
        field: listedLineParameter('External id field', 'key_fields', ['object']),
        value: valueLineParameter('External id', 'earlier step'),
      },
      inBody: { values: someColumnsParameter('Fields', 'changed_columns', ['object']) },
      wholeBody: 'values',
    },
    {
      id: 'records.delete',
      title: 'Delete a record',
      method: 'DELETE',
      path: '/sobjects/{object}/{id}',
      inPath: {
        object: listedLineParameter('Object', 'objects'),
        id: listedLineParameter('Record id', 'records', ['object']),
      },
    },
    {
      id: 'objects.list',
      title: 'List objects',
      method: 'GET',
      path: '/sobjects',
      items: 'sobjects',
      example: { sobjects: [{ name: 'Invoice__c', label: 'Invoice', queryable: true, createable: true }] },
    },
    {
      id: 'objects.describe',
      title: 'Describe an object',
      method: 'GET',
      path: '/sobjects/{object}/describe',
      inPath: { object: listedLineParameter('Object', 'objects') },
      example: {
        name: 'Account',
        fields: [
          {
            name: 'Name',
            label: 'Account name',
            type: 'string',
            nameField: true,
            createable: true,
            updateable: true,
            nillable: false,
            defaultedOnCreate: false,
            idLookup: true,
            externalId: true,
            picklistValues: [],
          },
        ],
      },
    },
  ],
};
