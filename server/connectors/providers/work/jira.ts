import { NodeFailure } from '@/server/platform/errors/node-failure';
import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  countParameter,
  jsonObjectParameter,
  fileParameter,
  multilineParameter,
  lineParameter,
  lineListParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://developer.atlassian.com/cloud/jira/platform/rest/v2/: version 2 takes texts of descriptions as they are.
const jiraSearchPaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'nextPageToken' };
const jiraListPaging: ConnectorPaging = { kind: 'offset', query: 'startAt', size: 'maxResults', defaultSize: 50 };
const jiraIssueParameter = lineParameter('Issue', 100).describe('Key or id, e.g. PROJ-42');
const jiraDescription = multilineParameter('Description', 32_767)
  .optional()
  .describe('Plain text with the markup of Jira');
const jiraLabels = lineListParameter('Labels').optional().describe('Words without blanks');
const jiraAssigneeId = lineParameter('Assignee', 128).optional().describe('Account id of the user');
const jiraOtherFields = jsonObjectParameter('Other fields')
  .optional()
  .describe('As JSON, e.g. {"customfield_10011": "x"}');

// https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
const jiraRateLimit = 'By points of all calls of a site; busy sites answer 429 with a time to wait.';
const jiraIssueExample = {
  id: '10002',
  key: 'PROJ-42',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10002',
  fields: { summary: 'Login fails', status: { name: 'To Do' }, created: '2026-01-31T08:15:30.000+0000' },
};
const jiraIssuePath = (key: string, rest = '') => `/issue/${encodeURIComponent(key)}${rest}`;

interface JiraIssueDetails {
  summary?: string | undefined;
  description?: string | undefined;
  labels?: string[] | undefined;
  assignee?: string | undefined;
  priority?: string | undefined;
  others?: Record<string, unknown> | undefined;
}

const toJiraFields = ({
  summary,
  description: about,
  labels: all,
  assignee: accountId,
  priority,
  others: rest,
}: JiraIssueDetails) => ({
  summary,
  description: about,
  labels: all,
  ...(accountId === undefined ? {} : { assignee: { accountId } }),
  ...(priority === undefined ? {} : { priority: { name: priority } }),
  ...rest,
});

