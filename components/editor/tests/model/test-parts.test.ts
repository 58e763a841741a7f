import { expect, test } from 'vitest';
import { parseExpectations, parseMocks } from './test-parts';

test('mocks are shown as they are', () => {
  const mocks = {
    fetch: { output: { body: 1 } },
    ask: { output: null, port: 'approved' },
    'each[].mail': { error: { code: 'TIMEOUT', message: '' } },
    nothing: {},
  };
  expect(parseMocks(mocks)).toEqual({ part: mocks });
});

test.each([[[]], ['text'], [{ a: 1 }], [{ a: { error: {} } }], [{ a: { output: 1, error: { code: 'X' } } }]])(
  'the form does not show the mocks %j',
  (value) => expect(parseMocks(value)).toHaveProperty('reason'),
);

test('expectations are shown as they are, with the status that they have by default', () => {
  const nodes = { check: { port: 'true' }, mail: { status: 'not_run' }, sum: { output: [1] } };
  expect(parseExpectations({ output: null, nodes })).toEqual({ part: { status: 'completed', output: null, nodes } });
  expect(parseExpectations({})).toEqual({ part: { status: 'completed', nodes: {} } });
});

test.each([
  [null],
  [{ state: 'failed' }],
  [{ status: 'paused' }],
  [{ nodes: [] }],
  [{ nodes: { a: { status: 'maybe' } } }],
  [{ output: { '`': 1 } }],
])('the form does not show the expectations %j', (value) => expect(parseExpectations(value)).toHaveProperty('reason'));
