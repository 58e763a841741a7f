import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { MS_PER_DAY } from '@/contract/units';
import { listedLineParameter } from '../parameters';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

interface GraphSubscription {
  id: string;
  notificationUrl?: string;
  expirationDateTime?: string;
}

interface GraphEvent extends SubscribedEvent {
  changeType: 'created' | 'updated' | 'deleted';
  /** The path of what is watched, from the parameters. */
  resource(parameters: Record<string, unknown>): string;
  /** Shorter than the provider's limit for this kind of resource. */
  lifeDays: number;
}

/** Messages, events and contacts: under seven days. Files and lists: under thirty. */
const OUTLOOK_LIFE_DAYS = 6;
const FILES_LIFE_DAYS = 28;
const MAX_SUBSCRIPTION_PAGES = 10;

const graphEvent = (
  event: Omit<GraphEvent, 'example' | 'parameters'> & { parameters?: GraphEvent['parameters'] },
): GraphEvent => ({
  parameters: {},
  ...event,
  example: {
    value: [
      {
        subscriptionId: '7f105c7d-2dc5-4530-97cd-4e7ae6534c07',
        subscriptionExpirationDateTime: '2026-02-06T08:15:30Z',
        changeType: event.changeType,
        resource: 'Users/ada@example.com/Messages/AAMkADk0MGFkODE3',
        resourceData: { '@odata.type': '#Microsoft.Graph.Message', id: 'AAMkADk0MGFkODE3' },
        tenantId: 'bba2d9b2-0f2a-4d9c-8d7f-0f6f2f1c5b1a',
      },
    ],
  },
});

const mailFolder = {
  folder: listedLineParameter('Folder', 'mailFolders', [], 500)
    .default('inbox')
    .describe('Id of the folder, or a name such as inbox'),
};
const messagesOfFolder = ({ folder }: Record<string, unknown>) =>
  `/me/mailFolders('${String(folder ?? 'inbox').replaceAll("'", "''")}')/messages`;
const graphList = {
  siteId: listedLineParameter('Site', 'sites', [], 1000).describe('Id of the site'),
  listId: listedLineParameter('List', 'lists', ['siteId'], 500).describe('Id of the list'),
};

const GRAPH_EVENTS: GraphEvent[] = [
  graphEvent({
    id: 'message.created',
    title: 'New email in Outlook',
    words: 'mail message inbox received',
    changeType: 'created',
    parameters: mailFolder,
    resource: messagesOfFolder,
    lifeDays: OUTLOOK_LIFE_DAYS,
  }),
  graphEvent({
    id: 'message.updated',
    title: 'Email in Outlook changes',
    words: 'mail message read flagged moved',
    changeType: 'updated',
    parameters: mailFolder,
    resource: messagesOfFolder,
    lifeDays: OUTLOOK_LIFE_DAYS,
  }),
  ...(['created', 'updated', 'deleted'] as const).map((changeType) =>
    graphEvent({
      id: `event.${changeType}`,
      title: { created: 'New event', updated: 'Event changes', deleted: 'Event is deleted' }[changeType],
      words: 'outlook calendar meeting appointment',
      changeType,
      resource: () => '/me/events',
      lifeDays: OUTLOOK_LIFE_DAYS,
    }),
  ),
  graphEvent({
    id: 'contact.created',
    title: 'New contact in Outlook',
    words: 'person address',
    changeType: 'created',
    resource: () => '/me/contacts',
    lifeDays: OUTLOOK_LIFE_DAYS,
  }),
  graphEvent({
    id: 'drive.updated',
    title: 'Something in the own OneDrive changes',
    words: 'file folder upload new',
    changeType: 'updated',
    resource: () => '/me/drive/root',
    lifeDays: FILES_LIFE_DAYS,
  }),
  graphEvent({
    id: 'list.updated',
    title: 'Something in a SharePoint list changes',
    words: 'sharepoint list item new row',
    changeType: 'updated',
    parameters: graphList,
    resource: ({ siteId, listId }) =>
      `/sites/${encodeURIComponent(String(siteId))}/lists/${encodeURIComponent(String(listId))}`,
    lifeDays: FILES_LIFE_DAYS,
  }),
];

const requireGraphEvent = (id: string): GraphEvent => {
  const event = GRAPH_EVENTS.find((one) => one.id === id);
  if (!event) throw new TypeError(`There is no event ${id}.`);
  return event;
};

const graphEnd = (event: string): string =>
  new Date(Date.now() + requireGraphEvent(event).lifeDays * MS_PER_DAY).toISOString();

const parseGraphEnd = (end: unknown): Date | null => (typeof end === 'string' ? new Date(end) : null);

/**
 * https://learn.microsoft.com/graph/api/resources/subscription : it ends after days, and `clientState` comes back in
 * each notification, which says what changed and not how.
 */
export const microsoftGraphSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'microsoft_graph' },
  source: 'https://learn.microsoft.com/graph/api/resources/subscription',
  events: GRAPH_EVENTS.map(({ id, title, words, parameters, example }) => ({
    id,
    title,
    ...(words !== undefined && { words }),
    parameters,
    example,
  })),
  *find({ url }) {
    let path = '/subscriptions';
    for (let page = 1; page <= MAX_SUBSCRIPTION_PAGES; page += 1) {
      const { body } = yield { path };
      const all = (getAtPath(body, 'value') ?? []) as GraphSubscription[];
      const found = all.find(({ notificationUrl }) => notificationUrl === url);
      if (found) return { externalId: found.id, expiresAt: parseGraphEnd(found.expirationDateTime) };
      const next = (body as Record<string, unknown>)['@odata.nextLink'];
      if (typeof next !== 'string') return null;
      path = next;
    }
    return null;
  },
  *create({ url, secret, event, parameters }) {
    const { changeType, resource } = requireGraphEvent(event);
    const value = {
      changeType,
      notificationUrl: url,
      resource: resource(parameters),
      expirationDateTime: graphEnd(event),
      clientState: secret,
    };
    const { id, expirationDateTime } = (yield { method: 'POST', path: '/subscriptions', body: { as: 'json', value } })
      .body as GraphSubscription;
    return { externalId: id, expiresAt: parseGraphEnd(expirationDateTime) };
  },
  *renew(externalId, { event }) {
    const value = { expirationDateTime: graphEnd(event) };
    const path = `/subscriptions/${encodeURIComponent(externalId)}`;
    const { body } = yield { method: 'PATCH', path, body: { as: 'json', value } };
    return parseGraphEnd(getAtPath(body, 'expirationDateTime'));
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/subscriptions/${encodeURIComponent(externalId)}` };
  },
};
