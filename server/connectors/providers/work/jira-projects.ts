import { defineSteppedOperation, type DataOperation, type OperationDefinition } from '../../operation';
import {
  choiceParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  listedParameter,
  valueLineParameter,
} from '../../parameters';
import {
  jiraIssueParameter,
  jiraListPaging,
  jiraPageNames,
  jiraPageSize,
  jiraProject,
  jiraRateLimit,
  jiraUserExample,
} from './jira-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

interface ListDetails {
  title: string;
  help: string;
  items: string;
  example: object;
}

/** An operation that lists something page by page. */
const pagedOperation = (id: string, path: string, { items, example, ...texts }: ListDetails): DataOperation => ({
  id,
  ...texts,
  limits: jiraRateLimit,
  method: 'GET',
  path,
  ...(path.includes('{project}') ? { inPath: { project: jiraProject } } : {}),
  inQuery: { limit: jiraPageSize },
  names: jiraPageNames,
  items,
  paging: jiraListPaging,
  example: items === '' ? [example] : { [items]: [example], total: 1 },
});

const jiraUserRange = {
  from: countParameter('From', 2 ** 31)
    .optional()
    .describe('Users to pass over; default 0'),
  limit: countParameter('Items', 1000).optional().describe('Default 50'),
};
const jiraUserRangeNames = { ...jiraPageNames, from: 'startAt' };
const jiraBoardId = listedParameter(countParameter('Board', 2 ** 52), 'boards').describe('`id` of the board');
const jiraStatusName = (status: unknown) => String(getAtPath(status, 'id'));

