import { expect, test } from 'vitest';
import { readExpectations, readMocks } from './parts';

test('mocks are shown as they are', () => {
  const mocks = {
    fetch: { output: { body: 1 } },
    ask: { output: null, port: 'approved' },
    'each[].mail': { error: { code: 'TIMEOUT', message: '' } },
    nothing: {},
  };
  expect(readMocks(mocks)).toEqual({ part: mocks });
});

test.each([[[]], ['text'], [{ a: 1 }], [{ a: { error: {} } }], [{ a: { output: 1, error: { code: 'X' } } }]])(
  'the form does not show the mocks %j',
  (value) => expect(readMocks(value)).toHaveProperty('reason'),
);

test('expectations are shown as they are, with the status that they have by default', () => {
  const nodes = { check: { port: 'true' }, mail: { status: 'not_run' }, sum: { output: [1] } };
  expect(readExpectations({ output: null, nodes })).toEqual({ part: { status: 'completed', output: null, nodes } });
  expect(readExpectations({})).toEqual({ part: { status: 'completed', nodes: {} } });
});

test.each([
  [null],
  [{ state: 'failed' }],
  [{ status: 'paused' }],
  [{ nodes: [] }],
  [{ nodes: { a: { status: 'maybe' } } }],
  [{ output: { '`': 1 } }],
])('the form does not show the expectations %j', (value) => expect(readExpectations(value)).toHaveProperty('reason'));
