import { expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importServiceNode } from './testing/import-service-node';

const GITHUB = { owner: { __rl: true, value: 'acme' }, repository: { __rl: true, value: 'shop' } };

/** The node of n8n, and the call of a connector that it becomes. */
const CALLS: [string, object, string, object][] = [
  [
    'hubspot',
    {
      resource: 'deal',
      operation: 'update',
      dealId: '={{ $json.id }}',
      updateFields: { dealName: 'Acme', stage: 'won' },
    },
    'hubspot deals.update',
    { dealId: '{{ $json.id }}', properties: { dealname: 'Acme', dealstage: 'won' } },
  ],
  [
    'hubspot',
    {
      resource: 'ticket',
      pipelineId: '0',
      stageId: '1',
      ticketName: '=Deal: {{ $json.name }}',
      additionalFields: { priority: 'HIGH', description: 'Late', ticketOwnerId: 7 },
    },
    'hubspot tickets.create',
    {
      properties: {
        subject: 'Deal: {{ $json.name }}',
        hs_pipeline: '0',
        hs_pipeline_stage: '1',
        content: 'Late',
        hs_ticket_priority: 'HIGH',
        hubspot_owner_id: 7,
      },
    },
  ],
  [
    'hubspot',
    {
      resource: 'ticket',
      operation: 'update',
      ticketId: '5',
      updateFields: { ticketName: 'Late', description: 'Very', priority: 'HIGH', source: 'CHAT' },
    },
    'hubspot tickets.update',
    {
      ticketId: '5',
      properties: { subject: 'Late', content: 'Very', hs_ticket_priority: 'HIGH', source_type: 'CHAT' },
    },
  ],
  [
    'hubspot',
    {
      resource: 'engagement',
      type: 'meeting',
      metadata: { title: 'Demo', body: 'With us', startTime: '={{ $json.start }}' },
      additionalFields: { associations: { contactIds: '={{ $json.id }}' } },
    },
    'hubspot meetings.create',
    { title: 'Demo', text: 'With us', start: '{{ $json.start }}', contact: '{{ $json.id }}' },
  ],
  [
    'hubspot',
    { resource: 'company', operation: 'searchByDomain', domain: 'acme.example', options: { properties: ['name'] } },
    'hubspot companies.find_by_domain',
    { domain: 'acme.example', properties: ['name'] },
  ],
  [
    'hubspot',
    { resource: 'company', operation: 'getRecentlyModified', filters: { since: '={{ $json.last }}' }, returnAll: true },
    'hubspot companies.list_changed',
    { since: '{{ $json.last }}' },
  ],
  [
    'github',
    { ...GITHUB, resource: 'file', operation: 'list', filePath: 'docs' },
    'github files.list',
    { owner: 'acme', repo: 'shop', folder: 'docs' },
  ],
  [
    'github',
    { ...GITHUB, resource: 'review', pullRequestNumber: '={{ $json.number }}', event: 'comment', body: 'Nice' },
    'github reviews.create',
    { owner: 'acme', repo: 'shop', number: '{{ $json.number }}', event: 'COMMENT', body: 'Nice' },
  ],
  [
    'github',
    { ...GITHUB, resource: 'repository', operation: 'getPullRequests', returnAll: true },
    'github pulls.list',
    { owner: 'acme', repo: 'shop', allPages: true },
  ],
  [
    'slack',
    { operation: 'search', query: 'in:#sales', limit: 10 },
    'slack messages.search',
    { query: 'in:#sales', sort: 'timestamp', limit: 10 },
  ],
  [
    'slack',
    { resource: 'channel', operation: 'open', options: { users: ['U1', 'U2'] } },
    'slack channels.open_direct',
    { users: 'U1,U2' },
  ],
  [
    'slack',
    { resource: 'userProfile', operation: 'update', additionalFields: { status_text: 'Away' } },
    'slack users.update_profile',
    { profile: { status_text: 'Away' } },
  ],
  [
    'notion',
    { resource: 'database', operation: 'getAll', returnAll: true },
    'notion databases.list',
    { allPages: true },
  ],
];

const importCall = (type: string, parameters: object) => importServiceNode(`n8n-nodes-base.${type}`, parameters, 2);

it.each([
  [{ resource: 'deal', operation: 'getRecentlyCreatedUpdated', returnAll: true }, undefined],
  [{ resource: 'deal', operation: 'getRecentlyCreatedUpdated', returnAll: false }, 'Check how many it gives'],
  [{ resource: 'engagement', type: 'email', metadata: { subject: 'Hello' } }, undefined],
  [{ resource: 'engagement', type: 'email', metadata: { cc: 'a@b.example' } }, 'These fields of it are left out: cc.'],
  [{ resource: 'engagement', type: 'constructor' }, 'The connector HubSpot has no “engagement.create”'],
])('what HubSpot does otherwise is to check: %j', (parameters, task) => {
  const { message = '' } = importCall('hubspot', parameters);
  const tasks = ['Check how many', 'are left out', 'has no'].filter((words) => message.includes(words));
  expect(tasks).toHaveLength(task === undefined ? 0 : 1);
  expect(message).toContain(task ?? '');
});

it.each(CALLS)('%s %j becomes a call of its connector', async (type, parameters, call, expected) => {
  const { definition } = importCall(type, parameters);
  const made = definition.nodes.find(({ id }) => id === 'it_call') ?? definition.nodes.find(({ id }) => id === 'it');
  const [connectorId, operation] = call.split(' ');
  expect(made?.config).toEqual({ connectorId, operation, parameters: expected });
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});
