import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { routeWebRequest } from '../routes';
import type { AppRouter } from './trpc';

useDatabase();

/** A client that calls the handler directly, without a network. */
function clientOf(token: string) {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: 'http://weft.test/api/trpc',
        headers: { authorization: `Bearer ${token}` },
        fetch: (url, init) => routeWebRequest(new Request(String(url), init as RequestInit)),
      }),
    ],
  });
}

const problemOf = (error: unknown) =>
  error instanceof TRPCClientError ? (error.data as { problem: Refused['error'] }).problem : undefined;

test('tRPC and REST return the same answer', async () => {
  const { token } = await buildUser();
  const trpc = clientOf(token);
  const created = await trpc.workflows.create.mutate({ body: { name: 'From the page' } });
  const { body } = await call('GET', `/api/workflows/${created.id}`, { token });
  expect(await trpc.workflows.get.query({ params: { id: created.id } })).toEqual(body);
  expect((await trpc.workflows.list.query({ query: { limit: 1, search: 'page' } })).data).toHaveLength(1);
  expect(await trpc.workflows.list.query()).toMatchObject({ total: 1, limit: 50 });
  expect(await trpc.workflows.delete.mutate({ params: { id: created.id } })).toBeUndefined();
});

test('an error is the documented one, without internal details', async () => {
  const trpc = clientOf((await buildUser()).token);
  const refused = async (work: Promise<unknown>) => problemOf(await work.catch((error: unknown) => error));
  expect(await refused(trpc.workflows.create.mutate({ body: { name: '' } }))).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'name' }],
  });
  expect(await refused(trpc.workflows.get.query({ params: { id: 'wf_x' } }))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await refused(clientOf('a.b.c').auth.me.query())).toMatchObject({ code: 'UNAUTHORIZED' });
  const error: unknown = await trpc.workflows.get.query({ params: { id: 'wf_x' } }).catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error)).not.toContain('node_modules');
});
