import { expect, it } from 'vitest';
import { runOperation, sentValue } from '../../testing/run-steps';

it('a Phantom is launched with its argument, and its state is asked for', () => {
  const values = { agent: '7', argument: { url: 'x' }, manualLaunch: true, getsState: true };
  const answers = [{ body: { containerId: 'c1' } }, { body: { id: 'c1', status: 'running' } }];
  const { requests, result } = runOperation('phantombuster', 'agents.launch', values, ...answers);
  expect(requests.map(sentValue)[0]).toEqual({ id: '7', arguments: { url: 'x' }, manualLaunch: true });
  expect(requests[1]).toEqual({ path: '/containers/fetch', query: { id: 'c1' } });
  expect(result).toEqual({ id: 'c1', status: 'running' });
});

it('the result of a launch is what its text of JSON says, or nothing', () => {
  const get = (resultObject: unknown) =>
    runOperation(
      'phantombuster',
      'agents.get_output',
      { agent: '7', getsResult: true },
      { body: { containerId: 'c1' } },
      { body: { resultObject } },
    ).result;
  expect(get('[{"n":1}]')).toEqual([{ n: 1 }]);
  expect(get(null)).toEqual({});
  expect(() => get('nothing')).toThrow('is no JSON');
});
