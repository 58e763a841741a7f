import { afterEach, describe, expect, test } from 'vitest';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { builtInConnectors } from '@/server/connectors';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import type { SubscribedProvider } from '@/server/testing/servers/subscribed-provider';
import { SUBSCRIBED_PROVIDERS } from '@/server/testing/servers/subscribed-providers';
import { openWebhookProvider, type WebhookProviderServer } from '@/server/testing/servers/webhook-providers';
import { agreeWithProviders } from './loop';

useDatabase();

const APP_SECRET = 'secret-of-the-app-canary';
let server: WebhookProviderServer | undefined;

afterEach(async () => {
  await prismaClient().webhookSubscription.deleteMany();
  getRuntime().env.connectors = {};
  await server?.close();
});

interface Scene {
  user: TestUser;
  workflowId: string;
  webhook: WebhookTrigger;
  provider: SubscribedProvider;
  server: WebhookProviderServer;
}

/** An active workflow that subscribes to an event of a provider, and the stand-in of the provider. */
async function subscribe(id: string): Promise<Scene> {
  const provider = SUBSCRIBED_PROVIDERS[id];
  if (!provider) throw new Error(`${id} has no stand-in.`);
  const { rules, basePath = '', token, event, parameters } = provider;
  server = await openWebhookProvider(rules);
  server.reach = async (method, url, headers) => {
    const { pathname, search } = new URL(url);
    const answer = await call(method, pathname + search, headers ? { headers } : {});
    return { status: answer.status, headers: answer.headers, text: String(answer.body) };
  };
  const app = token ? {} : { clientId: 'app', clientSecret: APP_SECRET };
  getRuntime().env.connectors = { [id]: { apiUrl: server.url + basePath, ...app } };
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active' });
  const account = token ? { type: 'token', config: token } : { type: 'oauth2', config: { accessToken: 'canary-at' } };
  const credential = await call<{ id: string }>('POST', '/api/credentials', {
    token: user.token,
    body: { name: `Account of ${id}`, connectorId: id, ...account },
  });
  expect(credential.status, JSON.stringify(credential.body)).toBe(201);
  const subscription = { connectorId: id, event, parameters, credentialId: credential.body.id };
  const made = await call<WebhookTrigger>('POST', `/api/workflows/${workflowId}/webhooks`, {
    token: user.token,
    body: { subscription },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { user, workflowId, webhook: made.body, provider, server };
}

const webhookPath = ({ workflowId, webhook }: Scene) => `/api/workflows/${workflowId}/webhooks/${webhook.id}`;

async function readState(scene: Scene) {
  const { body } = await call<WebhookTrigger>('GET', webhookPath(scene), { token: scene.user.token });
  return body.subscription;
}

const setStatus = ({ workflowId }: Scene, status: string) =>
  prismaClient().workflow.update({ where: { id: workflowId }, data: { status } });
const makeDue = () => databasePool().query("UPDATE webhook_subscription SET next_at = now() - interval '1 second'");
const retry = (scene: Scene) => call('POST', `${webhookPath(scene)}/subscribe`, { token: scene.user.token });

/** The secret with which the provider signs. */
const signingSecret = ({ server: { webhooks }, provider }: Scene): string =>
  provider.signsWithApp ? APP_SECRET : (webhooks.at(-1)?.secret ?? '');

async function deliver({ webhook, provider }: Scene, secret: string) {
  const { raw, query = '', headers } = provider.delivery(secret, webhook.url);
  const path = new URL(webhook.url).pathname + query;
  const answer = await call<{ executionId: string }>('POST', path, raw === undefined ? { headers } : { raw, headers });
  return answer;
}

const subscribable = builtInConnectors.flatMap(({ id, subscriptions }) =>
  subscriptions ? [{ id, subscriptions }] : [],
);

describe.each(subscribable)('$id', ({ id, subscriptions }) => {
  test('has the webhook while it is wanted, and its deliveries alone start runs', async () => {
    const scene = await subscribe(id);
    const { provider, webhook } = scene;
    const { webhooks } = scene.server;
    // Two workers make it once.
    await Promise.all([agreeWithProviders(), agreeWithProviders()]);
    const active = await readState(scene);
    expect(active).toMatchObject({ status: 'active', error: null });
    expect(webhooks).toHaveLength(1);
    expect(webhooks[0]?.url.split('?')[0]).toBe(webhook.url);
    expect(active?.expiresAt !== null).toBe(provider.ends === true);

    const secret = signingSecret(scene);
    expect(secret.length).toBeGreaterThan(10);
    const accepted = await deliver(scene, secret);
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
    expect((await deliver(scene, '')).status).toBe(401);
    expect((await deliver(scene, `${secret}x`)).status).toBe(401);
    const runs = await prismaClient().execution.findMany({ where: { workflowId: scene.workflowId } });
    expect(runs).toHaveLength(1);
    expect(JSON.stringify(runs[0]?.input)).not.toContain(secret);

    // What was checked just now is not asked again, and a check changes nothing.
    const before = structuredClone(webhooks);
    await makeDue();
    await agreeWithProviders();
    expect(webhooks).toEqual(before);

    await setStatus(scene, 'paused');
    await agreeWithProviders();
    expect(webhooks).toEqual([]);
    expect(await readState(scene)).toMatchObject({ status: 'removed', externalId: null });
    await setStatus(scene, 'active');
    await agreeWithProviders();
    expect(webhooks).toHaveLength(1);

    // A secret that was replaced is refused.
    const old = signingSecret(scene);
    await call('POST', `${webhookPath(scene)}/rotate-secret`, { token: scene.user.token });
    await agreeWithProviders();
    expect(webhooks).toHaveLength(1);
    expect((await deliver(scene, signingSecret(scene))).status).toBe(202);
    if (!provider.signsWithApp) expect((await deliver(scene, old)).status).toBe(401);

    // Another installation with a copy of the data leaves it alone.
    const home = getRuntime().env.apiBaseUrl;
    getRuntime().env.apiBaseUrl = 'https://copy.example.com';
    const calls = scene.server.calls.length;
    await setStatus(scene, 'paused');
    await makeDue();
    await agreeWithProviders();
    expect([webhooks.length, scene.server.calls.length]).toEqual([1, calls]);
    getRuntime().env.apiBaseUrl = home;
  });

  test('waits for a provider that is down or busy, and fails on a refusal', async () => {
    const scene = await subscribe(id);
    for (const [status, expected] of [
      [503, 'waiting'],
      [429, 'waiting'],
      [403, 'failed'],
      [422, 'failed'],
      [401, 'failed'],
    ] as const) {
      scene.server.before = () => ({ status, body: { message: 'No.', ok: false, description: 'No.' } });
      expect((await retry(scene)).status).toBe(202);
      await agreeWithProviders();
      const state = await readState(scene);
      expect([status, state?.status]).toEqual([status, expected]);
      expect(state?.error?.message).toContain(status === 401 ? 'Account of' : String(status));
    }
    expect(scene.server.webhooks).toEqual([]);
    scene.server.before = () => undefined;
    await retry(scene);
    await agreeWithProviders();
    expect(await readState(scene)).toMatchObject({ status: 'active', error: null });
  });

  test('has the webhook again after somebody removed it, and after an answer was lost', async () => {
    const scene = await subscribe(id);
    const { webhooks } = scene.server;
    await agreeWithProviders();
    const canBeMissed = subscriptions.secretFrom !== 'attempt';
    if (canBeMissed) {
      webhooks.splice(0);
      await makeDue();
      await agreeWithProviders();
    }
    expect(webhooks).toHaveLength(1);
    expect((await deliver(scene, signingSecret(scene))).status).toBe(202);

    await setStatus(scene, 'paused');
    await agreeWithProviders();
    await setStatus(scene, 'active');
    scene.server.after = () => (webhooks.length > 0 ? 'hang up' : 'answer');
    await agreeWithProviders();
    expect(await readState(scene)).toMatchObject({ status: 'waiting' });
    scene.server.after = () => 'answer';
    await makeDue();
    await agreeWithProviders();
    expect(await readState(scene)).toMatchObject({ status: 'active' });
    // What cannot be listed cannot be found: its deliveries are refused until it ends.
    expect(webhooks).toHaveLength(canBeMissed ? 1 : 2);
    expect((await deliver(scene, signingSecret(scene))).status).toBe(202);
    if (!canBeMissed) expect((await deliver(scene, webhooks[0]?.secret ?? '')).status).toBe(401);
  });
});

test.each(subscribable.filter(({ id }) => SUBSCRIBED_PROVIDERS[id]?.ends))(
  '$id: is renewed after 80 % of its life, and not before',
  async ({ id }) => {
    const scene = await subscribe(id);
    await agreeWithProviders();
    const { rows } = await databasePool().query<{ share: number }>(
      `SELECT extract(epoch FROM renews_at - created_at)::float8 / extract(epoch FROM expires_at - created_at)::float8 AS share
       FROM webhook_subscription`,
    );
    expect(rows[0]?.share).toBeCloseTo(0.8, 2);
    await databasePool().query("UPDATE webhook_subscription SET renews_at = now() - interval '1 second'");
    for (const webhook of scene.server.webhooks) webhook.expiresAt = Date.now() + 60_000;
    await makeDue();
    await agreeWithProviders();
    expect(scene.server.webhooks).toHaveLength(1);
    expect(scene.server.webhooks[0]?.expiresAt).toBeGreaterThan(Date.now() + 3_600_000);
    expect(await readState(scene)).toMatchObject({ status: 'active', externalId: scene.server.webhooks[0]?.id });
    expect((await deliver(scene, signingSecret(scene))).status).toBe(202);
  },
);
