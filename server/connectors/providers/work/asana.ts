import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ApiResponse, type ConnectorPaging } from '../../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  booleanParameter,
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { asanaChoices } from './asana-choices';
import { asanaSubscriptions } from '../../subscriptions/asana';

// https://developers.asana.com/docs/pagination
const asanaTokenPaging: ConnectorPaging = { kind: 'token', at: 'next_page.offset', query: 'offset' };
const asanaTaskId = listedLineParameter('Task', 'tasks', [], 50).describe('Id of the task');
const asanaProjectId = listedLineParameter('Project', 'projects', [], 50).describe(
  'Id of the project; it is in its address',
);
const asanaWorkspaceId = listedLineParameter('Workspace', 'workspaces', [], 50).describe('Id of the workspace');
const asanaPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
const asanaFurtherFields = valueLineParameter('Fields', 'code', 1000)
  .optional()
  .describe('Further fields, separated by commas, e.g. due_on,assignee.name');
const asanaTaskDetails = {
  notes: multilineParameter('Description', 65_000).optional().describe('Plain text'),
  assignee: listedLineParameter('Assignee', 'users', [], 320).optional().describe('Id or email address, or me'),
  due: valueLineParameter('Due', 'quantity', 10).optional().describe('Day, e.g. 2026-03-01'),
};
const asanaParameterNames = { due: 'due_on', fields: 'opt_fields' };

// https://developers.asana.com/docs/rate-limits
const asanaRateLimit = '150 calls a minute, 1,500 in paid plans.';
const asanaTaskExample = {
  gid: '12345',
  name: 'Call Ada',
  completed: false,
  due_on: '2026-03-01',
  permalink_url: 'https://app.asana.com/0/1/12345',
};

