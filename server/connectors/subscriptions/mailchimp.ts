import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { listedLineParameter } from '../parameters';
import { findInPages, type ConnectorSubscriptions, type SubscribedEvent } from '../subscription';

interface MailchimpWebhook {
  id: string;
  url?: string;
}

const WEBHOOKS_PER_PAGE = 100;
const mailchimpEventNames = ['subscribe', 'unsubscribe', 'profile', 'upemail', 'cleaned', 'campaign'];

const mailchimpEvent = (id: string, title: string, words: string): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: { list: listedLineParameter('Audience', 'audiences', [], 50).describe('Id of the audience') },
  example: {
    type: id,
    fired_at: '2026-01-31 08:15:30',
    'data[id]': '8a25ff1d98',
    'data[list_id]': 'a6b5da1054',
    'data[email]': 'ada@example.com',
  },
});

const mailchimpWebhooksPath = ({ list }: Record<string, unknown>) =>
  `/lists/${encodeURIComponent(String(list))}/webhooks`;

/** https://mailchimp.com/developer/marketing/api/list-webhooks/ : not signed, so the address has a secret. */
export const mailchimpSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'mailchimp' },
  source: 'https://mailchimp.com/developer/marketing/api/list-webhooks/',
  events: [
    mailchimpEvent('subscribe', 'New subscriber', 'contact newsletter sign up'),
    mailchimpEvent('unsubscribe', 'Contact unsubscribes', 'newsletter leaves opt out'),
    mailchimpEvent('profile', 'Contact changes', 'profile update fields'),
    mailchimpEvent('upemail', 'Email address of a contact changes', 'contact update'),
    mailchimpEvent('cleaned', 'Email address is cleaned', 'bounce invalid'),
    mailchimpEvent('campaign', 'Campaign is sent or cancelled', 'newsletter mailing'),
  ],
  *find({ url, parameters }) {
    const found = yield* findInPages(
      (page) => ({
        path: mailchimpWebhooksPath(parameters),
        query: { count: WEBHOOKS_PER_PAGE, offset: (page - 1) * WEBHOOKS_PER_PAGE },
      }),
      ({ body }) => (getAtPath(body, 'webhooks') ?? []) as MailchimpWebhook[],
      (webhook) => webhook.url?.split('?')[0] === url,
      WEBHOOKS_PER_PAGE,
    );
    return found && { externalId: found.id, expiresAt: null };
  },
  *create({ url, secret, event, parameters }) {
    const value = {
      url: `${url}?secret=${encodeURIComponent(secret)}`,
      events: Object.fromEntries(mailchimpEventNames.map((name) => [name, name === event])),
      sources: { user: true, admin: true, api: true },
    };
    const { body } = yield { method: 'POST', path: mailchimpWebhooksPath(parameters), body: { as: 'json', value } };
    return { externalId: String(getAtPath(body, 'id')), expiresAt: null };
  },
  *remove(externalId, { parameters }) {
    yield { method: 'DELETE', path: `${mailchimpWebhooksPath(parameters)}/${encodeURIComponent(externalId)}` };
  },
};
