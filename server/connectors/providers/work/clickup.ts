import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  booleanParameter,
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';
import { clickupChoices } from './clickup-choices';
import { clickupSubscriptions } from '../../subscriptions/clickup';

// https://developer.clickup.com/reference
const clickupPagePaging: ConnectorPaging = {
  kind: 'page',
  query: 'page',
  first: 0,
  size: 'page_size',
  defaultSize: 100,
};
const clickupWorkspaceId = listedLineParameter('Workspace', 'workspaces', [], 50).describe('Id of the workspace');
const clickupSpaceId = listedLineParameter('Space', 'spaces', ['workspace'], 50).describe('Id of the space');
const clickupListId = listedLineParameter('List', 'lists', ['space'], 50).describe('Id of the list');
const clickupPlace = {
  workspace: clickupWorkspaceId.optional().describe('Only to pick the space'),
  space: clickupSpaceId.optional().describe('Only to pick the list'),
};
const clickupTaskPlace = { ...clickupPlace, list: clickupListId.optional().describe('Only to pick the status') };
const clickupTaskId = listedLineParameter('Task', 'tasks', [], 50).describe('Id of the task');
const clickupTaskDetails = {
  description: multilineParameter('Description', 100_000).optional().describe('Markdown'),
  status: listedLineParameter('Status', 'statuses', ['list'], 100).optional().describe('Name of a status of the list'),
  priority: countParameter('Priority', 4).optional().describe('1 urgent, 2 high, 3 normal, 4 low'),
  due: countParameter('Due', 99_999_999_999_999).optional().describe('Unix time in milliseconds'),
};
const clickupParameterNames = { description: 'markdown_content', due: 'due_date' };

// https://developer.clickup.com/docs/rate-limits
const clickupRateLimit = '100 calls a minute, more in higher plans.';
const clickupTaskExample = {
  id: '9hx',
  name: 'Call Ada',
  status: { status: 'to do' },
  date_created: '1769847330000',
  url: 'https://app.clickup.com/t/9hx',
};

