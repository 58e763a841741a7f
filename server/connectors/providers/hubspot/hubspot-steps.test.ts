import { expect, it } from 'vitest';
import type { ApiRequest } from '../../operation';
import { runOperation, sentValue } from '../../testing/run-steps';

it('a contact of HubSpot is created or changed by its address; an error within a batch is a failure', () => {
  const upsert = (body: unknown) =>
    runOperation('hubspot', 'contacts.upsert', { email: 'a@example.com', properties: { firstname: 'Ada' } }, { body });
  const { requests, result } = upsert({ status: 'COMPLETE', results: [{ id: '1', new: true }] });
  expect(requests.map(sentValue)).toEqual([
    {
      inputs: [{ idProperty: 'email', id: 'a@example.com', properties: { email: 'a@example.com', firstname: 'Ada' } }],
    },
  ]);
  expect(result).toEqual({ id: '1', new: true });
  const refused = { status: 'COMPLETE', results: [], numErrors: 1, errors: [{ message: 'INVALID_EMAIL' }] };
  expect(() => upsert(refused)).toThrow('HubSpot refused: INVALID_EMAIL');
});

it('new records of HubSpot are searched from a time on, to the end', () => {
  const page = (id: string, after?: string) => ({
    body: { results: [{ id }], ...(after === undefined ? {} : { paging: { next: { after } } }) },
  });
  const since = '2026-01-31T08:15:30.000Z';
  const { requests, result } = runOperation('hubspot', 'deals.list_changed', { since }, page('1', 'a1'), page('2'));
  expect(result).toEqual([{ id: '1' }, { id: '2' }]);
  expect(requests.map(sentValue)).toMatchObject([
    {
      filterGroups: [
        { filters: [{ propertyName: 'hs_lastmodifieddate', operator: 'GTE', value: String(Date.parse(since)) }] },
      ],
      after: undefined,
    },
    { after: 'a1' },
  ]);
  expect(() => runOperation('hubspot', 'contacts.list_new', { since: 'yesterday' })).toThrow('parameters.since');
});

it('an activity of HubSpot is created together with its links', () => {
  const at = '2026-01-31T08:15:30Z';
  const { requests } = runOperation('hubspot', 'notes.create', { text: 'Hi', at, contact: '5', ticket: '7' });
  const link = (id: string, associationTypeId: number) => ({
    to: { id },
    types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
  });
  expect(requests[0]?.path).toBe('/crm/v3/objects/notes');
  expect(sentValue(requests[0] as ApiRequest)).toEqual({
    properties: { hs_timestamp: at, hubspot_owner_id: undefined, hs_note_body: 'Hi' },
    associations: [link('5', 202), link('7', 228)],
  });
});

it('lists of HubSpot are read to the end', () => {
  const page = (listId: string, hasMore: boolean) => ({ body: { lists: [{ listId }], hasMore } });
  const { requests, result } = runOperation('hubspot', 'lists.list', {}, page('1', true), page('2', false));
  expect(requests.map((request) => (sentValue(request) as { offset: number }).offset)).toEqual([0, 1]);
  expect(result).toEqual([{ listId: '1' }, { listId: '2' }]);
});
