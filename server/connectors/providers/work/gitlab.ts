import { HOST_NAME_RULE, HOST_NAME_PATTERN, type ConnectorDefinition } from '../../connector';
import type { ConnectorPaging } from '../../operation';
import {
  choiceParameter,
  countParameter,
  jsonObjectParameter,
  multilineParameter,
  lineParameter,
} from '../../parameters';
import { gitlabSubscriptions } from '../../subscriptions/gitlab';

// https://docs.gitlab.com/api/rest/#pagination
const gitlabLinkPaging: ConnectorPaging = { kind: 'link' };
const gitlabProjectId = lineParameter('Project', 500).describe('Id, or path with its group, e.g. acme/shop');
const gitlabIssueNumber = countParameter('Number', 2 ** 31).describe('The number after ! or #');
const gitlabPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
const gitlabParameterNames = { limit: 'per_page', number: 'iid' };
const gitlabIssueText = multilineParameter('Text', 1_000_000).optional().describe('Markdown');
const gitlabLabels = lineParameter('Labels', 2000).optional().describe('Names, separated by commas');

// https://docs.gitlab.com/user/gitlab_com/#rate-limits-on-gitlabcom
const gitlabRateLimit = '2,000 calls a minute for a user of gitlab.com.';
const gitlabIssueExample = {
  id: 1,
  iid: 42,
  title: 'Login fails',
  state: 'opened',
  web_url: 'https://gitlab.com/acme/shop/-/issues/42',
  created_at: '2026-01-31T08:15:30.000Z',
};

