import { expect, it } from 'vitest';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { scoreSearchedEntry } from '@/components/ui/choosing/search-ranking';
import { applyPickPreset } from './palette-pick';
import { listDirectoryOffers, listServiceOffers } from './service-offers';

const kind: NodeTypeDescription = {
  type: 'connector',
  title: 'Connector',
  description: '',
  synonyms: [],
  category: 'action',
  icon: '/nodes/connector.svg',
  ports: { inputs: ['input'], outputs: ['output', 'error'], dynamicOutputs: null },
  credentialTypes: ['oauth2'],
  configSchema: {},
};
const connector = (id: string, name: string, titles: string[]): ConnectorResponse => ({
  id,
  name,
  description: `All about ${name}.`,
  synonyms: [],
  icon: `/connectors/${id}.svg`,
  flow: 'authorization_code',
  token: null,
  services: [],
  scopes: [],
  optionalScopes: [],
  additionalParams: [],
  events: [],
  operations: titles.map((title) => ({
    id: title.toLowerCase().replaceAll(' ', '.'),
    title,
    description: '',
    limits: null,
    parameters: {},
    poll: null,
  })),
  limits: null,
  configured: true,
  registration: null,
  needsAddresses: false,
  redirectUri: '',
  setup: '',
  needsCredential: true,
  isCustom: false,
  source: null,
});
const all = [
  connector('trello', 'Trello', ['List boards', 'Create a card']),
  connector('hubspot', 'HubSpot', ['List deals']),
];

it('has services of one provider as services, and finds their triggers in a search', () => {
  const poll = { title: 'New email', words: 'gmail trigger mail', items: 'input.body', key: 'item.id' };
  const google: ConnectorResponse = {
    ...connector('google', 'Google', []),
    services: ['gmail', 'drive'].map((id) => ({
      id,
      name: id,
      description: '',
      synonyms: [],
      icon: `/${id}.svg`,
      operationGroups: [id],
    })),
    events: [],
    operations: ['gmail.search', 'drive.get', 'request'].map((id) => ({
      id,
      title: id,
      description: '',
      limits: null,
      parameters: {},
      poll: id === 'gmail.search' ? poll : null,
    })),
  };
  const offers = listServiceOffers(kind, [google, connector('telegram', 'Telegram', ['Send'])], undefined);
  expect(offers.filter(({ isHidden }) => !isHidden).map(({ title }) => title)).toEqual(['gmail', 'drive', 'Telegram']);
  const best = (search: string) =>
    offers.toSorted((a, b) => scoreSearchedEntry(search, b) - scoreSearchedEntry(search, a))[0];
  expect(best('gmail trigger')).toMatchObject({
    title: 'New email in gmail',
    target: {
      trigger: 'poll',
      preset: {
        event: { connectorId: 'google', event: 'gmail.search', mode: 'poll' },
      },
    },
  });
  expect(best('telegram trigger')).toMatchObject({ target: { trigger: 'webhook' } });
  expect(best('stripe trigger')).toMatchObject({
    target: { trigger: 'webhook', preset: { webhook: { choice: 'provider:stripe', path: 'stripe' } } },
  });
  const opened = listServiceOffers(kind, [google], 'google/gmail');
  expect(opened.map(({ id }) => id)).toEqual(['back', 'google/gmail.search', 'poll:google/gmail.search']);
});

it('lists services, and their operations only in a search', () => {
  const offers = listServiceOffers(kind, all, undefined);
  expect(offers.filter(({ isHidden }) => !isHidden).map(({ title }) => title)).toEqual(['Trello', 'HubSpot']);
  const hidden = offers.filter(({ isHidden, group }) => isHidden && group !== 'Triggers');
  expect(hidden.map(({ group, title }) => [group, title])).toEqual([
    ['Trello', 'List boards'],
    ['Trello', 'Create a card'],
    ['HubSpot', 'List deals'],
  ]);
});

it('lists the operations of an opened service, with a way back', () => {
  const offers = listServiceOffers(kind, all, 'trello');
  expect(offers.map(({ title }) => title)).toEqual(['All nodes', 'List boards', 'Create a card', 'Trello: webhook']);
  expect(new Set(offers.map(({ group }) => group))).toEqual(new Set(['Trello', 'Triggers of Trello']));
});

it('presets service and operation of a node, and keeps its name', () => {
  const target = listServiceOffers(kind, all, 'trello')[2]?.target;
  if (typeof target !== 'object' || !('pick' in target)) throw new Error('no pick');
  const node = { id: 'n', type: 'connector', position: { x: 0, y: 0 }, config: {} };
  const put = (name?: string) =>
    applyPickPreset({ nodes: [{ ...node, name }], connections: [] }, 'n', target.pick).nodes.map((each) => [
      each.name,
      each.config,
    ]);
  const config = { connectorId: 'trello', operation: 'create.a.card' };
  expect(put()).toEqual([['Create a card', config]]);
  expect(put('Mine')).toEqual([['Mine', config]]);
});

it('offers services of the directory last, without those that the workspace has added', () => {
  const service = (id: string, connectorId: string | null) => ({
    id,
    name: id,
    category: 'monitoring' as const,
    keywords: ['on-call'],
    url: `https://${id}.example/openapi.json`,
    server: null,
    needsAppRegistration: false,
    icon: '/connectors/openapi.svg',
    connectorId,
  });
  const offers = listDirectoryOffers(kind, [service('alerts', null), service('pager', 'conn_1')]);
  expect(offers).toMatchObject([
    { id: 'service:alerts', isHidden: true, isLast: true, words: ['on-call'], target: { service: { id: 'alerts' } } },
  ]);
});

it('offers the events that a service reports before polls and the webhook that is made by hand', () => {
  const trello = connector('trello', 'Trello', ['List boards']);
  const reported = {
    ...trello,
    events: [
      { id: 'card.created', title: 'New card', words: 'task', mode: 'subscription' as const },
      { id: 'list.boards', title: 'New board', mode: 'poll' as const },
    ],
  };
  const [, , event, webhook] = listServiceOffers(kind, [reported], 'trello');
  expect(event).toMatchObject({
    title: 'New card in Trello',
    group: 'Triggers of Trello',
    target: {
      trigger: 'webhook',
      preset: { event: { connectorId: 'trello', event: 'card.created', mode: 'subscription' } },
    },
  });
  expect(webhook?.title).toBe('Trello: webhook');
});
