import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { WorkspaceUsage } from '@/contract/workspace';
import { prismaClient } from '@/server/platform/db/client';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import type { ServiceEnv } from '@/server/platform/env/env';
import { takeDailyCount } from '@/server/platform/quotas/daily';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { closeMailTransports } from '@/server/network/mail/smtp';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  buildWorkspace,
  call,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRun } from '@/server/testing/runs';
import { startMailSink, type MailSink } from '@/server/testing/servers/smtp';
import { nodeTypeDefinitions } from '.';

useDatabase();

let sink: MailSink;
let worker: EngineWorker;
let original: ServiceEnv;
let user: TestUser;
const changeEnv = (changes: Partial<ServiceEnv>) =>
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, ...changes } });

beforeAll(async () => {
  sink = await startMailSink();
  changeEnv({ smtpUrl: sink.url, mailFrom: 'Weft <weft@service.example>' });
  original = getRuntime().env;
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 50, kinds, graceMs: 200 });
});
beforeEach(async () => {
  user = await buildUser({ workspaceId: await buildWorkspace({ tier: 'free' }) });
});
afterEach(() => {
  changeEnv(original);
  sink.received.length = 0;
  sink.refuse = () => null;
});
afterAll(async () => {
  await worker.stop();
  closeMailTransports();
  await sink.close();
});

const mailing = (config: object, more: object = {}): WorkflowDefinition =>
  flow(
    {
      s: { type: 'start' },
      mail: {
        type: 'send_email',
        config: { subject: 'Hello', template: 'Good morning.', to: 'ada@example.com', ...config },
        ...more,
      },
    },
    ['s>mail'],
  );

/** The end of a run that sends a mail. */
async function send(config: object, { input = {}, owner = user, more = {} } = {}) {
  const { workspaceId } = owner;
  const workflowId = await buildWorkflow({ workspaceId, definition: mailing(config, more) });
  const { status, error, output } = await (await startRun({ workspaceId, workflowId }, input)).finish();
  return { status, code: error?.code, message: error?.message, output };
}

const ownServer = async (port = sink.port) => {
  const config = { host: '127.0.0.1', port, secure: false, username: 'u', password: 'canary-mail-password' };
  const body = { name: 'SMTP', type: 'basic_auth', connectorId: 'smtp', config };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body });
  expect(made.status).toBe(201);
  return { credentialId: made.body.id };
};

const mailsOf = async ({ token, workspaceId }: TestUser) =>
  (await call<WorkspaceUsage>('GET', `/api/workspaces/${workspaceId}/usage`, { token })).body.quotas.mailsPerDay;
const use = ({ workspaceId }: TestUser, count: number) =>
  takeDailyCount(prismaClient(), `mailsPerDay:${workspaceId}`, count, null);

describe('the sender of a mail through the service’s server', () => {
  test.each([
    ['no sender', {}, '"Weft" <weft@service.example>'],
    ['an empty one', { from: '' }, '"Weft" <weft@service.example>'],
    ['a name', { from: 'Ada’s shop' }, '"Ada’s shop" <weft@service.example>'],
    ['a name that an expression gives', { from: '{{ input.name }}' }, '"Ada, Countess" <weft@service.example>'],
    ['the address of the service', { from: 'Shop <Weft@Service.Example>' }, '"Shop" <weft@service.example>'],
  ])('is the service’s own address: %s', async (_, config, from) => {
    const sent = await send({ ...config, replyTo: 'shop@tenant.example' }, { input: { name: 'Ada, Countess' } });
    expect(sent.status).toBe('completed');
    expect(sink.received[0]?.from?.text).toBe(from);
    expect(sink.received[0]?.replyTo?.text).toBe('shop@tenant.example');
  });

  test.each([
    'ceo@bank.example',
    'Bank <ceo@bank.example>',
    '"weft@service.example" <ceo@bank.example>',
    'ceo@bank.example <weft@service.example>',
    'ceo＠bank.example',
    'Bank <ceo@bank.example> <weft@service.example>',
    'Bank\r\nBcc: all@example.com',
    'Bank\u202e',
    'x'.repeat(101),
  ])('is no foreign address: %s', async (from) => {
    const sent = await send({ from: '{{ input.from }}' }, { input: { from } });
    expect(sent).toMatchObject({ status: 'failed', code: 'CONFIG', message: expect.stringContaining('config.from') });
    expect(sink.received).toEqual([]);
  });

  test('is checked at its field when a workflow is activated or run; a draft may be saved', async () => {
    const { token } = user;
    const written = mailing({ from: 'ceo@bank.example' });
    const body = flow({ in: { type: 'start' }, mail: written.nodes[1]! }, ['in>mail']);
    const loop = flow({ s: { type: 'start' }, l: { type: 'for_each', config: { items: '[1]', body } } }, ['s>l']);
    const create = (definition: WorkflowDefinition, status = 'draft') =>
      call<Refused & { id: string }>('POST', '/api/workflows', { token, body: { name: 'Mail', definition, status } });
    for (const [definition, field] of [
      [written, 'nodes[1].config.from'],
      [loop, 'nodes[1].config.body.nodes[1].config.from'],
    ] as const) {
      const refused = await create(definition, 'active');
      expect(refused.status).toBe(400);
      expect(refused.body.error.details).toEqual([{ field, message: expect.stringContaining('weft@service.example') }]);
      const draft = await create(definition);
      expect(draft.status).toBe(201);
      expect((await call('POST', `/api/workflows/${draft.body.id}/execute`, { token })).status).toBe(400);
    }
    expect((await create(mailing({ from: '{{ input.from }}' }), 'active')).status).toBe(201);
    expect((await create(mailing({ from: 'ceo@bank.example' }, await ownServer()), 'active')).status).toBe(201);
  });

  test('can be chosen with a workspace’s own mail server, which counts against no quota', async () => {
    const more = await ownServer();
    await use(user, 100);
    expect((await send({ from: 'Shop <shop@tenant.example>' }, { more })).status).toBe('completed');
    expect(sink.received[0]?.from?.text).toBe('"Shop" <shop@tenant.example>');
    expect((await mailsOf(user)).used).toBe(100);
  });
});

