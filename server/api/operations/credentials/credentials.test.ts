import { describe, expect, it } from 'vitest';
import { openCredentials } from '@/server/connectors/vault';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';

useDatabase();

interface Stored {
  id: string;
  version: number;
  config: Record<string, unknown>;
  secretFields: string[];
  usedBy: { id: string; name: string }[];
}

async function store(token: string, body: object) {
  return call<Stored>('POST', '/api/credentials', { token, body });
}

describe('storing', () => {
  it('returns the documented fields and nothing of the config', async () => {
    const { token, workspaceId } = await buildUser();
    const body = { name: 'Shop key', type: 'api_key', config: { apiKey: 'canary-1234567890' } };
    const { status, body: made, headers } = await store(token, body);
    expect(status).toBe(201);
    expect(made).toMatchObject({ name: 'Shop key', type: 'api_key', connectorId: null, status: 'active', workspaceId });
    expect(headers.get('etag')).toBe('"1"');
    expect(made).not.toHaveProperty('config');
    expect(JSON.stringify(await prismaClient().credential.findMany())).not.toContain('canary-1234567890');
  });

  it.each([
    ['api_key', null, { header: 'X' }, 'config.apiKey'],
    ['api_key', null, { apiKey: 'x\r\nX-Evil: 1' }, 'config.apiKey'],
    ['basic_auth', null, { username: 'a' }, 'config.password'],
    ['custom', null, { headers: { 'Transfer-Encoding': 'chunked' } }, 'config.headers.Transfer-Encoding'],
    ['basic_auth', 'smtp', { username: 'a' }, 'config.host'],
    ['custom', null, { headers: { 'X-A': 'a\nb' } }, 'config.headers.X-A'],
    ['custom', null, { surprise: 1 }, 'config.surprise'],
    ['oauth2', 'shopify', { shop: 'evil.example.com' }, 'config.shop'],
    ['oauth2', 'salesforce', { instanceUrl: 'https://salesforce.com.evil.example' }, 'config.instanceUrl'],
    ['oauth2', 'salesforce', { tokenUrl: 'https://evil.example' }, 'config.tokenUrl'],
    ['oauth2', null, { tokenUrl: 'file:///etc/passwd' }, 'config.tokenUrl'],
  ])('refuses a %s (%s) with %j', async (type, connectorId, config, field) => {
    const { token } = await buildUser();
    const { status, body } = await call<Refused>('POST', '/api/credentials', {
      token,
      body: { name: 'x', type, connectorId, config },
    });
    expect(status).toBe(400);
    expect(body.error.details.map((detail) => detail.field)).toContain(field);
  });
});

describe('reading', () => {
  it('returns public fields, and the names of secret ones', async () => {
    const { token } = await buildUser();
    const config = { username: 'ada', password: 'canary-password' };
    const { body } = await store(token, { name: 'x', type: 'basic_auth', config });
    const one = await call<Stored>('GET', `/api/credentials/${body.id}`, { token });
    expect(one.body).toMatchObject({ config: { username: 'ada' }, secretFields: ['password'], usedBy: [] });
    const list = await call<{ data: Stored[]; total: number }>('GET', '/api/credentials', { token });
    expect(list.body).toMatchObject({ total: 1, data: [{ config: { username: 'ada' }, secretFields: ['password'] }] });
    expect(JSON.stringify([one.body, list.body])).not.toContain('canary-password');
  });

  it('lists the workflows that use it, inner definitions included', async () => {
    const { token, workspaceId } = await buildUser();
    const { body } = await store(token, { name: 'x', type: 'custom', config: {} });
    const inner = flow({ start: { type: 'start' }, call: { type: 'http_request', credentialId: body.id } });
    const definition = flow({
      start: { type: 'start' },
      loop: { type: 'for_each', config: { items: '[]', body: inner } },
    });
    const workflowId = await buildWorkflow({ workspaceId, definition });
    await buildWorkflow({ workspaceId });
    const { body: read } = await call<Stored>('GET', `/api/credentials/${body.id}`, { token });
    expect(read.usedBy).toMatchObject([{ id: workflowId }]);
  });

  it('finds parts of names, without wildcards', async () => {
    const { token } = await buildUser();
    await store(token, { name: '100% sure', type: 'custom', config: {} });
    await store(token, { name: '100 sure', type: 'custom', config: {} });
    const { body } = await call<{ total: number }>('GET', '/api/credentials?search=%25', { token });
    expect(body.total).toBe(1);
  });

  it('does not exist for another workspace', async () => {
    const { token } = await buildUser();
    const stranger = await buildUser();
    const { body } = await store(token, { name: 'x', type: 'custom', config: {} });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await call(method, `/api/credentials/${body.id}`, {
        token: stranger.token,
        body: method === 'PUT' ? { name: 'mine' } : undefined,
      });
      expect(answer.status).toBe(404);
    }
  });
});

