import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { listedLineParameter } from '../parameters';
import type { ApiRequest } from '../operation';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

interface LinearWebhook {
  id: string;
  url?: string;
}

const linearRequest = (source: string, variables: object): ApiRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { as: 'json', value: { query: source, variables } },
});

const linearTeamParameters = { team: listedLineParameter('Team', 'teams', [], 100).describe('Id of the team') };

const linearEvent = (id: string, title: string, words: string, data: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: linearTeamParameters,
  example: { action: 'create', type: id, createdAt: '2026-01-31T08:15:30.000Z', data },
});

/** https://linear.app/developers/webhooks */
export const linearSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'linear' },
  source: 'https://linear.app/developers/webhooks',
  events: [
    linearEvent('Issue', 'Issue is created or changes', 'ticket bug task', {
      id: 'i1',
      identifier: 'ENG-42',
      title: 'The door is stuck',
    }),
    linearEvent('Comment', 'New comment', 'reply discussion', { id: 'c1', body: 'Fixed', issueId: 'i1' }),
    linearEvent('Project', 'Project is created or changes', 'milestone', { id: 'p1', name: 'Doors' }),
    linearEvent('Cycle', 'Cycle is created or changes', 'sprint', { id: 'y1', number: 7 }),
    linearEvent('IssueLabel', 'Label is created or changes', 'tag', { id: 'l1', name: 'bug' }),
  ],
  *find({ url }) {
    const { body } = yield linearRequest('{ webhooks(first: 250) { nodes { id url } } }', {});
    const all = (getAtPath(body, 'data.webhooks.nodes') ?? []) as LinearWebhook[];
    const found = all.find((webhook) => webhook.url === url);
    return found ? { externalId: found.id, expiresAt: null } : null;
  },
  *create({ url, secret, event, parameters }) {
    const input = { url, secret, resourceTypes: [event], teamId: parameters['team'], enabled: true };
    const source = 'mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }';
    const { body } = yield linearRequest(source, { input });
    return { externalId: String(getAtPath(body, 'data.webhookCreate.webhook.id')), expiresAt: null };
  },
  *remove(externalId) {
    yield linearRequest('mutation($id: String!) { webhookDelete(id: $id) { success } }', { id: externalId });
  },
};
