import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProjectContent } from '@/contract/projects/project';
import type { ProjectPlan } from '@/contract/projects/project-plan';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import type { WorkflowResponse } from '@/contract/workflows/workflow';
import { TemplateTrigger } from '@/contract/workflows/template';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { openWebhookProvider, type WebhookProviderServer } from '@/server/testing/servers/webhook-providers';
import { agreeWithProviders } from '@/server/triggers/subscriptions/loop';

useDatabase({ rateLimitTier: 'unlimited' });

let provider: WebhookProviderServer;

beforeEach(async () => {
  provider = await openWebhookProvider('github');
  getRuntime().env.connectors = { github: { apiUrl: provider.url } };
});
afterEach(async () => {
  await prismaClient().webhookSubscription.deleteMany();
  getRuntime().env.connectors = {};
  await provider.close();
});

const TOKEN = 'github_pat_0123456789canary';
const REPOSITORY = { owner: 'octocat', repo: 'hello' };

async function perform<Answer = { id: string }>(
  { token }: TestUser,
  [method, path]: [string, string],
  body?: object,
): Promise<Answer> {
  const answer = await call<Answer>(method, path, { token, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const connect = (user: TestUser) =>
  perform(user, ['POST', '/api/credentials'], {
    name: 'Code of the team',
    type: 'token',
    connectorId: 'github',
    config: { token: TOKEN },
  });

/** What a picked parameter was called. */
const LABELS = { repo: 'The hello world' };

/** A workflow that is live, with a webhook that the provider has. */
async function buildSubscribed(user: TestUser, credentialId: string) {
  const definition = flow({ start: { type: 'start' } }, []);
  const made = await perform(user, ['POST', '/api/workflows'], { name: 'On push', definition, status: 'active' });
  await perform(user, ['POST', `/api/workflows/${made.id}/webhooks`], {
    subscription: { connectorId: 'github', event: 'push', parameters: REPOSITORY, credentialId, labels: LABELS },
  });
  await agreeWithProviders();
  expect(provider.webhooks).toHaveLength(1);
}

const exportProject = (user: TestUser) => perform<ProjectContent>(user, ['GET', '/api/projects/export?project=code']);

function send(user: TestUser, verb: 'plan' | 'apply', { workspaceId: _w, versions: _v, ...files }: ProjectContent) {
  const body = { project: 'code', ...files, createMissing: true };
  return perform<ProjectPlan>(user, ['POST', `/api/projects/${verb}`], body);
}

async function readOnlyWebhook(user: TestUser, workflowId: string): Promise<WebhookTrigger> {
  const { data } = await perform<{ data: WebhookTrigger[] }>(user, ['GET', `/api/workflows/${workflowId}/webhooks`]);
  expect(data).toHaveLength(1);
  return data[0]!;
}

test('a subscription of a project waits where it is imported, until somebody activates the workflow', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  const credential = await connect(dev);
  await buildSubscribed(dev, credential.id);
  const files = await exportProject(dev);
  const [webhook] = files.workflows[0]!.triggers.webhooks;
  expect(webhook?.subscription).toEqual({
    connectorId: 'github',
    event: 'push',
    parameters: REPOSITORY,
    credentialId: 'Code of the team',
    labels: LABELS,
  });
  // What the provider has, and the secret, stay here.
  const text = JSON.stringify(files.workflows);
  for (const own of [credential.id, provider.webhooks[0]?.secret, 'externalId']) expect(text).not.toContain(own);
  expect(files.credentials.map(({ name }) => name)).toEqual(['Code of the team']);

  const plan = await send(prod, 'apply', files);
  expect(plan.notes.map(({ kind, message }) => [kind, message])).toContainEqual([
    'webhook',
    'Its subscription waits: subscribe here, or activate the workflow.',
  ]);
  const workflowId = plan.workflows[0]?.id ?? '';
  await agreeWithProviders();
  const waiting = await readOnlyWebhook(prod, workflowId);
  expect(waiting.subscription).toMatchObject({ status: 'waiting', externalId: null });
  expect(waiting.subscription?.error?.message).toContain('It was imported.');
  expect(waiting.subscription?.credentialId).not.toBe(credential.id);
  expect(provider.webhooks).toHaveLength(1);
  // The same files change nothing, neither here nor where they come from.
  expect((await send(prod, 'plan', files)).changes).toEqual([]);
  expect((await send(dev, 'apply', files)).changes).toEqual([]);

  const [made] = (await perform<{ data: { id: string }[] }>(prod, ['GET', '/api/credentials'])).data;
  await perform(prod, ['PUT', `/api/credentials/${made?.id}`], { config: { token: TOKEN } });
  await perform<WorkflowResponse>(prod, ['PUT', `/api/workflows/${workflowId}`], { status: 'paused' });
  await perform<WorkflowResponse>(prod, ['PUT', `/api/workflows/${workflowId}`], { status: 'active' });
  await agreeWithProviders();
  expect((await readOnlyWebhook(prod, workflowId)).subscription).toMatchObject({ status: 'active', error: null });
  // The webhook of the original is still there.
  expect(provider.webhooks).toHaveLength(2);
});

test('another event in the files changes the subscription, which keeps its installation', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  await buildSubscribed(dev, (await connect(dev)).id);
  const files = await exportProject(dev);
  const workflowId = (await send(prod, 'apply', files)).workflows[0]?.id ?? '';
  files.workflows[0]!.triggers.webhooks[0]!.subscription!.event = 'issues';
  for (const user of [prod, dev]) expect((await send(user, 'apply', files)).changes).toHaveLength(1);
  await agreeWithProviders();
  await agreeWithProviders();
  expect(provider.webhooks.map(({ events }) => events)).toEqual([['issues']]);
  expect((await readOnlyWebhook(prod, workflowId)).subscription).toMatchObject({ event: 'issues', status: 'waiting' });
});

test('what the provider determines is refused in a file, and so is an event that it does not have', async () => {
  const user = await buildUser();
  await connect(user);
  const subscription = {
    connectorId: 'github',
    event: 'push',
    parameters: REPOSITORY,
    credentialId: 'Code of the team',
  };
  const pushed = async (webhook: object) => {
    const definition = flow({ start: { type: 'start' } }, []);
    const workflows = [{ name: 'On push', definition, triggers: { webhooks: [{ path: 'push', ...webhook }] } }];
    const body = { project: 'code', workflows };
    return (await perform<ProjectPlan>(user, ['POST', '/api/projects/plan'], body)).issues.flatMap(({ details }) =>
      details.map(({ field }) => field),
    );
  };
  expect(await pushed({ subscription, verification: { kind: 'none' } })).toEqual(['verification']);
  expect(await pushed({ subscription: { ...subscription, event: 'none' } })).toEqual(['subscription.event']);
  expect(await pushed({ subscription: { ...subscription, credentialId: 'Nobody' } })).toEqual([
    'triggers.webhooks[0].subscription.credentialId',
  ]);
  expect(await pushed({ subscription })).toEqual([]);
});

test('the trigger of a template is created with its subscription', async () => {
  const user = await buildUser();
  const { id: credentialId } = await connect(user);
  const subscription = { connectorId: 'github', event: 'push', parameters: REPOSITORY, credentialId };
  const trigger = TemplateTrigger.parse({ kind: 'webhook', settings: { subscription } });
  const definition = flow({ start: { type: 'start' } }, []);
  const made = await perform(user, ['POST', '/api/workflows'], { name: 'On push', definition, status: 'active' });
  await perform(user, ['POST', `/api/workflows/${made.id}/webhooks`], trigger.settings);
  await agreeWithProviders();
  expect((await readOnlyWebhook(user, made.id)).subscription).toMatchObject({ ...subscription, status: 'active' });
});

test('a subscription without an account is exported, and imported, without one', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  const definition = flow({ start: { type: 'start' } }, []);
  const made = await perform(dev, ['POST', '/api/workflows'], { name: 'On push', definition });
  const subscription = { connectorId: 'github', event: 'push', parameters: {}, credentialId: null };
  await perform(dev, ['POST', `/api/workflows/${made.id}/webhooks`], { subscription });
  const files = await exportProject(dev);
  expect(files.workflows[0]?.triggers.webhooks[0]?.subscription).toEqual(subscription);
  expect(files.credentials).toEqual([]);
  const plan = await send(prod, 'apply', files);
  const copy = await readOnlyWebhook(prod, plan.workflows[0]?.id ?? '');
  expect(copy.subscription).toMatchObject({
    credentialId: null,
    parameters: {},
    error: { message: 'Choose an account.' },
  });
  expect((await send(prod, 'plan', files)).changes).toEqual([]);
});
