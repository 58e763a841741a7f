import { githubRepositoryParameters } from '../providers/github/github-parameters';
import { findInPages, type ConnectorSubscriptions, type SubscribedEvent } from '../subscription';

const HOOKS_PER_PAGE = 100;

interface GithubHook {
  id: number;
  config?: { url?: string };
}

const githubHooksPath = ({ owner, repo }: Record<string, unknown>) =>
  `/repos/${encodeURIComponent(String(owner))}/${encodeURIComponent(String(repo))}/hooks`;

/** Stands for all events; GitHub writes a star. */
const ANY_EVENT = 'any';

const githubSender = { login: 'octocat', id: 1 };
const githubRepository = { id: 1_296_269, name: 'hello', full_name: 'octocat/hello', private: false };

const githubEvent = (id: string, title: string, words: string, body: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: githubRepositoryParameters,
  example: { ...body, repository: githubRepository, sender: githubSender },
});

/** https://docs.github.com/en/rest/repos/webhooks */
export const githubSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'github' },
  source: 'https://docs.github.com/en/rest/repos/webhooks',
  events: [
    githubEvent('push', 'New push to a repository', 'commit branch', {
      ref: 'refs/heads/main',
      after: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
      commits: [{ id: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d', message: 'Fix the door', added: [], modified: [] }],
    }),
    githubEvent('pull_request', 'Pull request is opened or changes', 'pr merge review', {
      action: 'opened',
      number: 7,
      pull_request: { number: 7, title: 'Fix the door', state: 'open', merged: false },
    }),
    githubEvent('pull_request_review', 'Pull request is reviewed', 'approve changes requested', {
      action: 'submitted',
      review: { state: 'approved', body: 'Well done', user: githubSender },
      pull_request: { number: 7, title: 'Fix the door' },
    }),
    githubEvent('issues', 'Issue is opened or changes', 'bug ticket', {
      action: 'opened',
      issue: { number: 8, title: 'The door is stuck', state: 'open', labels: [] },
    }),
    githubEvent('issue_comment', 'New comment on an issue or pull request', 'reply discussion', {
      action: 'created',
      issue: { number: 8, title: 'The door is stuck' },
      comment: { id: 1, body: 'It works again', user: githubSender },
    }),
    githubEvent('release', 'New release', 'version tag publish', {
      action: 'published',
      release: { id: 1, tag_name: 'v1.0.0', name: 'First', draft: false, prerelease: false },
    }),
    githubEvent('star', 'Repository gets a star', 'watch favourite', {
      action: 'created',
      starred_at: '2026-01-31T08:15:30Z',
    }),
    githubEvent('fork', 'Repository is forked', 'copy', { forkee: { id: 2, full_name: 'ada/hello' } }),
    githubEvent('create', 'Branch or tag is created', 'new ref', { ref: 'feature', ref_type: 'branch' }),
    githubEvent('delete', 'Branch or tag is deleted', 'ref', { ref: 'feature', ref_type: 'branch' }),
    githubEvent('workflow_run', 'Workflow of GitHub Actions runs', 'ci build action finished', {
      action: 'completed',
      workflow_run: { id: 1, name: 'build', status: 'completed', conclusion: 'success' },
    }),
    githubEvent('pull_request_review_comment', 'New comment on a line of a pull request', 'review code discussion', {
      action: 'created',
      comment: { id: 1, path: 'door.ts', body: 'Why?', user: githubSender },
      pull_request: { number: 7, title: 'Fix the door' },
    }),
    githubEvent('discussion', 'Discussion is opened or changes', 'forum question', {
      action: 'created',
      discussion: { number: 9, title: 'Which door?', state: 'open' },
    }),
    githubEvent('member', 'Collaborator is added or removed', 'user access', {
      action: 'added',
      member: { login: 'ada', id: 2 },
    }),
    githubEvent('repository', 'Repository is changed', 'renamed archived public', { action: 'renamed' }),
    githubEvent(ANY_EVENT, 'Anything in a repository', 'all events', { action: 'opened', issue: { number: 8 } }),
    githubEvent('deployment_status', 'Status of a deployment changes', 'deploy environment', {
      deployment_status: { state: 'success', environment: 'production' },
    }),
  ],
  *find({ url, parameters }) {
    const found = yield* findInPages(
      (page) => ({ path: githubHooksPath(parameters), query: { per_page: HOOKS_PER_PAGE, page } }),
      ({ body }) => body as GithubHook[],
      ({ config }) => config?.url === url,
      HOOKS_PER_PAGE,
    );
    return found && { externalId: String(found.id), expiresAt: null };
  },
  *create({ url, secret, event, parameters }) {
    const { body } = yield {
      method: 'POST',
      path: githubHooksPath(parameters),
      body: {
        as: 'json',
        value: {
          name: 'web',
          active: true,
          events: [event === ANY_EVENT ? '*' : event],
          config: { url, content_type: 'json', secret, insecure_ssl: '0' },
        },
      },
    };
    return { externalId: String((body as GithubHook).id), expiresAt: null };
  },
  *remove(externalId, { parameters }) {
    yield { method: 'DELETE', path: `${githubHooksPath(parameters)}/${encodeURIComponent(externalId)}` };
  },
};
