import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openCredentials } from '@/server/connectors/vault';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { useOAuthProvider } from '@/server/testing/servers/oauth-provider';
import { builtInConnectors } from '@/server/connectors';
import { CLIENT } from '@/server/testing/client';

const REDIRECT = 'http://localhost:8080/oauth/callback';
const DESKTOP = 'http://localhost:51234/oauth/callback';

useDatabase();
const provider = useOAuthProvider([REDIRECT, DESKTOP]);

beforeEach(() => {
  provider.tokenRequests.length = 0;
  provider.lifetime = 3600;
  provider.beforeToken = async () => {};
  const { env } = getRuntime();
  env.connectors = {
    hubspot: {
      ...CLIENT,
      authorizeUrl: `${provider.url}/auth`,
      tokenUrl: `${provider.url}/token`,
      apiUrl: `${provider.url}/api`,
    },
    shopify: { ...CLIENT },
    servicenow: { ...CLIENT },
    microsoft_graph: { ...CLIENT },
    sap: { ...CLIENT, tokenUrl: `${provider.url}/token`, apiUrl: `${provider.url}/api` },
  };
});

const verifier = () => randomBytes(96).toString('base64url').slice(0, 128);

interface Begin {
  connector_type: string;
  code_verifier: string;
  state: string;
  scopes?: string[];
  additional_params?: Record<string, string>;
  redirect_uri?: string;
}

const begin = (more: Partial<Begin> = {}): Begin => ({
  connector_type: 'hubspot',
  code_verifier: verifier(),
  state: randomUUID(),
  ...more,
});
const authorize = (user: TestUser, body: object) =>
  call<{ authorization_url: string } & Refused>('POST', '/api/oauth/authorize-url', { token: user.token, body });

interface Connected {
  credential: {
    id: string;
    name: string;
    connector_type: string;
    type: string;
    status: string;
    expires_at: string;
    created_at: string;
  };
}

const exchange = (user: TestUser, body: object, headers: Record<string, string> = {}) =>
  call<Connected & Refused>('POST', '/api/oauth/exchange', { token: user.token, body, headers });

async function consented(user: TestUser, more: Partial<Begin> = {}) {
  const request = begin(more);
  const { body } = await authorize(user, request);
  const answer = await provider.consent(body.authorization_url);
  expect(answer.get('state')).toBe(request.state);
  const { code_verifier, connector_type } = request;
  return { connector_type, code: answer.get('code'), code_verifier, credential_name: 'CRM', created_by: 'ada' };
}

const fieldsOf = ({ body }: { body: Refused }) => body.error.details.map(({ field }) => field);

