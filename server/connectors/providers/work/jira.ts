import { NodeFailure } from '@/server/platform/errors/node-failure';
import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  contentLineParameter,
  countParameter,
  listedJoinedParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';
import { jiraChoices } from './jira-choices';
import { jiraCommentOperations } from './jira-comments';
import { jiraIssueOperations } from './jira-issues';
import {
  jiraAssigneeId,
  jiraChangedFields,
  jiraDescription,
  jiraIssueExample,
  jiraIssueParameter,
  jiraIssuePath,
  jiraLabels,
  jiraNewFields,
  jiraPageNames,
  jiraPriority,
  jiraProject,
  jiraRateLimit,
  jiraSearchPaging,
  toProjectReference,
  toTypeReference,
} from './jira-parameters';
import { jiraProjectOperations } from './jira-projects';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { jiraSubscriptions } from '../../subscriptions/jira';

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
  description: 'Issues, comments, attachments, projects and sprints of Jira Cloud.',
  synonyms: ['atlassian', 'issue', 'ticket', 'tickets', 'bug', 'project', 'agile', 'tasks'],
  flow: 'token',
  apiUrl: 'https://{site}.atlassian.net/rest/api/2',
  // https://developer.atlassian.com/cloud/jira/software/rest/
  apis: { agile: 'https://{site}.atlassian.net/rest/agile/1.0' },
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
  choices: jiraChoices,
  // Jira states bursts for each address of its API, and no number for an account.
  limits: { source: 'https://developer.atlassian.com/cloud/jira/platform/rate-limiting/' },
  subscriptions: jiraSubscriptions,
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
        fields: listedJoinedParameter('Fields', 'fields', [], 2000)
          .default('*navigable')
          .describe('Names, separated by commas; default: the usual ones'),
        limit: countParameter('Items a page', 5000).optional().describe('Default 50'),
      },
      names: jiraPageNames,
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
        project: jiraProject,
        type: listedLineParameter('Type', 'issueTypes', ['project'], 100).describe(
          'Name of the type, e.g. Task, or its id',
        ),
        summary: contentLineParameter('Summary', 255).describe('One line'),
        description: jiraDescription,
        priority: jiraPriority,
        assignee: jiraAssigneeId('project'),
        labels: jiraLabels,
        parent: listedLineParameter('Parent', 'issues', [], 100)
          .optional()
          .describe('Key of the epic or of the issue above'),
        others: jiraNewFields,
      },
      *steps({ project, type, parent, ...details }) {
        const above = parent === undefined ? {} : { parent: { key: parent } };
        const value = {
          fields: {
            project: toProjectReference(project),
            issuetype: toTypeReference(type),
            ...above,
            ...toJiraFields(details),
          },
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
        summary: contentLineParameter('Summary', 255).optional().describe('One line'),
        description: jiraDescription,
        priority: jiraPriority,
        assignee: jiraAssigneeId('issue'),
        labels: jiraLabels.describe('They replace the labels of the issue'),
        others: jiraChangedFields,
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
      parameters: {
        issue: jiraIssueParameter,
        status: listedLineParameter('Status', 'transitions', ['issue'], 100).describe('e.g. Done'),
      },
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
    ...jiraIssueOperations,
    ...jiraCommentOperations,
    ...jiraProjectOperations,
  ],
};
