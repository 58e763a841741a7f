import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { CLIENT } from '@/server/testing/client';

useDatabase();

let url: string;
let close: () => Promise<void>;
let user: TestUser;

beforeAll(async () => {
  ({ url, close } = await listenOn((request, response) => {
    const isRight =
      request.headers.authorization === 'Bearer right-token' || request.headers['x-api-key'] === 'right-key';
    const body = JSON.stringify({ message: `you sent ${request.headers.authorization ?? ''}` });
    response.writeHead(isRight ? 200 : 403, { 'Content-Type': 'application/json' }).end(body);
  }));
  user = await buildUser();
});
afterAll(() => close());
beforeEach(() => {
  getRuntime().env.connectors = { hubspot: { ...CLIENT, apiUrl: url, tokenUrl: `${url}/token` } };
});

async function tried(credential: object, body: object = {}) {
  const { token } = user;
  const made = await call<{ id: string }>('POST', '/api/credentials', { token, body: { name: 'x', ...credential } });
  return call<{ ok: boolean; message: string } & Refused>('POST', `/api/credentials/${made.body.id}/test`, {
    token,
    body,
  });
}

const hubspot = (accessToken: string) => ({ type: 'oauth2', connectorId: 'hubspot', config: { accessToken } });

it('reports whether the connector accepts the credential, without the echoed secret', async () => {
  expect(await tried(hubspot('right-token'))).toMatchObject({
    status: 200,
    body: { ok: true, message: 'HubSpot accepted it.' },
  });
  const { body } = await tried(hubspot('wrong-token-canary'));
  expect(body).toEqual({ ok: false, message: 'HubSpot answered 403: you sent Bearer ••••••' });
});

it('tries a key at the given address', async () => {
  const key = (apiKey: string) => ({ type: 'api_key', config: { apiKey } });
  expect((await tried(key('right-key'), { url })).body).toMatchObject({ ok: true });
  expect((await tried(key('wrong-key'), { url })).body).toMatchObject({ ok: false });
  expect(await tried(key('right-key'))).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: 'url' }] } },
  });
});

it('reports a mail server that does not answer', async () => {
  const config = { host: '127.0.0.1', port: 9, username: 'a', password: 'canary-password' };
  const { body } = await tried({ type: 'basic_auth', connectorId: 'smtp', config });
  expect(body.ok).toBe(false);
  expect(body.message).toContain('mail server');
});

it('refuses credentials of other workspaces', async () => {
  const stranger = await buildUser();
  const made = await call<{ id: string }>('POST', '/api/credentials', {
    token: user.token,
    body: { name: 'x', ...hubspot('a') },
  });
  expect(
    (await call('POST', `/api/credentials/${made.body.id}/test`, { token: stranger.token, body: {} })).status,
  ).toBe(404);
});
