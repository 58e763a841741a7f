import { beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkspaceTier } from '@/contract/tier';
import type { WorkspaceUsage } from '@/contract/workspace';
import type { RecordedDelivery } from '@/contract/triggers/webhook';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { fireDueTicks } from '@/server/triggers/schedules/scheduler';
import { takeDailyCount } from '@/server/platform/quotas/daily';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  buildWorkspace,
  call,
  ONE_START,
  unique,
  type Answer,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { deliver, register } from '@/server/testing/hooks';
import { storedRuns } from '@/server/testing/quotas';
import { until } from '@/server/testing/runs';

useDatabase();

const ownerOf = async (tier: WorkspaceTier) => buildUser({ workspaceId: await buildWorkspace({ tier }) });
const setTier = ({ workspaceId: id }: TestUser, tier: WorkspaceTier) =>
  prismaClient().workspace.update({ where: { id }, data: { tier } });

let user: TestUser;
let neighbour: TestUser;
beforeEach(async () => {
  user = await ownerOf('free');
  neighbour = await ownerOf('free');
});

const create = ({ token }: TestUser) => call<Refused>('POST', '/api/workflows', { token, body: { name: 'One more' } });
const execute = ({ token }: TestUser, id: string) =>
  call<Refused & { executionId: string }>('POST', `/api/workflows/${id}/execute`, { token });
const usageOf = async ({ token, workspaceId }: TestUser) =>
  (await call<WorkspaceUsage>('GET', `/api/workspaces/${workspaceId}/usage`, { token })).body;

/** The number of answers by status. */
const statuses = (answers: Answer<unknown>[]) => {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
};
const at20 = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, work));

const addWorkflows = ({ workspaceId }: TestUser, count: number) =>
  prismaClient().workflow.createMany({
    data: Array.from({ length: count }, () => ({
      id: generateId('wf'),
      workspaceId,
      name: unique('workflow'),
      description: '',
      status: 'draft',
      definition: ONE_START as object,
      version: 1,
    })),
  });

describe('a quota of stored objects', () => {
  test('refuses one object too many, with name and numbers, in this workspace only', async () => {
    await addWorkflows(user, 49);
    expect((await create(user)).status).toBe(201);
    const { status, body } = await create(user);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toMatch(/quota of workflows is used up: 50 of 50\..* higher tier/);
    expect(body.error.details).toEqual([{ field: 'quotas.workflows', message: '50 of 50 are used' }]);
    expect((await create(neighbour)).status).toBe(201);
    expect((await usageOf(user)).quotas.workflows).toEqual({ used: 50, limit: 50, remaining: 0 });
    expect((await usageOf(neighbour)).quotas.workflows).toEqual({ used: 1, limit: 50, remaining: 49 });
  });

  test('gives the last slot to exactly one of twenty', async () => {
    await addWorkflows(user, 49);
    expect(statuses(await at20(() => create(user)))).toEqual({ 201: 1, 403: 19 });
    const workflow = await buildWorkflow({ workspaceId: neighbour.workspaceId });
    const schedule = () =>
      call('POST', `/api/workflows/${workflow}/schedules`, { token: neighbour.token, body: { cron: '0 6 * * *' } });
    await prismaClient().schedule.createMany({
      data: Array.from({ length: 19 }, () => ({
        id: generateId('sch'),
        workflowId: workflow,
        cron: '0 6 * * *',
        timezone: 'UTC',
        input: {},
        enabled: true,
        overlap: 'skip',
      })),
    });
    expect(statuses(await at20(schedule))).toEqual({ 201: 1, 403: 19 });
    expect((await usageOf(neighbour)).quotas.schedules).toEqual({ used: 20, limit: 20, remaining: 0 });
  });

  test('of a lower tier removes nothing: existing objects can be read, changed and deleted', async () => {
    await setTier(user, 'starter');
    await addWorkflows(user, 52);
    await setTier(user, 'free');
    const { token } = user;
    const list = await call<{ total: number; data: { id: string }[] }>('GET', '/api/workflows', { token });
    expect(list.body.total).toBe(52);
    expect((await usageOf(user)).quotas.workflows).toEqual({ used: 52, limit: 50, remaining: 0 });
    const [one, two, three] = list.body.data.map(({ id }) => `/api/workflows/${id}`);
    expect((await call('PUT', one!, { token, body: { name: 'Renamed' } })).status).toBe(200);
    for (const path of [one, two]) expect((await call('DELETE', path!, { token })).status).toBe(204);
    expect((await create(user)).status).toBe(403);
    expect((await call('DELETE', three!, { token })).status).toBe(204);
    expect((await create(user)).status).toBe(201);
  });

  test.each(['enterprise', 'unlimited'] as const)('does not exist in the tier %s', async (tier) => {
    await setTier(user, tier);
    await addWorkflows(user, 501);
    await storedRuns(user.workspaceId, 600_000);
    expect((await create(user)).status).toBe(201);
    const workflow = await buildWorkflow({ workspaceId: user.workspaceId });
    expect((await execute(user, workflow)).status).toBe(202);
    const { workflows, storedRuns: runs } = (await usageOf(user)).quotas;
    expect(workflows).toEqual({ used: 503, limit: null, remaining: null });
    expect(runs).toEqual({ used: 600_001, limit: null, remaining: null });
  });
});

