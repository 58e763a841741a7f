import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertResponse, AlertWebhookPayload, AlertWithSecret } from '@/contract/alert';
import { sendDueAlerts } from '@/server/network/alerts/alerts';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { processRunEndings } from '@/server/engine/endings/endings';
import { fireDueTicks } from '@/server/triggers/schedules/scheduler';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn, textOf } from '@/server/testing/listen';
import { buildPermitted, permit } from '@/server/testing/permitted';
import { startRun, testKinds } from '@/server/testing/runs';

useDatabase();

interface Received {
  headers: Record<string, string>;
  text: string;
}

const received: Received[] = [];
let answerStatus = 200;
let receiver: Awaited<ReturnType<typeof listenOn>>;
const workers: EngineWorker[] = [];
const { kinds } = testKinds(async ({ execution }) => {
  if ((execution.input as { isBad?: boolean }).isBad) throw new Error('as asked');
});
const definition = flow({ s: { type: 'start' }, c: { type: 'call' } }, ['s>c']);

let owner: TestUser;
let stranger: TestUser;
let workflow: string;
beforeAll(async () => {
  receiver = await listenOn((request, response) => {
    void textOf(request).then((text) => {
      received.push({ headers: request.headers as Record<string, string>, text });
      response.writeHead(answerStatus).end();
    });
  });
  workers.push(await startWorker({ concurrency: 10, kinds, graceMs: 200 }));
});
beforeEach(async () => {
  owner = await buildUser();
  stranger = await buildUser();
  workflow = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
});
afterEach(async () => {
  received.length = 0;
  answerStatus = 200;
  await prismaClient().runEnding.deleteMany();
  await prismaClient().alertEvent.deleteMany();
  await prismaClient().outboxMail.deleteMany();
  await prismaClient().workspace.deleteMany();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await receiver.close();
});

const as = <Body = AlertWithSecret & Refused>(user: TestUser, method: string, path: string, body?: object) =>
  call<Body>(method, path, { token: user.token, body });
const webhook = () => ({ webhook: `${receiver.url}/alert` });
async function alert(body: object, user = owner): Promise<AlertWithSecret> {
  const { status, body: made } = await as(user, 'POST', '/api/alerts', { to: webhook(), throttleMinutes: 0, ...body });
  expect(status, JSON.stringify(made)).toBe(201);
  return made;
}
async function settle(): Promise<void> {
  while ((await processRunEndings()) + (await sendDueAlerts()) > 0);
}
async function run(isBad: boolean, workflowId = workflow, workspaceId = owner.workspaceId): Promise<string> {
  const started = await startRun({ workspaceId, workflowId }, { isBad });
  await started.finish();
  await settle();
  return started.executionId;
}
const notices = () => received.map(({ text }) => JSON.parse(text) as AlertWebhookPayload);

test('a failed run calls the webhook, signed as Standard Webhooks', async () => {
  const { id, secret = '' } = await alert({ event: 'run_failed' });
  expect(secret).toMatch(/^whsec_/);
  const executionId = await run(true);
  expect(received).toHaveLength(1);
  const [{ headers, text } = { headers: {}, text: '' }] = received;
  expect(new Webhook(secret).verify(text, headers)).toEqual({
    event: 'run_failed',
    alertId: id,
    workspaceId: owner.workspaceId,
    workflow: { id: workflow, name: expect.any(String) },
    execution: {
      id: executionId,
      url: expect.stringContaining(`/executions/${executionId}`),
      status: 'failed',
      error: expect.objectContaining({ nodeId: 'c' }),
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    },
    at: expect.any(String),
  });
  expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
  await run(false);
  expect(received).toHaveLength(1);
  expect((await as<AlertResponse>(owner, 'GET', `/api/alerts/${id}`)).body.lastSentAt).not.toBeNull();
});

test('a mail goes to each address', async () => {
  await alert({ event: 'run_failed', to: { emails: ['Ada@example.com', 'bob@example.com'] } });
  const executionId = await run(true);
  const [mail] = await prismaClient().outboxMail.findMany();
  expect(mail).toMatchObject({ to: ['ada@example.com', 'bob@example.com'], workspaceId: owner.workspaceId });
  expect(mail?.subject).toContain('a run failed');
  expect(mail?.text).toContain(executionId);
});