/** Operations of Jira with projects, and what issues are chosen from. */
export const jiraProjectOperations: OperationDefinition[] = [
  {
    id: 'users.find',
    title: 'Find users',
    help: 'By a part of the name or email address; with account ids.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/user/search',
    inQuery: { query: valueLineParameter('Text', 'search', 200).describe('Name or email address') },
    items: '',
    example: [jiraUserExample],
  },
  {
    id: 'projects.list',
    title: 'List projects',
    help: 'Projects that the user may see.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/project/search',
    inQuery: {
      query: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name or key'),
      limit: jiraPageSize,
    },
    names: jiraPageNames,
    items: 'values',
    paging: jiraListPaging,
    example: { values: [{ id: '10000', key: 'PROJ', name: 'Project' }], total: 1 },
  },
  {
    id: 'users.get',
    title: 'Get a user',
    help: 'By the account id.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/user',
    inQuery: { user: listedLineParameter('User', 'users', [], 128).describe('Account id of the user') },
    names: { user: 'accountId' },
    example: jiraUserExample,
  },
  {
    id: 'users.get_own',
    title: 'Get the own user',
    help: 'Whose token it is.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/myself',
    example: jiraUserExample,
  },
  // Pages of users may have less than what was asked for although there are more: they do not tell where the end is.
  {
    id: 'users.list',
    title: 'List users',
    help: 'All users, also apps and inactive ones.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/users/search',
    inQuery: jiraUserRange,
    names: jiraUserRangeNames,
    items: '',
    example: [jiraUserExample],
  },
  {
    id: 'users.list_assignable',
    title: 'List users that issues can be assigned to',
    help: 'In a project.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/user/assignable/search',
    inQuery: {
      project: jiraProject,
      query: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name'),
      ...jiraUserRange,
    },
    names: jiraUserRangeNames,
    items: '',
    example: [jiraUserExample],
  },
  {
    id: 'users.list_assignable_to_issue',
    title: 'List users that an issue can be assigned to',
    help: 'Active users with the permission.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/user/assignable/search',
    inQuery: {
      issue: jiraIssueParameter,
      query: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name'),
      ...jiraUserRange,
    },
    names: { ...jiraUserRangeNames, issue: 'issueKey' },
    items: '',
    example: [jiraUserExample],
  },
  {
    id: 'projects.get',
    title: 'Get a project',
    help: 'With its types of issues, components and versions.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/project/{project}',
    inPath: { project: jiraProject },
    example: { id: '10000', key: 'PROJ', name: 'Project', issueTypes: [{ id: '10001', name: 'Task' }] },
  },
  pagedOperation('issue_types.list', '/issue/createmeta/{project}/issuetypes', {
    title: 'List types of issues',
    help: 'Those that can be created in a project.',
    items: 'issueTypes',
    example: { id: '10001', name: 'Task', subtask: false },
  }),
  defineSteppedOperation({
    id: 'statuses.list',
    title: 'List statuses of a project',
    help: 'Of all its types of issues.',
    limits: jiraRateLimit,
    parameters: { project: jiraProject },
    *steps({ project }) {
      const { body } = yield { path: `/project/${encodeURIComponent(project)}/statuses` };
      const all = (Array.isArray(body) ? (body as unknown[]) : []).flatMap((type) => {
        const statuses = getAtPath(type, 'statuses');
        return Array.isArray(statuses) ? (statuses as unknown[]) : [];
      });
      return [...new Map(all.map((status) => [jiraStatusName(status), status])).values()];
    },
    example: [{ id: '3', name: 'In Progress', statusCategory: { key: 'indeterminate' } }],
  }),
  pagedOperation('priorities.list', '/priority/search', {
    title: 'List priorities',
    help: 'In their order.',
    items: 'values',
    example: { id: '2', name: 'High', isDefault: false },
  }),
  pagedOperation('components.list', '/project/{project}/component', {
    title: 'List components of a project',
    help: 'By name.',
    items: 'values',
    example: { id: '10000', name: 'Shop' },
  }),
  pagedOperation('versions.list', '/project/{project}/version', {
    title: 'List versions of a project',
    help: 'In their order.',
    items: 'values',
    example: { id: '10000', name: '1.0', released: false },
  }),
  {
    id: 'fields.list',
    title: 'List fields of issues',
    help: 'Those of Jira and own ones, with their ids and types.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/field',
    items: '',
    example: [{ id: 'customfield_10011', name: 'Epic Name', custom: true, schema: { type: 'string' } }],
  },
  {
    id: 'labels.list',
    title: 'List labels',
    help: 'Words that issues of the site have.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/label',
    inQuery: { limit: countParameter('Items a page', 1000).optional().describe('Default 1,000') },
    names: jiraPageNames,
    items: 'values',
    paging: { kind: 'offset', query: 'startAt', size: 'maxResults', defaultSize: 1000 },
    example: { values: ['bug', 'urgent'], total: 2, isLast: true },
  },
  {
    id: 'link_types.list',
    title: 'List kinds of links between issues',
    help: 'Kinds such as Blocks.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/issueLinkType',
    items: 'issueLinkTypes',
    example: { issueLinkTypes: [{ id: '1000', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' }] },
  },
  pagedOperation('filters.list', '/filter/search', {
    title: 'List saved filters',
    help: 'Those that the user may see.',
    items: 'values',
    example: { id: '10000', name: 'My open issues' },
  }),
  {
    ...pagedOperation('boards.list', '/board', {
      title: 'List boards',
      help: 'Of Scrum and Kanban.',
      items: 'values',
      example: { id: 84, name: 'Team', type: 'scrum' },
    }),
    api: 'agile',
  },
  {
    id: 'sprints.list',
    title: 'List sprints of a board',
    help: 'Oldest first.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/board/{board}/sprint',
    api: 'agile',
    inPath: { board: jiraBoardId },
    inQuery: {
      state: choiceParameter('State', ['active', 'future', 'closed']).optional().describe('Default: all'),
      limit: jiraPageSize,
    },
    names: jiraPageNames,
    items: 'values',
    paging: jiraListPaging,
    example: { values: [{ id: 37, name: 'Sprint 1', state: 'active' }], isLast: true },
  },
  {
    id: 'sprints.add_issues',
    title: 'Move issues to a sprint',
    help: 'At most 50.',
    limits: jiraRateLimit,
    method: 'POST',
    path: '/sprint/{sprint}/issue',
    api: 'agile',
    unsent: { board: jiraBoardId.optional().describe('Only to pick the sprint') },
    inPath: {
      sprint: listedParameter(countParameter('Sprint', 2 ** 52), 'sprints', ['board']).describe('`id` of the sprint'),
    },
    inBody: { issues: listedLineListParameter('Issues', 'issues').describe('Keys of issues') },
    example: null,
  },
];
