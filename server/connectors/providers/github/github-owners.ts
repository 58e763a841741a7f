import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { countParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import { githubRateLimit } from './github-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

interface GithubOwner {
  login: string;
  type: 'User' | 'Organization';
}

const toGithubOwner = (one: unknown, type: GithubOwner['type']): GithubOwner => ({
  login: String(getAtPath(one, 'login')),
  type,
});

/** Operations of GitHub that find repositories by their owners. */
export const githubOwnerOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'owners.list',
    title: 'List owners of repositories',
    help: 'The own user and the organizations of the account, first the one of the last push. Private memberships need read:org.',
    limits: githubRateLimit,
    parameters: {},
    // https://docs.github.com/rest/orgs/orgs: without read:org some tokens are refused.
    *steps() {
      const { body: own } = yield { path: '/user' };
      const { body } = yield { path: '/user/orgs', query: { per_page: 100 }, acceptedStatus: 403 };
      const organizations = Array.isArray(body) ? (body as unknown[]) : [];
      const owners = [toGithubOwner(own, 'User'), ...organizations.map((one) => toGithubOwner(one, 'Organization'))];
      // https://docs.github.com/rest/repos/repos#list-repositories-for-the-authenticated-user
      const recent = yield { path: '/user/repos', query: { sort: 'pushed', per_page: 1 }, acceptedStatus: 403 };
      const last = getAtPath(recent.body, '0.owner.login');
      return owners.toSorted((one, other) => Number(other.login === last) - Number(one.login === last));
    },
    example: [
      { login: 'octocat', type: 'User' },
      { login: 'github', type: 'Organization' },
    ],
  }),
  defineSteppedOperation({
    id: 'repositories.search',
    title: 'Search repositories of an owner',
    help: 'By a part of the name, private ones too, last changed first.',
    limits: '30 searches a minute.',
    parameters: {
      owner: listedLineParameter('Owner', 'owners', [], 100).describe('User or organization, e.g. octocat'),
      text: valueLineParameter('Name', 'search', 200).optional().describe('A part of the name'),
      limit: countParameter('Items', 100).optional().describe('At most 100; default 100'),
    },
    // https://docs.github.com/search-github/searching-on-github/searching-for-repositories
    *steps({ owner, text, limit = 100 }) {
      const q = [`user:${owner}`, 'fork:true', ...(text === undefined ? [] : [text, 'in:name'])].join(' ');
      const query = { q, sort: 'updated', per_page: limit };
      const { body } = yield { path: '/search/repositories', query };
      return getAtPath(body, 'items') ?? [];
    },
    example: [{ name: 'hello', full_name: 'octocat/hello', private: false, description: 'A first repository' }],
  }),
];