export const gitlabConnector: ConnectorDefinition = {
  id: 'gitlab',
  name: 'GitLab',
  description: 'Issues, merge requests, pipelines and files.',
  synonyms: ['git', 'repository', 'code', 'issue', 'merge request', 'ci', 'pipeline'],
  flow: 'token',
  apiUrl: 'https://{host}/api/v4',
  scopes: {},
  parameters: [
    {
      name: 'host',
      title: 'Host',
      hint: 'Empty: gitlab.com',
      required: false,
      pattern: HOST_NAME_PATTERN,
      rule: HOST_NAME_RULE,
      fallback: 'gitlab.com',
    },
  ],
  token: {
    title: 'Access token',
    setup: 'Under "Preferences" > "Access tokens" create a token with the scope api, or read_api for reading only.',
    fields: [
      {
        name: 'token',
        title: 'Access token',
        hint: 'Begins with glpat-',
        isSecret: true,
        pattern: /^[\w.-]{15,300}$/,
        rule: 'must be a token of GitLab, such as glpat-…',
      },
    ],
    headers: { 'PRIVATE-TOKEN': '{token}' },
  },
  setup: 'Nothing has to be registered: a user has access tokens.',
  probe: { path: '/user' },
  subscriptions: gitlabSubscriptions,
  operations: [
    {
      id: 'issues.list',
      title: 'List issues of a project',
      help: 'Newest first.',
      limits: gitlabRateLimit,
      method: 'GET',
      path: '/projects/{project}/issues',
      inPath: { project: gitlabProjectId },
      inQuery: {
        state: choiceParameter('State', ['opened', 'closed', 'all']).optional().describe('Default all'),
        labels: gitlabLabels,
        createdAfter: lineParameter('Created after', 64).optional().describe('ISO 8601'),
        limit: gitlabPageSize,
      },
      names: { ...gitlabParameterNames, createdAfter: 'created_after' },
      items: '',
      paging: gitlabLinkPaging,
      example: [gitlabIssueExample],
      poll: {
        title: 'New issue',
        words: 'gitlab trigger issue opened',
        parameters: { createdAfter: '{{ cursor }}', limit: 100 },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.created_at)[-1]',
      },
    },
    {
      id: 'issues.create',
      title: 'Create an issue',
      help: 'With a text and labels.',
      limits: gitlabRateLimit,
      method: 'POST',
      path: '/projects/{project}/issues',
      inPath: { project: gitlabProjectId },
      inBody: {
        title: lineParameter('Title', 255).describe('One line'),
        description: gitlabIssueText,
        labels: gitlabLabels,
      },
      example: gitlabIssueExample,
    },
    {
      id: 'issues.update',
      title: 'Update an issue',
      help: 'Changes what is given, or closes it.',
      limits: gitlabRateLimit,
      method: 'PUT',
      path: '/projects/{project}/issues/{number}',
      inPath: { project: gitlabProjectId, number: gitlabIssueNumber },
      inBody: {
        title: lineParameter('Title', 255).optional().describe('One line'),
        description: gitlabIssueText,
        labels: gitlabLabels,
        state: choiceParameter('Change', ['close', 'reopen']).optional().describe('Closes or reopens it'),
      },
      names: { state: 'state_event' },
      example: gitlabIssueExample,
    },
    {
      id: 'comments.create',
      title: 'Comment on an issue',
      help: 'Adds a note.',
      limits: gitlabRateLimit,
      method: 'POST',
      path: '/projects/{project}/issues/{number}/notes',
      inPath: { project: gitlabProjectId, number: gitlabIssueNumber },
      inBody: { body: multilineParameter('Text', 1_000_000).describe('Markdown') },
      example: { id: 302, body: 'Fixed' },
    },
    {
      id: 'merge_requests.list',
      title: 'List merge requests',
      help: 'Newest first.',
      limits: gitlabRateLimit,
      method: 'GET',
      path: '/projects/{project}/merge_requests',
      inPath: { project: gitlabProjectId },
      inQuery: {
        state: choiceParameter('State', ['opened', 'closed', 'merged', 'all']).optional().describe('Default all'),
        limit: gitlabPageSize,
      },
      names: gitlabParameterNames,
      items: '',
      paging: gitlabLinkPaging,
      example: [{ iid: 7, title: 'Fix login', state: 'opened', source_branch: 'fix', target_branch: 'main' }],
    },
    {
      id: 'merge_requests.create',
      title: 'Create a merge request',
      help: 'From a branch into another one.',
      limits: gitlabRateLimit,
      method: 'POST',
      path: '/projects/{project}/merge_requests',
      inPath: { project: gitlabProjectId },
      inBody: {
        title: lineParameter('Title', 255).describe('One line'),
        source: lineParameter('From', 255).describe('Name of the branch with the changes'),
        target: lineParameter('Into', 255).describe('Name of the branch that gets them, e.g. main'),
        description: gitlabIssueText,
      },
      names: { source: 'source_branch', target: 'target_branch' },
      example: { iid: 7, title: 'Fix login', state: 'opened' },
    },
    {
      id: 'pipelines.create',
      title: 'Start a pipeline',
      help: 'Runs CI for a branch or tag, with variables.',
      limits: gitlabRateLimit,
      method: 'POST',
      path: '/projects/{project}/pipeline',
      inPath: { project: gitlabProjectId },
      inBody: {
        ref: lineParameter('Branch', 255).describe('Branch or tag'),
        inputs: jsonObjectParameter('Inputs').optional().describe('Names and values'),
      },
      example: { id: 61, status: 'pending', ref: 'main' },
    },
    {
      id: 'pipelines.list',
      title: 'List pipelines',
      help: 'Newest first.',
      limits: gitlabRateLimit,
      method: 'GET',
      path: '/projects/{project}/pipelines',
      inPath: { project: gitlabProjectId },
      inQuery: { status: lineParameter('Status', 50).optional().describe('e.g. failed'), limit: gitlabPageSize },
      names: gitlabParameterNames,
      items: '',
      paging: gitlabLinkPaging,
      example: [{ id: 61, status: 'failed', ref: 'main', web_url: 'https://gitlab.com/acme/shop/-/pipelines/61' }],
    },
    {
      id: 'releases.create',
      title: 'Create a release',
      help: 'Of a tag; the tag is made if a branch is given.',
      limits: gitlabRateLimit,
      method: 'POST',
      path: '/projects/{project}/releases',
      inPath: { project: gitlabProjectId },
      inBody: {
        tag: lineParameter('Tag', 255).describe('e.g. v1.0.0'),
        name: lineParameter('Name', 255).optional().describe('Title of the release'),
        description: gitlabIssueText,
        ref: lineParameter('Branch', 255).optional().describe('For a new tag'),
      },
      names: { tag: 'tag_name' },
      example: { tag_name: 'v1.0.0', name: 'v1.0.0' },
    },
    {
      id: 'projects.list',
      title: 'List projects',
      help: 'Those of which the user is a member.',
      limits: gitlabRateLimit,
      method: 'GET',
      path: '/projects',
      inQuery: { search: lineParameter('Name', 255).optional().describe('A part of the name'), limit: gitlabPageSize },
      names: gitlabParameterNames,
      query: { membership: 'true' },
      items: '',
      paging: gitlabLinkPaging,
      example: [{ id: 4, path_with_namespace: 'acme/shop', default_branch: 'main' }],
    },
  ],
};
