import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HttpTransport } from './transport.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

interface Given {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client whose service gives these answers in turn; null: the connection is lost. */
function clientOf(answers: (Given | null)[], options: object = {}) {
  const requests: { method: string; headers: Headers; at: number }[] = [];
  const begin = Date.now();
  const fetch = async (_url: unknown, { method, headers }: RequestInit = {}) => {
    requests.push({ method: method ?? '', headers: new Headers(headers), at: Date.now() - begin });
    const answer = answers.shift();
    if (!answer) throw new TypeError('fetch failed');
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers: answer.headers ?? {} });
  };
  const transport = new HttpTransport({
    url: 'https://weft.test/',
    apiKey: 'wk_test',
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  return { transport, requests };
}

async function settled<Value>(work: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const all = Promise.allSettled([work]);
  await vi.runAllTimersAsync();
  const [result] = await all;
  return result;
}

const refusal = (code: string) => ({
  error: { code, message: 'No.', details: [{ field: 'name', message: 'is required' }] },
});

it('repeats after 1, 2 and 4 seconds, with the same idempotency key', async () => {
  const { transport, requests } = clientOf([
    { status: 503 },
    null,
    { status: 500 },
    { status: 201, body: { id: 'wf_1' } },
  ]);
  const result = await settled(transport.call({ method: 'POST', path: '/api/workflows', body: {} }));
  expect(result).toMatchObject({ value: { id: 'wf_1' } });
  expect(requests.map(({ at }) => at)).toEqual([0, 1000, 3000, 7000]);
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

it('throws the last error with its code, status, details and request id', async () => {
  const last = { status: 500, body: refusal('INTERNAL_ERROR'), headers: { 'x-request-id': 'req_1' } };
  const { transport, requests } = clientOf([{ status: 503 }, { status: 503 }, { status: 503 }, last]);
  const result = await settled(transport.call({ method: 'GET', path: '/api/workflows' }));
  expect(result).toMatchObject({
    reason: {
      name: 'WeftError',
      code: 'INTERNAL_ERROR',
      status: 500,
      requestId: 'req_1',
      details: [{ field: 'name', message: 'is required' }],
    },
  });
  expect(requests).toHaveLength(4);
});

it('waits as long as Retry-After says, but not for more than a minute', async () => {
  const limited = (seconds: string) => ({
    status: 429,
    body: refusal('RATE_LIMITED'),
    headers: { 'retry-after': seconds },
  });
  const { transport, requests } = clientOf([limited('7'), { status: 204 }]);
  await settled(transport.call({ method: 'PATCH', path: '/api/x' }));
  expect(requests.map(({ at }) => at)).toEqual([0, 7000]);

  const long = clientOf([limited('3600')]);
  expect(await settled(long.transport.call({ method: 'GET', path: '/api/x' }))).toMatchObject({
    reason: { code: 'RATE_LIMITED' },
  });
});

it('does not repeat what might happen twice, and no refusal', async () => {
  const patch = clientOf([{ status: 503 }]);
  expect(await settled(patch.transport.call({ method: 'PATCH', path: '/api/x' }))).toMatchObject({
    reason: { status: 503 },
  });
  const login = clientOf([null]);
  expect(await settled(login.transport.call({ method: 'POST', path: '/api/auth/login', body: {} }))).toMatchObject({
    reason: { name: 'WeftConnectionError' },
  });
  const bad = clientOf([{ status: 400, body: refusal('VALIDATION_ERROR') }]);
  expect(await settled(bad.transport.call({ method: 'GET', path: '/api/x' }))).toMatchObject({
    reason: { status: 400 },
  });
});

it('takes the 404 of a repeated deletion for a success', async () => {
  const { transport } = clientOf([null, { status: 404, body: refusal('NOT_FOUND') }]);
  expect(await settled(transport.call({ method: 'DELETE', path: '/api/x' }))).toEqual({
    status: 'fulfilled',
    value: undefined,
  });
  const unknown = clientOf([{ status: 404, body: refusal('NOT_FOUND') }]);
  expect(await settled(unknown.transport.call({ method: 'DELETE', path: '/api/x' }))).toMatchObject({
    reason: { code: 'NOT_FOUND' },
  });
});

it('renews expired tokens once for concurrent calls', async () => {
  const expired = { status: 401, body: refusal('UNAUTHORIZED') };
  const renewed = { accessToken: 'new', refreshToken: 'r2', expiresIn: 60 };
  const onTokens = vi.fn<(tokens: object) => void>();
  const options = { apiKey: undefined, tokens: { accessToken: 'old', refreshToken: 'r1' }, onTokens };
  const answers = [
    expired,
    expired,
    { status: 200, body: renewed },
    { status: 200, body: 1 },
    { status: 200, body: 2 },
  ];
  const { transport, requests } = clientOf(answers, options);
  const both = Promise.all(['/api/a', '/api/b'].map((path) => transport.call({ method: 'GET', path })));
  expect(await settled(both)).toMatchObject({ value: [1, 2] });
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer old',
    'Bearer old',
    'Bearer old',
    'Bearer new',
    'Bearer new',
  ]);
  expect(onTokens).toHaveBeenCalledExactlyOnceWith({ accessToken: 'new', refreshToken: 'r2' });
});