test('first_failure and run_recovered tell of changes only', async () => {
  await alert({ event: 'first_failure' });
  await alert({ event: 'run_recovered' });
  for (const isBad of [false, true, true, false, false, true]) await run(isBad);
  expect(notices().map(({ event }) => event)).toEqual(['first_failure', 'run_recovered', 'first_failure']);
});

test('alerts of a workflow or tag tell of theirs, and no workspace of another’s', async () => {
  const other = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  const foreign = await buildWorkflow({ workspaceId: stranger.workspaceId, definition });
  const ofOne = await alert({ event: 'run_failed', workflowId: workflow });
  const ofTag = await alert({ event: 'run_failed', tag: 'vital' });
  await as(owner, 'PUT', `/api/workflows/${other}`, { tags: ['vital'] });
  await run(true, foreign, stranger.workspaceId);
  expect(received).toEqual([]);
  await run(true);
  await run(true, other);
  expect(notices().map(({ alertId }) => alertId)).toEqual([ofOne.id, ofTag.id]);
});

test('throttled: one notice about a workflow in that time, but others about other workflows', async () => {
  const other = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  const { id, throttleMinutes } = (await as(owner, 'POST', '/api/alerts', { event: 'run_failed', to: webhook() })).body;
  expect(throttleMinutes).toBe(5);
  for (const workflowId of [workflow, workflow, other, workflow]) await run(true, workflowId);
  expect(notices().map((notice) => notice.workflow?.id)).toEqual([workflow, other]);
  await databasePool().query(`UPDATE alert_throttle SET sent_at = sent_at - interval '6 minutes' WHERE alert_id = $1`, [
    id,
  ]);
  await run(true);
  expect(received).toHaveLength(3);
});

test('a notice that fails is tried again with the same id, and the alert says why', async () => {
  const { id } = await alert({ event: 'run_failed' });
  answerStatus = 500;
  await run(true);
  expect((await as<AlertResponse>(owner, 'GET', `/api/alerts/${id}`)).body.lastError).toContain('500');
  answerStatus = 200;
  await databasePool().query(`UPDATE alert_notice SET due_at = now() - interval '1 second'`);
  await settle();
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(received).toHaveLength(2);
  expect((await as<AlertResponse>(owner, 'GET', `/api/alerts/${id}`)).body.lastError).toBeNull();
  expect(await prismaClient().alertNotice.count()).toBe(0);
});

test('no webhook leaves the public internet where the service may not call others', async () => {
  const { id } = await alert({ event: 'run_failed' });
  const before = getRuntime();
  setRuntime({ ...before, env: { ...before.env, egressAllowPrivate: false } });
  try {
    await run(true);
  } finally {
    setRuntime(before);
  }
  expect(received).toEqual([]);
  expect((await as<AlertResponse>(owner, 'GET', `/api/alerts/${id}`)).body.lastError).toContain('not a public address');
});

