import { expect, it } from 'vitest';
import type { Connector } from '@/contract/connector';
import type { NodeType } from '@/contract/workflows/node-type';
import { preset } from './pick';
import { serviceOffers } from './service-offers';

const kind: NodeType = {
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
const connector = (id: string, name: string, titles: string[]): Connector => ({
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
  operations: titles.map((title) => ({
    id: title.toLowerCase().replaceAll(' ', '.'),
    title,
    description: '',
    limits: null,
    parameters: {},
    poll: null,
  })),
  configured: true,
  registration: null,
  needsAddresses: false,
  redirectUri: '',
  setup: '',
});
const all = [
  connector('trello', 'Trello', ['List boards', 'Create a card']),
  connector('hubspot', 'HubSpot', ['List deals']),
];

it('lists services, and their operations only in a search', () => {
  const offers = serviceOffers(kind, all, undefined);
  expect(offers.filter(({ isHidden }) => !isHidden).map(({ title }) => title)).toEqual(['Trello', 'HubSpot']);
  expect(offers.filter(({ isHidden }) => isHidden).map(({ group, title }) => [group, title])).toEqual([
    ['Trello', 'List boards'],
    ['Trello', 'Create a card'],
    ['HubSpot', 'List deals'],
  ]);
});

it('lists the operations of an opened service, with a way back', () => {
  const offers = serviceOffers(kind, all, 'trello');
  expect(offers.map(({ title }) => title)).toEqual(['All nodes', 'List boards', 'Create a card']);
  expect(new Set(offers.map(({ group }) => group))).toEqual(new Set(['Trello']));
});

it('presets service and operation of a node, and keeps its name', () => {
  const target = serviceOffers(kind, all, 'trello')[2]?.target;
  if (typeof target !== 'object' || !('pick' in target)) throw new Error('no pick');
  const node = { id: 'n', type: 'connector', position: { x: 0, y: 0 }, config: {} };
  const put = (name?: string) =>
    preset({ nodes: [{ ...node, name }], connections: [] }, 'n', target.pick).nodes.map((each) => [
      each.name,
      each.config,
    ]);
  const config = { connectorId: 'trello', operation: 'create.a.card' };
  expect(put()).toEqual([['Create a card', config]]);
  expect(put('Mine')).toEqual([['Mine', config]]);
});
