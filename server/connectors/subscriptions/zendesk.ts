import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { findByToken, type ConnectorSubscriptions, type SubscribedEvent } from '../subscription';

interface ZendeskWebhook {
  id: string;
  endpoint?: string;
}

/** `id`: what Zendesk calls `zen:event-type:<id>`. */
const zendeskEvent = (id: string, title: string, words: string): SubscribedEvent => {
  const [kind = ''] = id.split('.');
  return {
    id,
    title,
    words,
    parameters: {},
    example: {
      id: 'cbe4028c-7239-495d-b020-f22348516046',
      type: `zen:event-type:${id}`,
      account_id: 22_129_848,
      subject: `zen:${kind}:4859`,
      time: '2026-01-31T08:15:30.000Z',
      detail: { id: '4859', created_at: '2026-01-31T08:15:30Z' },
      event: {},
    },
  };
};

/** https://developer.zendesk.com/api-reference/webhooks/webhooks-api/webhooks : Zendesk makes the signing secret. */
export const zendeskSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'zendesk' },
  source: 'https://developer.zendesk.com/api-reference/webhooks/webhooks-api/webhooks',
  secretFrom: 'provider',
  events: [
    zendeskEvent('ticket.created', 'New ticket', 'request support'),
    zendeskEvent('ticket.status_changed', 'Status of a ticket changes', 'solved open closed'),
    zendeskEvent('ticket.comment_added', 'New comment on a ticket', 'reply answer'),
    zendeskEvent('user.created', 'New user', 'customer agent'),
    zendeskEvent('organization.created', 'New organization', 'company customer'),
  ],
  *find({ url }) {
    const found = yield* findByToken<ZendeskWebhook>(
      (after) => ({ path: '/webhooks', query: { 'page[size]': 100, 'page[after]': after } }),
      { items: 'webhooks', token: 'meta.after_cursor' },
      ({ endpoint }) => endpoint === url,
    );
    return found && { externalId: found.id, expiresAt: null };
  },
  *create({ url, event }) {
    const webhook = {
      name: `Weft: ${event}`,
      endpoint: url,
      http_method: 'POST',
      request_format: 'json',
      status: 'active',
      subscriptions: [`zen:event-type:${event}`],
    };
    const made = yield { method: 'POST', path: '/webhooks', body: { as: 'json', value: { webhook } } };
    const externalId = String(getAtPath(made.body, 'webhook.id'));
    const { body } = yield { path: `/webhooks/${encodeURIComponent(externalId)}/signing_secret` };
    const secret = getAtPath(body, 'signing_secret.secret');
    return { externalId, expiresAt: null, ...(typeof secret === 'string' && { secret }) };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/webhooks/${encodeURIComponent(externalId)}` };
  },
};
