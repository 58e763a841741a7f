import { listedLineParameter } from '../parameters';
import { findInPages, type ConnectorSubscriptions, type SubscribedEvent } from '../subscription';

const HOOKS_PER_PAGE = 100;

interface GitlabHook {
  id: number;
  url?: string;
}

const gitlabProjectParameters = {
  project: listedLineParameter('Project', 'projects', [], 300).describe('Id, or path such as group/project'),
};

const gitlabHooksPath = ({ project }: Record<string, unknown>) =>
  `/projects/${encodeURIComponent(String(project))}/hooks`;

const gitlabProject = { id: 15, name: 'Hello', path_with_namespace: 'acme/hello', default_branch: 'main' };
const gitlabEvent = (id: string, title: string, words: string, body: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: gitlabProjectParameters,
  example: { ...body, project: gitlabProject },
});

/** https://docs.gitlab.com/api/project_webhooks/ : an event is a flag of the webhook. */
export const gitlabSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'gitlab' },
  source: 'https://docs.gitlab.com/api/project_webhooks/',
  events: [
    gitlabEvent('push_events', 'New push to a project', 'commit branch', {
      object_kind: 'push',
      ref: 'refs/heads/main',
      commits: [{ id: 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327', message: 'Fix the door' }],
    }),
    gitlabEvent('merge_requests_events', 'Merge request is opened or changes', 'mr review', {
      object_kind: 'merge_request',
      object_attributes: { iid: 7, title: 'Fix the door', state: 'opened', action: 'open' },
    }),
    gitlabEvent('issues_events', 'Issue is opened or changes', 'bug ticket', {
      object_kind: 'issue',
      object_attributes: { iid: 8, title: 'The door is stuck', state: 'opened', action: 'open' },
    }),
    gitlabEvent('note_events', 'New comment', 'reply discussion note', {
      object_kind: 'note',
      object_attributes: { id: 1, note: 'It works again', noteable_type: 'Issue' },
    }),
    gitlabEvent('pipeline_events', 'Status of a pipeline changes', 'ci build finished', {
      object_kind: 'pipeline',
      object_attributes: { id: 31, ref: 'main', status: 'success' },
    }),
    gitlabEvent('tag_push_events', 'Tag is created or removed', 'version', {
      object_kind: 'tag_push',
      ref: 'refs/tags/v1.0.0',
    }),
    gitlabEvent('releases_events', 'New release', 'version publish', {
      object_kind: 'release',
      action: 'create',
      tag: 'v1.0.0',
      name: 'First',
    }),
  ],
  *find({ url, parameters }) {
    const found = yield* findInPages(
      (page) => ({ path: gitlabHooksPath(parameters), query: { per_page: HOOKS_PER_PAGE, page } }),
      ({ body }) => body as GitlabHook[],
      (hook) => hook.url === url,
      HOOKS_PER_PAGE,
    );
    return found && { externalId: String(found.id), expiresAt: null };
  },
  *create({ url, secret, event, parameters }) {
    const value = {
      url,
      token: secret,
      push_events: event === 'push_events',
      [event]: true,
      enable_ssl_verification: true,
    };
    const { body } = yield { method: 'POST', path: gitlabHooksPath(parameters), body: { as: 'json', value } };
    return { externalId: String((body as GitlabHook).id), expiresAt: null };
  },
  *remove(externalId, { parameters }) {
    yield { method: 'DELETE', path: `${gitlabHooksPath(parameters)}/${encodeURIComponent(externalId)}` };
  },
};
