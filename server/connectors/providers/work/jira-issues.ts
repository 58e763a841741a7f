import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  contentLineParameter,
  countParameter,
  listedJoinedParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';
import {
  jiraAssigneeId,
  jiraIssueExample,
  jiraIssueParameter,
  jiraIssuePath,
  jiraPageNames,
  jiraRateLimit,
  jiraSearchPaging,
} from './jira-parameters';

/**
 * Further operations of Jira with issues. https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issues/
 */
export const jiraIssueOperations: OperationDefinition[] = [
  {
    id: 'issues.list_changed',
    title: 'List changed issues',
    help: 'New and changed issues by JQL; default: those of the last day.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/search/jql',
    inQuery: {
      jql: multilineParameter('JQL', 8000)
        .default('updated >= -1d ORDER BY updated DESC')
        .describe('e.g. project = PROJ AND updated >= -1d ORDER BY updated DESC'),
      fields: listedJoinedParameter('Fields', 'fields', [], 2000)
        .default('*navigable')
        .describe('Names, separated by commas, with updated; default: the usual ones'),
      limit: countParameter('Items a page', 5000).optional().describe('Default 50'),
    },
    names: jiraPageNames,
    items: 'issues',
    paging: jiraSearchPaging,
    example: { issues: [jiraIssueExample], isLast: true },
    poll: {
      title: 'New or changed issue',
      words: 'jira trigger issue updated changed status ticket',
      parameters: { jql: 'updated >= -1d ORDER BY updated DESC', limit: 100, allPages: true },
      items: 'input.body',
      key: 'item.id & " " & item.fields.updated',
    },
  },
  {
    id: 'issues.list_transitions',
    title: 'List where an issue can move',
    help: 'Transitions that the user may use now, with their statuses.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/issue/{issue}/transitions',
    inPath: { issue: jiraIssueParameter },
    items: 'transitions',
    example: { transitions: [{ id: '31', name: 'Finish', to: { name: 'Done' } }] },
  },
  {
    id: 'issues.list_changes',
    title: 'List changes of an issue',
    help: 'Its history, oldest first.',
    limits: jiraRateLimit,
    method: 'GET',
    path: '/issue/{issue}/changelog',
    inPath: { issue: jiraIssueParameter },
    inQuery: { limit: countParameter('Items a page', 100).optional().describe('Default 100') },
    names: jiraPageNames,
    items: 'values',
    paging: { kind: 'offset', query: 'startAt', size: 'maxResults', defaultSize: 100 },
    example: { values: [{ id: '10001', items: [{ field: 'status', fromString: 'To Do', toString: 'Done' }] }] },
  },
  defineSteppedOperation({
    id: 'issues.notify',
    title: 'Send an email about an issue',
    help: 'To people of the issue, or to users.',
    limits: jiraRateLimit,
    parameters: {
      issue: jiraIssueParameter,
      subject: contentLineParameter('Subject', 255).optional().describe('Default: key and summary of the issue'),
      text: multilineParameter('Text', 32_767).optional().describe('Plain text'),
      html: multilineParameter('HTML', 32_767).optional().describe('In place of the text'),
      isToAssignee: booleanParameter('To the assignee').optional().describe('Of the issue'),
      isToReporter: booleanParameter('To the reporter').optional().describe('Of the issue'),
      isToWatchers: booleanParameter('To watchers').optional().describe('Of the issue'),
      users: listedLineListParameter('Users', 'users').optional().describe('Account ids of users'),
    },
    *steps({ issue: key, subject, text, html, isToAssignee, isToReporter, isToWatchers, users }) {
      const to = {
        assignee: isToAssignee,
        reporter: isToReporter,
        watchers: isToWatchers,
        users: users?.map((accountId) => ({ accountId })),
      };
      const value = { subject, textBody: text, htmlBody: html, to };
      yield { method: 'POST', path: jiraIssuePath(key, '/notify'), body: { as: 'json', value } };
      return { key };
    },
    example: { key: 'PROJ-42' },
  }),
  defineSteppedOperation({
    id: 'issues.assign',
    title: 'Assign an issue',
    help: 'To a user, or to nobody.',
    limits: jiraRateLimit,
    parameters: { issue: jiraIssueParameter, assignee: jiraAssigneeId('issue').describe('Account id; empty: nobody') },
    *steps({ issue: key, assignee = null }) {
      const value = { accountId: assignee };
      yield { method: 'PUT', path: jiraIssuePath(key, '/assignee'), body: { as: 'json', value } };
      return { key };
    },
    example: { key: 'PROJ-42' },
  }),
  defineSteppedOperation({
    id: 'issues.link',
    title: 'Link two issues',
    help: 'The first one does to the second one what the kind says, e.g. it blocks it.',
    limits: jiraRateLimit,
    parameters: {
      issue: jiraIssueParameter,
      type: listedLineParameter('Kind', 'linkTypes', [], 100).describe('Name of the kind, e.g. Blocks'),
      other: listedLineParameter('Other issue', 'issues', [], 100).describe('Key, e.g. PROJ-43'),
    },
    // https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issue-links/: the inward issue is the
    // first.
    *steps({ issue: key, type, other }) {
      const value = { type: { name: type }, inwardIssue: { key }, outwardIssue: { key: other } };
      yield { method: 'POST', path: '/issueLink', body: { as: 'json', value } };
      return { key, other };
    },
    example: { key: 'PROJ-42', other: 'PROJ-43' },
  }),
  {
    id: 'issues.add_watcher',
    title: 'Let a user watch an issue',
    help: 'The user is told about changes.',
    limits: jiraRateLimit,
    method: 'POST',
    path: '/issue/{issue}/watchers',
    inPath: { issue: jiraIssueParameter },
    inBody: { user: listedLineParameter('User', 'users', [], 128).describe('Account id of the user') },
    wholeBody: 'user',
    example: null,
  },
];
