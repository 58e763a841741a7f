import { expect, test } from 'vitest';
import { CounterFamily, HistogramFamily } from './family';

test('a counter has one number for each pair of labels', () => {
  const family = new CounterFamily({ name: 'x_total', help: 'x', labels: ['type', 'code'] });
  family.count('http_request', 'DNS');
  family.count('http_request', 'DNS');
  family.count('http_request', 'TLS');
  family.count('code', 'TLS');
  expect([...family.entries()]).toEqual([
    [{ type: 'http_request', code: 'DNS' }, { value: 2 }],
    [{ type: 'http_request', code: 'TLS' }, { value: 1 }],
    [{ type: 'code', code: 'TLS' }, { value: 1 }],
  ]);
});

test('series beyond the limit are counted together, and those that exist go on', () => {
  const family = new CounterFamily({ name: 'x_total', help: 'x', labels: ['type', 'code'], maxSeries: 2 });
  for (const code of ['A', 'B', 'C', 'D', 'A']) family.count('code', code);
  expect([...family.entries()]).toEqual([
    [{ type: 'code', code: 'A' }, { value: 2 }],
    [{ type: 'code', code: 'B' }, { value: 1 }],
    [{ type: 'other', code: 'other' }, { value: 2 }],
  ]);
});

test('a removed series leaves room for another', () => {
  const family = new CounterFamily({ name: 'x_total', help: 'x', labels: ['workflow', 'result'], maxSeries: 2 });
  family.count('one', 'completed');
  family.count('one', 'failed');
  family.remove('one');
  family.count('two', 'completed');
  expect([...family.entries()]).toEqual([[{ workflow: 'two', result: 'completed' }, { value: 1 }]]);
});

test('a duration is counted at the first bound that is not below it', () => {
  const family = new HistogramFamily({ name: 'x_seconds', help: 'x', bounds: [1, 2] });
  for (const seconds of [0.5, 1, 1.5, 2.5]) family.observe(seconds);
  expect([...family.entries()]).toEqual([[{}, { counts: [2, 1, 1], sum: 5.5 }]]);
});