test('schedule_missed tells of ticks that started no run, and of those that nobody fired', async () => {
  await alert({ event: 'schedule_missed' });
  await as(owner, 'PUT', `/api/workflows/${workflow}`, { definition: flow({ s: { type: 'start' } }) });
  await as(owner, 'PUT', `/api/workflows/${workflow}`, { status: 'active' });
  const made = await as<{ id: string }>(owner, 'POST', `/api/workflows/${workflow}/schedules`, { cron: '* * * * *' });
  const due = async (minutesAgo: number) => {
    const now = new Date();
    const nextRunAt = new Date(now.getTime() - minutesAgo * 60_000);
    await prismaClient().schedule.update({ where: { id: made.body.id }, data: { nextRunAt } });
    await fireDueTicks(now);
    await settle();
  };
  await due(0);
  expect(received).toEqual([]);
  await due(10);
  expect(notices()).toMatchObject([{ event: 'schedule_missed', workflow: { id: workflow }, execution: null }]);
  await databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, is_limited, available_at)
     VALUES ('exec_busy', $1, $2, 1, 'paused', 'manual', '{}', true, NULL)`,
    [owner.workspaceId, workflow],
  );
  await prismaClient().workflow.update({
    where: { id: workflow },
    data: { concurrencyLimit: 1, concurrencyOverflow: 'refuse' },
  });
  await due(0);
  expect(received).toHaveLength(2);
});

test('credential_expired tells of the credential', async () => {
  await alert({ event: 'credential_expired' });
  const body = { name: 'Shop', type: 'api_key', config: { apiKey: 'key-1234567890' } };
  const credential = (await as<{ id: string }>(owner, 'POST', '/api/credentials', body)).body;
  await prismaClient().credential.update({ where: { id: credential.id }, data: { status: 'expired' } });
  await settle();
  expect(notices()).toMatchObject([
    { event: 'credential_expired', workflow: null, execution: null, credential: { id: credential.id, name: 'Shop' } },
  ]);
});

describe('the resource', () => {
  test('shows its secret once, and a new one after a rotation or for another address', async () => {
    const made = await alert({ event: 'run_failed' });
    const path = `/api/alerts/${made.id}`;
    expect((await as(owner, 'GET', path)).body).not.toHaveProperty('secret');
    const rotated = (await as(owner, 'POST', `${path}/rotate-secret`)).body.secret ?? '';
    expect(rotated).not.toBe(made.secret);
    await run(true);
    expect(() => new Webhook(rotated).verify(received[0]?.text ?? '', received[0]?.headers ?? {})).not.toThrow();
    expect((await as(owner, 'PUT', path, { to: webhook(), enabled: false })).body.secret).toBeUndefined();
    const moved = await as(owner, 'PUT', path, { to: { webhook: `${receiver.url}/other` } });
    expect(moved.body.secret).toMatch(/^whsec_/);
    const mailed = await as(owner, 'PUT', path, { to: { emails: ['ada@example.com'] } });
    expect(mailed.body).toMatchObject({ to: { emails: ['ada@example.com'] } });
    expect((await as(owner, 'POST', `${path}/rotate-secret`)).status).toBe(409);
  });

  test('a disabled alert is silent', async () => {
    await alert({ event: 'run_failed', enabled: false });
    await run(true);
    expect(received).toEqual([]);
  });

  test.each([
    [{ event: 'run_lost', to: { emails: ['a@example.com'] } }, 'event'],
    [{ event: 'run_failed', to: { emails: [] } }, 'to.emails'],
    [{ event: 'run_failed', to: { webhook: 'ftp://example.com' } }, 'to.webhook'],
    [{ event: 'run_failed', to: { emails: ['a@example.com'] }, throttleMinutes: -1 }, 'throttleMinutes'],
    [{ event: 'run_failed', to: { emails: ['a@example.com'] }, workflowId: 'wf_x' }, 'workflowId'],
    [{ event: 'run_failed', to: { emails: ['a@example.com'] }, workflowId: 'wf_x', tag: 'y' }, 'tag'],
    [{ event: 'credential_expired', to: { emails: ['a@example.com'] }, tag: 'y' }, 'tag'],
  ])('%j is refused', async (body, field) => {
    const { status, body: refused } = await as<Refused>(owner, 'POST', '/api/alerts', body);
    expect(status).toBe(400);
    expect(refused.error.details.map((detail) => detail.field).join()).toContain(field.split('.')[0]);
  });

  test('needs alert permissions, and those to read the runs', async () => {
    const viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
    const body = { event: 'run_failed', to: { emails: ['a@example.com'] } };
    expect((await as(viewer, 'POST', '/api/alerts', body)).status).toBe(403);
    expect((await as(viewer, 'GET', '/api/alerts')).status).toBe(403);
    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    expect((await as(editor, 'POST', '/api/alerts', body)).status).toBe(201);
    const person = await buildPermitted(owner.workspaceId, [{ resource: 'alert', action: '*' }]);
    expect((await as(person, 'POST', '/api/alerts', body)).status).toBe(403);
    const on = { type: 'workflow', id: workflow } as const;
    expect((await as(person, 'POST', '/api/alerts', { ...body, workflowId: workflow })).status).toBe(400);
    await permit(person, [
      { resource: 'workflow', action: 'read', on },
      { resource: 'execution', action: 'read', on },
    ]);
    expect((await as(person, 'POST', '/api/alerts', { ...body, workflowId: workflow })).status).toBe(201);
  });

  test('belongs to one workspace', async () => {
    const { id } = await alert({ event: 'run_failed' });
    expect((await as(stranger, 'GET', `/api/alerts/${id}`)).status).toBe(404);
    const body = { event: 'run_failed', to: webhook(), workflowId: workflow };
    expect((await as(stranger, 'POST', '/api/alerts', body)).status).toBe(400);
  });
});