describe('the quota of stored runs', () => {
  const nearly = 49_999;
  let workflow: string;
  beforeEach(async () => {
    workflow = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active' });
  });

  test('refuses a manual run and a rerun, and explains how to free some', async () => {
    await storedRuns(user.workspaceId, nearly);
    const { executionId } = (await execute(user, workflow)).body;
    const refused = await execute(user, workflow);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.message).toMatch(
      /stored runs is used up: 50,000 of 50,000\. Keep finished runs for fewer days/,
    );
    expect(refused.body.error.details).toEqual([{ field: 'quotas.storedRuns', message: '50,000 of 50,000 are used' }]);
    await prismaClient().execution.update({
      where: { id: executionId },
      data: { status: 'completed', completedAt: new Date() },
    });
    const rerun = await call<Refused>('POST', `/api/executions/${executionId}/rerun`, { token: user.token });
    expect([rerun.status, rerun.body.error.details[0]?.field]).toEqual([403, 'quotas.storedRuns']);
    expect((await usageOf(user)).quotas.storedRuns).toEqual({ used: 50_000, limit: 50_000, remaining: 0 });
    expect((await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token: user.token })).status).toBe(
      200,
    );

    const other = await buildWorkflow({ workspaceId: neighbour.workspaceId });
    expect((await execute(neighbour, other)).status).toBe(202);
  });

  test('gives the last slot to exactly one of twenty', async () => {
    await storedRuns(user.workspaceId, nearly);
    expect(statuses(await at20(() => execute(user, workflow)))).toEqual({ 202: 1, 403: 19 });
  });

  test('refuses deliveries, which are stored in the inbox for a replay', async () => {
    const { body: hook } = await register(user, workflow, 'in');
    await storedRuns(user.workspaceId, nearly);
    expect((await deliver(hook, '{"n":1}')).status).toBe(202);
    const refused = await deliver(hook, '{"n":2}');
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.message).toContain('50,000 of 50,000');
    const at = `/api/workflows/${workflow}/webhooks/${hook.id}/deliveries`;
    const { data } = (await call<{ data: RecordedDelivery[] }>('GET', at, { token: user.token })).body;
    expect(data[0]).toMatchObject({ verdict: 'refused', canReplay: true, reason: expect.stringContaining('quota') });
    const replay = () => call('POST', `${at}/${data[0]?.id}/replay`, { token: user.token });
    expect((await replay()).status).toBe(403);
    await setTier(user, 'starter');
    delete getRuntime().runQuota;
    expect((await replay()).status).toBe(202);
  });

  test('refuses a tick, which the schedule reports', async () => {
    const path = `/api/workflows/${workflow}/schedules`;
    const { token } = user;
    const { id } = (await call<{ id: string }>('POST', path, { token, body: { cron: '0 6 * * *' } })).body;
    const due = () => prismaClient().schedule.update({ where: { id }, data: { nextRunAt: new Date(0) } });
    await storedRuns(user.workspaceId, nearly + 1);
    await due();
    expect(await fireDueTicks()).toBe(1);
    const schedule = await call<{ lastError: string; nextRunAt: string }>('GET', `${path}/${id}`, { token });
    expect(schedule.body.lastError).toContain('quota of stored runs');
    expect(Date.parse(schedule.body.nextRunAt)).toBeGreaterThan(Date.now());
    await storedRuns(user.workspaceId, -10);
    await due();
    await fireDueTicks();
    expect((await call('GET', `${path}/${id}`, { token })).body).toMatchObject({
      lastError: null,
      lastExecutionId: expect.stringMatching(/^exec_/),
    });
  });

  test('has free slots as soon as an administrator shortens the retention', async () => {
    const before = new Date(Date.now() - 5 * 86_400_000);
    const data = Array.from({ length: 250 }, () => ({
      id: generateId('exec'),
      workspaceId: user.workspaceId,
      workflowId: workflow,
      workflowVersion: 1,
      status: 'completed',
      trigger: 'manual',
      input: {},
      createdAt: before,
      completedAt: before,
    }));
    await prismaClient().execution.createMany({ data });
    await storedRuns(user.workspaceId, 50_000 - 250);
    expect((await execute(user, workflow)).status).toBe(403);
    const body = { settings: { executionRetentionDays: 3 } };
    const changed = await call('PUT', `/api/workspaces/${user.workspaceId}`, { token: user.token, body });
    expect(changed.status).toBe(200);
    await until(
      async () => (await prismaClient().execution.count({ where: { workflowId: workflow } })) === 0,
      'old runs to go',
    );
    delete getRuntime().runQuota;
    expect((await execute(user, workflow)).status).toBe(202);
  });
});