export const jiraConnector: ConnectorDefinition = {
  id: 'jira',
  name: 'Jira',
  description: 'Issues, comments and projects of Jira Cloud.',
  synonyms: ['atlassian', 'issue', 'ticket', 'tickets', 'bug', 'project', 'agile', 'tasks'],
  flow: 'token',
  apiUrl: 'https://{site}.atlassian.net/rest/api/2',
  scopes: {},
  parameters: [
    {
      name: 'site',
      title: 'Site',
      hint: 'acme for acme.atlassian.net',
      required: true,
      pattern: DNS_LABEL_PATTERN,
      rule: 'must be the name before .atlassian.net, without dots',
    },
  ],
  token: {
    title: 'API token',
    setup:
      'At id.atlassian.com/manage-profile/security/api-tokens create an API token. It acts with the permissions of its user.',
    fields: [
      {
        name: 'email',
        title: 'Email address',
        hint: 'Of the Atlassian account',
        isSecret: false,
        pattern: /^[^\s:@]+@[^\s:@]+$/,
        rule: 'must be an email address',
      },
      {
        name: 'token',
        title: 'API token',
        hint: 'Begins with ATATT',
        isSecret: true,
        pattern: /^[\w=.-]{10,1000}$/,
        rule: 'must be an API token of Atlassian',
      },
    ],
    basic: { username: '{email}', password: '{token}' },
  },
  setup: 'Nothing has to be registered: a user has API tokens.',
  probe: { path: '/myself' },
  operations: [
    {
      id: 'issues.search',
      title: 'Search issues',
      help: 'Issues by JQL.',
      limits: jiraRateLimit,
      method: 'GET',
      path: '/search/jql',
      inQuery: {
        jql: multilineParameter('JQL', 8000).describe('e.g. project = PROJ AND status = "To Do" ORDER BY created DESC'),
        fields: lineParameter('Fields', 2000)
          .default('*navigable')
          .describe('Names, separated by commas; default: the usual ones'),
        limit: countParameter('Items a page', 5000).optional().describe('Default 50'),
      },
      names: { limit: 'maxResults' },
      items: 'issues',
      paging: jiraSearchPaging,
      example: { issues: [jiraIssueExample], isLast: true },
      poll: {
        title: 'New issue',
        words: 'jira trigger issue created ticket bug',
        parameters: { jql: 'created >= -1d ORDER BY created DESC', limit: 100, allPages: true },
        items: 'input.body',
        key: 'item.id',
      },
    },
    {
      id: 'issues.get',
      title: 'Get an issue',
      help: 'All its fields.',
      limits: jiraRateLimit,
      method: 'GET',
      path: '/issue/{issue}',
      inPath: { issue: jiraIssueParameter },
      example: jiraIssueExample,
    },
    defineSteppedOperation({
      id: 'issues.create',
      title: 'Create an issue',
      help: 'In a project, of a type such as Task or Bug.',
      limits: jiraRateLimit,
      parameters: {
        project: lineParameter('Project', 100).describe('Key of the project, e.g. PROJ'),
        type: lineParameter('Type', 100).describe('Name of the type, e.g. Task'),
        summary: lineParameter('Summary', 255).describe('One line'),
        description: jiraDescription,
        priority: lineParameter('Priority', 100).optional().describe('Name, e.g. High'),
        assignee: jiraAssigneeId,
        labels: jiraLabels,
        parent: lineParameter('Parent', 100).optional().describe('Key of the epic or of the issue above'),
        others: jiraOtherFields,
      },
      *steps({ project, type, parent, ...details }) {
        const above = parent === undefined ? {} : { parent: { key: parent } };
        const value = {
          fields: { project: { key: project }, issuetype: { name: type }, ...above, ...toJiraFields(details) },
        };
        return (yield { method: 'POST', path: '/issue', body: { as: 'json', value } }).body;
      },
      example: { id: '10002', key: 'PROJ-42', self: jiraIssueExample.self },
    }),
    defineSteppedOperation({
      id: 'issues.update',
      title: 'Update an issue',
      help: 'Changes the fields that are given.',
      limits: jiraRateLimit,
      parameters: {
        issue: jiraIssueParameter,
        summary: lineParameter('Summary', 255).optional().describe('One line'),
        description: jiraDescription,
        priority: lineParameter('Priority', 100).optional().describe('Name, e.g. High'),
        assignee: jiraAssigneeId,
        labels: jiraLabels.describe('They replace the labels of the issue'),
        others: jiraOtherFields,
      },
      *steps({ issue: key, ...details }) {
        yield {
          method: 'PUT',
          path: jiraIssuePath(key),
          body: { as: 'json', value: { fields: toJiraFields(details) } },
        };
        return { key };
      },
      example: { key: 'PROJ-42' },
    }),
    defineSteppedOperation({
      id: 'issues.transition',
      title: 'Move an issue to another status',
      help: 'By the name of a transition or of the status that it leads to.',
      limits: jiraRateLimit,
      parameters: { issue: jiraIssueParameter, status: lineParameter('Status', 100).describe('e.g. Done') },
      *steps({ issue: key, status }) {
        const { body } = yield { path: jiraIssuePath(key, '/transitions') };
        const all = (getAtPath(body, 'transitions') ?? []) as { id: string; name: string; to?: { name?: string } }[];
        const wanted = status.toLowerCase();
        const found = all.find(({ name, to }) => to?.name?.toLowerCase() === wanted || name.toLowerCase() === wanted);
        if (!found) {
          const known = all.map(({ to, name }) => to?.name ?? name).join(', ');
          throw new NodeFailure('NOT_FOUND', `The issue ${key} cannot move to "${status}", only to ${known}.`, false);
        }
        yield {
          method: 'POST',
          path: jiraIssuePath(key, '/transitions'),
          body: { as: 'json', value: { transition: { id: found.id } } },
        };
        return { key, status: found.to?.name ?? found.name };
      },
      example: { key: 'PROJ-42', status: 'Done' },
    }),
    {
      id: 'issues.delete',
      title: 'Delete an issue',
      help: 'For good; one with subtasks is refused.',
      limits: jiraRateLimit,
      method: 'DELETE',
      path: '/issue/{issue}',
      inPath: { issue: jiraIssueParameter },
      example: null,
    },
    {
      id: 'comments.create',
      title: 'Comment on an issue',
      help: 'Adds a comment.',
      limits: jiraRateLimit,
      method: 'POST',
      path: '/issue/{issue}/comment',
      inPath: { issue: jiraIssueParameter },
      inBody: { body: multilineParameter('Text', 32_767).describe('Plain text with the markup of Jira') },
      example: { id: '10000', body: 'Fixed', author: { displayName: 'Ada' } },
    },
    {
      id: 'comments.list',
      title: 'List comments of an issue',
      help: 'Oldest first.',
      limits: jiraRateLimit,
      method: 'GET',
      path: '/issue/{issue}/comment',
      inPath: { issue: jiraIssueParameter },
      inQuery: { limit: countParameter('Items a page', 100).optional().describe('Default 50') },
      names: { limit: 'maxResults' },
      items: 'comments',
      paging: jiraListPaging,
      example: { comments: [{ id: '10000', body: 'Fixed', author: { displayName: 'Ada' } }], total: 1 },
    },
    defineSteppedOperation({
      id: 'attachments.add',
      title: 'Attach a file to an issue',
      help: 'A file of the run.',
      limits: jiraRateLimit,
      parameters: { issue: jiraIssueParameter, file: fileParameter('File') },
      *steps({ issue: key, file: content }) {
        return (yield {
          method: 'POST',
          path: jiraIssuePath(key, '/attachments'),
          headers: { 'X-Atlassian-Token': 'no-check' },
          body: { as: 'multipart', fields: {}, files: [{ name: 'file', file: content }] },
        }).body;
      },
      example: [{ id: '10001', filename: 'report.pdf', size: 53_072 }],
    }),
    {
      id: 'users.find',
      title: 'Find users',
      help: 'By a part of the name or email address; with account ids.',
      limits: jiraRateLimit,
      method: 'GET',
      path: '/user/search',
      inQuery: { query: lineParameter('Text', 200).describe('Name or email address') },
      items: '',
      example: [{ accountId: '5b10ac8d82e05b22cc7d4ef5', displayName: 'Ada', active: true }],
    },
    {
      id: 'projects.list',
      title: 'List projects',
      help: 'Projects that the user may see.',
      limits: jiraRateLimit,
      method: 'GET',
      path: '/project/search',
      inQuery: { limit: countParameter('Items a page', 100).optional().describe('Default 50') },
      names: { limit: 'maxResults' },
      items: 'values',
      paging: jiraListPaging,
      example: { values: [{ id: '10000', key: 'PROJ', name: 'Project' }], total: 1 },
    },
  ],
};
