import { label, type Connector } from '../connector';
import { choice, count, fields, word } from '../parameters';

const limit = count('Items a page', 10_000).optional();
const list = {
  query: word('Encoded query, e.g. active=true^priority=1').optional(),
  fields: word('Fields, parted by commas').optional(),
  limit,
};
// https://www.servicenow.com/docs/bundle/zurich-api-reference/page/integrate/inbound-rest/concept/c_TableAPI.html
const names = { query: 'sysparm_query', fields: 'sysparm_fields', limit: 'sysparm_limit' };
const urgency = choice('Urgency', ['1', '2', '3']).optional();

export const servicenow: Connector = {
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
      pattern: label,
      rule: 'must be the bare name of the instance, without dots',
    },
  ],
  clientAuthentication: 'form',
  // https://support.servicenow.com/kb?id=kb_article_view&sysparm_article=KB0791140: 30 minutes by default.
  defaultLifetime: 1800,
  setup:
    'System OAuth > Application Registry > New > "Create an OAuth API endpoint for external clients": set the redirect URL.',
  probe: { path: '/table/sys_user?sysparm_limit=1' },
  operations: [
    {
      id: 'incidents.list',
      title: 'List incidents',
      method: 'GET',
      path: '/table/incident',
      inQuery: list,
      names,
      items: 'result',
      paging: { kind: 'link' },
    },
    {
      id: 'incidents.get',
      title: 'Get an incident',
      method: 'GET',
      path: '/table/incident/{id}',
      inPath: { id: word('sys_id') },
    },
    {
      id: 'incidents.create',
      title: 'Create an incident',
      method: 'POST',
      path: '/table/incident',
      inBody: {
        shortDescription: word('Short description'),
        description: word('Description', 32_000).optional(),
        urgency,
        callerId: word('Caller (sys_id)').optional(),
      },
      names: { shortDescription: 'short_description', callerId: 'caller_id' },
    },
    {
      id: 'incidents.update',
      title: 'Update an incident',
      method: 'PATCH',
      path: '/table/incident/{id}',
      inPath: { id: word('sys_id') },
      inBody: {
        state: word('State').optional(),
        comments: word('Comment', 32_000).optional(),
        workNotes: word('Work note', 32_000).optional(),
        urgency,
      },
      names: { workNotes: 'work_notes' },
    },
    {
      id: 'records.list',
      title: 'List records of a table',
      method: 'GET',
      path: '/table/{table}',
      inPath: { table: word('Table') },
      inQuery: list,
      names,
      items: 'result',
      paging: { kind: 'link' },
    },
    {
      id: 'records.get',
      title: 'Get a record',
      method: 'GET',
      path: '/table/{table}/{id}',
      inPath: { table: word('Table'), id: word('sys_id') },
    },
    {
      id: 'records.create',
      title: 'Create a record',
      method: 'POST',
      path: '/table/{table}',
      inPath: { table: word('Table') },
      inBody: { values: fields('Values') },
      wholeBody: 'values',
    },
    {
      id: 'records.update',
      title: 'Update a record',
      method: 'PATCH',
      path: '/table/{table}/{id}',
      inPath: { table: word('Table'), id: word('sys_id') },
      inBody: { values: fields('Values') },
      wholeBody: 'values',
    },
    {
      id: 'records.delete',
      title: 'Delete a record',
      method: 'DELETE',
      path: '/table/{table}/{id}',
      inPath: { table: word('Table'), id: word('sys_id') },
    },
  ],
};
