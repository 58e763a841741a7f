import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../connector';
import {
  choiceParameter,
  columnsParameter,
  contentLineParameter,
  countParameter,
  listedJoinedParameter,
  listedLineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../parameters';
import { servicenowChoices } from './servicenow-choices';

const servicenowPageSize = countParameter('Items a page', 10_000).optional();
const servicenowListParameters = (source: string, dependsOn: readonly string[] = []) => ({
  query: valueLineParameter('Encoded query, e.g. active=true^priority=1', 'query').optional(),
  fields: listedJoinedParameter('Fields, parted by commas', source, dependsOn, 1000).optional(),
  limit: servicenowPageSize,
});
const servicenowTable = listedLineParameter('Table', 'tables');
const servicenowRecord = listedLineParameter('Record', 'records', ['table']);
const servicenowIncident = listedLineParameter('Incident', 'incidents');
// https://www.servicenow.com/docs/bundle/zurich-api-reference/page/integrate/inbound-rest/concept/c_TableAPI.html
const servicenowParameterNames = { query: 'sysparm_query', fields: 'sysparm_fields', limit: 'sysparm_limit' };
const servicenowUrgency = choiceParameter('Urgency', ['1', '2', '3']).optional();

export const servicenowConnector: ConnectorDefinition = {
  id: 'servicenow',
  name: 'ServiceNow',
  description: 'Incidents, requests and any other table of an instance.',
  synonyms: ['itsm', 'tickets', 'helpdesk'],
  flow: 'authorization_code',
  // https://support.servicenow.com/kb?id=kb_article_view&sysparm_article=KB0964444
  authorizeUrl: 'https://{instance}.service-now.com/oauth_auth.do',
  tokenUrl: 'https://{instance}.service-now.com/oauth_token.do',
  apiUrl: 'https://{instance}.service-now.com/api/now',
  scopes: { useraccount: 'useraccount', read: 'read' },
  optionalScopes: { write: 'write' },
  parameters: [
    {
      name: 'instance',
      title: 'Instance',
      hint: 'dev12345, the first part of the instance’s address',
      required: true,
      pattern: DNS_LABEL_PATTERN,
      rule: 'must be the bare name of the instance, without dots',
    },
  ],
  clientAuthentication: 'form',
  // https://support.servicenow.com/kb?id=kb_article_view&sysparm_article=KB0791140: 30 minutes by default.
  defaultLifetime: 1800,
  setup:
    'System OAuth > Application Registry > New > "Create an OAuth API endpoint for external clients": set the redirect URL.',
  probe: { path: '/table/sys_user?sysparm_limit=1' },
  choices: servicenowChoices,
  operations: [
    {
      id: 'incidents.list',
      title: 'List incidents',
      method: 'GET',
      path: '/table/incident',
      inQuery: servicenowListParameters('incident_fields'),
      names: servicenowParameterNames,
      items: 'result',
      paging: { kind: 'link' },
    },
    {
      id: 'incidents.get',
      title: 'Get an incident',
      method: 'GET',
      path: '/table/incident/{id}',
      inPath: { id: servicenowIncident },
    },
    {
      id: 'incidents.create',
      title: 'Create an incident',
      method: 'POST',
      path: '/table/incident',
      inBody: {
        shortDescription: contentLineParameter('Short description'),
        description: contentLineParameter('Description', 32_000).optional(),
        urgency: servicenowUrgency,
        callerId: listedLineParameter('Caller', 'users').optional(),
      },
      names: { shortDescription: 'short_description', callerId: 'caller_id' },
    },
    {
      id: 'incidents.update',
      title: 'Update an incident',
      method: 'PATCH',
      path: '/table/incident/{id}',
      inPath: { id: servicenowIncident },
      inBody: {
        state: listedLineParameter('State', 'incident_states').optional(),
        comments: contentLineParameter('Comment', 32_000).optional(),
        workNotes: contentLineParameter('Work note', 32_000).optional(),
        urgency: servicenowUrgency,
      },
      names: { workNotes: 'work_notes' },
    },
    {
      id: 'records.list',
      title: 'List records of a table',
      method: 'GET',
      path: '/table/{table}',
      inPath: { table: servicenowTable },
      inQuery: servicenowListParameters('fields', ['table']),
      names: servicenowParameterNames,
      items: 'result',
      paging: { kind: 'link' },
    },
    {
      id: 'records.get',
      title: 'Get a record',
      method: 'GET',
      path: '/table/{table}/{id}',
      inPath: { table: servicenowTable, id: servicenowRecord },
    },
    {
      id: 'records.create',
      title: 'Create a record',
      method: 'POST',
      path: '/table/{table}',
      inPath: { table: servicenowTable },
      inBody: { values: columnsParameter('Values', 'columns', ['table']) },
      wholeBody: 'values',
    },
    {
      id: 'records.update',
      title: 'Update a record',
      method: 'PATCH',
      path: '/table/{table}/{id}',
      inPath: { table: servicenowTable, id: servicenowRecord },
      inBody: { values: someColumnsParameter('Values', 'columns', ['table']) },
      wholeBody: 'values',
    },
    {
      id: 'records.delete',
      title: 'Delete a record',
      method: 'DELETE',
      path: '/table/{table}/{id}',
      inPath: { table: servicenowTable, id: servicenowRecord },
    },
  ],
};
