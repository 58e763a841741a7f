import type { ConnectorPaging } from '../../operation';
import {
  columnsParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  someColumnsParameter,
} from '../../parameters';

// https://developer.atlassian.com/cloud/jira/platform/rest/v2/: version 2 takes texts of descriptions as they are.
export const jiraSearchPaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'nextPageToken' };
export const jiraListPaging: ConnectorPaging = {
  kind: 'offset',
  query: 'startAt',
  size: 'maxResults',
  defaultSize: 50,
};
export const jiraIssueParameter = listedLineParameter('Issue', 'issues', [], 100).describe('Key or id, e.g. PROJ-42');
export const jiraDescription = multilineParameter('Description', 32_767)
  .optional()
  .describe('Plain text with the markup of Jira');
export const jiraLabels = listedLineListParameter('Labels', 'labels').optional().describe('Words without blanks');
export const jiraAssigneeId = (dependsOn: 'project' | 'issue') =>
  listedLineParameter(
    'Assignee',
    dependsOn === 'project' ? 'assignableUsers' : 'assignableUsersOfIssue',
    [dependsOn],
    128,
  )
    .optional()
    .describe('Account id of the user');
export const jiraPriority = listedLineParameter('Priority', 'priorities', [], 100)
  .optional()
  .describe('Name, e.g. High');
const JIRA_FIELDS_HINT = 'Ids of fields and their values, e.g. {"customfield_10011": "x"}';
export const jiraNewFields = columnsParameter('Other fields', 'newFields', ['project', 'type'])
  .optional()
  .describe(JIRA_FIELDS_HINT);
export const jiraChangedFields = someColumnsParameter('Other fields', 'changedFields', ['issue'])
  .optional()
  .describe(JIRA_FIELDS_HINT);

// https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
export const jiraRateLimit = 'By points of all calls of a site; busy sites answer 429 with a time to wait.';
export const jiraIssueExample = {
  id: '10002',
  key: 'PROJ-42',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10002',
  fields: {
    summary: 'Login fails',
    status: { name: 'To Do' },
    created: '2026-01-31T08:15:30.000+0000',
    updated: '2026-01-31T08:20:00.000+0000',
  },
};
export const jiraIssuePath = (key: string, rest = '') => `/issue/${encodeURIComponent(key)}${rest}`;
export const jiraPageSize = countParameter('Items a page', 100).optional().describe('Default 50');
export const jiraPageNames = { limit: 'maxResults' };
export const jiraProject = listedLineParameter('Project', 'projects', [], 100).describe(
  'Key of the project, e.g. PROJ, or its id',
);
const isJiraId = (text: string) => /^\d+$/.test(text);
/** A key has letters. */
export const toProjectReference = (given: string) => (isJiraId(given) ? { id: given } : { key: given });
export const toTypeReference = (given: string) => (isJiraId(given) ? { id: given } : { name: given });
export const jiraUserExample = {
  accountId: '5b10ac8d82e05b22cc7d4ef5',
  displayName: 'Ada',
  emailAddress: 'ada@example.com',
  active: true,
};