describe('the quota of invitations', () => {
  const invite = ({ token, workspaceId }: TestUser) =>
    call<Refused>('POST', `/api/workspaces/${workspaceId}/members`, {
      token,
      body: { email: `${unique('guest')}@example.com`, role: 'viewer' },
    });

  test('is per day: twenty in a free workspace, then 429 until the next day', async () => {
    await takeDailyCount(prismaClient(), `invitationsPerDay:${user.workspaceId}`, 19, null);
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(user)));
    expect(statuses(answers)).toEqual({ 201: 1, 429: 4 });
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringContaining('20') });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect((await usageOf(user)).quotas.invitationsPerDay).toMatchObject({ used: 20, limit: 20, remaining: 0 });
    expect((await invite(neighbour)).status).toBe(201);
    await databasePool().query('UPDATE daily_use SET day = day - 1 WHERE scope LIKE $1', [`%${user.workspaceId}`]);
    expect((await usageOf(user)).quotas.invitationsPerDay).toMatchObject({ used: 0, remaining: 20 });
    expect((await invite(user)).status).toBe(201);
  });

  test('leaves no text in the mail that reads like a link', async () => {
    await prismaClient().user.update({ where: { id: user.id }, data: { name: 'Win! https://evil.example/x <b>' } });
    await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { name: 'a'.repeat(190) } });
    expect((await invite(user)).status).toBe(201);
    const mail = await until(
      () => prismaClient().outboxMail.findFirst({ where: { subject: { startsWith: 'Win' } } }),
      'the mail',
    );
    expect(mail.subject).toBe(`Win https evil. example x b invites you to ${'a'.repeat(60)}`);
  });
});

