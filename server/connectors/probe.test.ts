import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runtime } from '../runtime';
import { buildUser, call, type Refused, type TestUser } from '../testing/factories';
import { useDatabase } from '../testing/database';
import { listenOn } from '../testing/listen';
import { CLIENT } from '../testing/client';

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
  runtime().env.connectors = { hubspot: { ...CLIENT, apiUrl: url, tokenUrl: `${url}/token` } };
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

it('says whether the connector accepts it, without the secret that it is told back', async () => {
  expect(await tried(hubspot('right-token'))).toMatchObject({
    status: 200,
    body: { ok: true, message: 'HubSpot accepted it.' },
  });
  const { body } = await tried(hubspot('wrong-token-canary'));
  expect(body).toEqual({ ok: false, message: 'HubSpot answered 403: you sent Bearer ••••••' });
});

it('tries a key at the address given', async () => {
  const key = (apiKey: string) => ({ type: 'api_key', config: { apiKey } });
  expect((await tried(key('right-key'), { url })).body).toMatchObject({ ok: true });
  expect((await tried(key('wrong-key'), { url })).body).toMatchObject({ ok: false });
  expect(await tried(key('right-key'))).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: 'url' }] } },
  });
});

it('says of a mail server that nobody answers', async () => {
  const config = { host: '127.0.0.1', port: 9, username: 'a', password: 'canary-password' };
  const { body } = await tried({ type: 'basic_auth', connectorId: 'smtp', config });
  expect(body.ok).toBe(false);
  expect(body.message).toContain('mail server');
});

it('is not for a credential of somebody else', async () => {
  const stranger = await buildUser();
  const made = await call<{ id: string }>('POST', '/api/credentials', {
    token: user.token,
    body: { name: 'x', ...hubspot('a') },
  });
  expect(
    (await call('POST', `/api/credentials/${made.body.id}/test`, { token: stranger.token, body: {} })).status,
  ).toBe(404);
});