export const clickupConnector: ConnectorDefinition = {
  id: 'clickup',
  name: 'ClickUp',
  description: 'Tasks, lists, folders and comments.',
  synonyms: ['task', 'tasks', 'todo', 'project', 'kanban'],
  flow: 'token',
  apiUrl: 'https://api.clickup.com/api/v2',
  scopes: {},
  token: {
    title: 'Personal API token',
    setup: 'In ClickUp open "Settings" > "Apps" and generate an API token.',
    fields: [
      {
        name: 'token',
        title: 'API token',
        hint: 'Begins with pk_',
        isSecret: true,
        pattern: /^pk_\w{10,100}$/,
        rule: 'must be a token of ClickUp, such as pk_…',
      },
    ],
    headers: { Authorization: '{token}' },
  },
  setup: 'Nothing has to be registered: a user has an API token.',
  probe: { path: '/user' },
  // Up to the plan Business.
  limits: { perMinute: 100, source: 'https://developer.clickup.com/docs/rate-limits' },
  choices: clickupChoices,
  subscriptions: clickupSubscriptions,
  operations: [
    {
      id: 'tasks.list',
      title: 'List tasks of a list',
      help: 'Newest first, without closed ones.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/list/{list}/task',
      unsent: clickupPlace,
      inPath: { list: clickupListId },
      inQuery: {
        isClosed: booleanParameter('Closed ones too').optional().describe('Tasks that are done'),
        createdSince: countParameter('Created after', 99_999_999_999_999)
          .optional()
          .describe('Unix time in milliseconds'),
      },
      names: { isClosed: 'include_closed', createdSince: 'date_created_gt' },
      items: 'tasks',
      paging: clickupPagePaging,
      example: { tasks: [clickupTaskExample] },
      poll: {
        title: 'New task',
        words: 'clickup trigger task created',
        parameters: { createdSince: '{{ cursor }}' },
        items: 'input.body.tasks',
        key: 'item.id',
        cursor: '$max(input.body.tasks.$number(date_created)) - 1',
      },
    },
    {
      id: 'tasks.get',
      title: 'Get a task',
      help: 'Status, assignees and fields.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/task/{task}',
      inPath: { task: clickupTaskId },
      example: clickupTaskExample,
    },
    {
      id: 'tasks.create',
      title: 'Create a task',
      help: 'In a list.',
      limits: clickupRateLimit,
      method: 'POST',
      path: '/list/{list}/task',
      unsent: clickupPlace,
      inPath: { list: clickupListId },
      inBody: {
        name: contentLineParameter('Name', 2000).describe('One line'),
        ...clickupTaskDetails,
        assignees: listedLineListParameter('Assignees', 'members', ['list']).optional().describe('Ids of users'),
        tags: listedLineListParameter('Tags', 'tags', ['space']).optional().describe('Names of tags'),
      },
      names: clickupParameterNames,
      example: clickupTaskExample,
    },
    {
      id: 'tasks.update',
      title: 'Update a task',
      help: 'Changes what is given.',
      limits: clickupRateLimit,
      method: 'PUT',
      path: '/task/{task}',
      unsent: clickupTaskPlace,
      inPath: { task: clickupTaskId },
      inBody: { name: contentLineParameter('Name', 2000).optional().describe('One line'), ...clickupTaskDetails },
      names: clickupParameterNames,
      example: clickupTaskExample,
    },
    {
      id: 'tasks.delete',
      title: 'Delete a task',
      help: 'Moves it to the trash.',
      limits: clickupRateLimit,
      method: 'DELETE',
      path: '/task/{task}',
      inPath: { task: clickupTaskId },
      example: null,
    },
    {
      id: 'comments.create',
      title: 'Comment on a task',
      help: 'Adds a comment.',
      limits: clickupRateLimit,
      method: 'POST',
      path: '/task/{task}/comment',
      inPath: { task: clickupTaskId },
      inBody: {
        text: multilineParameter('Text', 100_000).describe('Plain text'),
        notifies: booleanParameter('Notify all').describe('Also the author'),
      },
      names: { text: 'comment_text', notifies: 'notify_all' },
      example: { id: '458', date: 1_769_847_330_000 },
    },
    {
      id: 'workspaces.list',
      title: 'List workspaces',
      help: 'With their members.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/team',
      items: 'teams',
      example: { teams: [{ id: '1234', name: 'Acme', members: [] }] },
    },
    {
      id: 'spaces.list',
      title: 'List spaces of a workspace',
      help: 'With their statuses.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/team/{workspace}/space',
      inPath: { workspace: clickupWorkspaceId },
      items: 'spaces',
      example: { spaces: [{ id: '790', name: 'Sales' }] },
    },
    {
      id: 'lists.list',
      title: 'List lists of a space',
      help: 'Those that are in no folder.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/space/{space}/list',
      unsent: { workspace: clickupPlace.workspace },
      inPath: { space: clickupSpaceId },
      items: 'lists',
      example: { lists: [{ id: '124', name: 'Backlog' }] },
    },
    defineSteppedOperation({
      id: 'lists.list_all',
      title: 'List all lists of a space',
      help: 'Those in folders, with the names of their folders, and those in none.',
      limits: clickupRateLimit,
      parameters: { workspace: clickupPlace.workspace, space: clickupSpaceId },
      *steps({ space }) {
        const place = `/space/${encodeURIComponent(space)}`;
        const folders = getAtPath((yield { path: `${place}/folder` }).body, 'folders');
        const inFolders = (Array.isArray(folders) ? (folders as unknown[]) : []).flatMap((folder) => {
          const lists = getAtPath(folder, 'lists');
          const name = getAtPath(folder, 'name');
          return (Array.isArray(lists) ? (lists as object[]) : []).map((list) => ({ ...list, folder: { name } }));
        });
        const others = getAtPath((yield { path: `${place}/list` }).body, 'lists');
        return [...inFolders, ...(Array.isArray(others) ? (others as unknown[]) : [])];
      },
      example: [
        { id: '125', name: 'Sprint 1', folder: { name: 'Sprints' } },
        { id: '124', name: 'Backlog' },
      ],
    }),
    {
      id: 'lists.get',
      title: 'Get a list',
      help: 'With its statuses.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/list/{list}',
      unsent: clickupPlace,
      inPath: { list: clickupListId },
      items: 'statuses',
      example: { id: '124', name: 'Backlog', statuses: [{ status: 'to do', type: 'open' }] },
    },
    {
      id: 'lists.list_members',
      title: 'List members of a list',
      help: 'Users that have access to it.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/list/{list}/member',
      unsent: clickupPlace,
      inPath: { list: clickupListId },
      items: 'members',
      example: { members: [{ id: 812, username: 'Ada', email: 'ada@example.com' }] },
    },
    {
      id: 'tags.list',
      title: 'List tags of a space',
      help: 'Tags that tasks may have.',
      limits: clickupRateLimit,
      method: 'GET',
      path: '/space/{space}/tag',
      unsent: { workspace: clickupPlace.workspace },
      inPath: { space: clickupSpaceId },
      items: 'tags',
      example: { tags: [{ name: 'urgent', tag_fg: '#000000' }] },
    },
  ],
};
