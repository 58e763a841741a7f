import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { ListDirectoryResponse } from '@/contract/connectors/directory';
import { SERVICE_DIRECTORY } from '@/server/connectors/directory/directory';
import { prismaClient } from '@/server/platform/db/client';
import { petStore } from '@/server/evaluation/openapi/testing/documents';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type TestUser } from '@/server/testing/factories';

useDatabase();

type Page = z.infer<typeof ListDirectoryResponse>;

const read = ({ token }: TestUser, query: string) =>
  call<Page>('GET', `/api/connectors/directory?${query}`, { token }).then(({ body }) => body);

it('lists services by search and category, in pages', async () => {
  const user = await buildUser();
  const first = await read(user, 'limit=100');
  expect(first).toMatchObject({ total: SERVICE_DIRECTORY.length, limit: 100, offset: 0 });
  const second = await read(user, 'limit=100&offset=100');
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(
    SERVICE_DIRECTORY.slice(0, 200).map(({ id }) => id),
  );
  const found = await read(user, 'search=PagerDuty%20incidents&category=monitoring');
  expect(found.data[0]).toEqual({
    id: 'pagerduty',
    name: 'PagerDuty',
    category: 'monitoring',
    keywords: expect.arrayContaining(['incidents']),
    url: expect.stringMatching(/^https:/),
    server: null,
    needsAppRegistration: false,
    icon: '/services/pagerduty.svg',
    connectorId: null,
  });
  expect((await call('GET', '/api/connectors/directory?category=none', { token: user.token })).status).toBe(400);
  expect((await call('GET', '/api/connectors/directory')).status).toBe(401);
});

it('marks what the workspace has added, and nothing that another one has', async () => {
  const [user, other] = await Promise.all([buildUser(), buildUser()]);
  const [service] = (await read(user, 'search=sentry')).data;
  const made = await call<ConnectorResponse>('POST', '/api/connectors', {
    token: user.token,
    body: { openapi: JSON.stringify(petStore()), name: 'Sentry' },
  });
  const { id } = made.body;
  // As if its document had been read at this address.
  await prismaClient().connector.update({ where: { id }, data: { sourceUrl: service?.url ?? null } });
  expect((await read(user, 'search=sentry')).data).toMatchObject([{ id: 'sentry', connectorId: id }]);
  expect((await read(other, 'search=sentry')).data).toMatchObject([{ id: 'sentry', connectorId: null }]);
  const shown = await call<ConnectorResponse>('GET', `/api/connectors/${id}`, { token: user.token });
  expect(shown.body.icon).toBe(service?.icon);
});
