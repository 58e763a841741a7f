import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { SECRET_MASK } from '@/contract/triggers/webhook-constants';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { buildHook, buildHookWith, send, sendersHook, sign, type TestHook } from '@/server/testing/hooks';

useDatabase();

const statusOf = async (of: TestHook, headers: Record<string, string>, raw = '{"no":1}') =>
  (await send(of.hook, { raw, headers })).status;

test.each([
  ['hex without a prefix', { header: 'X-Signature', prefix: '' }, { algorithm: 'sha256', encoding: 'hex' }],
  [
    'sha1, base64',
    { algorithm: 'sha1', encoding: 'base64', prefix: 'sha1=' },
    { algorithm: 'sha1', encoding: 'base64' },
  ],
  ['sha512, hex', { algorithm: 'sha512', prefix: 'v1=' }, { algorithm: 'sha512', encoding: 'hex' }],
] as const)('a signature with options: %s', async (_, options, { algorithm, encoding }) => {
  const secret = 'a secret of theirs';
  const of = await buildHookWith({ path: 'in', verification: { kind: 'signature', secret, ...options } });
  const prefix = 'prefix' in options ? options.prefix : 'sha256=';
  const header = 'header' in options ? options.header : 'x-service-signature';
  const right = sign(secret, '{"no":1}', algorithm, encoding);
  expect(await statusOf(of, { [header]: prefix + right })).toBe(202);
  if (encoding === 'hex') expect(await statusOf(of, { [header]: prefix + right.toUpperCase() })).toBe(202);
  expect(await statusOf(of, { [header]: `${prefix}${sign('another secret', '{"no":1}', algorithm, encoding)}` })).toBe(
    401,
  );
  expect(await statusOf(of, { [header]: `x${prefix}${right}` })).toBe(401);
  expect(await statusOf(of, { [header]: `${prefix}${right}00` })).toBe(401);
  expect(await statusOf(of, {})).toBe(401);
  expect(await statusOf(of, { [header]: prefix + right }, '{"no":2}')).toBe(401);
});

test('a signature without a secret of the sender gets one, which is shown once', async () => {
  const verification = { kind: 'signature', header: 'x-hook', prefix: '' };
  const of = await buildHookWith({ path: 'in', verification });
  expect(of.hook.secret).toMatch(/^whsec_/);
  expect(of.hook.verification).toMatchObject({ ...verification, secret: SECRET_MASK });
  expect(await statusOf(of, { 'x-hook': sign(of.hook.secret, '{"no":1}') })).toBe(202);
  const given = await buildHookWith({ path: 'in', verification: { kind: 'signature', secret: 'a secret of theirs' } });
  expect(given.hook).not.toHaveProperty('secret');
});

test('basic: user name and password', async () => {
  const of = await buildHookWith({
    path: 'in',
    verification: { kind: 'basic', username: 'shop', password: 'päss:word' },
  });
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  expect(await statusOf(of, basic('shop:päss:word'))).toBe(202);
  expect(await statusOf(of, basic('shop:other'))).toBe(401);
  expect(await statusOf(of, basic('other:päss:word'))).toBe(401);
  const refused = await send(of.hook, { raw: '{}' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="webhook", charset="UTF-8"',
  ]);
});

