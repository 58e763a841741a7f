import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { listenOn, textOf } from '@/server/testing/listen';
import { CLIENT } from '@/server/testing/client';
import { gate, startRun, storeWorkflow, until } from '@/server/testing/runs';
import { startWorkerProcess } from '@/server/testing/processes/service';
import { sendWithCredential } from '../credential-handle';
import { sealCredentialSecrets } from '../secrets';
import { openCredentialForNode } from '../credential-for-node';

useOwnDatabase();

/** A token endpoint with rotation, and an API that accepts only its newest token. */
const provider = {
  url: '',
  forms: [] as Record<string, string>[],
  calls: [] as string[],
  refreshToken: 'refresh-0000',
  accessToken: 'access-0000',
  answer: async (): Promise<[number, object] | null> => null,
};
let close: () => Promise<void>;

beforeEach(async () => {
  Object.assign(provider, {
    forms: [],
    calls: [],
    refreshToken: 'refresh-0000',
    accessToken: 'access-0000',
    answer: async () => null,
  });
  const listening = await listenOn(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.url !== '/token') {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
      provider.calls.push(token);
      return token === provider.accessToken ? reply(200, { token: 'fine' }) : reply(401, { error: 'invalid_token' });
    }
    const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
    provider.forms.push(form);
    const other = await provider.answer();
    if (other) return reply(...other);
    if (form['grant_type'] === 'refresh_token' && form['refresh_token'] !== provider.refreshToken) {
      return reply(400, { error: 'invalid_grant' });
    }
    const round = String(provider.forms.length).padStart(4, '0');
    Object.assign(provider, { refreshToken: `refresh-${round}`, accessToken: `access-${round}` });
    return reply(200, {
      access_token: provider.accessToken,
      refresh_token: provider.refreshToken,
      token_type: 'bearer',
      expires_in: 3600,
    });
  });
  provider.url = listening.url;
  close = listening.close;
  getRuntime().env.connectors = {
    hubspot: { ...CLIENT, tokenUrl: `${provider.url}/token`, apiUrl: `${provider.url}/api` },
  };
});
afterEach(() => close());

const MINUTE = 60_000;

interface Given {
  connectorId?: string | null;
  config?: object;
  secrets?: Record<string, string>;
  expiresInMs?: number | null;
}

/** A stored credential whose token expires in a minute. */
async function store(user: TestUser, given: Given = {}): Promise<string> {
  const id = generateId('cred');
  const { connectorId = 'hubspot', config = {}, expiresInMs = MINUTE } = given;
  const secrets = given.secrets ?? { accessToken: 'access-0000', refreshToken: 'refresh-0000' };
  await prismaClient().credential.create({
    data: {
      id,
      workspaceId: user.workspaceId,
      name: 'CRM',
      type: 'oauth2',
      connectorId,
      status: 'active',
      config,
      sealed: sealCredentialSecrets(id, secrets),
      secretFields: Object.keys(secrets),
      version: 1,
      expiresAt: expiresInMs === null ? null : new Date(Date.now() + expiresInMs),
    },
  });
  return id;
}

const use = (user: TestUser, id: string) => openCredentialForNode(user.workspaceId, id, () => undefined);
const statusOf = async (id: string) => (await prismaClient().credential.findUniqueOrThrow({ where: { id } })).status;
const refresh = (user: TestUser, id: string) =>
  call<{ credential: { status: string; expires_at: string } } & Refused>('POST', '/api/oauth/refresh', {
    token: user.token,
    body: { credential_id: id },
  });

const workerEnv = () => ({
  ...TEST_KEYS,
  CONNECTOR_HUBSPOT_CLIENT_ID: CLIENT.clientId,
  CONNECTOR_HUBSPOT_CLIENT_SECRET: CLIENT.clientSecret,
  CONNECTOR_HUBSPOT_TOKEN_URL: `${provider.url}/token`,
  CONNECTOR_HUBSPOT_API_URL: `${provider.url}/api`,
});

