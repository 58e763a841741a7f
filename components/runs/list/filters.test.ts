import { expect, test } from 'vitest';
import {
  encodeRunFilters,
  runChartQuery,
  timeBoundsError,
  parseRunFilters,
  EMPTY_RUN_FILTERS,
  runListQuery,
  type RunFilters,
} from './filters';

const NOW = Date.parse('2026-03-01T12:00:30.500Z');
const HOUR_MS = 3_600_000;

const ALL: RunFilters = {
  search: 'Bills & more',
  status: 'failed',
  workflow: 'wf_1',
  trigger: 'webhook',
  runs: 'partial',
  rating: 'down',
  tag: 'de & en',
  kept: 'true',
  within: 'custom',
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-02-02T00:00:00.000Z',
  sort: 'createdAt',
};

test.each([ALL, EMPTY_RUN_FILTERS, { ...EMPTY_RUN_FILTERS, within: '24' as const }])(
  'an address keeps its filters: %j',
  (filters) => {
    expect(parseRunFilters(new URLSearchParams(encodeRunFilters(filters)))).toEqual(filters);
  },
);

test('absent filters leave no trace in the address', () => {
  expect(encodeRunFilters(EMPTY_RUN_FILTERS)).toBe('');
  expect(encodeRunFilters({ ...EMPTY_RUN_FILTERS, status: 'failed' })).toBe('status=failed');
});

test('values that do not exist count as absent', () => {
  const address = 'status=gone&trigger=x&runs=none&rating=best&kept=no&within=7&from=yesterday&to=2026-01-01';
  expect(parseRunFilters(new URLSearchParams(address))).toEqual(EMPTY_RUN_FILTERS);
  expect(parseRunFilters(new URLSearchParams('within=custom&from=yesterday')).from).toBe('');
});

test('the query counts from the full minute', () => {
  expect(runListQuery({ ...EMPTY_RUN_FILTERS, within: '1' }, NOW)).toMatchObject({
    from: '2026-03-01T11:00:00.000Z',
    to: undefined,
  });
  expect(runListQuery(ALL, NOW)).toEqual({
    search: 'Bills & more',
    status: 'failed',
    workflowId: 'wf_1',
    trigger: 'webhook',
    partial: 'true',
    rating: 'down',
    tag: 'de & en',
    kept: 'true',
    from: ALL.from,
    to: ALL.to,
    sort: 'createdAt',
  });
});

test.each([
  ['1', 'minute'],
  ['24', 'hour'],
  ['168', 'hour'],
  ['720', 'day'],
  [null, 'day'],
] as const)('a chart of %s hours has buckets of a %s, and few enough', (within, bucket) => {
  const query = runChartQuery({ ...EMPTY_RUN_FILTERS, within }, NOW);
  expect(query?.bucket).toBe(bucket);
  expect(query?.to).toBe('2026-03-01T12:01:00.000Z');
});

test('there is no chart of one run, of unfinished runs, and of very long or empty times', () => {
  const custom = (from: string, to = '') => runChartQuery({ ...EMPTY_RUN_FILTERS, within: 'custom', from, to }, NOW);
  expect(runChartQuery({ ...EMPTY_RUN_FILTERS, search: 'exec_1' }, NOW)).toBeUndefined();
  expect(runChartQuery({ ...EMPTY_RUN_FILTERS, status: 'running' }, NOW)).toBeUndefined();
  expect(runChartQuery({ ...EMPTY_RUN_FILTERS, status: 'completed' }, NOW)).toBeDefined();
  expect(custom('2020-01-01T00:00:00.000Z')).toBeUndefined();
  expect(custom(new Date(NOW + HOUR_MS).toISOString())).toBeUndefined();
});

test('an end before the start is a fault', () => {
  expect(timeBoundsError({ ...ALL, to: ALL.from })).toBe('Must be later than “From”');
  expect(timeBoundsError(ALL)).toBeUndefined();
  expect(timeBoundsError({ ...ALL, to: '' })).toBeUndefined();
});