export const asanaConnector: ConnectorDefinition = {
  id: 'asana',
  name: 'Asana',
  description: 'Tasks, projects and comments.',
  synonyms: ['task', 'tasks', 'todo', 'project', 'kanban'],
  flow: 'token',
  apiUrl: 'https://app.asana.com/api/1.0',
  scopes: {},
  token: {
    title: 'Personal access token',
    setup: 'At app.asana.com/0/my-apps create a personal access token.',
    fields: [
      {
        name: 'token',
        title: 'Personal access token',
        hint: 'Digits, /, and more',
        isSecret: true,
        pattern: /^[\w/:.-]{20,300}$/,
        rule: 'must be a token of Asana',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: a user has access tokens.',
  probe: { path: '/users/me' },
  // On a free plan; at most 15 calls at a time that write.
  limits: { perMinute: 150, concurrent: 15, source: 'https://developers.asana.com/docs/rate-limits' },
  choices: asanaChoices,
  subscriptions: asanaSubscriptions,
  operations: [
    {
      id: 'tasks.list',
      title: 'List tasks of a project',
      help: 'Names and ids; further fields on demand.',
      limits: asanaRateLimit,
      method: 'GET',
      path: '/projects/{project}/tasks',
      inPath: { project: asanaProjectId },
      inQuery: { fields: asanaFurtherFields, limit: asanaPageSize },
      names: asanaParameterNames,
      items: 'data',
      paging: asanaTokenPaging,
      example: { data: [asanaTaskExample], next_page: null },
      poll: {
        title: 'New task',
        words: 'asana trigger task created project',
        parameters: { allPages: true, limit: 100 },
        items: 'input.body',
        key: 'item.gid',
      },
    },
    {
      id: 'tasks.get',
      title: 'Get a task',
      help: 'All its fields.',
      limits: asanaRateLimit,
      method: 'GET',
      path: '/tasks/{task}',
      inPath: { task: asanaTaskId },
      example: { data: asanaTaskExample },
    },
    {
      id: 'tasks.create',
      title: 'Create a task',
      help: 'In projects of a workspace.',
      limits: asanaRateLimit,
      method: 'POST',
      path: '/tasks',
      inBody: {
        name: contentLineParameter('Name', 1024).describe('One line'),
        projects: listedLineListParameter('Projects', 'projects')
          .optional()
          .describe('Ids of projects; either these or the workspace'),
        workspace: asanaWorkspaceId.optional(),
        ...asanaTaskDetails,
        tags: listedLineListParameter('Tags', 'tags').optional().describe('Ids of tags'),
      },
      names: asanaParameterNames,
      wrap: 'data',
      example: { data: asanaTaskExample },
    },
    {
      id: 'tasks.update',
      title: 'Update a task',
      help: 'Changes what is given, or completes it.',
      limits: asanaRateLimit,
      method: 'PUT',
      path: '/tasks/{task}',
      inPath: { task: asanaTaskId },
      inBody: {
        name: contentLineParameter('Name', 1024).optional().describe('One line'),
        ...asanaTaskDetails,
        isDone: booleanParameter('Completed').optional().describe('Whether it is done'),
      },
      names: { ...asanaParameterNames, isDone: 'completed' },
      wrap: 'data',
      example: { data: { ...asanaTaskExample, completed: true } },
    },
    {
      id: 'tasks.delete',
      title: 'Delete a task',
      help: 'It can be restored for 30 days.',
      limits: asanaRateLimit,
      method: 'DELETE',
      path: '/tasks/{task}',
      inPath: { task: asanaTaskId },
      example: { data: {} },
    },
    {
      id: 'comments.create',
      title: 'Comment on a task',
      help: 'Adds a comment.',
      limits: asanaRateLimit,
      method: 'POST',
      path: '/tasks/{task}/stories',
      inPath: { task: asanaTaskId },
      inBody: { text: multilineParameter('Text', 65_000).describe('Plain text') },
      wrap: 'data',
      example: { data: { gid: '12346', text: 'Done' } },
    },
    {
      id: 'sections.add_task',
      title: 'Move a task to a section',
      help: 'A column of a board.',
      limits: asanaRateLimit,
      method: 'POST',
      path: '/sections/{section}/addTask',
      unsent: { project: asanaProjectId.optional().describe('Only to pick the section') },
      inPath: { section: listedLineParameter('Section', 'sections', ['project'], 50).describe('Id of the section') },
      inBody: { task: asanaTaskId },
      wrap: 'data',
      example: { data: {} },
    },
    {
      id: 'projects.list',
      title: 'List projects of a workspace',
      help: 'With their ids.',
      limits: asanaRateLimit,
      method: 'GET',
      path: '/workspaces/{workspace}/projects',
      inPath: { workspace: asanaWorkspaceId },
      inQuery: { limit: asanaPageSize },
      items: 'data',
      paging: asanaTokenPaging,
      example: { data: [{ gid: '1331', name: 'Website' }], next_page: null },
    },
    {
      id: 'workspaces.list',
      title: 'List workspaces',
      help: 'Those of the user.',
      limits: asanaRateLimit,
      method: 'GET',
      path: '/workspaces',
      items: 'data',
      example: { data: [{ gid: '42', name: 'Acme' }] },
    },
    {
      id: 'sections.list',
      title: 'List sections of a project',
      help: 'The columns of a board.',
      limits: asanaRateLimit,
      method: 'GET',
      path: '/projects/{project}/sections',
      inPath: { project: asanaProjectId },
      inQuery: { limit: asanaPageSize },
      items: 'data',
      paging: asanaTokenPaging,
      example: { data: [{ gid: '12350', name: 'To do' }], next_page: null },
    },
    {
      id: 'users.list',
      title: 'List users',
      help: 'Those of all workspaces that the account can see.',
      limits: asanaRateLimit,
      method: 'GET',
      path: '/users',
      inQuery: { limit: asanaPageSize },
      query: { opt_fields: 'name,email' },
      items: 'data',
      paging: asanaTokenPaging,
      example: { data: [{ gid: '14916', name: 'Ada', email: 'ada@example.com' }], next_page: null },
    },
    defineSteppedOperation({
      id: 'projects.list_all',
      title: 'List projects',
      help: 'Those of all workspaces, without archived ones.',
      limits: asanaRateLimit,
      parameters: {},
      *steps() {
        const workspaces = getAtPath((yield { path: '/workspaces' }).body, 'data');
        const all: unknown[] = [];
        for (const workspace of Array.isArray(workspaces) ? (workspaces as unknown[]) : []) {
          const path = `/workspaces/${encodeURIComponent(String(getAtPath(workspace, 'gid')))}/projects`;
          let offset: unknown;
          do {
            const query = { limit: 100, archived: false, opt_fields: 'name,workspace.name', offset };
            const { body }: ApiResponse = yield { path, query };
            all.push(...((getAtPath(body, 'data') ?? []) as unknown[]));
            offset = getAtPath(body, 'next_page.offset');
          } while (typeof offset === 'string');
        }
        return all;
      },
      example: [{ gid: '1331', name: 'Website', workspace: { gid: '42', name: 'Acme' } }],
    }),
  ],
};
