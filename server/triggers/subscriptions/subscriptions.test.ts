import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { listenToNotifications } from '@/server/platform/db/listen';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import {
  githubDeliveryHeaders,
  openWebhookProvider,
  type WebhookProviderServer,
} from '@/server/testing/servers/webhook-providers';
import { findBuiltInConnector } from '@/server/connectors';
import { claimDueSubscriptions, readSubscriptionWaitMs } from './claim';
import { agreeWithProviders } from './loop';
import { openSubscriptionSecret } from './secret';

useDatabase();

/** Providers that have a stand-in. */
type Provider = 'github' | 'telegram' | 'stripe';

/** The credentials of accounts. */
const ACCOUNTS = {
  github: { token: 'github_pat_0123456789canary' },
  telegram: { token: '123456:AAAAAAAAAAAAAAAAAAAA-canary' },
  stripe: { token: 'sk_test_012345canary' },
  woocommerce: { host: 'shop.example.com', key: 'ck_012345canary', token: 'cs_012345canary' },
  pipedrive: { token: 'canary0123456789012345' },
};

const REPOSITORY = { owner: 'octocat', repo: 'hello' };
let provider: WebhookProviderServer;

/** The stand-in of a provider, which the service takes for the real one during a test. */
async function useProvider(name: Provider): Promise<void> {
  provider = await openWebhookProvider(name);
  const apiUrl = name === 'telegram' ? `${provider.url}/bot{token}` : provider.url;
  getRuntime().env.connectors = { [name]: { apiUrl } };
}

beforeEach(() => useProvider('github'));
afterEach(async () => {
  // Each test has a stand-in of its own, which knows nothing of the webhooks of others.
  await prismaClient().webhookSubscription.deleteMany();
  getRuntime().env.connectors = {};
  await provider.close();
});

