import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { listedLineParameter } from '../parameters';
import { findByToken, type ConnectorSubscriptions, type SubscribedEvent } from '../subscription';

interface AsanaWebhook {
  gid: string;
  target?: string;
}

const asanaProjectParameters = {
  project: listedLineParameter('Project', 'projects', [], 50).describe('Id of the project'),
};

/** `id`: kind of object and what happens to it. */
const asanaEvent = (id: string, title: string, words: string): SubscribedEvent => {
  const [kind = '', action = ''] = id.split('.');
  return {
    id,
    title,
    words,
    parameters: asanaProjectParameters,
    example: {
      events: [
        {
          action,
          created_at: '2026-01-31T08:15:30.000Z',
          user: { gid: '12345', resource_type: 'user' },
          resource: { gid: '67890', resource_type: kind },
          parent: null,
        },
      ],
    },
  };
};

/** https://developers.asana.com/reference/createwebhook : events say what changed and not how. */
export const asanaSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'asana' },
  source: 'https://developers.asana.com/reference/createwebhook',
  secretFrom: 'provider',
  events: [
    asanaEvent('task.added', 'New task', 'created todo'),
    asanaEvent('task.changed', 'Task changes', 'updated completed assignee due'),
    asanaEvent('task.deleted', 'Task is deleted', 'removed'),
    asanaEvent('story.added', 'New comment or change in the story of a task', 'comment reply'),
    asanaEvent('section.added', 'New section', 'column'),
  ],
  *find({ url, parameters }) {
    const resource = String(parameters['project']);
    const { body } = yield {
      path: `/projects/${encodeURIComponent(resource)}`,
      query: { opt_fields: 'workspace.gid' },
    };
    const workspace = String(getAtPath(body, 'data.workspace.gid'));
    const found = yield* findByToken<AsanaWebhook>(
      (offset) => ({ path: '/webhooks', query: { workspace, resource, limit: 100, offset } }),
      { items: 'data', token: 'next_page.offset' },
      ({ target }) => target === url,
    );
    return found && { externalId: found.gid, expiresAt: null };
  },
  *create({ url, event, parameters }) {
    const [kind, action] = event.split('.');
    const data = { resource: parameters['project'], target: url, filters: [{ resource_type: kind, action }] };
    const { body } = yield { method: 'POST', path: '/webhooks', body: { as: 'json', value: { data } } };
    const secret = (body as Record<string, unknown>)['X-Hook-Secret'];
    return {
      externalId: String(getAtPath(body, 'data.gid')),
      expiresAt: null,
      ...(typeof secret === 'string' && { secret }),
    };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/webhooks/${encodeURIComponent(externalId)}` };
  },
};
