import type { ConnectorChoiceSource } from '../../choices';
import type { DataOperation } from '../../operation';
import { listedLineParameter, valueLineParameter } from '../../parameters';
import {
  gitlabLinkPaging,
  gitlabPageSize,
  gitlabParameterNames,
  gitlabProjectId,
  gitlabRateLimit,
} from './gitlab-parameters';

interface ListDetails {
  title: string;
  help: string;
  example: object;
}

/** An operation that lists something of a project, by a part of its name. */
const listOperation = (id: string, path: string, { title, help, example }: ListDetails): DataOperation => ({
  id,
  title,
  help,
  limits: gitlabRateLimit,
  method: 'GET',
  path: `/projects/{project}${path}`,
  inPath: { project: gitlabProjectId },
  inQuery: {
    search: valueLineParameter('Name', 'search', 255).optional().describe('A part of the name'),
    limit: gitlabPageSize,
  },
  names: gitlabParameterNames,
  items: '',
  paging: gitlabLinkPaging,
  example: [example],
});

/** Operations of GitLab that list what parameters are picked from. https://docs.gitlab.com/api/ */
export const gitlabListOperations: DataOperation[] = [
  listOperation('branches.list', '/repository/branches', {
    title: 'List branches of a project',
    help: 'With their newest commits.',
    example: { name: 'main', default: true, protected: true },
  }),
  listOperation('tags.list', '/repository/tags', {
    title: 'List tags of a project',
    help: 'Last changed first.',
    example: { name: 'v1.0.0', message: 'First version' },
  }),
  listOperation('labels.list', '/labels', {
    title: 'List labels of a project',
    help: 'Those of its groups are among them.',
    example: { id: 1, name: 'bug', color: '#d9534f', description: 'Something fails' },
  }),
  listOperation('milestones.list', '/milestones', {
    title: 'List milestones of a project',
    help: 'Active and closed ones.',
    example: { id: 12, iid: 3, title: '10.0', state: 'active', due_date: '2026-03-29' },
  }),
  {
    ...listOperation('members.list', '/members/all', {
      title: 'List members of a project',
      help: 'Those of its groups are among them.',
      example: { id: 1, username: 'ada', name: 'Ada Lovelace', state: 'active' },
    }),
    inQuery: {
      search: valueLineParameter('Name', 'search', 255).optional().describe('A part of the name or email address'),
      limit: gitlabPageSize,
    },
    names: { ...gitlabParameterNames, search: 'query' },
  },
];

/** Operations of GitLab with the groups that own projects. https://docs.gitlab.com/api/groups/ */
export const gitlabGroupOperations: DataOperation[] = [
  {
    id: 'groups.list',
    title: 'List groups',
    help: 'Those of which the user is a member.',
    limits: gitlabRateLimit,
    method: 'GET',
    path: '/groups',
    inQuery: {
      search: valueLineParameter('Name', 'search', 255).optional().describe('A part of the name'),
      limit: gitlabPageSize,
    },
    query: { min_access_level: '10' },
    names: gitlabParameterNames,
    items: '',
    paging: gitlabLinkPaging,
    example: [{ id: 9, name: 'Acme', full_path: 'acme' }],
  },
  {
    id: 'projects.list_of_group',
    title: 'List projects of a group',
    help: 'Those of its subgroups are among them.',
    limits: gitlabRateLimit,
    method: 'GET',
    path: '/groups/{group}/projects',
    inPath: { group: listedLineParameter('Group', 'groups', [], 500).describe('Id, or path, e.g. acme/shops') },
    inQuery: {
      search: valueLineParameter('Name', 'search', 255).optional().describe('A part of the name'),
      limit: gitlabPageSize,
    },
    query: { include_subgroups: 'true' },
    names: gitlabParameterNames,
    items: '',
    paging: gitlabLinkPaging,
    example: [{ id: 4, path_with_namespace: 'acme/shop', default_branch: 'main' }],
  },
];

/** https://docs.gitlab.com/api/pipelines/ */
const PIPELINE_STATUSES =
  'created waiting_for_resource preparing pending running success failed canceled skipped manual scheduled';

const ofProject = { parameters: { limit: 100 }, parametersFrom: { project: 'project' } };

/** What the parameters of GitLab are picked from. */
export const gitlabChoices: Record<string, ConnectorChoiceSource> = {
  projects: {
    operation: 'projects.list',
    parameters: { limit: 100 },
    search: 'search',
    value: 'path_with_namespace',
    label: ['path_with_namespace'],
  },
  groups: {
    operation: 'groups.list',
    parameters: { limit: 100 },
    search: 'search',
    value: 'full_path',
    label: ['full_path'],
    hint: 'name',
  },
  branches: { ...ofProject, operation: 'branches.list', search: 'search', value: 'name', label: ['name'] },
  tags: { ...ofProject, operation: 'tags.list', search: 'search', value: 'name', label: ['name'], hint: 'message' },
  labels: {
    ...ofProject,
    operation: 'labels.list',
    search: 'search',
    value: 'name',
    label: ['name'],
    hint: 'description',
  },
  milestones: {
    ...ofProject,
    operation: 'milestones.list',
    search: 'search',
    value: 'id',
    label: ['title'],
    hint: 'due_date',
  },
  members: {
    ...ofProject,
    operation: 'members.list',
    search: 'search',
    value: 'id',
    label: ['name'],
    hint: 'username',
  },
  pipelineStatuses: {
    choices: PIPELINE_STATUSES.split(' ').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  },
  issues: { ...ofProject, operation: 'issues.list', value: 'iid', label: ['title'], hint: 'iid' },
};