describe('before a token is used', () => {
  it('is renewed if it expires within five minutes, and left alone otherwise', async () => {
    const user = await buildUser();
    const ending = await store(user);
    expect((await use(user, ending)).credential.config['accessToken']).toBe('access-0001');
    expect((await use(user, ending)).credential.config['accessToken']).toBe('access-0001');
    expect(provider.forms).toMatchObject([
      { grant_type: 'refresh_token', refresh_token: 'refresh-0000', client_id: CLIENT.clientId },
    ]);
  });

  it('twenty nodes in two processes renew it once', async () => {
    const user = await buildUser();
    const credentialId = await store(user);
    const { opened, open } = gate();
    provider.answer = async () => {
      await opened;
      return null;
    };
    const worker = await startWorkerProcess(String(getRuntime().env.databaseUrl), workerEnv());
    try {
      const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
      const node = {
        type: 'connector',
        credentialId,
        config: { connectorId: 'hubspot', operation: 'request', parameters: { path: '/x' } },
      };
      const nodes = { s: { type: 'start' }, ...Object.fromEntries(names.map((name) => [name, node])) };
      const run = await startRun(
        await storeWorkflow(
          flow(
            nodes,
            names.map((name) => `s>${name}`),
          ),
          user.workspaceId,
        ),
      );
      const here = Array.from({ length: 20 }, () => use(user, credentialId));
      await until(async () => provider.forms.length > 0, 'the renewal to begin');
      await until(
        async () => (await run.read()).nodeResults.filter(({ status }) => status === 'running').length === 20,
        'all nodes to wait',
      );
      open();
      const done = await run.finish();
      expect(done).toMatchObject({ status: 'completed' });
      for (const held of await Promise.all(here)) expect(held.credential.config['accessToken']).toBe('access-0001');
      expect(provider.calls).toEqual(names.map(() => 'access-0001'));
      expect(provider.forms).toHaveLength(1);
    } finally {
      await worker.end('SIGKILL');
    }
  }, 60_000);

  it('a process that is killed during a renewal leaves it to the next one, which uses the same refresh token', async () => {
    const user = await buildUser();
    const credentialId = await store(user);
    const { opened, open } = gate();
    provider.answer = async () => {
      await opened;
      return null;
    };
    const worker = await startWorkerProcess(String(getRuntime().env.databaseUrl), workerEnv());
    const node = {
      type: 'connector',
      credentialId,
      config: { connectorId: 'hubspot', operation: 'request', parameters: { path: '/x' } },
    };
    await startRun(await storeWorkflow(flow({ s: { type: 'start' }, node }, ['s>node']), user.workspaceId));
    await until(async () => provider.forms.length > 0, 'the renewal to begin');
    await worker.end('SIGKILL');
    // Simulates elapsed time: no process extends the claim any more.
    await prismaClient().credential.update({ where: { id: credentialId }, data: { refreshingUntil: new Date() } });
    provider.answer = async () => null;
    const renewed = await use(user, credentialId);
    open();
    expect(renewed.credential.config['accessToken']).toBe(provider.accessToken);
    expect(provider.forms).toMatchObject([{ refresh_token: 'refresh-0000' }, { refresh_token: 'refresh-0000' }]);
    expect(await statusOf(credentialId)).toBe('active');
  }, 60_000);

  it('a slow renewal keeps its claim', async () => {
    const user = await buildUser();
    const id = await store(user);
    const { opened, open } = gate();
    provider.answer = async () => {
      await opened;
      return null;
    };
    const using = use(user, id);
    const claim = async () => (await prismaClient().credential.findUniqueOrThrow({ where: { id } })).refreshingUntil;
    const first = await until(claim, 'the claim');
    await until(async () => Number(await claim()) > Number(first), 'the claim to move on');
    open();
    expect((await using).credential.config['accessToken']).toBe('access-0001');
    expect(await claim()).toBeNull();
  });

  it('new tokens are stored although the database was unavailable when they arrived', async () => {
    const user = await buildUser();
    const id = await store(user);
    vi.spyOn(prismaClient(), '$transaction').mockRejectedValueOnce(new Error('Connection terminated unexpectedly'));
    expect((await use(user, id)).credential.config).toMatchObject({
      accessToken: 'access-0001',
      refreshToken: 'refresh-0001',
    });
  });

  it('tokens that a person entered meanwhile are not overwritten', async () => {
    const user = await buildUser();
    const id = await store(user);
    provider.answer = async () => {
      await call('PUT', `/api/credentials/${id}`, {
        token: user.token,
        body: { config: { accessToken: 'from-a-person' } },
      });
      return null;
    };
    expect((await use(user, id)).credential.config['accessToken']).toBe('from-a-person');
  });

  it('a token without an expiry is used unchanged', async () => {
    const user = await buildUser();
    await use(user, await store(user, { expiresInMs: null }));
    expect(provider.forms).toEqual([]);
  });
});

