import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { collectReferenceNames, nameConnectors } from './useReferenceNames';

const refused = (code: string) =>
  Object.assign(new TRPCClientError(code), { data: { problem: { code, message: code, details: [] } } });

test('names of workflows and tables, and which of them are not visible', () => {
  const answers = [
    { data: { name: 'Orders' } },
    { error: refused('NOT_FOUND') },
    { error: refused('FORBIDDEN') },
    { error: refused('INTERNAL_ERROR') },
    {},
  ];
  const references = ['a', 'gone', 'secret', 'later', 'loading'].map((id) => ({ resource: 'table' as const, id }));
  expect(collectReferenceNames(references, answers)).toEqual({
    a: { resource: 'table', id: 'a', name: 'Orders' },
    gone: { resource: 'table', id: 'gone', name: null },
    secret: { resource: 'table', id: 'secret', name: null },
  });
});

test('names, icons and operations of connectors, once they are loaded', () => {
  const references = ['conn_a', 'conn_gone'].map((id) => ({ resource: 'connector' as const, id }));
  const connectors = [
    {
      id: 'conn_a',
      name: 'PagerDuty',
      icon: '/services/pagerduty.svg',
      operations: [{ id: 'alert', title: 'Raise an alert' }],
    },
  ];
  expect(nameConnectors(references, undefined)).toEqual({});
  expect(nameConnectors(references, connectors)).toEqual({
    conn_a: {
      resource: 'connector',
      id: 'conn_a',
      name: 'PagerDuty',
      icon: '/services/pagerduty.svg',
      operationTitles: { alert: 'Raise an alert' },
    },
    conn_gone: { resource: 'connector', id: 'conn_gone', name: null, operationTitles: {} },
  });
});
