import type { ConnectorPaging } from '../../operation';
import { choiceParameter, countParameter, lineParameter, multilineParameter } from '../../parameters';

// https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
export const githubLinkPaging: ConnectorPaging = { kind: 'link' };
export const githubRepositoryParameters = {
  owner: lineParameter('Owner', 100).describe('User or organization, e.g. octocat'),
  repo: lineParameter('Repository', 100).describe('Name of the repository'),
};
export const githubPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
export const githubParameterNames = { limit: 'per_page' };
export const githubIssueText = multilineParameter('Text', 65_536).optional().describe('Markdown');

// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
export const githubRateLimit = '5,000 calls an hour for a user; about 80 changes a minute.';

export const githubIssueNumber = countParameter('Number', 2 ** 31).describe('Of the issue or pull request');
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