describe('when the provider refuses', () => {
  it('the status shows it, until the credential is renewed or connected again', async () => {
    const user = await buildUser();
    const id = await store(user);
    provider.answer = async () => [400, { error: 'invalid_grant' }];
    await expect(use(user, id)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED', retriable: false });
    expect(await statusOf(id)).toBe('expired');
    await expect(use(user, id)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    expect(provider.forms).toHaveLength(1);
    expect(await refresh(user, id)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    provider.answer = async () => null;
    expect(await refresh(user, id)).toMatchObject({ status: 200, body: { credential: { status: 'active' } } });
    expect((await use(user, id)).credential.config['accessToken']).toBe(provider.accessToken);
  });

  it('a token that cannot be renewed works until it expires', async () => {
    const user = await buildUser();
    const only = { accessToken: 'access-0000' };
    await use(user, await store(user, { secrets: only }));
    const over = await store(user, { secrets: only, expiresInMs: -1 });
    await expect(use(user, over)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    expect(await statusOf(over)).toBe('expired');
    expect((await refresh(user, over)).status).toBe(409);
  });
});

describe('when the provider is unreachable', () => {
  it('the token is used until it expires; after that the failure is retriable', async () => {
    const user = await buildUser();
    provider.answer = async () => [503, {}];
    const ending = await store(user);
    expect((await use(user, ending)).credential.config['accessToken']).toBe('access-0000');
    const over = await store(user, { expiresInMs: -1 });
    await expect(use(user, over)).rejects.toMatchObject({ code: 'CREDENTIAL_REFRESH', retriable: true });
    expect(await statusOf(over)).toBe('active');
    expect((await refresh(user, over)).status).toBe(500);
  });

  it('a missing registration is reported', async () => {
    const user = await buildUser();
    const id = await store(user, { expiresInMs: -1 });
    getRuntime().env.connectors = {};
    await expect(use(user, id)).rejects.toMatchObject({ code: 'CREDENTIAL_REFRESH', retriable: false });
    expect((await refresh(user, id)).status).toBe(400);
  });
});

describe('POST /api/oauth/refresh', () => {
  it('moves expires_at forward', async () => {
    const user = await buildUser();
    const id = await store(user);
    const { status, body } = await refresh(user, id);
    expect(status).toBe(200);
    expect(Date.parse(body.credential.expires_at)).toBeGreaterThan(Date.now() + 50 * MINUTE);
  });

  it('renews once for many concurrent requests', async () => {
    const user = await buildUser();
    const id = await store(user);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(user, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(provider.forms.length).toBeLessThan(10);
  });

  it('accepts only credentials of the own workspace that have tokens', async () => {
    const user = await buildUser();
    expect((await refresh(await buildUser(), await store(user))).status).toBe(404);
    expect((await refresh(user, 'cred_nothing')).status).toBe(404);
    const { body } = await call<{ id: string }>('POST', '/api/credentials', {
      token: user.token,
      body: { name: 'x', type: 'custom', config: {} },
    });
    expect((await refresh(user, body.id)).status).toBe(400);
  });
});

describe('a generic OAuth2 credential', () => {
  const own = () => ({ tokenUrl: `${provider.url}/token`, clientId: 'generic' });

  it('renews at its own address', async () => {
    const user = await buildUser();
    const secrets = { accessToken: 'access-0000', refreshToken: 'refresh-0000', clientSecret: 'generic-secret' };
    const id = await store(user, { connectorId: null, config: own(), secrets });
    expect((await use(user, id)).credential.config['accessToken']).toBe('access-0001');
    expect(provider.forms[0]).toMatchObject({ client_id: 'generic', client_secret: 'generic-secret' });
  });

  it('gets its first token by client credentials', async () => {
    const user = await buildUser();
    const id = await store(user, {
      connectorId: null,
      config: { ...own(), scopes: ['a', 'b'] },
      secrets: { clientSecret: 'generic-secret' },
    });
    expect((await use(user, id)).credential.config['accessToken']).toBe('access-0001');
    expect(provider.forms[0]).toMatchObject({ grant_type: 'client_credentials', scope: 'a b' });
  });
});

it('a token that the API refuses is renewed once, and the call is repeated', async () => {
  const user = await buildUser();
  const id = await store(user, {
    expiresInMs: null,
    secrets: { accessToken: 'revoked-token', refreshToken: 'refresh-0000' },
  });
  const answer = await sendWithCredential(await use(user, id), { url: `${provider.url}/api/x` });
  expect(answer.status).toBe(200);
  expect(provider.calls).toEqual(['revoked-token', 'access-0001']);
});
