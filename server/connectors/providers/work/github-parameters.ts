import type { ConnectorPaging } from '../../operation';
import { countParameter, lineParameter, multilineParameter } from '../../parameters';

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