describe('connecting an account', () => {
  it('goes from the authorization address to a sealed credential', async () => {
    const user = await buildUser();
    const answer = await exchange(user, await consented(user));
    expect(answer.status).toBe(201);
    const { credential } = answer.body;
    expect(credential).toMatchObject({ name: 'CRM', connector_type: 'hubspot', type: 'oauth2', status: 'active' });
    expect(Date.parse(credential.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    const opened = (await openCredentials(user.workspaceId, [credential.id])).get(credential.id);
    expect(opened?.config).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) });
    const stored = JSON.stringify(await prismaClient().credential.findMany());
    for (const secret of opened?.secrets ?? []) expect(stored).not.toContain(secret);
    expect(JSON.stringify(answer.body)).not.toContain(String(opened?.config['accessToken']));
    const [entry] = await prismaClient().auditEntry.findMany({ where: { action: 'oauth.exchange' } });
    expect(entry).toMatchObject({ result: 'success', resource: { type: 'credential', id: credential.id } });
  });

  it('sends requests that conform to RFC 6749 and 7636', async () => {
    const user = await buildUser();
    const request = begin({
      code_verifier: 'dBjftJeZ4CVP-mBtAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      scopes: ['crm.objects.contacts.read'],
    });
    const url = new URL((await authorize(user, request)).body.authorization_url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.clientId,
      redirect_uri: REDIRECT,
      scope: 'crm.objects.contacts.read oauth',
      state: request.state,
      code_challenge_method: 'S256',
    });
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(url.href).not.toContain(request.code_verifier);
    expect(url.href).not.toContain(CLIENT.clientSecret);
  });

  it('redirects a desktop client to its own machine', async () => {
    const user = await buildUser();
    const answer = await exchange(user, await consented(user, { redirect_uri: DESKTOP }));
    expect(answer.status).toBe(201);
  });

  it('keeps the id when an expired credential is connected again', async () => {
    const user = await buildUser();
    const { body } = await exchange(user, await consented(user));
    await prismaClient().credential.update({ where: { id: body.credential.id }, data: { status: 'expired' } });
    const { credential_name: _, ...again } = await consented(user);
    const answer = await exchange(user, { ...again, credential_id: body.credential.id });
    expect(answer.body.credential).toMatchObject({ id: body.credential.id, name: 'CRM', status: 'active' });
  });

  it('requires neither code nor verifier for a client-credentials connector', async () => {
    const user = await buildUser();
    const answer = await exchange(user, { connector_type: 'sap', credential_name: 'ERP' });
    expect(answer).toMatchObject({ status: 201, body: { credential: { connector_type: 'sap', status: 'active' } } });
  });

  it('has one effect for one idempotency key', async () => {
    const user = await buildUser();
    const body = await consented(user);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await exchange(user, body, headers);
    const again = await exchange(user, body, headers);
    expect(again.body.credential.id).toBe(first.body.credential.id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('uses the registration of the workspace if it has one', async () => {
    const user = await buildUser();
    const registration = { clientId: 'our-own', clientSecret: 'canary-own-secret' };
    const path = '/api/connectors/hubspot/registration';
    const put = await call('PUT', path, { token: user.token, body: registration });
    expect(put.status).toBe(200);
    expect(JSON.stringify(put.body)).not.toContain('canary-own-secret');
    const stored = await call('GET', path, { token: user.token });
    expect(stored.body).toEqual(put.body);
    const stranger = await buildUser();
    expect((await call('GET', path, { token: stranger.token })).status).toBe(404);
    const editor = await buildUser({ workspaceId: user.workspaceId, role: 'editor' });
    expect((await call('GET', path, { token: editor.token })).status).toBe(403);
    expect(JSON.stringify(await prismaClient().connectorRegistration.findMany())).not.toContain('canary-own-secret');
    const url = new URL((await authorize(user, begin())).body.authorization_url);
    expect(url.searchParams.get('client_id')).toBe('our-own');
    expect((await call('DELETE', path, { token: user.token })).status).toBe(204);
    expect((await call('DELETE', path, { token: user.token })).status).toBe(404);
  });
});

describe('attacks', () => {
  it.each([
    [{ connector_type: 'nothing' }, 'connector_type'],
    [{ connector_type: 'trello' }, 'connector_type'],
    [{ connector_type: 'sap' }, 'connector_type'],
    [{ code_verifier: 'short' }, 'code_verifier'],
    [{ code_verifier: `${'a'.repeat(60)}+/` }, 'code_verifier'],
    [{ code_verifier: 'a'.repeat(129) }, 'code_verifier'],
    [{ state: 'short' }, 'state'],
    [{ state: 'x'.repeat(201) }, 'state'],
    [{ scopes: ['everything'] }, 'scopes[0]'],
    [{ scopes: ['crm.objects.contacts.read openid'] }, 'scopes[0]'],
    [{ scopes: ['__proto__'] }, 'scopes[0]'],
    [{ additional_params: { shop: 'x.myshopify.com' } }, 'additional_params.shop'],
    [{ additional_params: { redirect_uri: 'https://evil.example' } }, 'additional_params.redirect_uri'],
    [{ redirect_uri: 'https://evil.example/oauth/callback' }, 'redirect_uri'],
    [{ redirect_uri: 'http://localhost:80@evil.example/oauth/callback' }, 'redirect_uri'],
    [{ redirect_uri: 'http://localhost:8080/oauth/callback?next=1' }, 'redirect_uri'],
    [{ redirect_uri: 'http://localhost:99999/oauth/callback' }, 'redirect_uri'],
    [{ redirect_uri: 'http://127.0.0.1:8080/oauth/callback' }, 'redirect_uri'],
    [{ surprise: true }, 'surprise'],
  ])('is refused: %j', async (change, field) => {
    const answer = await authorize(await buildUser(), { ...begin(), ...change });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(field);
  });

  it.each([
    'evil.example.com',
    'shop.myshopify.com.evil.example',
    'shop.myshopify.com/x',
    'shop.myshopify.com:444',
    'shop.myshopify.com@evil.example',
    'https://shop.myshopify.com',
    'a.b.myshopify.com',
    '.myshopify.com',
    'shop.myshopify.com\n',
    'shop.myshopify.com#',
    'ѕhop.myshopify.com',
    '%73hop.myshopify.com',
  ])('no shop leads to another host: %j', async (shop) => {
    const answer = await authorize(
      await buildUser(),
      begin({ connector_type: 'shopify', additional_params: { shop } }),
    );
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(['additional_params.shop']);
  });

  it.each([
    ['servicenow', 'instance', 'dev.evil.example/'],
    ['servicenow', 'instance', 'evil.example#'],
    ['servicenow', 'instance', '-'],
    ['servicenow', 'instance', ''],
    ['microsoft_graph', 'tenant', '../common'],
    ['microsoft_graph', 'tenant', 'common?x='],
    ['microsoft_graph', 'tenant', 'contoso.onmicrosoft.com'],
  ])('nor does %s’s %s %j', async (connector_type, name, value) => {
    const answer = await authorize(await buildUser(), begin({ connector_type, additional_params: { [name]: value } }));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([`additional_params.${name}`]);
  });

  it('requires the parameter, and puts it only in its place', async () => {
    const user = await buildUser();
    expect(fieldsOf(await authorize(user, begin({ connector_type: 'shopify' })))).toEqual(['additional_params.shop']);
    const { body } = await authorize(
      user,
      begin({ connector_type: 'shopify', additional_params: { shop: 'My-Shop.myshopify.com' } }),
    );
    const url = new URL(body.authorization_url);
    expect(url.origin + url.pathname).toBe('https://my-shop.myshopify.com/admin/oauth/authorize');
    expect(url.searchParams.get('scope')).toBe('read_products,write_products,read_orders');
    const graph = await authorize(user, begin({ connector_type: 'microsoft_graph' }));
    expect(graph.body.authorization_url).toContain('https://login.microsoftonline.com/common/oauth2/v2.0/authorize?');
  });

  it('a verifier or state works for one attempt only', async () => {
    const user = await buildUser();
    const first = begin();
    await authorize(user, first);
    expect(fieldsOf(await authorize(user, { ...begin(), state: first.state }))).toEqual(['state']);
    expect(fieldsOf(await authorize(user, { ...begin(), code_verifier: first.code_verifier }))).toEqual([
      'code_verifier',
    ]);
  });

  it('an exchange requires an unused attempt of the caller, with its state', async () => {
    const user = await buildUser();
    const colleague = await buildUser({ workspaceId: user.workspaceId });
    const body = await consented(user);
    expect(fieldsOf(await exchange(user, { ...body, code_verifier: verifier() }))).toEqual(['code_verifier']);
    expect(fieldsOf(await exchange(colleague, body))).toEqual(['code_verifier']);
    expect(fieldsOf(await exchange(await buildUser(), body))).toEqual(['code_verifier']);
    expect(fieldsOf(await exchange(user, { ...body, connector_type: 'shopify' }))).toEqual(['code_verifier']);
    expect(fieldsOf(await exchange(user, { ...body, state: randomUUID() }))).toEqual(['state']);
    expect((await exchange(user, body)).status).toBe(201);
    expect(fieldsOf(await exchange(user, body))).toEqual(['code_verifier']);
  });

  it('of ten concurrent exchanges one gets the tokens', async () => {
    const user = await buildUser();
    const body = await consented(user);
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(user, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('an attempt expires after ten minutes', async () => {
    const user = await buildUser();
    const body = await consented(user);
    await prismaClient().oauthAttempt.updateMany({
      where: { userId: user.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(fieldsOf(await exchange(user, body))).toEqual(['code_verifier']);
  });

  it('an unknown code is the provider’s refusal, on `code`, and nothing is stored', async () => {
    const user = await buildUser();
    const body = await consented(user);
    const answer = await exchange(user, { ...body, code: 'made-up' });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'code', message: 'invalid_grant: grant request is invalid' }] } },
    });
    expect(await prismaClient().credential.count({ where: { workspaceId: user.workspaceId } })).toBe(0);
  });

  it('is for members who may create credentials', async () => {
    const owner = await buildUser();
    const viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
    expect((await authorize(viewer, begin())).status).toBe(403);
    expect((await exchange(viewer, { connector_type: 'sap', credential_name: 'x' })).status).toBe(403);
    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    const put = await call('PUT', '/api/connectors/hubspot/registration', {
      token: editor.token,
      body: { clientId: 'a', clientSecret: 'b' },
    });
    expect(put.status).toBe(403);
  });
});

describe('a faulty provider', () => {
  const token = (fields: object) => ({
    access_token: 'canary-token',
    token_type: 'Bearer',
    expires_in: 3600,
    ...fields,
  });
  const page = '<html><body>canary-token</body></html>';

  it.each<[string, number, string, string]>([
    ['HTML that says to be JSON', 200, 'application/json', page],
    ['a list', 200, 'application/json', '["canary-token"]'],
    ['no token', 200, 'application/json', JSON.stringify(token({ access_token: undefined }))],
    ['a token that is no text', 200, 'application/json', JSON.stringify(token({ access_token: { a: 1 } }))],
    [
      'a token that would begin another header',
      200,
      'application/json',
      JSON.stringify(token({ access_token: 'a\r\nX-Evil: 1' })),
    ],
    ['a huge answer', 200, 'application/json', JSON.stringify(token({ padding: 'x'.repeat(300_000) }))],
  ])('that succeeds with %s has used up the code: no repetition is suggested', async (_, status, type, answer) => {
    const { refused } = await exchangeWithLiar(status, type, answer);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    const text = JSON.stringify(refused.body);
    expect(text).toContain('The code is used up: connect again');
    expect(text).not.toMatch(/try again|retr/i);
  });

  it.each<[string, number, string, string]>([
    ['HTML', 502, 'text/html', page],
    ['a redirect', 302, 'text/plain', ''],
    ['a failure', 503, 'application/json', '{"error":"temporarily_unavailable"}'],
  ])('with %s causes a clear, retriable error, and the attempt stays usable', async (_, status, type, answer) => {
    const { user, body, refused } = await exchangeWithLiar(status, type, answer);
    expect(refused).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    expect((await exchange(user, body)).status).toBe(201);
  });

  async function exchangeWithLiar(status: number, type: string, answer: string) {
    const user = await buildUser();
    const body = await consented(user);
    const liar = await listenOn((_request, response) => {
      response
        .writeHead(status, { 'Content-Type': type, ...(status === 302 ? { Location: `${provider.url}/token` } : {}) })
        .end(answer);
    });
    const { hubspot } = getRuntime().env.connectors;
    getRuntime().env.connectors['hubspot'] = { ...hubspot, tokenUrl: liar.url };
    const refused = await exchange(user, body);
    await liar.close();
    expect(JSON.stringify(refused.body)).not.toContain('canary');
    expect(await prismaClient().credential.count({ where: { workspaceId: user.workspaceId } })).toBe(0);
    getRuntime().env.connectors['hubspot'] = { ...hubspot };
    return { user, body, refused };
  }

  it('that never answers times out', async () => {
    const user = await buildUser();
    const body = await consented(user);
    const mute = await listenOn(() => undefined);
    const { hubspot } = getRuntime().env.connectors;
    getRuntime().env.connectors['hubspot'] = { ...hubspot, tokenUrl: mute.url };
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const patience: number[] = [];
    const clock = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      patience.push(ms);
      return timeout(50);
    });
    const refused = await exchange(user, body);
    clock.mockRestore();
    await mute.close();
    expect(refused.status).toBe(500);
    expect(Math.max(...patience)).toBeLessThanOrEqual(20_000);
    getRuntime().env.connectors['hubspot'] = { ...hubspot };
    expect((await exchange(user, body)).status).toBe(201);
  });

  it('that is unreachable is a 500, too', async () => {
    const user = await buildUser();
    const body = await consented(user);
    const { hubspot } = getRuntime().env.connectors;
    getRuntime().env.connectors['hubspot'] = { ...hubspot, tokenUrl: 'http://127.0.0.1:9/token' };
    expect((await exchange(user, body)).status).toBe(500);
    getRuntime().env.connectors['hubspot'] = { ...hubspot };
    expect((await exchange(user, body)).status).toBe(201);
  });

  it('cannot name another company’s address as an account’s API', async () => {
    const user = await buildUser();
    const liar = await listenOn((_request, response) => {
      const answer = { access_token: 'x', token_type: 'Bearer', instance_url: 'https://salesforce.com.evil.example' };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
    getRuntime().env.connectors['salesforce'] = { ...CLIENT, tokenUrl: liar.url };
    const request = begin({ connector_type: 'salesforce' });
    await authorize(user, request);
    const answer = await exchange(user, { ...request, state: undefined, code: 'x', credential_name: 'x' });
    await liar.close();
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('no valid API address');
  });

  it('at a private address is not called where that is not allowed', async () => {
    const user = await buildUser();
    const body = await consented(user);
    getRuntime().env.egressAllowPrivate = false;
    const answer = await exchange(user, body);
    getRuntime().env.egressAllowPrivate = true;
    expect(answer.status).toBe(400);
    expect(provider.tokenRequests).toHaveLength(0);
  });
});

it('lists the connectors with their settings', async () => {
  const { token } = await buildUser();
  interface Listed {
    id: string;
    flow: string;
    token: { secretFields: string[] } | null;
    configured: boolean;
    redirectUri: string;
    operations: { id: string; parameters: { type: string } }[];
  }
  const { body } = await call<{ data: Listed[]; total: number }>('GET', '/api/connectors?limit=100', { token });
  expect(body.total).toBe(builtInConnectors.length);
  const flows = body.data.map(({ id, flow, token: form }) => [id, flow, form?.secretFields]);
  expect(flows).toEqual(
    expect.arrayContaining([
      ['hubspot', 'authorization_code', undefined],
      ['slack', 'authorization_code', ['token']],
      ['telegram', 'token', ['token']],
    ]),
  );
  expect(body.data.find(({ id }) => id === 'hubspot')).toMatchObject({ configured: true, redirectUri: REDIRECT });
  expect(body.data.find(({ id }) => id === 'trello')).toMatchObject({ configured: false });
  for (const { operations } of body.data) {
    expect(operations.length).toBeGreaterThanOrEqual(7);
    expect(operations.at(-1)).toMatchObject({ id: 'request', parameters: { type: 'object' } });
  }
  expect(JSON.stringify(body)).not.toContain(CLIENT.clientSecret);
});
