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

type ListDetails = Pick<DataOperation, 'title' | 'inPath' | 'query'> & { help: string; example: object };

/** An operation that lists something by a part of its name. */
const listOperation = (id: string, path: string, { example, ...details }: ListDetails): DataOperation => ({
  id,
  limits: gitlabRateLimit,
  method: 'GET',
  path,
  inQuery: {
    search: valueLineParameter('Name', 'search', 255).optional().describe('A part of the name'),
    limit: gitlabPageSize,
  },
  names: gitlabParameterNames,
  items: '',
  paging: gitlabLinkPaging,
  example: [example],
  ...details,
});

const projectListOperation = (id: string, path: string, details: ListDetails): DataOperation =>
  listOperation(id, `/projects/{project}${path}`, { inPath: { project: gitlabProjectId }, ...details });

/** Operations of GitLab that list what parameters are picked from. https://docs.gitlab.com/api/ */
export const gitlabListOperations: DataOperation[] = [
  projectListOperation('branches.list', '/repository/branches', {
    title: 'List branches of a project',
    help: 'With their newest commits.',
    example: { name: 'main', default: true, protected: true },
  }),
  projectListOperation('tags.list', '/repository/tags', {
    title: 'List tags of a project',
    help: 'Last changed first.',
    example: { name: 'v1.0.0', message: 'First version' },
  }),
  projectListOperation('labels.list', '/labels', {
    title: 'List labels of a project',
    help: 'Those of its groups are among them.',
    example: { id: 1, name: 'bug', color: '#d9534f', description: 'Something fails' },
  }),
  projectListOperation('milestones.list', '/milestones', {
    title: 'List milestones of a project',
    help: 'Active and closed ones.',
    example: { id: 12, iid: 3, title: '10.0', state: 'active', due_date: '2026-03-29' },
  }),
  {
    ...projectListOperation('members.list', '/members/all', {
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
  listOperation('groups.list', '/groups', {
    title: 'List groups',
    help: 'Those of which the user is a member.',
    query: { min_access_level: '10' },
    example: { id: 9, name: 'Acme', full_path: 'acme' },
  }),
  listOperation('projects.list_of_group', '/groups/{group}/projects', {
    title: 'List projects of a group',
    help: 'Those of its subgroups are among them.',
    inPath: { group: listedLineParameter('Group', 'groups', [], 500).describe('Id, or path, e.g. acme/shops') },
    query: { include_subgroups: 'true' },
    example: { id: 4, path_with_namespace: 'acme/shop', default_branch: 'main' },
  }),
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