async function connect({ token }: TestUser, connectorId: keyof typeof ACCOUNTS): Promise<string> {
  const body = {
    name: `Account of ${connectorId}`,
    type: 'token',
    connectorId,
    config: ACCOUNTS[connectorId],
  };
  const answer = await call<{ id: string }>('POST', '/api/credentials', { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

interface Scene {
  user: TestUser;
  workflowId: string;
  credentialId: string;
}

async function buildScene(connectorId: Provider = 'github', user?: TestUser): Promise<Scene> {
  const owner = user ?? (await buildUser());
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, status: 'active' });
  return { user: owner, workflowId, credentialId: await connect(owner, connectorId) };
}

const webhooksPath = (workflowId: string) => `/api/workflows/${workflowId}/webhooks`;

const subscribe = ({ user, workflowId, credentialId }: Scene, subscription: object = {}, settings: object = {}) =>
  call<WebhookTrigger & Refused>('POST', webhooksPath(workflowId), {
    token: user.token,
    body: {
      subscription: { connectorId: 'github', event: 'push', parameters: REPOSITORY, credentialId, ...subscription },
      ...settings,
    },
  });

async function subscribeTo(scene: Scene, subscription: object = {}): Promise<WebhookTrigger> {
  const { status, body } = await subscribe(scene, subscription);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

async function readState({ user, workflowId }: Scene, id: string) {
  const { body } = await call<WebhookTrigger>('GET', `${webhooksPath(workflowId)}/${id}`, { token: user.token });
  return body.subscription;
}

const setStatus = (workflowId: string, status: string) =>
  prismaClient().workflow.update({ where: { id: workflowId }, data: { status } });

/** As if the time of the next attempt or check had come. */
const makeDue = () => databasePool().query("UPDATE webhook_subscription SET next_at = now() - interval '1 second'");

describe('a subscription', () => {
  test('is made at the provider while the workflow is active, and takes its deliveries', async () => {
    const scene = await buildScene();
    const webhook = await subscribeTo(scene);
    expect(webhook).toMatchObject({
      verification: { kind: 'provider', provider: 'github', secret: '********' },
      methods: ['POST'],
      subscription: { status: 'waiting', externalId: null, error: null },
    });
    expect(webhook.path).toMatch(/^[a-z0-9]{32}$/);
    await agreeWithProviders();
    const [made] = provider.webhooks;
    expect(provider.webhooks).toMatchObject([{ url: webhook.url, events: ['push'], owner: '/repos/octocat/hello' }]);
    expect(await readState(scene, webhook.id)).toMatchObject({ status: 'active', externalId: made?.id, error: null });
    const raw = '{"ref":"refs/heads/main"}';
    const send = (secret: string) =>
      call('POST', new URL(webhook.url).pathname, { raw, headers: githubDeliveryHeaders(secret, raw, 'push') });
    expect((await send(made?.secret ?? '')).status).toBe(202);
    expect((await send('another secret')).status).toBe(401);
    // Nothing more is to do.
    const calls = provider.calls.length;
    await agreeWithProviders();
    expect(provider.calls).toHaveLength(calls);
  });

  test('keeps what picked values are called, and a new label makes no other webhook', async () => {
    const scene = await buildScene();
    const labels = { owner: 'The octocat' };
    const webhook = await subscribeTo(scene, { labels });
    expect(webhook.subscription).toMatchObject({ labels });
    await agreeWithProviders();
    const made = provider.webhooks.map(({ id }) => id);
    const change = (body: object) =>
      call<WebhookTrigger>('PUT', `${webhooksPath(scene.workflowId)}/${webhook.id}`, { token: scene.user.token, body });
    const { connectorId, event, parameters, credentialId } = webhook.subscription!;
    const subscription = { connectorId, event, parameters, credentialId };
    const named = await change({ subscription: { ...subscription, labels: { owner: 'Mona' } } });
    expect(named.body.subscription).toMatchObject({ status: 'active', labels: { owner: 'Mona' } });
    await agreeWithProviders();
    expect(provider.webhooks.map(({ id }) => id)).toEqual(made);
    const where = { workspaceId: scene.user.workspaceId, action: 'webhooks.update' };
    const [entry] = await prismaClient().auditEntry.findMany({ where });
    expect(entry?.metadata).toMatchObject({ changed: ['subscription'] });
    // Another path makes another webhook, which has the same name, as it has without labels in the request.
    expect((await change({ path: 'octocat', subscription })).body.subscription).toMatchObject({
      status: 'waiting',
      labels: { owner: 'Mona' },
    });
  });

  test('is removed on pause, made again, and removed when it is disabled', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    await setStatus(scene.workflowId, 'paused');
    await agreeWithProviders();
    expect(provider.webhooks).toEqual([]);
    expect(await readState(scene, id)).toMatchObject({ status: 'removed', externalId: null, error: null });
    await setStatus(scene.workflowId, 'active');
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    const path = `${webhooksPath(scene.workflowId)}/${id}`;
    await call('PUT', path, { token: scene.user.token, body: { enabled: false } });
    await agreeWithProviders();
    expect(provider.webhooks).toEqual([]);
  });

  test.each(['webhook', 'workflow', 'credential', 'workspace'])('is removed with its %s', async (what) => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    const { workflowId, credentialId, user } = scene;
    if (what === 'webhook') await call('DELETE', `${webhooksPath(workflowId)}/${id}`, { token: user.token });
    else if (what === 'workflow') await prismaClient().workflow.delete({ where: { id: workflowId } });
    else if (what === 'workspace') await prismaClient().workspace.delete({ where: { id: user.workspaceId } });
    else {
      await call('DELETE', `/api/credentials/${credentialId}`, { token: user.token });
      await setStatus(workflowId, 'paused');
    }
    await agreeWithProviders();
    expect(provider.webhooks).toEqual([]);
    expect(await prismaClient().webhookSubscription.count({ where: { keptSealed: { not: null } } })).toBe(0);
    expect(await prismaClient().webhookSubscription.count()).toBe(what === 'credential' ? 1 : 0);
  });

  test('is not made twice when the answer was lost', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    provider.after = ({ method }) => (method === 'POST' ? 'hang up' : 'answer');
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    expect(await readState(scene, id)).toMatchObject({ status: 'waiting', externalId: null });
    provider.after = () => 'answer';
    await makeDue();
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    expect(await readState(scene, id)).toMatchObject({ status: 'active', externalId: provider.webhooks[0]?.id });
  });

  test('whose answer was lost is removed all the same', async () => {
    const scene = await buildScene();
    await subscribeTo(scene);
    provider.after = ({ method }) => (method === 'POST' ? 'hang up' : 'answer');
    await agreeWithProviders();
    provider.after = () => 'answer';
    await setStatus(scene.workflowId, 'paused');
    await makeDue();
    await agreeWithProviders();
    expect(provider.webhooks).toEqual([]);
  });

  test('waits while the provider is down, and fails on its refusal until the credential changes', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    provider.before = () => ({ status: 503, body: { message: 'Down' } });
    await agreeWithProviders();
    expect(await readState(scene, id)).toMatchObject({
      status: 'waiting',
      error: { message: expect.stringContaining('503') },
    });
    provider.before = () => ({ status: 403, body: { message: 'Resource not accessible by personal access token' } });
    await makeDue();
    await agreeWithProviders();
    const failed = await readState(scene, id);
    expect(failed).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('not accessible') } });
    provider.before = () => undefined;
    await makeDue();
    await agreeWithProviders();
    expect(await readState(scene, id)).toMatchObject({ status: 'failed' });
    const { user, credentialId } = scene;
    const config = { token: 'github_pat_another0123456789' };
    const changed = await call('PUT', `/api/credentials/${credentialId}`, { token: user.token, body: { config } });
    expect(changed.status).toBe(200);
    await agreeWithProviders();
    expect(await readState(scene, id)).toMatchObject({ status: 'active', error: null });
  });

  test('that was refused is tried again when the workflow was paused and is activated again', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    provider.before = () => ({ status: 403, body: { message: 'Resource not accessible' } });
    await agreeWithProviders();
    expect(await readState(scene, id)).toMatchObject({ status: 'failed' });
    provider.before = () => undefined;
    // No worker looks between the two changes.
    await setStatus(scene.workflowId, 'paused');
    await setStatus(scene.workflowId, 'active');
    await agreeWithProviders();
    expect(await readState(scene, id)).toMatchObject({ status: 'active', error: null });
  });

  test('needs the rights of whoever published the workflow', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    const viewer = await buildUser({ workspaceId: scene.user.workspaceId, role: 'viewer' });
    await prismaClient().workflowVersion.updateMany({
      where: { workflowId: scene.workflowId },
      data: { authorizedBy: viewer.id },
    });
    await agreeWithProviders();
    const refused = await readState(scene, id);
    expect(refused).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('credential:use') } });
    expect(provider.calls).toEqual([]);
  });

  test('does not keep those of other workspaces waiting: four of a workspace at a time', async () => {
    const busy = await buildScene();
    for (let count = 0; count < 6; count += 1) await subscribeTo(busy);
    await subscribeTo(await buildScene());
    const home = getRuntime().env.apiBaseUrl;
    const first = await claimDueSubscriptions(20, 'round-1', home);
    const ofBusy = first.filter(({ workspaceId }) => workspaceId === busy.user.workspaceId);
    expect([ofBusy.length, first.length]).toEqual([4, 5]);
    // Another worker claims neither the same ones nor more of that workspace.
    expect(await claimDueSubscriptions(20, 'round-2', home)).toEqual([]);
  });

  test('is looked for when something changes, and until then when the next check is due', async () => {
    const home = getRuntime().env.apiBaseUrl;
    const scene = await buildScene();
    expect(await readSubscriptionWaitMs(home)).toBeNull();
    const notified = new Set<() => void>();
    const listener = await listenToNotifications(
      [NOTIFY_CHANNELS.subscriptions],
      () => notified.forEach((resolve) => resolve()),
      () => undefined,
    );
    const notification = () => new Promise<void>((resolve) => notified.add(resolve));
    try {
      let next = notification();
      const { id } = await subscribeTo(scene);
      await next;
      await agreeWithProviders();
      expect(await readSubscriptionWaitMs(home)).toBeGreaterThan(5 * 3_600_000);
      for (const change of [
        () => setStatus(scene.workflowId, 'paused'),
        () => prismaClient().webhook.update({ where: { id }, data: { enabled: false } }),
        () => prismaClient().credential.update({ where: { id: scene.credentialId }, data: { version: 7 } }),
        () =>
          prismaClient().workspace.update({ where: { id: scene.user.workspaceId }, data: { deletedAt: new Date() } }),
        () => prismaClient().webhook.delete({ where: { id } }),
      ]) {
        next = notification();
        await change();
        await next;
      }
    } finally {
      await listener.close();
    }
  });

  test('that somebody removed at the provider is made anew', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    const [before] = provider.webhooks.splice(0);
    await makeDue();
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    expect(provider.webhooks[0]?.id).not.toBe(before?.id);
    expect(await readState(scene, id)).toMatchObject({ status: 'active', externalId: provider.webhooks[0]?.id });
  });

  test('is taken back as it was read, and cannot be taken away', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    const path = `${webhooksPath(scene.workflowId)}/${id}`;
    const { token } = scene.user;
    const before = (await call<WebhookTrigger>('GET', path, { token })).body;
    const answer = await call<WebhookTrigger>('PUT', path, { token, body: before });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await agreeWithProviders();
    expect((await call<WebhookTrigger>('GET', path, { token })).body).toEqual(before);
    const { status, body } = await call<Refused>('PUT', path, { token, body: { subscription: null } });
    expect([status, body.error.details[0]?.field]).toEqual([400, 'subscription']);
  });

  test('of other settings replaces the one before', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    const path = `${webhooksPath(scene.workflowId)}/${id}`;
    const subscription = {
      connectorId: 'github',
      event: 'issues',
      parameters: REPOSITORY,
      credentialId: scene.credentialId,
    };
    const { status } = await call('PUT', path, { token: scene.user.token, body: { subscription } });
    expect(status).toBe(200);
    await agreeWithProviders();
    await agreeWithProviders();
    expect(provider.webhooks).toMatchObject([{ events: ['issues'] }]);
    expect(await readState(scene, id)).toMatchObject({ status: 'active', event: 'issues' });
    const before = provider.webhooks[0]?.secret;
    await call('POST', `${path}/rotate-secret`, { token: scene.user.token });
    await agreeWithProviders();
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    expect(provider.webhooks[0]?.secret).not.toBe(before);
  });

  test('of another installation is left alone until somebody subscribes again', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    const foreign = provider.webhooks[0]?.id;
    await databasePool().query("UPDATE webhook_subscription SET home = 'https://original.example.com'");
    const state = await readState(scene, id);
    expect(state).toMatchObject({ status: 'waiting', externalId: null });
    expect(state?.error?.message).toContain('https://original.example.com');
    await setStatus(scene.workflowId, 'paused');
    await agreeWithProviders();
    expect(provider.webhooks.map((one) => one.id)).toEqual([foreign]);
    await setStatus(scene.workflowId, 'active');
    // Neither another path nor another secret takes it over.
    const { token } = scene.user;
    const address = `${webhooksPath(scene.workflowId)}/${id}`;
    expect((await call('PUT', address, { token, body: { path: unique('moved') } })).status).toBe(200);
    expect((await call('POST', `${address}/rotate-secret`, { token })).status).toBe(200);
    await agreeWithProviders();
    expect(provider.webhooks.map((one) => one.id)).toEqual([foreign]);
    expect(await readState(scene, id)).toMatchObject({ status: 'waiting' });
    const path = `${webhooksPath(scene.workflowId)}/${id}/subscribe`;
    expect((await call('POST', path, { token: scene.user.token })).status).toBe(202);
    await agreeWithProviders();
    expect(await readState(scene, id)).toMatchObject({ status: 'active', error: null });
  });

  test('that cannot be removed is given up after a day, with an entry in the audit log', async () => {
    const scene = await buildScene();
    const { id } = await subscribeTo(scene);
    await agreeWithProviders();
    provider.before = () => ({ status: 401, body: { message: 'Bad credentials' } });
    await call('DELETE', `${webhooksPath(scene.workflowId)}/${id}`, { token: scene.user.token });
    await agreeWithProviders();
    expect(await prismaClient().webhookSubscription.count()).toBe(1);
    await databasePool().query("UPDATE webhook_subscription SET removal_since = now() - interval '25 hours'");
    await makeDue();
    await agreeWithProviders();
    expect(await prismaClient().webhookSubscription.count()).toBe(0);
    const where = { action: 'webhooks.unsubscribe', workspaceId: scene.user.workspaceId };
    expect(await prismaClient().auditEntry.count({ where })).toBe(1);
  });
});

