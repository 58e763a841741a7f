import { createHash } from 'node:crypto';
import { listedLineParameter } from '../parameters';
import type { ConnectorSubscriptions, SubscriptionTarget } from '../subscription';

interface TypeformWebhook {
  tag: string;
  url?: string;
}

/** A webhook of a form is named by a tag: the same address has the same tag, so that none is made twice. */
const typeformTag = (url: string) => `weft-${createHash('sha256').update(url).digest('hex').slice(0, 24)}`;

const typeformWebhookPath = ({ parameters }: Pick<SubscriptionTarget, 'parameters'>, tag: string) =>
  `/forms/${encodeURIComponent(String(parameters['form']))}/webhooks/${encodeURIComponent(tag)}`;

/** https://www.typeform.com/developers/webhooks/reference/create-or-update-webhook/ */
export const typeformSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'typeform' },
  source: 'https://www.typeform.com/developers/webhooks/reference/create-or-update-webhook/',
  events: [
    {
      id: 'form_response',
      title: 'New response to a form',
      words: 'survey answer submission',
      parameters: {
        form: listedLineParameter('Form', 'forms', [], 50).describe('Id of the form; it is in its address'),
      },
      example: {
        event_id: '01H8ZXJ',
        event_type: 'form_response',
        form_response: {
          form_id: 'lT4Z3j',
          submitted_at: '2026-01-31T08:15:30Z',
          answers: [{ type: 'email', email: 'ada@example.com', field: { id: 'hVONkQcnSNRj', type: 'email' } }],
        },
      },
    },
  ],
  *find(target) {
    const path = `/forms/${encodeURIComponent(String(target.parameters['form']))}/webhooks`;
    const { items = [] } = (yield { path }).body as { items?: TypeformWebhook[] };
    const found = items.find(({ url }) => url === target.url);
    return found ? { externalId: found.tag, expiresAt: null } : null;
  },
  *create(target) {
    const tag = typeformTag(target.url);
    const value = {
      url: target.url,
      enabled: true,
      secret: target.secret,
      verify_ssl: true,
      event_types: { form_response: true },
    };
    yield { method: 'PUT', path: typeformWebhookPath(target, tag), body: { as: 'json', value } };
    return { externalId: tag, expiresAt: null };
  },
  *remove(externalId, target) {
    yield { method: 'DELETE', path: typeformWebhookPath(target, externalId) };
  },
};
