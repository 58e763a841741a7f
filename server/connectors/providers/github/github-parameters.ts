import type { ConnectorPaging } from '../../operation';
import {
  choiceParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  listedParameter,
  multilineParameter,
  preselectFirstChoice,
} from '../../parameters';

// https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
export const githubLinkPaging: ConnectorPaging = { kind: 'link' };
/** The fields on which everything in a repository depends. */
export const GITHUB_REPOSITORY_FIELDS = ['owner', 'repo'];
export const githubRepositoryParameters = {
  owner: preselectFirstChoice(
    listedLineParameter('Owner', 'owners', [], 100).describe('User or organization, e.g. octocat'),
  ),
  repo: listedLineParameter('Repository', 'repositories', ['owner'], 100).describe('Name of the repository'),
};
export const githubPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
export const githubParameterNames = { limit: 'per_page' };
export const githubIssueText = multilineParameter('Text', 65_536).optional().describe('Markdown');

// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
export const githubRateLimit = '5,000 calls an hour for a user; about 80 changes a minute.';

export const githubIssueNumber = listedParameter(
  countParameter('Number', 2 ** 31),
  'issues',
  GITHUB_REPOSITORY_FIELDS,
).describe('Of the issue or pull request');
export const githubLabelNames = listedLineListParameter('Labels', 'labels', GITHUB_REPOSITORY_FIELDS).describe(
  'Names of labels',
);
export const githubAssigneeNames = listedLineListParameter('Assignees', 'assignees', GITHUB_REPOSITORY_FIELDS).describe(
  'Names of users',
);
/** A branch of the repository, or what takes its place. */
export const githubBranchParameter = (title: string) =>
  listedLineParameter(title, 'branches', GITHUB_REPOSITORY_FIELDS, 255);
export const githubIssueState = choiceParameter('State', ['open', 'closed', 'all']).optional().describe('Default open');
export const githubIssueExample = {
  number: 1347,
  title: 'Found a bug',
  state: 'open',
  html_url: 'https://github.com/octocat/hello/issues/1347',
  user: { login: 'octocat' },
  labels: [{ name: 'bug' }],
  created_at: '2026-01-31T08:15:30Z',
};
