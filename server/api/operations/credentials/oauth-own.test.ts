import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openCredentials } from '@/server/connectors/vault';
import { prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { useOAuthProvider } from '@/server/testing/servers/oauth-provider';
import { CLIENT } from '@/server/testing/client';
import { startRun, storeWorkflow } from '@/server/testing/runs';

const REDIRECT = 'http://localhost:8080/oauth/callback';

useDatabase();
useWorker({ concurrency: 5 });
const provider = useOAuthProvider([REDIRECT]);

let user: TestUser;
beforeAll(async () => {
  user = await buildUser();
});

const addresses = () => ({ authorizeUrl: `${provider.url}/auth`, tokenUrl: `${provider.url}/token` });

async function stored(config: object, owner = user): Promise<string> {
  const body = {
    name: 'Our own',
    type: 'oauth2',
    config: { ...CLIENT, scopes: ['crm.objects.contacts.read'], ...config },
  };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token: owner.token, body });
  expect(made.status).toBe(201);
  return made.body.id;
}

const attempt = () => ({ code_verifier: randomBytes(96).toString('base64url'), state: randomUUID() });
const authorize = (body: object, by = user) =>
  call<{ authorization_url: string } & Refused>('POST', '/api/oauth/authorize-url', { token: by.token, body });
const exchange = (body: object) =>
  call<{ credential: { id: string; connector_type: string; status: string } } & Refused>(
    'POST',
    '/api/oauth/exchange',
    {
      token: user.token,
      body,
    },
  );

async function connected(id: string) {
  const begun = attempt();
  const { body } = await authorize({ credential_id: id, ...begun });
  const answer = await provider.consent(body.authorization_url);
  return exchange({ credential_id: id, code: answer.get('code'), ...begun });
}

it('is connected at its own addresses, keeps its settings, and works in http_request', async () => {
  const id = await stored({
    ...addresses(),
    authorizeUrl: `${provider.url}/auth?prompt=consent&state=forged&scope=all`,
  });
  const begun = attempt();
  const { body } = await authorize({ credential_id: id, ...begun });
  const asked = new URL(body.authorization_url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    prompt: 'consent',
    state: begun.state,
    scope: 'crm.objects.contacts.read',
    redirect_uri: REDIRECT,
    code_challenge_method: 'S256',
  });
  const answer = await connected(id);
  expect(answer).toMatchObject({ status: 201, body: { credential: { id, connector_type: '', status: 'active' } } });
  const shown = await call('GET', `/api/credentials/${id}`, { token: user.token });
  expect(shown.body).toMatchObject({
    name: 'Our own',
    connectorId: null,
    config: { clientId: CLIENT.clientId, tokenUrl: `${provider.url}/token`, scopes: ['crm.objects.contacts.read'] },
    secretFields: expect.arrayContaining(['clientSecret', 'accessToken', 'refreshToken']),
  });

  const http = { type: 'http_request', credentialId: id, config: { url: `${provider.url}/api/whoami` } };
  const definition = flow({ start: { type: 'start' }, http }, ['start>http']);
  const run = await startRun(await storeWorkflow(definition, user.workspaceId));
  expect(await run.finish()).toMatchObject({
    status: 'completed',
    output: { status: 200, body: { account: 'ada', scope: 'crm.objects.contacts.read' } },
  });
});

it('keeps its id when it is connected again, and renews at its own address', async () => {
  const id = await stored(addresses());
  await connected(id);
  const before = (await openCredentials(user.workspaceId, [id])).get(id);
  expect((await connected(id)).body.credential.id).toBe(id);
  const refresh = { token: user.token, body: { credential_id: id } };
  expect((await call('POST', '/api/oauth/refresh', refresh)).status).toBe(200);
  const after = (await openCredentials(user.workspaceId, [id])).get(id);
  expect(after?.config['refreshToken']).not.toBe(before?.config['refreshToken']);
});

it.each([
  [{}, ['config.authorizeUrl', 'config.tokenUrl']],
  [{ authorizeUrl: 'https://a.example/auth' }, ['config.tokenUrl']],
])('reports the missing fields of %j', async (config, fields) => {
  const { status, body } = await authorize({ credential_id: await stored(config), ...attempt() });
  expect([status, body.error.details.map(({ field }) => field)]).toEqual([400, fields]);
});

it('treats slots in addresses as text', async () => {
  const id = await stored({ ...addresses(), authorizeUrl: 'https://a.example/{shop}/auth?x={instance_url}' });
  const { body } = await authorize({ credential_id: id, ...attempt() });
  expect(body.authorization_url).toMatch(/^https:\/\/a\.example\/%7Bshop%7D\/auth\?x=%7Binstance_url%7D&/);
});

it('requests no scopes but its own', async () => {
  const id = await stored(addresses());
  const { body } = await authorize({ credential_id: id, ...attempt(), scopes: ['everything'] });
  expect(body.error.details).toMatchObject([{ field: 'scopes[0]' }]);
});

it('requires a connector or a credential of the own workspace that the caller may change', async () => {
  const id = await stored(addresses());
  const colleague = await buildUser({ workspaceId: user.workspaceId, role: 'operator' });
  expect((await authorize(attempt())).status).toBe(400);
  expect((await authorize({ credential_id: id, ...attempt() }, await buildUser())).status).toBe(404);
  expect((await authorize({ credential_id: id, ...attempt() }, colleague)).status).toBe(403);
});

it('cannot be exchanged with the attempt of another credential', async () => {
  const [one, other] = [await stored(addresses()), await stored(addresses())];
  const begun = attempt();
  const { body } = await authorize({ credential_id: one, ...begun });
  const answer = await provider.consent(body.authorization_url);
  const refused = await exchange({ credential_id: other, code: answer.get('code'), ...begun });
  expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'code_verifier' }] } } });
});

it('does not call private addresses where that is not allowed', async () => {
  const id = await stored(addresses());
  const begun = attempt();
  const { body } = await authorize({ credential_id: id, ...begun });
  const code = (await provider.consent(body.authorization_url)).get('code');
  provider.tokenRequests.length = 0;
  getRuntime().env.egressAllowPrivate = false;
  const refused = await exchange({ credential_id: id, code, ...begun });
  getRuntime().env.egressAllowPrivate = true;
  expect(refused.status).toBe(400);
  expect(provider.tokenRequests).toEqual([]);
});

it('loses its grant when its address changes, and pending authorizations end', async () => {
  const id = await stored(addresses());
  expect((await connected(id)).status).toBe(201);
  const rowOf = () => prismaClient().credential.findUniqueOrThrow({ where: { id } });
  expect((await rowOf()).grantedFields).toEqual(expect.arrayContaining(['accessToken']));
  const begun = attempt();
  const { body } = await authorize({ credential_id: id, ...begun });
  const answer = await provider.consent(body.authorization_url);
  const config = { ...CLIENT, ...addresses(), tokenUrl: `${provider.url}/token?elsewhere` };
  const moved = await call('PUT', `/api/credentials/${id}`, { token: user.token, body: { config } });
  expect(moved.status).toBe(200);
  expect(await rowOf()).toMatchObject({ status: 'expired', secretFields: ['clientSecret'], grantedFields: [] });
  const late = await exchange({ credential_id: id, code: answer.get('code'), ...begun });
  expect(late).toMatchObject({ status: 400, body: { error: { details: [{ field: 'code_verifier' }] } } });
  expect((await rowOf()).secretFields).toEqual(['clientSecret']);
});
