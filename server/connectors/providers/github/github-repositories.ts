import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  contentLineParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  GITHUB_REPOSITORY_FIELDS,
  githubBranchParameter,
  githubLinkPaging,
  githubPageSize,
  githubParameterNames,
  githubRateLimit,
  githubRepositoryParameters,
} from './github-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const githubRepositoryExample = { full_name: 'octocat/hello', private: false, default_branch: 'main' };
const githubUserName = listedLineParameter('User', 'users', [], 100).describe('Name of the user, e.g. octocat');
const githubOrganization = listedLineParameter('Organization', 'organizations', [], 100).describe(
  'Name of the organization',
);
const githubUserExample = { login: 'octocat', id: 1, name: 'Ada Lovelace', html_url: 'https://github.com/octocat' };
const githubCommitExample = {
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  commit: { message: 'Fix all the bugs', author: { name: 'Ada', date: '2026-01-31T08:15:30Z' } },
};
const paged = {
  limits: githubRateLimit,
  method: 'GET',
  names: githubParameterNames,
  items: '',
  paging: githubLinkPaging,
} as const;

/** Operations of GitHub with repositories and their owners. https://docs.github.com/rest */
export const githubRepositoryOperations: OperationDefinition[] = [
  {
    ...paged,
    id: 'repositories.list',
    title: 'List repositories',
    help: 'Those of the account, last changed first.',
    path: '/user/repos',
    inQuery: { limit: githubPageSize },
    query: { sort: 'updated' },
    example: [githubRepositoryExample],
  },
  {
    ...paged,
    id: 'repositories.list_of_organization',
    title: 'List repositories of an organization',
    help: 'Those that the account may see.',
    path: '/orgs/{organization}/repos',
    inPath: { organization: githubOrganization },
    inQuery: { limit: githubPageSize },
    example: [githubRepositoryExample],
  },
  {
    ...paged,
    id: 'repositories.list_of_user',
    title: 'List public repositories of a user',
    help: 'By name.',
    path: '/users/{user}/repos',
    inPath: { user: githubUserName },
    inQuery: { limit: githubPageSize },
    example: [githubRepositoryExample],
  },
  {
    id: 'repositories.get',
    title: 'Get a repository',
    help: 'Description, main branch, licence, stars and other numbers.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    inPath: githubRepositoryParameters,
    example: { ...githubRepositoryExample, stargazers_count: 80, license: { spdx_id: 'MIT' } },
  },
  {
    id: 'repositories.get_profile',
    title: 'Get the community profile of a repository',
    help: 'Which of readme, licence, code of conduct and templates a public repository has.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/community/profile',
    inPath: githubRepositoryParameters,
    example: { health_percentage: 100, files: { license: { spdx_id: 'MIT' } } },
  },
  {
    id: 'repositories.get_license',
    title: 'Get the licence of a repository',
    help: 'Fails if it has none.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/license',
    inPath: githubRepositoryParameters,
    example: { name: 'LICENSE', license: { spdx_id: 'MIT' } },
  },
  {
    id: 'repositories.create',
    title: 'Create a repository',
    help: 'For the account itself.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/user/repos',
    inBody: {
      name: valueLineParameter('Name', 'new name', 100).describe('Letters, digits, -, _ and .'),
      description: contentLineParameter('Description', 350).optional().describe('One line'),
      isPrivate: booleanParameter('Private').optional().describe('Only invited users see it'),
      hasReadme: booleanParameter('With a readme').optional().describe('Creates the first commit'),
    },
    names: { isPrivate: 'private', hasReadme: 'auto_init' },
    example: githubRepositoryExample,
  },
  defineSteppedOperation({
    id: 'branches.create',
    title: 'Create a branch',
    help: 'At the newest commit of another branch.',
    limits: githubRateLimit,
    parameters: {
      ...githubRepositoryParameters,
      name: valueLineParameter('Name', 'new name', 255).describe('Of the new branch, e.g. fix'),
      from: githubBranchParameter('From').optional().describe('Branch, tag or commit; default: the main branch'),
    },
    *steps({ owner, repo, name, from = 'HEAD' }) {
      const place = ['', 'repos', owner, repo].map(encodeURIComponent).join('/');
      const { body } = yield { path: `${place}/commits/${encodeURIComponent(from)}` };
      const value = { ref: `refs/heads/${name}`, sha: getAtPath(body, 'sha') };
      return (yield { method: 'POST', path: `${place}/git/refs`, body: { as: 'json', value } }).body;
    },
    example: { ref: 'refs/heads/fix', object: { sha: 'aa218f56b14c9653891f9e74264a383fa43fefbd' } },
  }),
  {
    ...paged,
    id: 'commits.list',
    title: 'List commits',
    help: 'Newest first.',
    path: '/repos/{owner}/{repo}/commits',
    inPath: githubRepositoryParameters,
    inQuery: {
      branch: githubBranchParameter('Branch').optional().describe('Branch, tag or commit; default: the main branch'),
      path: listedLineParameter('Path', 'files', GITHUB_REPOSITORY_FIELDS, 4000)
        .optional()
        .describe('Only commits that change this file or folder'),
      since: valueLineParameter('Since', 'quantity', 64).optional().describe('ISO 8601'),
      limit: githubPageSize,
    },
    names: { ...githubParameterNames, branch: 'sha' },
    example: [githubCommitExample],
    poll: {
      title: 'New commit',
      words: 'github trigger push commit branch',
      parameters: { limit: 100 },
      items: 'input.body',
      key: 'item.sha',
    },
  },
  {
    id: 'commits.get',
    title: 'Get a commit',
    help: 'With its files and their changes.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{commit}',
    inPath: {
      ...githubRepositoryParameters,
      commit: listedLineParameter('Commit', 'commits', GITHUB_REPOSITORY_FIELDS, 255).describe('Hash, branch or tag'),
    },
    example: githubCommitExample,
  },
  {
    ...paged,
    id: 'events.list',
    title: 'List events of a repository',
    help: 'Pushes, stars, forks, issues, comments, releases of the last 30 days, newest first. They arrive some minutes late.',
    path: '/repos/{owner}/{repo}/events',
    inPath: githubRepositoryParameters,
    inQuery: { limit: githubPageSize },
    example: [
      { id: '22249084964', type: 'WatchEvent', actor: { login: 'octocat' }, created_at: '2026-01-31T08:15:30Z' },
    ],
    poll: {
      title: 'New event in a repository',
      words: 'github trigger star fork push watch event activity',
      parameters: { limit: 100 },
      items: 'input.body',
      key: 'item.id',
    },
  },
  {
    id: 'users.get_own',
    title: 'Get the own user',
    help: 'Whose account it is.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/user',
    example: githubUserExample,
  },
  {
    id: 'users.get',
    title: 'Get a user',
    help: 'The public profile.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/users/{user}',
    inPath: { user: githubUserName },
    example: githubUserExample,
  },
  {
    ...paged,
    id: 'organizations.list',
    title: 'List organizations',
    help: 'Those of the account. Needs read:org for private memberships.',
    path: '/user/orgs',
    inQuery: { limit: githubPageSize },
    example: [{ login: 'github', id: 9919, description: 'How people build software' }],
  },
  {
    ...paged,
    id: 'organizations.list_members',
    title: 'List members of an organization',
    help: 'Needs read:org for private memberships.',
    path: '/orgs/{organization}/members',
    inPath: { organization: githubOrganization },
    inQuery: { limit: githubPageSize },
    example: [githubUserExample],
  },
  {
    id: 'organizations.invite',
    title: 'Invite a user to an organization',
    help: 'By email address. Needs admin:org.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/orgs/{organization}/invitations',
    inPath: { organization: githubOrganization },
    inBody: {
      email: valueLineParameter('Email address', 'address', 320).describe('Where the invitation goes'),
      role: choiceParameter('Role', ['direct_member', 'admin', 'billing_manager'])
        .optional()
        .describe('Default direct_member'),
    },
    example: { id: 1, email: 'ada@example.com', role: 'direct_member' },
  },
];
