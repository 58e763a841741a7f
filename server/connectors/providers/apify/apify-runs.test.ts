import { expect, it } from 'vitest';
import { runOperation, sentValue } from '../../testing/run-steps';

const run = (status: string) => ({ body: { data: { id: 'r1', status, defaultDatasetId: 'd1' } } });

it('a run is asked for until it has ended, well or not', () => {
  const values = { actor: 'apify~web-scraper', input: { a: 1 }, timeout: 60, maxCharge: 0, waits: true };
  const { requests, result } = runOperation('apify', 'actors.run', values, run('READY'), run('RUNNING'), run('FAILED'));
  expect(requests.map(({ method, path, query }) => [method, path, query])).toEqual([
    ['POST', '/acts/apify~web-scraper/runs', { timeout: 60 }],
    [undefined, '/actor-runs/r1', { waitForFinish: 60 }],
    [undefined, '/actor-runs/r1', { waitForFinish: 60 }],
  ]);
  expect(requests.map(sentValue)[0]).toEqual({ a: 1 });
  expect(result).toMatchObject({ id: 'r1', status: 'FAILED' });
});

it('without waiting the run is given as it began', () => {
  const { requests, result } = runOperation('apify', 'tasks.run', { task: 't/1' }, run('READY'));
  expect(requests.map(({ path }) => path)).toEqual(['/actor-tasks/t%2F1/runs']);
  expect(requests.map(sentValue)).toEqual([{}]);
  expect(result).toMatchObject({ status: 'READY' });
});

it('items are those of a run that has succeeded', () => {
  const ask = (...answers: Parameters<typeof runOperation>[3][]) =>
    runOperation('apify', 'actors.run_for_items', { actor: 'a' }, ...answers);
  const { requests, result } = ask(run('RUNNING'), run('SUCCEEDED'), { body: [{ n: 1 }] });
  expect(requests.at(-1)).toEqual({ path: '/datasets/d1/items', query: { format: 'json' } });
  expect(result).toEqual([{ n: 1 }]);
  expect(() => ask(run('RUNNING'), run('TIMED-OUT'))).toThrow('has ended with the status TIMED-OUT');
  expect(() => ask({ body: {} })).toThrow('without a run');
});