describe('an account with one webhook', () => {
  test('serves the first workflow; the second fails and names it, until the first is paused', async () => {
    await provider.close();
    await useProvider('telegram');
    const first = await buildScene('telegram');
    const second = await buildScene('telegram', first.user);
    const bot = { connectorId: 'telegram', event: 'message', parameters: {} };
    await subscribeTo(first, bot);
    await agreeWithProviders();
    const { id } = await subscribeTo(second, bot);
    await agreeWithProviders();
    const { name } = await prismaClient().workflow.findUniqueOrThrow({ where: { id: first.workflowId } });
    const state = await readState(second, id);
    expect(state).toMatchObject({ status: 'failed' });
    expect(state?.error?.message).toContain(name);
    expect(provider.webhooks).toHaveLength(1);
    await setStatus(first.workflowId, 'paused');
    await agreeWithProviders();
    expect(provider.webhooks).toEqual([]);
    await call('POST', `${webhooksPath(second.workflowId)}/${id}/subscribe`, { token: second.user.token });
    await agreeWithProviders();
    expect(await readState(second, id)).toMatchObject({ status: 'active' });
  });

  test('does not lose a webhook that somebody else has set', async () => {
    await provider.close();
    await useProvider('telegram');
    provider.webhooks.push({
      id: '123456',
      url: 'https://elsewhere.example.com/bot',
      secret: '',
      events: [],
      owner: '123456',
    });
    const scene = await buildScene('telegram');
    const { id } = await subscribeTo(scene, { connectorId: 'telegram', event: 'message', parameters: {} });
    await agreeWithProviders();
    const state = await readState(scene, id);
    expect(state).toMatchObject({ status: 'failed' });
    expect(state?.error?.message).toContain('elsewhere.example.com');
    expect(provider.webhooks[0]?.url).toBe('https://elsewhere.example.com/bot');
  });
});