it('an account of another workspace is not usable', async () => {
  const owner = await buildUser();
  const stranger = await buildUser();
  const account = await store(owner.token, {
    name: 'Bot',
    type: 'token',
    connectorId: 'slack',
    config: { token: 'xoxb-12345678-1' },
  });
  const credentialId = account.body.id;
  expect([account.status, (await openCredentials(stranger.workspaceId, [credentialId])).size]).toEqual([201, 0]);
  const config = { connectorId: 'slack', operation: 'users.list', parameters: {} };
  const definition = flow({ start: { type: 'start' }, list: { type: 'connector', credentialId, config } });
  const uses = [
    ['POST', `/api/credentials/${credentialId}/test`, {}],
    [
      'POST',
      `/api/workflows/${await buildWorkflow({ workspaceId: stranger.workspaceId, definition })}/execute`,
      { input: {} },
    ],
    ['POST', '/api/workflows', { name: 'Theft', definition, status: 'active' }],
  ] as const;
  for (const [method, address, body] of uses) {
    const answer = await call<Refused>(method, address, { token: stranger.token, body });
    expect([400, 404], `${address}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
    expect(JSON.stringify(answer.body)).toMatch(/does not exist/);
  }
});

describe('changing', () => {
  it('keeps a secret that is left out and counts versions', async () => {
    const { token } = await buildUser();
    const { body } = await store(token, { name: 'x', type: 'api_key', config: { apiKey: 'abcdef', header: 'X-Old' } });
    const changed = await call<Stored>('PUT', `/api/credentials/${body.id}`, {
      token,
      body: { config: { header: 'X-New' } },
    });
    expect(changed.body).toMatchObject({ config: { header: 'X-New' }, secretFields: ['apiKey'], version: 2 });
    expect(changed.headers.get('etag')).toBe('"2"');
  });

  it('is refused for an old version', async () => {
    const { token } = await buildUser();
    const { body } = await store(token, { name: 'x', type: 'custom', config: {} });
    const path = `/api/credentials/${body.id}`;
    expect((await call('PUT', path, { token, body: { name: 'y' }, headers: { 'If-Match': '"1"' } })).status).toBe(200);
    expect((await call('PUT', path, { token, body: { name: 'z' }, headers: { 'If-Match': '"1"' } })).status).toBe(409);
    expect((await call('PUT', path, { token, body: { name: 'z', version: 1 } })).status).toBe(409);
  });

  it('does not send kept secrets to a new address', async () => {
    const { token } = await buildUser();
    const config = { tokenUrl: 'https://id.example.com/token', clientSecret: 'shh-secret', clientId: 'me' };
    const { body } = await store(token, { name: 'x', type: 'oauth2', config });
    const path = `/api/credentials/${body.id}`;
    const moved = { ...config, tokenUrl: 'https://evil.example/token', clientSecret: undefined };
    const refused = await call<Refused>('PUT', path, { token, body: { config: moved } });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'config.clientSecret' }] } } });
    const whole = { ...moved, clientSecret: 'another-secret' };
    expect((await call('PUT', path, { token, body: { config: whole } })).status).toBe(200);
  });

  it('deletes for good', async () => {
    const { token } = await buildUser();
    const { body } = await store(token, { name: 'x', type: 'custom', config: {} });
    expect((await call('DELETE', `/api/credentials/${body.id}`, { token })).status).toBe(204);
    expect((await call('GET', `/api/credentials/${body.id}`, { token })).status).toBe(404);
  });
});

it('is for editors: operators may see names, others may not change anything', async () => {
  const owner = await buildUser();
  const operator = await buildUser({ workspaceId: owner.workspaceId, role: 'operator' });
  const body = { name: 'x', type: 'custom', config: {} };
  expect((await call('GET', '/api/credentials', { token: operator.token })).status).toBe(200);
  expect((await call('POST', '/api/credentials', { token: operator.token, body })).status).toBe(403);
});