test('header: a fixed value in a header', async () => {
  const of = await buildHookWith({
    path: 'in',
    verification: { kind: 'header', name: 'X-Token', value: 'open sesame' },
  });
  expect(of.hook.verification).toEqual({ kind: 'header', name: 'x-token', value: SECRET_MASK });
  expect(await statusOf(of, { 'x-token': 'open sesame' })).toBe(202);
  expect(await statusOf(of, { 'x-token': 'open' })).toBe(401);
  expect(await statusOf(of, {})).toBe(401);
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const KEY = 'a shared key of at least 32 bytes, as the standard says';
const now = () => Math.floor(Date.now() / 1000);

const token = (key: KeyObject | Uint8Array, alg: string, claims: Record<string, unknown> = {}, kid?: string) =>
  new SignJWT({ exp: now() + 60, iss: 'shop', aud: 'weft', ...claims }).setProtectedHeader({ alg, kid }).sign(key);

test('jwt with a shared secret: algorithm, issuer, audience and times are checked', async () => {
  const of = await buildHookWith({
    path: 'in',
    verification: { kind: 'jwt', algorithms: ['HS256'], key: KEY, issuer: 'shop', audience: 'weft' },
  });
  const secret = Buffer.from(KEY);
  const statusWith = async (given: Promise<string> | string) => statusOf(of, bearer(await given));
  expect(await statusWith(token(secret, 'HS256'))).toBe(202);
  expect(await statusWith(token(Buffer.from(`${KEY}.`), 'HS256'))).toBe(401);
  expect(await statusWith(token(secret, 'HS512'))).toBe(401);
  expect(await statusWith(token(secret, 'HS256', { iss: 'other' }))).toBe(401);
  expect(await statusWith(token(secret, 'HS256', { aud: 'other' }))).toBe(401);
  expect(await statusWith(token(secret, 'HS256', { exp: now() - 60 }))).toBe(401);
  expect(await statusWith(token(secret, 'HS256', { nbf: now() + 600 }))).toBe(401);
  const [, payload] = (await token(secret, 'HS256')).split('.');
  expect(await statusWith(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`)).toBe(401);
  expect(await statusWith('nonsense')).toBe(401);
  expect(await statusOf(of, {})).toBe(401);
});

const lasting = (claims: object = {}) =>
  new SignJWT({ iss: 'shop', ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(KEY));

test('jwt: a token without a time of expiry is refused, unless the webhook allows it', async () => {
  const verification = { kind: 'jwt', algorithms: ['HS256'], key: KEY };
  const of = await buildHookWith({ path: 'in', verification });
  expect(of.hook.verification).toMatchObject({ allowWithoutExpiry: false });
  expect(await statusOf(of, bearer(await lasting()))).toBe(401);
  expect(await statusOf(of, bearer(await lasting({ exp: now() + 60 })))).toBe(202);

  const path = `/api/workflows/${of.workflowId}/webhooks/${of.hook.id}`;
  const change = (fields: object) =>
    call<WebhookTrigger>('PUT', path, {
      token: of.user.token,
      body: { verification: { kind: 'jwt', algorithms: ['HS256'], ...fields } },
    });
  // The key stays: what it is compared with does not change.
  const allowed = await change({ allowWithoutExpiry: true });
  expect([allowed.status, allowed.body.verification]).toEqual([
    200,
    { kind: 'jwt', algorithms: ['HS256'], key: SECRET_MASK, allowWithoutExpiry: true },
  ]);
  expect(await statusOf(of, bearer(await lasting()))).toBe(202);
  // A client that does not know the field changes nothing.
  expect((await change({ key: SECRET_MASK })).body.verification).toMatchObject({ allowWithoutExpiry: true });
  expect((await change({ key: KEY, issuer: 'shop' })).body.verification).toMatchObject({ allowWithoutExpiry: true });
  expect((await change({ issuer: 'shop', allowWithoutExpiry: false })).status).toBe(200);
  expect(await statusOf(of, bearer(await lasting()))).toBe(401);
  expect(await statusOf(of, bearer(await lasting({ exp: now() + 60 })))).toBe(202);
  await call('PUT', path, { token: of.user.token, body: { verification: { kind: 'none' } } });
  expect((await change({ key: KEY })).body.verification).toMatchObject({ allowWithoutExpiry: false });
});

test('jwt: a webhook from before takes tokens as it did, and says so', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'jwt', algorithms: ['HS256'], key: KEY } });
  const { allowWithoutExpiry: _, ...row } = await prismaClient().webhook.findUniqueOrThrow({
    where: { id: of.hook.id },
  });
  await prismaClient().webhook.delete({ where: { id: row.id } });
  await prismaClient().webhook.create({
    data: { ...row, verification: row.verification ?? {}, response: undefined, cors: undefined },
  });
  expect(await statusOf(of, bearer(await lasting()))).toBe(202);
  const path = `/api/workflows/${of.workflowId}/webhooks/${of.hook.id}`;
  const { body } = await call<WebhookTrigger>('GET', path, { token: of.user.token });
  expect(body.verification).toMatchObject({ kind: 'jwt', allowWithoutExpiry: true });
});

test('jwt with a public key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const of = await buildHookWith({ path: 'in', verification: { kind: 'jwt', algorithms: ['ES256'], key: pem } });
  expect(await statusOf(of, bearer(await token(privateKey, 'ES256')))).toBe(202);
  // Whoever has the public key must not be able to use it as a shared secret.
  expect(await statusOf(of, bearer(await token(Buffer.from(pem), 'HS256')))).toBe(401);
});

const issuer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let fetched = 0;
const jwks = createServer((_, response) => {
  fetched += 1;
  void exportJWK(issuer.publicKey).then((jwk) =>
    response.end(JSON.stringify({ keys: [{ ...jwk, kid: 'k1', alg: 'ES256' }] })),
  );
});
beforeAll(() => new Promise<void>((resolve) => void jwks.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => void jwks.close(resolve)));
const jwksUrl = () => `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/jwks`;

test('jwt with a key set: it is fetched once, and not from private addresses where these are closed', async () => {
  const verification = { kind: 'jwt', algorithms: ['ES256'], jwksUrl: jwksUrl() };
  const of = await buildHookWith({ path: 'in', verification });
  expect(of.hook.verification).toEqual({ ...verification, allowWithoutExpiry: false });
  fetched = 0;
  expect(await statusOf(of, bearer(await token(issuer.privateKey, 'ES256', {}, 'k1')))).toBe(202);
  expect(await statusOf(of, bearer(await token(issuer.privateKey, 'ES256', {}, 'k1')))).toBe(202);
  expect(await statusOf(of, bearer(await token(issuer.privateKey, 'ES256', {}, 'unknown')))).toBe(401);
  expect(fetched).toBe(1);
  const closed = await buildHookWith({ path: 'in', verification });
  getRuntime().env.egressAllowPrivate = false;
  try {
    const given = bearer(await token(issuer.privateKey, 'ES256', {}, 'k1'));
    expect(await statusOf(closed, given)).toBe(401);
    expect(await statusOf(closed, given)).toBe(401);
  } finally {
    getRuntime().env.egressAllowPrivate = true;
  }
  expect(fetched).toBe(1);
});

const keyOf = async (bearerToken: string, scopes: string[]) =>
  (await call<{ key: string }>('POST', '/auth/api_keys', { token: bearerToken, body: { name: 'Sender', scopes } })).body
    .key;

test('api_key: a key of the workspace that may execute', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'api_key' } });
  const key = await keyOf(of.user.token, ['write']);
  expect(await statusOf(of, { 'x-api-key': key })).toBe(202);
  expect(await statusOf(of, bearer(key))).toBe(202);
  expect(await statusOf(of, { 'x-api-key': await keyOf(of.user.token, ['read']) })).toBe(403);
  expect(await statusOf(of, { 'x-api-key': await keyOf((await buildUser()).token, ['*']) })).toBe(401);
  expect(await statusOf(of, { 'x-api-key': `${key.slice(0, -1)}_` })).toBe(401);
  expect(await statusOf(of, bearer(of.user.token))).toBe(401);
  expect(await statusOf(of, {})).toBe(401);
  await prismaClient().apiKey.updateMany({
    where: { workspaceId: of.user.workspaceId },
    data: { revokedAt: new Date() },
  });
  expect(await statusOf(of, { 'x-api-key': key })).toBe(401);
});

test('none: the path alone, which the service makes', async () => {
  const of = await buildHookWith({ verification: { kind: 'none' } });
  expect(of.hook.path).toMatch(/^[a-z0-9]{32}$/);
  expect(of.hook).not.toHaveProperty('secret');
  expect(await statusOf(of, {})).toBe(202);
  const named = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  expect(named.hook.path).toBe('in');
  const { rows } = await getRuntime().pool.query(`SELECT name FROM rate_bucket WHERE name = $1`, [
    `webhooks:${of.user.workspaceId}`,
  ]);
  expect(rows).toEqual([]);
});

const webhooksOf = async (body: object) => {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
  return call<Refused>('POST', `/api/workflows/${workflowId}/webhooks`, { token: user.token, body });
};

const PEM = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

test.each([
  ['path', {}],
  ['path', { verification: { kind: 'basic', username: 'a', password: 'b' } }],
  ['methods', { path: 'in', methods: [] }],
  ['methods[0]', { path: 'in', methods: ['TRACE'] }],
  ['methods', { path: 'in', methods: ['GET', 'GET'] }],
  ['input', { path: 'in', input: 'headers' }],
  ['allowedIps[0]', { path: 'in', allowedIps: ['example.com'] }],
  ['allowedIps[1]', { path: 'in', allowedIps: ['192.0.2.1', '192.0.2.0/33'] }],
  ['verification.kind', { path: 'in', verification: { kind: 'magic' } }],
  ['verification.provider', { path: 'in', verification: { kind: 'provider', provider: 'nobody', secret: 'x' } }],
  ['verification.secret', { path: 'in', verification: { kind: 'provider', provider: 'github' } }],
  ['verification.secret', { path: 'in', verification: { kind: 'provider', provider: 'github', secret: SECRET_MASK } }],
  ['verification.secret', { path: 'in', verification: { kind: 'provider', provider: 'svix', secret: 'whsec_a_b' } }],
  ['verification.secret', { path: 'in', verification: { kind: 'provider', provider: 'discord', secret: 'short' } }],
  ['verification.verifyToken', { path: 'in', verification: { kind: 'provider', provider: 'meta', secret: 'x' } }],
  [
    'verification.verifyToken',
    { path: 'in', verification: { kind: 'provider', provider: 'github', secret: 'x', verifyToken: 'y' } },
  ],
  ['verification.secret', { path: 'in', verification: { kind: 'signature', secret: 'short' } }],
  ['verification.header', { path: 'in', verification: { kind: 'signature', header: 'a b' } }],
  ['verification.header', { path: 'in', verification: { kind: 'signature', header: 'X-Weft-Peer' } }],
  ['verification.password', { path: 'in', verification: { kind: 'basic', username: 'a' } }],
  ['verification.username', { path: 'in', verification: { kind: 'basic', username: 'a:b', password: 'c' } }],
  ['verification.value', { path: 'in', verification: { kind: 'header', name: 'x-token' } }],
  ['verification.key', { path: 'in', verification: { kind: 'jwt', algorithms: ['HS256'] } }],
  ['verification.key', { path: 'in', verification: { kind: 'jwt', algorithms: ['HS256'], key: PEM } }],
  ['verification.key', { path: 'in', verification: { kind: 'jwt', algorithms: ['RS256'], key: 'no public key' } }],
  [
    'verification.key',
    { path: 'in', verification: { kind: 'jwt', algorithms: ['RS256'], key: PEM, jwksUrl: 'https://a.example' } },
  ],
  [
    'verification.algorithms',
    { path: 'in', verification: { kind: 'jwt', algorithms: ['HS256'], jwksUrl: 'https://a.example' } },
  ],
  ['verification.algorithms', { path: 'in', verification: { kind: 'jwt', algorithms: ['HS256', 'RS256'], key: PEM } }],
  ['verification.algorithms[0]', { path: 'in', verification: { kind: 'jwt', algorithms: ['none'], key: KEY } }],
  [
    'verification.jwksUrl',
    { path: 'in', verification: { kind: 'jwt', algorithms: ['RS256'], jwksUrl: 'file:///etc/passwd' } },
  ],
  ['verification.secret', { path: 'in', verification: { kind: 'none', secret: 'x' } }],
])('%s is refused by name', async (field, body) => {
  const { status, body: refused } = await webhooksOf(body);
  expect([status, refused.error?.details.map((one) => one.field)]).toEqual([400, [field]]);
});

const urlOf = ({ workflowId, hook }: TestHook) => `/api/workflows/${workflowId}/webhooks/${hook.id}`;
const put = (of: TestHook, body: object) =>
  call<WebhookTrigger & { secret?: string } & Refused>('PUT', urlOf(of), { token: of.user.token, body });

test('a webhook is read and changed; what is left out stays', async () => {
  const of = await buildHook();
  const { secret: _, ...shown } = of.hook;
  const read = () => call<WebhookTrigger>('GET', urlOf(of), { token: of.user.token });
  expect((await read()).body).toEqual(shown);
  expect(shown).toMatchObject({
    methods: ['POST'],
    verification: { kind: 'signature', header: 'x-service-signature', secret: SECRET_MASK },
    input: 'body',
    allowedIps: [],
    enabled: true,
  });
  const { status, body } = await put(of, { path: 'moved', methods: ['PUT', 'POST'], allowedIps: ['192.0.2.0/24'] });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...shown,
    path: 'moved',
    url: shown.url.replace('orders/new', 'moved'),
    methods: ['PUT', 'POST'],
    allowedIps: ['192.0.2.0/24'],
  });
  expect((await read()).body).toEqual(body);
  expect(
    (
      await send(
        { ...of.hook, ...body },
        { raw: '{}', headers: { 'x-service-signature': `sha256=${sign(of.hook.secret, '{}')}` } },
      )
    ).status,
  ).toBe(202);
  expect((await send(of.hook, { raw: '{}' })).status).toBe(404);
  const entry = await prismaClient().auditEntry.findFirstOrThrow({
    where: { action: 'webhooks.update', workspaceId: of.user.workspaceId },
  });
  expect(entry.metadata).toMatchObject({ changed: ['path', 'methods', 'allowedIps'], verification: 'signature' });
});

test('a path that is taken is refused', async () => {
  const of = await buildHook();
  const other = await sendersHook(of, { path: 'other', verification: { kind: 'none' } });
  expect((await put({ ...of, hook: other }, { path: 'orders/new' })).status).toBe(409);
});

test('a secret that is left out or masked is kept only if nothing else of the verification changes', async () => {
  const verification = { kind: 'basic', username: 'shop', password: 'one' };
  const of = await buildHookWith({ path: 'in', verification });
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  for (const password of [undefined, SECRET_MASK]) {
    expect((await put(of, { verification: { ...verification, password }, input: 'body' })).status).toBe(200);
    expect(await statusOf(of, basic('shop:one'))).toBe(202);
    const { status, body } = await put(of, { verification: { ...verification, username: 'other', password } });
    expect([status, body.error.details]).toEqual([400, [{ field: 'verification.password', message: 'is required' }]]);
  }
  expect((await put(of, { verification: { ...verification, password: 'two' } })).status).toBe(200);
  expect(await statusOf(of, basic('shop:two'))).toBe(202);
  expect(await statusOf(of, basic('shop:one'))).toBe(401);
  const { body } = await put(of, { verification: { kind: 'signature', prefix: '' } });
  expect(body.secret).toMatch(/^whsec_/);
  expect(await statusOf(of, { 'x-service-signature': sign(body.secret!, '{"no":1}') })).toBe(202);
  expect(await statusOf(of, basic('shop:two'))).toBe(401);
  const { secret: sealed } = await prismaClient().webhook.findUniqueOrThrow({ where: { id: of.hook.id } });
  expect(sealed).not.toContain(body.secret);
});

test('only a secret that the service made can be rotated', async () => {
  const of = await buildHookWith({
    path: 'in',
    verification: { kind: 'provider', provider: 'github', secret: 'theirs' },
  });
  expect((await call('POST', `${urlOf(of)}/rotate-secret`, { token: of.user.token })).status).toBe(409);
});

test('changing a webhook needs the permission to run its workflow', async () => {
  const of = await buildHook();
  const viewer = await buildUser({ workspaceId: of.user.workspaceId, role: 'viewer' });
  expect((await put({ ...of, user: viewer }, { enabled: false })).status).toBe(403);
  const stranger = await buildUser();
  expect((await put({ ...of, user: stranger }, { enabled: false })).status).toBe(404);
});

test('a disabled webhook is not there for senders', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  expect((await put(of, { enabled: false })).status).toBe(200);
  expect(await statusOf(of, {})).toBe(404);
  expect((await put(of, { enabled: true })).status).toBe(200);
  expect(await statusOf(of, {})).toBe(202);
});

test('other methods get 405 with those that are allowed, before anything is read', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' }, methods: ['GET', 'PUT'] });
  for (const method of ['GET', 'PUT']) expect((await send(of.hook, { method })).status).toBe(202);
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const { status, headers } = await send(of.hook, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, PUT']);
  }
  const documented = await buildHook();
  const { status, headers } = await send(documented.hook, { method: 'GET' });
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

test('only requests from allowed addresses are read', async () => {
  const allowedIps = ['198.51.100.0/24', '192.0.2.7', '2001:db8:1::/48', '2001:db8:2::9'];
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' }, allowedIps });
  const from = async (address: string) => (await send(of.hook, { raw: '{}', from: address })).status;
  for (const address of ['198.51.100.200', '192.0.2.7', '2001:db8:1:5::1', '2001:db8:2::9', '::ffff:192.0.2.7']) {
    expect(await from(address), address).toBe(202);
  }
  for (const address of ['198.51.101.1', '192.0.2.8', '2001:db8:3::1', '2001:db8:2::a', 'unknown']) {
    expect(await from(address), address).toBe(403);
  }
});

const inputOf = async (of: TestHook, executionId: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token: of.user.token })).body.input;

test('input request: the request without secrets and what the verification reads', async () => {
  const of = await buildHookWith({
    path: 'in/here',
    verification: { kind: 'header', name: 'x-token', value: 'open sesame' },
    input: 'request',
    methods: ['PUT'],
  });
  const { body } = await send(of.hook, {
    method: 'PUT',
    query: '?tag=a&tag=b&no=1&__proto__=x',
    raw: '{"a":1}',
    headers: { 'X-Token': 'open sesame', Cookie: 'a=b', Authorization: 'Bearer x', 'X-Other': 'Yes' },
  });
  expect(await inputOf(of, body.executionId)).toEqual({
    method: 'PUT',
    path: `/webhooks/${of.workflowId}/in/here`,
    query: JSON.parse('{"tag":["a","b"],"no":"1","__proto__":"x"}'),
    headers: { 'content-type': 'application/json', 'x-other': 'Yes' },
    body: { a: 1 },
    ip: '192.0.2.1',
  });
});

const FORM = 'application/x-www-form-urlencoded';
const multipart = (...parts: string[]) =>
  `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`;
const MULTIPART = 'multipart/form-data; boundary=b';

test.each([
  ['JSON', 'application/json', '[1]', [1]],
  ['another JSON type', 'application/cloudevents+json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['a form', FORM, 'a=1&b=x+y&b=z', { a: '1', b: ['x y', 'z'] }],
  [
    'a multipart form',
    MULTIPART,
    multipart('name="a"\r\n\r\n1', 'name="b"\r\n\r\nx', 'name="b"\r\n\r\ny'),
    { a: '1', b: ['x', 'y'] },
  ],
  [
    'an empty file field',
    MULTIPART,
    multipart('name="a"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n'),
    { a: null },
  ],
  ['text', 'text/plain', 'hello', 'hello'],
  ['XML', 'application/soap+xml; charset=utf-8', '<a/>', '<a/>'],
  ['nothing', 'application/json', '', null],
])('the body may be %s', async (_, type, raw, input) => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const { status, body } = await send(of.hook, { raw, headers: { 'content-type': type } });
  expect(status).toBe(202);
  expect(await inputOf(of, body.executionId)).toEqual(input);
});

test.each([
  [415, 'an unknown character set', 'text/plain; charset=klingon', 'a'],
  [400, 'invalid JSON', 'application/json', '{'],
  [400, 'a broken multipart form', MULTIPART, '--c'],
  [400, 'a form with too many fields', FORM, '&a=1'.repeat(10_001)],
])('%i for %s', async (expected, _, type, raw) => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const { status, body } = await send(of.hook, { raw, headers: { 'content-type': type } });
  expect([status, body.error.code]).toEqual([expected, 'VALIDATION_ERROR']);
});

test('a webhook with settings of its own takes text, JSON and forms of up to 10 MiB', { tags: 'long' }, async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const text = async (size: number) =>
    (await send(of.hook, { raw: 'x'.repeat(size), headers: { 'content-type': 'text/plain' } })).status;
  expect(await text(3 * 1024 * 1024)).toBe(202);
  expect(await text(10 * 1024 * 1024 + 1)).toBe(400);
  const long = 'x'.repeat(4 * 1024 * 1024);
  for (const [type, raw] of [
    ['application/json', JSON.stringify({ a: long })],
    [FORM, `a=${long}`],
  ] as const) {
    const { status, body } = await send(of.hook, { raw, headers: { 'content-type': type } });
    expect(status).toBe(202);
    expect(await inputOf(of, body.executionId)).toEqual({ a: long });
    const tooLong = await send(of.hook, { raw: raw.replace('x', long + long), headers: { 'content-type': type } });
    expect(tooLong.status).toBe(400);
  }
});

test('large JSON and forms are refused like small ones', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const refusal = async (type: string, raw: string) => {
    const { status, body } = await send(of.hook, { raw, headers: { 'content-type': type } });
    return [status, body.error.message];
  };
  const long = 'x'.repeat(512 * 1024);
  expect(await refusal('application/json', `{"a":"${long}`)).toEqual([400, 'The body is not valid JSON.']);
  expect(await refusal('application/json', `["${long}",1e999]`)).toEqual([
    400,
    'The body contains a number that is too large.',
  ]);
  expect(await refusal('application/json', `${'['.repeat(300_000)}`)).toEqual([400, 'The body is not valid JSON.']);
  expect(await refusal(FORM, `a=${long}${'&a=1'.repeat(10_000)}`)).toEqual([
    400,
    'The form has more than 10000 fields.',
  ]);
});

test('the documented webhook takes any query, and JSON only', async () => {
  const { hook } = await buildHook();
  const signed = (raw: string) => ({ 'x-service-signature': `sha256=${sign(hook.secret, raw)}` });
  expect((await send(hook, { raw: '{}', query: '?source=shop&source=b&%00', headers: signed('{}') })).status).toBe(202);
  expect((await send(hook, { raw: 'a=1', headers: { ...signed('a=1'), 'content-type': FORM } })).status).toBe(400);
  expect((await send(hook, { raw: '', headers: signed('') })).status).toBe(400);
});

test('a flood of open deliveries uses the bucket of its network, never that of the workspace', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const signed = await sendersHook(of, { path: 'signed' });
  getRuntime().env.rateLimitTier = 'free';
  try {
    let status = 0;
    for (let sent = 0; sent < 400 && status !== 429; sent++) ({ status } = await send(of.hook, { raw: '{}' }));
    expect(status).toBe(429);
    expect((await send(of.hook, { raw: '{}', from: '198.51.100.1' })).status).toBe(202);
    const headers = { 'x-service-signature': `sha256=${sign(signed.secret, '{}')}` };
    expect((await send(signed, { raw: '{}', headers })).status).toBe(202);
  } finally {
    getRuntime().env.rateLimitTier = 'enterprise';
  }
});

test('a text is read in the encoding that its type or the text itself declares', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const post = (raw: Uint8Array, type: string) =>
    send(of.hook, { raw: new Uint8Array(raw), headers: { 'content-type': type } });
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><a>café</a>';
  const declared = await post(Buffer.from(xml, 'latin1'), 'text/xml');
  expect(await inputOf(of, declared.body.executionId)).toBe(xml);
  const labelled = await post(Buffer.from([0x80, 0xfc]), 'text/plain; charset=windows-1252');
  expect(await inputOf(of, labelled.body.executionId)).toBe('€ü');
  const broken = await post(Buffer.from('a\n\xe9', 'latin1'), 'text/plain');
  expect([broken.status, broken.body.error.message]).toEqual([
    400,
    'The body cannot be read as text. The byte 0xE9 in line 2, column 1 is not UTF-8.',
  ]);
  expect((await post(Buffer.from('a'), 'text/plain; charset=klingon')).status).toBe(415);
});

test('a form is read in the encoding of its sender', async () => {
  const of = await buildHookWith({ path: 'in', verification: { kind: 'none' } });
  const inputFor = async (raw: string, type = FORM) => {
    const { body } = await send(of.hook, { raw, headers: { 'content-type': type } });
    return inputOf(of, body.executionId);
  };
  expect(await inputFor('name=Gr%FC%DFe+%80')).toEqual({ name: 'Grüße €' });
  expect(await inputFor('name=%CF%F0%E8&_charset_=windows-1251')).toEqual({ name: 'При', _charset_: 'windows-1251' });
  const long = 'x'.repeat(300 * 1024);
  expect(await inputFor(`name=%CF&a=${long}`, `${FORM}; charset=windows-1251`)).toEqual({ name: 'П', a: long });
  const { status, body } = await send(of.hook, {
    raw: 'a=%82&_charset_=shift_jis',
    headers: { 'content-type': FORM },
  });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('The form cannot be read.')]);
});