describe('a cap', () => {
  beforeEach(() => setTier(user, 'unlimited'));
  const many = <Row>(count: number, row: (index: number) => Row) =>
    Array.from({ length: count }, (_, index) => row(index));

  const reached = (answer: Answer<Refused>, most: string) => {
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining(most) });
  };

  test('of webhooks applies to each workflow', async () => {
    const [workflow, other] = [
      await buildWorkflow({ workspaceId: user.workspaceId }),
      await buildWorkflow({ workspaceId: user.workspaceId }),
    ];
    const data = many(98, (index) => ({ id: generateId('whk'), workflowId: workflow, path: `p${index}`, secret: '' }));
    await prismaClient().webhook.createMany({ data });
    expect((await register(user, workflow, 'last-but-one')).status).toBe(201);
    expect(statuses(await at20(() => register(user, workflow, unique('last'))))).toEqual({ 201: 1, 403: 19 });
    reached(await register(user, workflow, 'more'), '100 webhooks');
    expect((await register(user, other, 'more')).status).toBe(201);
  });

  test.each([
    {
      what: '1,000 credentials',
      path: '/api/credentials',
      body: () => ({ name: unique('c'), type: 'custom', config: {} }),
      fill: ({ workspaceId }: TestUser) =>
        prismaClient().credential.createMany({
          data: many(999, () => ({
            id: generateId('cred'),
            workspaceId,
            name: 'c',
            type: 'custom',
            status: 'active',
            config: {},
            sealed: '',
            secretFields: [],
            version: 1,
          })),
        }),
    },
    {
      what: '500 API keys',
      path: '/auth/api_keys',
      body: () => ({ name: unique('k'), scopes: ['read'] }),
      fill: ({ workspaceId, id: userId }: TestUser) =>
        prismaClient().apiKey.createMany({
          data: many(499, () => ({
            id: generateId('key'),
            workspaceId,
            userId,
            name: 'k',
            hash: unique('h'),
            hint: '',
            scopes: [],
          })),
        }),
    },
    {
      what: '100 sign-in providers',
      path: '/api/sso-providers',
      body: () => ({
        type: 'oidc',
        name: 'Login',
        issuer: 'https://login.example.com',
        clientId: 'c',
        clientSecret: 's',
      }),
      fill: ({ workspaceId }: TestUser) =>
        prismaClient().ssoProvider.createMany({
          data: many(99, () => ({
            id: generateId('sso'),
            workspaceId,
            type: 'oidc',
            name: 'p',
            enabled: true,
            domains: [],
            defaultRole: 'role_viewer-00000000000000000',
            config: {},
            secrets: '',
          })),
        }),
    },
  ])('of $what refuses the next one', async ({ what, path, body, fill }) => {
    await fill(user);
    const post = () => call<Refused>('POST', path, { token: user.token, body: body() });
    expect(statuses(await Promise.all(many(3, post)))).toEqual({ 201: 1, 403: 2 });
    reached(await post(), what);
    const others = await call('POST', path, { token: neighbour.token, body: body() });
    expect(others.status).toBe(201);
  });

  test('of members includes invitations', async () => {
    const invitation = () => ({
      id: generateId('inv'),
      workspaceId: user.workspaceId,
      email: `${unique('guest')}@example.com`,
      roleId: 'r',
      tokenHash: unique('hash'),
      expiresAt: new Date(Date.now() + 60_000),
    });
    await prismaClient().invitation.createMany({ data: many(4998, invitation) });
    const invite = () =>
      call<Refused>('POST', `/api/workspaces/${user.workspaceId}/members`, {
        token: user.token,
        body: { email: `${unique('guest')}@example.com`, role: 'viewer' },
      });
    expect((await invite()).status).toBe(201);
    reached(await invite(), '5,000 members');
  });

  test('of roles applies to each member', async () => {
    const member = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    const place = { workspaceId: user.workspaceId, userId: member.id, roleId: 'role_gone', resourceType: 'workflow' };
    const data = many(498, (index) => ({ id: generateId('asg'), ...place, resourceId: `wf_${index}` }));
    await prismaClient().roleAssignment.createMany({ data });
    const assign = async (userId: string) =>
      call<Refused>('POST', '/auth/rbac', {
        token: user.token,
        body: {
          userId,
          roleId: 'editor',
          resource: { type: 'workflow', id: await buildWorkflow({ workspaceId: user.workspaceId }) },
        },
      });
    expect((await assign(member.id)).status).toBe(201);
    reached(await assign(member.id), '500 roles');
    expect((await assign(user.id)).status).toBe(201);
  });

  test('of workspaces applies to each owner, by the tier of new workspaces', async () => {
    const { env } = getRuntime();
    setRuntime({ ...getRuntime(), env: { ...env, rateLimitTier: 'free' } });
    const open = ({ token }: TestUser) =>
      call<Refused & { id: string }>('POST', '/api/workspaces', { token, body: { name: 'Another' } });
    try {
      const answers = await Promise.all(many(6, () => open(user)));
      expect(statuses(answers)).toEqual({ 201: 4, 403: 2 });
      reached(await open(user), '5 workspaces');
      expect((await open(neighbour)).status).toBe(201);
    } finally {
      setRuntime({ ...getRuntime(), env });
    }
  });

  test('of versions refuses a save until old ones are removed; published, named and executed ones stay', async () => {
    const { token } = user;
    const workflow = await buildWorkflow({ workspaceId: user.workspaceId });
    const path = `/api/workflows/${workflow}`;
    await databasePool().query(
      `INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message, published_at)
       SELECT 'wfv_' || $1 || n, $1, n, 'w', '', '{"nodes":[],"connections":[]}', CASE n WHEN 20 THEN 'Named' ELSE '' END,
         CASE n WHEN 30 THEN now() END FROM generate_series(2, 9999) n`,
      [workflow],
    );
    await prismaClient().workflow.update({ where: { id: workflow }, data: { version: 9999 } });
    const { executionId } = (await execute(user, workflow)).body;
    await prismaClient().execution.update({ where: { id: executionId }, data: { workflowVersion: 40 } });
    const save = () => call<Refused>('PUT', path, { token, body: { name: unique('name') } });
    expect((await save()).status).toBe(200);
    reached(await save(), '10,000 versions');
    reached(await call<Refused>('PUT', `${path}/draft`, { token, body: { name: unique('name') } }), '10,000 versions');
    expect((await call('DELETE', `${path}/versions?before=x`, { token })).status).toBe(400);
    expect((await call('DELETE', `${path}/versions?before=9000`, { token: neighbour.token })).status).toBe(404);
    expect((await call('DELETE', `${path}/versions?before=9000`, { token })).status).toBe(204);
    expect(await prismaClient().workflowVersion.count({ where: { workflowId: workflow } })).toBe(1000 + 4);
    expect((await call('DELETE', `${path}/versions`, { token })).status).toBe(204);
    const left = await prismaClient().workflowVersion.findMany({
      where: { workflowId: workflow },
      orderBy: { version: 'asc' },
    });
    expect(left.map(({ version }) => version)).toEqual([20, 30, 40, 10_000]);
    expect((await save()).status).toBe(200);
  });

  test('of sessions ends the least recently used ones of the same kind', async () => {
    const login = async () => {
      const body = { email: user.email, password: 'correct horse battery' };
      return (await call('POST', '/api/auth/login', { body, from: '198.51.100.99' })).status;
    };
    const old = many(200, (index) => ({
      id: generateId('ses'),
      userId: user.id,
      expiresAt: new Date(Date.now() + 86_400_000),
      lastUsedAt: new Date(Date.now() - (index + 1) * 60_000),
      ipAddress: '',
      userAgent: String(index),
    }));
    const elsewhere = { ...old[0]!, id: generateId('ses'), workspaceId: 'ws_of_a_provider', lastUsedAt: new Date(0) };
    await prismaClient().session.createMany({ data: [...old, elsewhere] });
    expect(await login()).toBe(200);
    const ended = await prismaClient().session.findMany({ where: { userId: user.id, endedAt: { not: null } } });
    expect(ended.map(({ userAgent }) => userAgent).toSorted()).toEqual(['198', '199']);
  });
});