test('the secret that a provider has made verifies its deliveries', async () => {
  await provider.close();
  await useProvider('stripe');
  const scene = await buildScene('stripe');
  const webhook = await subscribeTo(scene, { connectorId: 'stripe', event: 'invoice.paid', parameters: {} });
  await agreeWithProviders();
  const { secret = '' } = provider.webhooks[0] ?? {};
  const raw = JSON.stringify({ id: 'evt_1', type: 'invoice.paid' });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` };
  expect((await call('POST', new URL(webhook.url).pathname, { raw, headers })).status).toBe(202);
});

test('deliveries with the signature or the password of a subscription are verified', async () => {
  const scene = await buildScene();
  const { workflowId } = scene;
  for (const connectorId of ['woocommerce', 'pipedrive'] as const) {
    const event = connectorId === 'woocommerce' ? 'order.created' : 'deal.create';
    const credentialId = await connect(scene.user, connectorId);
    const webhook = await subscribeTo({ ...scene, credentialId }, { connectorId, event, parameters: {} });
    const row = await prismaClient().webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    const verification = findBuiltInConnector(connectorId)?.subscriptions?.verification;
    if (!verification) throw new Error(`${connectorId} has no subscriptions.`);
    const secret = openSubscriptionSecret(webhook.id, verification, row.secret);
    const raw = '{"id":1}';
    const proof: Record<string, string> =
      verification.kind === 'basic'
        ? { authorization: `Basic ${Buffer.from(`${verification.username}:${secret}`).toString('base64')}` }
        : { 'x-wc-webhook-signature': createHmac('sha256', secret).update(raw).digest('base64') };
    const path = `/webhooks/${workflowId}/${webhook.path}`;
    const headers = { 'content-type': 'application/json', ...proof };
    expect((await call('POST', path, { raw, headers })).status, connectorId).toBe(202);
    const { status } = await call('POST', path, { raw, headers: { 'content-type': 'application/json' } });
    expect(status, connectorId).toBe(401);
  }
});

test('the example of the documentation is accepted', async () => {
  const scene = await buildScene();
  const { user, workflowId, credentialId } = scene;
  const [, block = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/triggers/subscriptions.md', 'utf8')) ?? [];
  const body = JSON.parse(block.replace('cred_…', credentialId)) as object;
  expect((await call('POST', webhooksPath(workflowId), { token: user.token, body })).status).toBe(201);
});

describe('a request for a subscription', () => {
  test.each([
    ['subscription.connectorId', { connectorId: 'nothing' }, {}],
    ['subscription.connectorId', { connectorId: 'spotify' }, {}],
    ['subscription.event', { event: 'nothing' }, {}],
    ['subscription.parameters.repo', { parameters: { owner: 'octocat' } }, {}],
    ['subscription.credentialId', { credentialId: 'cred_nothing' }, {}],
    ['verification', {}, { verification: { kind: 'none' } }],
    ['methods', {}, { methods: ['GET'] }],
  ])('is refused at %s', async (field, subscription, settings) => {
    const { status, body } = await subscribe(await buildScene(), subscription, settings);
    expect([status, body.error.details[0]?.field]).toEqual([400, field]);
  });

  test('with the credential of another workspace is refused', async () => {
    const scene = await buildScene();
    const other = await buildScene();
    const { status, body } = await subscribe(scene, { credentialId: other.credentialId });
    expect([status, body.error.details[0]?.field]).toEqual([400, 'subscription.credentialId']);
    expect(
      (await call('POST', `${webhooksPath(other.workflowId)}/whk_nothing/subscribe`, { token: scene.user.token }))
        .status,
    ).toBe(404);
  });
});

describe('a subscription without an account', () => {
  const buildDraft = async (): Promise<Scene> => {
    const scene = await buildScene();
    await setStatus(scene.workflowId, 'draft');
    return scene;
  };

  test('waits for it, keeps the workflow from going live, and is made once it has one', async () => {
    const scene = await buildDraft();
    const { user, workflowId, credentialId } = scene;
    const webhook = await subscribeTo(scene, { credentialId: null, parameters: {} });
    expect(webhook.subscription).toMatchObject({
      status: 'waiting',
      credentialId: null,
      error: { message: 'Choose an account.' },
    });
    const activate = () =>
      call<Refused>('PUT', `/api/workflows/${workflowId}`, { token: user.token, body: { status: 'active' } });
    const refused = await activate();
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [
        {
          field: 'subscription.credentialId',
          message: `of the webhook ${webhook.path} is required: choose an account of GitHub`,
        },
      ],
    ]);
    const path = `${webhooksPath(workflowId)}/${webhook.id}`;
    const tried = await call<Refused>('POST', `${path}/subscribe`, { token: user.token });
    expect([tried.status, tried.body.error.message]).toEqual([409, 'Choose the account of this webhook first.']);
    const choose = (parameters: object) =>
      call<Refused>('PATCH', path, {
        token: user.token,
        body: { subscription: { connectorId: 'github', event: 'push', parameters, credentialId } },
      });
    expect((await choose({})).body.error.details.map(({ field }) => field)).toContain('subscription.parameters.repo');
    expect((await choose(REPOSITORY)).status).toBe(200);
    expect((await activate()).status).toBe(200);
    await agreeWithProviders();
    expect(provider.webhooks).toHaveLength(1);
    expect(await readState(scene, webhook.id)).toMatchObject({ status: 'active', credentialId, error: null });
  });

  test('is not for a live workflow, unless its webhook is disabled, and is forgotten with its webhook', async () => {
    const scene = await buildScene();
    const refused = await subscribe(scene, { credentialId: null });
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ field: 'subscription.credentialId', message: 'is required: the workflow is live' }],
    ]);
    const { body: webhook } = await subscribe(scene, { credentialId: null }, { enabled: false });
    const path = `${webhooksPath(scene.workflowId)}/${webhook.id}`;
    const { token } = scene.user;
    expect((await call<Refused>('PATCH', path, { token, body: { enabled: true } })).status).toBe(400);
    await agreeWithProviders();
    expect((await call('DELETE', path, { token })).status).toBe(204);
    await agreeWithProviders();
    expect(await prismaClient().webhookSubscription.count()).toBe(0);
    expect(provider.webhooks).toEqual([]);
  });
});
