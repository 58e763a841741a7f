import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { findByToken, type ConnectorSubscriptions, type ProviderRequests, type SubscribedEvent } from '../subscription';

interface CalendlySubscription {
  uri: string;
  callback_url?: string;
}

const calendlyEvent = (id: string, title: string, words: string): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: {},
  example: {
    event: id,
    created_at: '2026-01-31T08:15:30.000000Z',
    payload: {
      name: 'Ada',
      email: 'ada@example.com',
      scheduled_event: { name: '15 minutes', start_time: '2026-03-01T09:00:00.000000Z' },
    },
  },
});

/** The user of the token and the organization, by their addresses. */
function* readOwnUser(): ProviderRequests<{ user: string; organization: string }> {
  const { body } = yield { path: '/users/me' };
  return {
    user: String(getAtPath(body, 'resource.uri')),
    organization: String(getAtPath(body, 'resource.current_organization')),
  };
}

/** https://developer.calendly.com/api-docs/c1ddc06ce1f1b-create-webhook-subscription */
export const calendlySubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'calendly' },
  source: 'https://developer.calendly.com/api-docs/c1ddc06ce1f1b-create-webhook-subscription',
  events: [
    calendlyEvent('invitee.created', 'Meeting is booked', 'appointment scheduled'),
    calendlyEvent('invitee.canceled', 'Meeting is cancelled', 'appointment rescheduled'),
    calendlyEvent('invitee_no_show.created', 'Invitee does not show up', 'no show missed'),
  ],
  *find({ url }) {
    const own = yield* readOwnUser();
    const found = yield* findByToken<CalendlySubscription>(
      (token) => ({ path: '/webhook_subscriptions', query: { ...own, scope: 'user', count: 100, page_token: token } }),
      { items: 'collection', token: 'pagination.next_page_token' },
      ({ callback_url: address }) => address === url,
    );
    return found && { externalId: found.uri, expiresAt: null };
  },
  *create({ url, secret, event }) {
    const own = yield* readOwnUser();
    const value = { url, events: [event], ...own, scope: 'user', signing_key: secret };
    const { body } = yield { method: 'POST', path: '/webhook_subscriptions', body: { as: 'json', value } };
    return { externalId: String(getAtPath(body, 'resource.uri')), expiresAt: null };
  },
  *remove(externalId) {
    const id = externalId.slice(externalId.lastIndexOf('/') + 1);
    yield { method: 'DELETE', path: `/webhook_subscriptions/${encodeURIComponent(id)}` };
  },
};
