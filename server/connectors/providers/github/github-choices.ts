import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource, SteppedChoiceSource } from '../../choices';

const inRepository = { owner: 'owner', repo: 'repo' };
const page = { limit: 100 };

/** Files or folders of the main branch. https://docs.github.com/rest/git/trees */
const pathSource = (kind: 'blob' | 'tree'): SteppedChoiceSource => ({
  dependsOn: ['owner', 'repo'],
  *steps({ values: { owner = '', repo = '' } }) {
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/git/trees/HEAD`;
    const { body } = yield { path, query: { recursive: 1 } };
    return { items: (getAtPath(body, 'tree') ?? []) as unknown[] };
  },
  where: { at: 'type', is: [kind] },
  value: 'path',
  label: ['path'],
});

/** What the parameters of GitHub are picked from. */
export const githubChoices: Record<string, ConnectorChoiceSource> = {
  owners: { operation: 'owners.list', value: 'login', label: ['login'], hint: 'type' },
  organizations: { operation: 'organizations.list', parameters: page, value: 'login', label: ['login'] },
  repositories: {
    operation: 'repositories.search',
    parametersFrom: { owner: 'owner' },
    search: 'text',
    value: 'name',
    label: ['name'],
    hint: 'description',
  },
  branches: {
    operation: 'branches.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'name',
    label: ['name'],
  },
  tags: { operation: 'tags.list', parameters: page, parametersFrom: inRepository, value: 'name', label: ['name'] },
  labels: {
    operation: 'labels.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'name',
    label: ['name'],
    hint: 'description',
  },
  assignees: {
    operation: 'assignees.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'login',
    label: ['login'],
  },
  milestones: {
    operation: 'milestones.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'number',
    label: ['title'],
    hint: 'due_on',
  },
  workflows: {
    operation: 'workflows.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'id',
    label: ['name'],
    hint: 'path',
  },
  runs: {
    operation: 'runs.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'id',
    label: ['display_title', 'name'],
    hint: 'created_at',
  },
  issues: {
    operation: 'issues.list',
    parameters: { ...page, state: 'all' },
    parametersFrom: inRepository,
    value: 'number',
    label: ['title'],
    hint: 'number',
  },
  pulls: {
    operation: 'pulls.list',
    parameters: { ...page, state: 'all' },
    parametersFrom: inRepository,
    value: 'number',
    label: ['title'],
    hint: 'number',
  },
  comments: {
    operation: 'comments.list_recent',
    parameters: page,
    parametersFrom: inRepository,
    value: 'id',
    label: ['body'],
    hint: 'user.login',
  },
  reviews: {
    operation: 'reviews.list',
    parameters: page,
    parametersFrom: { ...inRepository, number: 'number' },
    value: 'id',
    label: ['body', 'state'],
    hint: 'user.login',
  },
  releases: {
    operation: 'releases.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'id',
    label: ['name', 'tag_name'],
    hint: 'tag_name',
  },
  files: pathSource('blob'),
  folders: pathSource('tree'),
  // Users whom the account follows, or those that a search finds.
  users: {
    searches: true,
    *steps({ search, page: number }) {
      const query = { per_page: 100, page: number ?? 1 };
      const { body } =
        search === ''
          ? yield { path: '/user/following', query }
          : yield { path: '/search/users', query: { ...query, q: search } };
      const items = (search === '' ? body : getAtPath(body, 'items')) as unknown[];
      return { items, next: items.length === 100 ? String(Number(number ?? 1) + 1) : null };
    },
    value: 'login',
    label: ['login'],
    hint: 'type',
  },
  commits: {
    operation: 'commits.list',
    parameters: page,
    parametersFrom: inRepository,
    value: 'sha',
    label: ['commit.message'],
    hint: 'commit.author.date',
  },
};
