import type { ConnectorDefinition } from '../../connector';
import {
  choiceParameter,
  contentLineParameter,
  countParameter,
  listedJoinedParameter,
  listedParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { githubActionOperations } from './github-actions';
import { githubChoices } from './github-choices';
import { githubDetailOperations } from './github-details';
import { githubFileOperations } from './github-files';
import { githubOwnerOperations } from './github-owners';
import {
  GITHUB_REPOSITORY_FIELDS,
  githubAssigneeNames,
  githubIssueExample,
  githubIssueNumber,
  githubIssueState,
  githubIssueText,
  githubLabelNames,
  githubLinkPaging,
  githubPageSize,
  githubParameterNames,
  githubRateLimit,
  githubRepositoryParameters,
} from './github-parameters';
import { githubPullOperations } from './github-pulls';
import { githubReleaseOperations } from './github-releases';
import { githubRepositoryOperations } from './github-repositories';
import { githubSubscriptions } from '../../subscriptions/github';

const githubMilestone = listedParameter(countParameter('Milestone', 2 ** 31), 'milestones', GITHUB_REPOSITORY_FIELDS)
  .optional()
  .describe('Number of the milestone');

export const githubConnector: ConnectorDefinition = {
  id: 'github',
  name: 'GitHub',
  description: 'Issues, pull requests, repositories, releases, files and workflows.',
  synonyms: ['git', 'repository', 'code', 'issue', 'issues', 'pull request', 'ci', 'developer'],
  flow: 'authorization_code',
  // https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
  authorizeUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  apiUrl: 'https://api.github.com',
  // https://docs.github.com/apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps
  scopes: { repo: 'repo' },
  optionalScopes: {
    public_repo: 'public_repo',
    workflow: 'workflow',
    'read:org': 'read:org',
    'admin:org': 'admin:org',
    gist: 'gist',
  },
  clientAuthentication: 'form',
  headers: { 'X-GitHub-Api-Version': '2022-11-28' },
  token: {
    title: 'Personal access token',
    setup:
      'At github.com/settings/personal-access-tokens create a token for the repositories, with the permissions Issues, Pull requests, Contents and Actions as needed.',
    fields: [
      {
        name: 'token',
        title: 'Personal access token',
        hint: 'Begins with github_pat_ or ghp_',
        isSecret: true,
        pattern: /^[\w-]{20,300}$/,
        rule: 'must be a token of GitHub, such as github_pat_…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup:
    'At github.com/settings/developers create an OAuth app with the redirect URL as its callback URL, and generate a client secret.',
  probe: { path: '/user' },
  // 5,000 calls an hour for a user.
  limits: {
    perMinute: 83,
    concurrent: 100,
    source: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api',
  },
  choices: githubChoices,
  subscriptions: githubSubscriptions,
  operations: [
    {
      id: 'issues.list',
      title: 'List issues of a repository',
      help: 'Newest first; pull requests are among them.',
      limits: githubRateLimit,
      method: 'GET',
      path: '/repos/{owner}/{repo}/issues',
      inPath: githubRepositoryParameters,
      inQuery: {
        state: githubIssueState,
        labels: listedJoinedParameter('Labels', 'labels', GITHUB_REPOSITORY_FIELDS, 1000)
          .optional()
          .describe('Names, separated by commas'),
        since: valueLineParameter('Changed since', 'quantity', 64).optional().describe('ISO 8601'),
        limit: githubPageSize,
      },
      names: githubParameterNames,
      items: '',
      paging: githubLinkPaging,
      example: [githubIssueExample],
      poll: {
        title: 'New issue',
        words: 'github trigger issue opened bug',
        parameters: { state: 'all', since: '{{ cursor }}', limit: 100 },
        items: 'input.body[$not($exists(pull_request))]',
        key: 'item.number',
        cursor: '$fromMillis($millis() - 120000)',
      },
    },
    {
      id: 'issues.get',
      title: 'Get an issue',
      help: 'Title, text, labels and state.',
      limits: githubRateLimit,
      method: 'GET',
      path: '/repos/{owner}/{repo}/issues/{number}',
      inPath: { ...githubRepositoryParameters, number: githubIssueNumber },
      example: githubIssueExample,
    },
    {
      id: 'issues.create',
      title: 'Create an issue',
      help: 'With labels and assignees.',
      limits: githubRateLimit,
      method: 'POST',
      path: '/repos/{owner}/{repo}/issues',
      inPath: githubRepositoryParameters,
      inBody: {
        title: contentLineParameter('Title', 256).describe('One line'),
        body: githubIssueText,
        labels: githubLabelNames.optional(),
        assignees: githubAssigneeNames.optional(),
        milestone: githubMilestone,
      },
      example: githubIssueExample,
    },
    {
      id: 'issues.update',
      title: 'Update an issue',
      help: 'Changes what is given, or closes it.',
      limits: githubRateLimit,
      method: 'PATCH',
      path: '/repos/{owner}/{repo}/issues/{number}',
      inPath: { ...githubRepositoryParameters, number: githubIssueNumber },
      inBody: {
        title: contentLineParameter('Title', 256).optional().describe('One line'),
        body: githubIssueText,
        state: choiceParameter('State', ['open', 'closed']).optional().describe('closed closes it'),
        labels: githubLabelNames.optional().describe('They replace the labels of the issue'),
        assignees: githubAssigneeNames.optional(),
        milestone: githubMilestone,
      },
      example: githubIssueExample,
    },
    {
      id: 'comments.create',
      title: 'Comment on an issue or pull request',
      help: 'Adds a comment.',
      limits: githubRateLimit,
      method: 'POST',
      path: '/repos/{owner}/{repo}/issues/{number}/comments',
      inPath: { ...githubRepositoryParameters, number: githubIssueNumber },
      inBody: { body: multilineParameter('Text', 65_536).describe('Markdown') },
      example: { id: 1, body: 'Me too', user: { login: 'octocat' } },
    },
    {
      id: 'comments.list',
      title: 'List comments of an issue or pull request',
      help: 'Oldest first.',
      limits: githubRateLimit,
      method: 'GET',
      path: '/repos/{owner}/{repo}/issues/{number}/comments',
      inPath: { ...githubRepositoryParameters, number: githubIssueNumber },
      inQuery: { limit: githubPageSize },
      names: githubParameterNames,
      items: '',
      paging: githubLinkPaging,
      example: [{ id: 1, body: 'Me too', user: { login: 'octocat' } }],
    },
    ...githubDetailOperations,
    ...githubPullOperations,
    ...githubReleaseOperations,
    ...githubFileOperations,
    ...githubActionOperations,
    ...githubRepositoryOperations,
    ...githubOwnerOperations,
    {
      id: 'issues.search',
      title: 'Search issues and pull requests',
      help: 'In all repositories that the account may read.',
      limits: '30 searches a minute.',
      method: 'GET',
      path: '/search/issues',
      inQuery: {
        query: valueLineParameter('Query', 'query').describe('e.g. repo:octocat/hello is:open label:bug'),
        limit: githubPageSize,
      },
      names: { ...githubParameterNames, query: 'q' },
      items: 'items',
      paging: githubLinkPaging,
      example: { total_count: 1, items: [githubIssueExample] },
    },
  ],
};
