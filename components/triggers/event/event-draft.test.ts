import { expect, test } from 'vitest';
import type { ConnectorOperationInfo, ConnectorResponse } from '@/contract/connectors/connector';
import {
  createEventDraft,
  eventParameterSchema,
  eventPollBody,
  eventServiceName,
  exampleItem,
  findOpenParameter,
  listSiblingEvents,
} from './event-draft';

const listed = { type: 'string', 'x-choices': { source: 'sheets', dependsOn: [], search: false } };
const parameters = {
  type: 'object',
  properties: {
    sheet: listed,
    range: listed,
    text: { type: 'string' },
    since: { type: 'string' },
    folder: listed,
    account: listed,
    limit: { type: 'integer' },
  },
  required: ['sheet', 'text', 'since'],
};
const operation = {
  id: 'sheets.read',
  title: 'Read rows',
  poll: {
    title: 'New row',
    items: 'input.body.rows',
    key: 'item.id',
    cursor: null,
    parameters: { since: '{{ cursor }}', limit: 100, folder: 'inbox', account: '{{ vars.account }}' },
  },
} as unknown as ConnectorOperationInfo;
const event = { id: 'sheets.read', title: 'New row', mode: 'poll' as const, parameters };

test('a poll asks for what is required or picked, and not for what it sets itself', () => {
  expect(Object.keys(eventParameterSchema(event, operation).properties ?? {})).toEqual([
    'sheet',
    'range',
    'text',
    'folder',
  ]);
  expect(eventParameterSchema({ ...event, mode: 'subscription' }, undefined)).toBe(parameters);
});

test('the first list without a value comes next', () => {
  expect(findOpenParameter(parameters as never, {})).toBe('sheet');
  expect(findOpenParameter(parameters as never, { sheet: 'a' })).toBeUndefined();
});

test('the poll of an event has its settings, what was picked and what that is called', () => {
  const draft = {
    ...createEventDraft({ connectorId: 'google', event: 'sheets.read', mode: 'poll' }, null),
    credentialId: 'cred_1',
    parameters: { sheet: '1', folder: 'sent' },
    labels: { sheet: 'Orders' },
  };
  expect(eventPollBody(draft, operation, 'Google Sheets')).toMatchObject({
    name: 'New row in Google Sheets',
    intervalMs: 60_000,
    node: {
      type: 'connector',
      config: {
        connectorId: 'google',
        operation: 'sheets.read',
        parameters: { since: '{{ cursor }}', limit: 100, folder: 'sent', sheet: '1' },
      },
      credentialId: 'cred_1',
      labels: { 'parameters.sheet': 'Orders' },
    },
    items: 'input.body.rows',
    key: 'item.id',
  });
});

test('the events of one service of a provider are offered together', () => {
  const events = [event, { ...event, id: 'drive.list' }, { ...event, id: 'calendar', mode: 'subscription' }];
  const services = [
    { id: 'sheets', name: 'Google Sheets', operationGroups: ['sheets'] },
    { id: 'drive', name: 'Google Drive', operationGroups: ['drive'] },
  ];
  const google = { id: 'google', name: 'Google', services, events } as unknown as ConnectorResponse;
  const preset = { connectorId: 'google', event: 'sheets.read', mode: 'poll' as const };
  expect(eventServiceName(google, preset)).toBe('Google Sheets');
  expect(listSiblingEvents(google, preset).map(({ id }) => id)).toEqual(['sheets.read']);
  const reported = { ...preset, event: 'calendar', mode: 'subscription' as const };
  expect(listSiblingEvents(google, reported).map(({ id }) => id)).toEqual(['calendar']);
});

test.each([
  [{ rows: [{ id: 1 }] }, 'input.body.rows', { id: 1 }],
  // All pages are joined to one list.
  [{ ok: true, messages: [{ ts: '1' }] }, 'input.body', { ts: '1' }],
  [{ id: 1 }, '[input.body]', { id: 1 }],
  [{ a: [1], b: [2] }, 'input.body', { a: [1], b: [2] }],
  [undefined, 'input.body', undefined],
])('an example shows one item: %j by %s', (example, items, item) => {
  expect(exampleItem({ example, poll: { title: '', items, key: 'item.id', cursor: null } as never })).toEqual(item);
});
