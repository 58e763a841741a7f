import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

interface PipedriveWebhook {
  id: number;
  subscription_url?: string;
}

const PIPEDRIVE_USER = 'weft';

const pipedriveEvent = (id: string, title: string, words: string, data: object): SubscribedEvent => {
  const [entity = '', action = ''] = id.split('.');
  return {
    id,
    title,
    words,
    parameters: {},
    example: { data, previous: null, meta: { action, entity, version: '2.0' } },
  };
};

const pipedriveDeal = { id: 1, title: 'Doors for Acme', status: 'open', value: 4900, currency: 'EUR', stage_id: 1 };
const pipedrivePerson = { id: 1, name: 'Ada', emails: [{ value: 'ada@example.com', primary: true }] };

/** https://developers.pipedrive.com/docs/api/v1/Webhooks : deliveries carry a user name and a password. */
export const pipedriveSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'basic', username: PIPEDRIVE_USER },
  source: 'https://developers.pipedrive.com/docs/api/v1/Webhooks',
  events: [
    pipedriveEvent('deal.create', 'New deal', 'opportunity', pipedriveDeal),
    pipedriveEvent('deal.change', 'Deal changes', 'opportunity stage won lost', pipedriveDeal),
    pipedriveEvent('deal.delete', 'Deal is deleted', 'opportunity', pipedriveDeal),
    pipedriveEvent('person.create', 'New person', 'contact', pipedrivePerson),
    pipedriveEvent('person.change', 'Person changes', 'contact', pipedrivePerson),
    pipedriveEvent('organization.create', 'New organization', 'company', { id: 1, name: 'Acme' }),
    pipedriveEvent('organization.change', 'Organization changes', 'company', { id: 1, name: 'Acme' }),
    pipedriveEvent('activity.create', 'New activity', 'call meeting task', { id: 1, subject: 'Call', type: 'call' }),
    pipedriveEvent('activity.change', 'Activity changes', 'call meeting task done', {
      id: 1,
      subject: 'Call',
      done: true,
    }),
    pipedriveEvent('lead.create', 'New lead', 'prospect', { id: 'a1', title: 'Acme' }),
    pipedriveEvent('note.create', 'New note', 'comment', { id: 1, content: 'They want doors' }),
  ],
  *find({ url }) {
    const { body } = yield { path: '/v1/webhooks' };
    const all = (getAtPath(body, 'data') ?? []) as PipedriveWebhook[];
    const found = all.find((webhook) => webhook.subscription_url === url);
    return found ? { externalId: String(found.id), expiresAt: null } : null;
  },
  *create({ url, secret, event }) {
    const [entity, action] = event.split('.');
    const value = {
      subscription_url: url,
      event_object: entity,
      event_action: action,
      http_auth_user: PIPEDRIVE_USER,
      http_auth_password: secret,
      version: '2.0',
    };
    const { body } = yield { method: 'POST', path: '/v1/webhooks', body: { as: 'json', value } };
    return { externalId: String(getAtPath(body, 'data.id')), expiresAt: null };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/v1/webhooks/${encodeURIComponent(externalId)}` };
  },
};
