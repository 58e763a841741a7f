import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { isTransientApiError, readApiError } from './api-error';

const refusing = (link: typeof httpLink | typeof httpBatchLink, status: number, body: unknown) =>
  createTRPCClient<AppRouter>({
    links: [link({ url: 'http://weft.test/api/trpc', fetch: async () => Response.json(body, { status }) })],
  });
const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

const PROBLEM = { code: 'RATE_LIMITED', message: 'Too many requests.', details: [] };

describe.each([
  ['one call', httpLink],
  ['a batch', httpBatchLink],
] as const)('a request that is refused before any procedure is called: %s', (_, link) => {
  test('is read like any other refusal', async () => {
    const error = await errorOf(refusing(link, 429, { error: PROBLEM }).auth.me.query());
    expect(readApiError(error)).toEqual(PROBLEM);
    expect(isTransientApiError(error)).toBe(true);
  });

  test('by a proxy with its own body says that the service can’t be reached', async () => {
    const error = await errorOf(refusing(link, 502, { error: 'bad gateway' }).auth.me.query());
    expect(readApiError(error)).toMatchObject({ code: 'INTERNAL_ERROR', details: [] });
  });
});

test('a procedure that fails says why', async () => {
  const data = { problem: PROBLEM };
  const answer = { error: { message: 'x', code: -32_029, data } };
  expect(readApiError(await errorOf(refusing(httpLink, 429, answer).auth.me.query()))).toEqual(PROBLEM);
});