describe('the daily quota of mails', () => {
  test('counts each recipient; a mail over the quota fails and reports when the next day begins', async () => {
    await use(user, 96);
    const three = { to: 'ada@example.com', cc: ['bob@example.com'], bcc: 'eve@example.com' };
    expect((await send(three)).status).toBe('completed');
    const refused = await send({ to: ['ada@example.com', 'bob@example.com'] });
    expect(refused).toMatchObject({ status: 'failed', code: 'MAIL_QUOTA' });
    expect(refused.message).toMatch(/mails per day is used up: 100\. It resets at \d{4}-\d\d-\d\dT00:00:00\.000Z/);
    expect((await send({})).status).toBe('completed');
    expect((await send({})).code).toBe('MAIL_QUOTA');
    expect(await mailsOf(user)).toMatchObject({ used: 100, limit: 100, remaining: 0 });
    const neighbour = await buildUser({ workspaceId: await buildWorkspace({ tier: 'free' }) });
    expect((await send({}, { owner: neighbour })).status).toBe('completed');
  });

  test('lets exactly one of twenty concurrent mails take the last one', async () => {
    await use(user, 99);
    const ends = await Promise.all(Array.from({ length: 20 }, () => send({})));
    expect(ends.filter(({ status }) => status === 'completed')).toHaveLength(1);
    expect(ends.filter(({ code }) => code === 'MAIL_QUOTA')).toHaveLength(19);
    expect(sink.received).toHaveLength(1);
  });

  test('returns mails for which no server was reached, and keeps refused ones', async () => {
    changeEnv({ smtpUrl: 'smtp://127.0.0.1:1' });
    expect((await send({})).code).toBe('MAIL_UNREACHABLE');
    expect((await mailsOf(user)).used).toBe(0);
    changeEnv(original);
    for (const [code, meant] of [
      [550, 'MAIL_REFUSED'],
      [451, 'MAIL_UNREACHABLE'],
    ] as const) {
      sink.refuse = () => code;
      expect((await send({})).code).toBe(meant);
    }
    expect((await mailsOf(user)).used).toBe(2);
  });

  test('counts the mails of approvals, whose run continues without them', async () => {
    await use(user, 99);
    const ask = { type: 'approval', config: { assignees: ['ada@example.com', 'bob@example.com'], message: 'Buy?' } };
    const workflowId = await buildWorkflow({
      workspaceId: user.workspaceId,
      definition: flow({ s: { type: 'start' }, ask }, ['s>ask']),
    });
    const run = await startRun({ workspaceId: user.workspaceId, workflowId });
    await run.reach('paused');
    expect(sink.received).toHaveLength(1);
    expect((await mailsOf(user)).used).toBe(100);
  });

  test('is not used for a mail with too many recipients', async () => {
    const to = Array.from({ length: 99 }, (_, index) => `person${index}@example.com`);
    expect((await send({ to, cc: 'a@example.com', bcc: 'b@example.com' })).code).toBe('MAIL_INVALID');
    expect((await mailsOf(user)).used).toBe(0);
    expect((await send({ to, cc: 'a@example.com' })).status).toBe('completed');
  });
});

describe('with open sign-up', () => {
  test('a workspace can send after one of its owners has confirmed their address', async () => {
    changeEnv({ multiTenant: true });
    const editor = await buildUser({ workspaceId: user.workspaceId, role: 'editor' });
    await prismaClient().user.update({ where: { id: user.id }, data: { emailProvenAt: null } });
    expect((await send({}, { owner: editor })).code).toBe('MAIL_UNVERIFIED');
    const invite = () =>
      call<Refused>('POST', `/api/workspaces/${user.workspaceId}/members`, {
        token: user.token,
        body: { email: 'guest@example.com', role: 'viewer' },
      });
    expect((await invite()).status).toBe(403);
    expect(sink.received).toEqual([]);
    expect((await send({}, { more: await ownServer() })).status).toBe('completed');

    await prismaClient().user.update({ where: { id: user.id }, data: { isMailTrusted: true } });
    expect((await send({})).status).toBe('completed');
    expect((await invite()).status).toBe(201);
  });

  test('in other modes no confirmation is needed', async () => {
    await prismaClient().user.update({ where: { id: user.id }, data: { emailProvenAt: null } });
    expect((await send({})).status).toBe('completed');
  });
});

describe('a workspace’s own mail server', () => {
  test('is limited to the ports of mail servers in saas mode', async () => {
    changeEnv({ deploymentEnv: 'saas' });
    expect(await send({}, { more: await ownServer() })).toMatchObject({
      code: 'MAIL_INVALID',
      message: expect.stringContaining('25, 465, 587, 2525'),
    });
  });

  test('must have a public address, unless private ones are allowed', async () => {
    const more = await ownServer();
    changeEnv({ egressAllowPrivate: false });
    expect(await send({}, { more })).toMatchObject({
      code: 'MAIL_INVALID',
      message: expect.stringContaining('not a public address'),
    });
    expect(sink.received).toEqual([]);
  });
});
