import { expect, test } from 'vitest';
import type { ProjectContent } from '@/contract/projects/project';
import type { ProjectPlan } from '@/contract/projects/project-plan';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, unique, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { buildPermitted } from '@/server/testing/permitted';

useDatabase({ rateLimitTier: 'unlimited' });

const SECRET = 'a-secret-that-must-stay-here';

async function make<Of = { id: string }>({ token }: TestUser, path: string, body: object): Promise<Of> {
  const answer = await call<Of>('POST', path, { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const workflow = (user: TestUser, name: string, definition: WorkflowDefinition, more: object = {}) =>
  make<WorkflowResponse>(user, '/api/workflows', { name, definition, ...more });

const start = { type: 'start' } as const;
const ORDERS_LABEL = { tableId: 'Orders' };

/** Workflows with references at every depth, triggers of every kind, a variable and a table. */
async function buildProject(user: TestUser) {
  const credential = await make(user, '/api/credentials', {
    name: 'Orders API',
    type: 'api_key',
    config: { apiKey: SECRET, header: 'X-Orders' },
  });
  const table = await make(user, '/api/tables', { name: 'Orders', columns: [{ name: 'email', type: 'text' }] });
  await make(user, '/api/variables', { name: 'SUPPORT_ADDRESS', value: 'dev@example.com' });
  const folder = await make(user, '/api/folders', { name: 'Sales' });
  const inner = await make(user, '/api/folders', { name: 'Orders', parentId: folder.id });
  const store = await workflow(
    user,
    'Store order',
    flow({ start, add: { type: 'table', config: { operation: 'count', tableId: table.id }, labels: ORDERS_LABEL } }, [
      'start>add',
    ]),
  );
  const body = flow(
    { start, http: { type: 'http_request', config: { url: 'https://example.com' }, credentialId: credential.id } },
    ['start>http'],
  );
  const main = await workflow(
    user,
    'Handle order',
    flow(
      {
        start,
        each: { type: 'for_each', config: { items: '{{ input.items }}', body } },
        store: { type: 'sub_workflow', config: { workflowId: store.id } },
        ask: {
          type: 'agent',
          config: {
            model: 'small',
            input: 'Say {{ vars.SUPPORT_ADDRESS }}',
            tools: [{ name: 'save', type: 'sub_workflow', config: { workflowId: store.id } }],
          },
        },
      },
      ['start>each', 'each>store'],
    ),
    { folderId: inner.id, tags: ['orders'], settings: { errorWorkflowId: store.id, timeZone: 'Europe/Berlin' } },
  );
  const of = `/api/workflows/${main.id}`;
  await make(user, `${of}/webhooks`, { path: 'orders' });
  await make(user, `${of}/webhooks`, {
    path: 'basic',
    verification: { kind: 'basic', username: 'a', password: SECRET },
  });
  await make(user, `${of}/schedules`, { cron: '0 6 * * *' });
  await make(user, `${of}/polls`, {
    name: 'New orders',
    intervalMs: 60_000,
    node: {
      type: 'http_request',
      config: { url: 'https://example.com' },
      credentialId: credential.id,
      labels: { url: 'The shop' },
    },
    items: 'input.body',
    key: 'item.id',
  });
  await make(user, `${of}/forms`, {
    path: 'order',
    title: 'Order',
    fields: [{ name: 'email', label: 'Email', kind: 'text' }],
    access: 'public',
    response: { mode: 'message', message: 'Thanks' },
  });
  await make(user, `${of}/chats`, { path: 'chat', title: 'Chat', access: 'members' });
  await make(user, `${of}/tests`, { name: 'Is stored', input: { items: [] } });
  return { credential, table, store, main };
}

async function pull({ token }: TestUser, query = ''): Promise<ProjectContent> {
  const answer = await call<ProjectContent>('GET', `/api/projects/export?project=orders${query}`, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const send = (
  user: TestUser,
  verb: 'plan' | 'apply',
  { versions: _, workspaceId: __, ...files }: ProjectContent,
  more: object = {},
) =>
  call<ProjectPlan>('POST', `/api/projects/${verb}`, {
    token: user.token,
    body: { project: 'orders', ...files, ...more },
  });

async function push(user: TestUser, files: ProjectContent, more: object = {}): Promise<ProjectPlan> {
  const answer = await send(user, 'apply', files, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const summaryOf = ({ changes }: ProjectPlan) => changes.map(({ kind, action, name }) => `${action} ${kind} ${name}`);

test('a project of one workspace becomes workflows of another, and is the same when it is pushed again', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  const { credential, store } = await buildProject(dev);
  const files = await pull(dev);
  expect(JSON.stringify(files)).not.toContain(SECRET);
  expect(files.workflows.map(({ name, folder }) => [name, folder])).toEqual([
    ['Handle order', ['Sales', 'Orders']],
    ['Store order', []],
  ]);
  const text = JSON.stringify(files.workflows);
  for (const id of [credential.id]) expect(text).not.toContain(id);
  expect(text.match(/"workflowId":"Store order"/g)).toHaveLength(2);

  const planned = await send(prod, 'plan', files);
  expect(planned.body.issues).toEqual([
    expect.objectContaining({ kind: 'credential', name: 'Orders API' }),
    expect.objectContaining({ kind: 'workflow', name: 'Handle order' }),
  ]);
  expect((await send(prod, 'apply', files)).status).toBe(409);
  expect((await pull(prod)).workflows).toEqual([]);

  const plan = (await send(prod, 'plan', files, { createMissing: true })).body;
  expect(plan.issues).toEqual([]);
  expect(summaryOf(plan)).toEqual([
    'create table Orders',
    'create variable SUPPORT_ADDRESS',
    'create credential Orders API',
    'create workflow Store order',
    'create folder Sales',
    'create folder Sales / Orders',
    'create workflow Handle order',
    'create webhook orders',
    'create schedule schedule',
    'create poll New orders',
    'create form order',
    'create chat chat',
    'create test Is stored',
  ]);
  expect(plan.notes.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'credential Orders API',
    'webhook orders',
    'webhook basic',
  ]);
  expect((await pull(prod)).workflows).toEqual([]);
  const done = await push(prod, files, { createMissing: true, fingerprint: plan.fingerprint });
  expect(done.fingerprint).toBe(plan.fingerprint);
  expect(done.workflows.map(({ id }) => id)).not.toContain(store.id);

  const again = await push(prod, files);
  expect(summaryOf(again)).toEqual([]);
  const made = await prismaClient().credential.findFirstOrThrow({ where: { workspaceId: prod.workspaceId } });
  expect(made).toMatchObject({ status: 'expired', secretFields: [], config: { header: 'X-Orders' } });
  const url = 'http://127.0.0.1:1/';
  const tried = await call('POST', `/api/credentials/${made.id}/test`, { token: prod.token, body: { url } });
  expect(tried.body).toMatchObject({ ok: false, message: expect.stringContaining('has no secrets') });
  const secrets = { config: { apiKey: 'that of production', header: 'X-Orders' } };
  const entered = await call('PUT', `/api/credentials/${made.id}`, { token: prod.token, body: secrets });
  expect(entered.body).toMatchObject({ status: 'active', secretFields: ['apiKey'] });
  // Only the webhook that needs its secret is missing.
  const [main, sub] = (await pull(prod)).workflows;
  const [first, second] = files.workflows;
  const webhooks = first!.triggers.webhooks.filter(({ path }) => path !== 'basic');
  // What picked values are called goes with nodes and polls.
  expect(sub?.definition.nodes.find(({ id }) => id === 'add')?.labels).toEqual(ORDERS_LABEL);
  expect(main?.triggers.polls[0]?.node.labels).toEqual({ url: 'The shop' });
  expect([main, sub]).toEqual([{ ...first, triggers: { ...first!.triggers, webhooks } }, second]);
  // Each change has its audit entry.
  const actions = await prismaClient().auditEntry.findMany({
    where: { workspaceId: prod.workspaceId },
    select: { action: true },
  });
  expect(actions.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['projects.apply', 'workflows.create', 'webhooks.create', 'credentials.create']),
  );
});

test('changes on the target since the last push are refused without force', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  const made = await workflow(dev, 'Double', flow({ start }, []));
  const files = await pull(dev);
  const done = await push(prod, files);
  const id = done.workflows[0]!.id ?? '';
  await call('PUT', `/api/workflows/${id}`, { token: prod.token, body: { description: 'Changed here' } });
  await call('PUT', `/api/workflows/${made.id}`, { token: dev.token, body: { name: 'Double it', description: 'New' } });
  const next = await pull(dev);
  const plan = (await send(prod, 'plan', next)).body;
  expect(plan.issues).toEqual([expect.objectContaining({ message: expect.stringContaining('version 2') })]);
  expect((await send(prod, 'apply', next)).status).toBe(409);
  // It was renamed, and is found all the same.
  const shown = (await send(prod, 'plan', next, { force: true })).body;
  expect(shown.changes[0]).toMatchObject({
    fields: ['name', 'description'],
    before: { name: 'Double', description: 'Changed here' },
    after: { name: 'Double it', description: 'New' },
  });
  const forced = await push(prod, next, { force: true });
  expect(summaryOf(forced)).toEqual(['update workflow Double it']);
  expect(forced.workflows[0]).toMatchObject({ id, version: 3 });
  // The workspace that it was pulled from knows the version that the files began with.
  const versions = { [next.workspaceId]: next.versions };
  await call('PUT', `/api/workflows/${made.id}`, { token: dev.token, body: { description: 'Newer' } });
  expect((await send(dev, 'apply', next, { versions })).status).toBe(409);
  expect((await send(dev, 'apply', next, { versions, fingerprint: 'another', force: true })).status).toBe(409);
  await push(dev, next, { versions, force: true });
});

test('each workflow of the files has one twin, and those of other projects are left alone', async () => {
  const user = await buildUser();
  const made = await workflow(user, 'Mine', flow({ start }, []));
  const files = await pull(user);
  await push(user, files);
  const twice = { ...files, workflows: [...files.workflows, { ...files.workflows[0]!, id: 'another', name: 'Mine' }] };
  const unnamed = (await send(user, 'plan', twice)).status;
  expect(unnamed).toBe(400);
  const other = await send(user, 'plan', files, { project: 'another' });
  expect(other.body).toMatchObject({ changes: [], issues: [], workflows: [] });
  expect(other.body.notes[0]?.message).toBe('It belongs to the project orders here, and is left as it is.');
  // Without its id it is another workflow of the same name.
  const { id: _, ...anonymous } = files.workflows[0]!;
  const copied = (await send(user, 'plan', { ...files, workflows: [anonymous] }, { project: 'another' })).body;
  expect(summaryOf(copied)).toEqual(['create workflow Mine']);
  const both = {
    ...files,
    workflows: [
      { ...anonymous, id: made.id },
      { ...anonymous, key: 'Again' },
    ],
  };
  expect(summaryOf((await send(user, 'plan', both)).body)).toEqual(['create workflow Again']);
});

test('prune deletes workflows of the project and triggers that are not in the files', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  const foreign = await workflow(prod, 'Of another team', flow({ start }, []));
  const made = await workflow(dev, 'Kept', flow({ start }, []));
  const gone = await workflow(dev, 'Gone', flow({ start }, []));
  await make(dev, `/api/workflows/${made.id}/schedules`, { cron: '0 6 * * *' });
  await make(dev, `/api/workflows/${made.id}/schedules`, { cron: '0 7 * * *' });
  await push(prod, await pull(dev));
  await call('DELETE', `/api/workflows/${gone.id}`, { token: dev.token });
  const files = await pull(dev);
  files.workflows[0]!.triggers.schedules.pop();
  const left = await push(prod, files);
  expect(summaryOf(left)).toEqual([]);
  expect(left.notes.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['schedule schedule #2', 'workflow Gone']);
  const pruned = await push(prod, files, { prune: true });
  expect(summaryOf(pruned)).toEqual(['delete schedule schedule #2', 'delete workflow Gone']);
  const rest = await call<{ data: { id: string }[] }>('GET', '/api/workflows', { token: prod.token });
  expect(rest.body.data.map(({ id }) => id)).toHaveLength(2);
  expect(rest.body.data.map(({ id }) => id)).toContain(foreign.id);
});

test('names that are ambiguous are refused, and a mapping decides', async () => {
  const [dev, prod] = [await buildUser(), await buildUser()];
  const { credential } = await buildProject(dev);
  const config = { apiKey: SECRET };
  const type = 'api_key';
  await make(prod, '/api/credentials', { name: 'Orders API', type, config });
  const chosen = await make(prod, '/api/credentials', { name: 'Orders API', type, config });
  const files = await pull(dev);
  const ambiguous = (await send(prod, 'plan', files)).body;
  expect(ambiguous.issues[0]?.message).toContain('Several credentials here are named Orders API');
  const mapping = { credentials: { 'Orders API': chosen.id } };
  await push(prod, files, { mapping });
  const definitions = await prismaClient().workflow.findMany({ where: { workspaceId: prod.workspaceId } });
  const text = JSON.stringify(definitions);
  expect(text).toContain(chosen.id);
  expect(text).not.toContain(credential.id);
  // Ids of another workspace name nothing here.
  const foreign = await send(prod, 'plan', files, { mapping: { credentials: { 'Orders API': credential.id } } });
  expect(foreign.body.issues[0]?.message).toContain('no credential here');
  // Two of one name in the files have keys that differ.
  await make(dev, '/api/credentials', { name: 'Orders API', type, config });
  const keys = (await pull(dev)).credentials.map(({ key }) => key);
  expect(keys).toContain(`Orders API (${credential.id})`);
});

test('a failing item applies nothing, and all issues are listed', async () => {
  const user = await buildUser();
  const good = { name: 'Good', definition: flow({ start }, []) };
  const bad = {
    name: 'Bad',
    definition: flow({ start, x: { type: 'http_request', config: { url: 1 } } }, ['start>x']),
  };
  const lost = {
    name: 'Lost',
    definition: flow({ start, x: { type: 'sub_workflow', config: { workflowId: 'None' } } }, []),
  };
  const caller = {
    name: 'Caller',
    definition: flow({ start, x: { type: 'sub_workflow', config: { workflowId: 'Bad' } } }, []),
  };
  const files = { workflows: [good, caller, bad, lost], variables: [{ name: 'A', value: 1 }] };
  const body = { project: 'orders', ...files };
  const plan = await call<ProjectPlan>('POST', '/api/projects/plan', { token: user.token, body });
  expect(plan.body.issues.map(({ name }) => name)).toEqual(['Bad', 'Caller', 'Lost']);
  expect(summaryOf(plan.body)).toEqual(['create variable A', 'create workflow Good']);
  const refused = await call('POST', '/api/projects/apply', { token: user.token, body });
  expect(refused.status).toBe(409);
  expect(await prismaClient().workflow.count({ where: { workspaceId: user.workspaceId } })).toBe(0);
  expect(await prismaClient().variable.count({ where: { workspaceId: user.workspaceId } })).toBe(0);
});

test('workflows that call each other are created, and get their states', async () => {
  const user = await buildUser();
  const calling = (workflowId: string) =>
    flow({ start, x: { type: 'sub_workflow', config: { workflowId } } }, ['start>x']);
  const ping = { name: 'Ping', definition: calling('Pong'), status: 'paused' };
  const pong = { name: 'Pong', definition: calling('Ping'), status: 'active' };
  const own = { name: 'Own', definition: calling('Own') };
  const body = { project: 'orders', workflows: [ping, pong, own] };
  const done = await call<ProjectPlan>('POST', '/api/projects/apply', { token: user.token, body });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  const rows = await prismaClient().workflow.findMany({
    where: { workspaceId: user.workspaceId },
    orderBy: { name: 'asc' },
  });
  expect(rows.map(({ name, status }) => [name, status])).toEqual([
    ['Own', 'draft'],
    ['Ping', 'paused'],
    ['Pong', 'active'],
  ]);
  const again = await call<ProjectPlan>('POST', '/api/projects/apply', { token: user.token, body });
  expect(summaryOf(again.body)).toEqual([]);
});

test('a push does what its caller may do, and no more', async () => {
  const owner = await buildUser();
  const files = { project: 'orders', workflows: [{ name: unique('w'), definition: flow({ start }, []) }] };
  const mayUpdate = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: 'update' }]);
  const refused = await call<ProjectPlan>('POST', '/api/projects/plan', { token: mayUpdate.token, body: files });
  expect(refused.body.issues[0]?.message).toBe('This needs the permission workflow:create.');
  // It may read the credential, and not use it.
  const type = 'api_key';
  await make(owner, '/api/credentials', { name: 'Orders API', type, config: { apiKey: SECRET } });
  const calling = flow(
    { start, http: { type: 'http_request', config: { url: 'https://a.b' }, credentialId: 'Orders API' } },
    [],
  );
  const mayRead = await buildPermitted(owner.workspaceId, [
    { resource: 'workflow', action: '*' },
    { resource: 'credential', action: 'read' },
  ]);
  const body = { project: 'orders', workflows: [{ name: unique('w'), definition: calling }] };
  const using = await call<ProjectPlan>('POST', '/api/projects/plan', { token: mayRead.token, body });
  expect(using.body.issues[0]?.details[0]?.message).toContain('needs the permission credential:use');
  // A secret in a file is refused, not stored.
  const webhooks = [{ path: 'a', verification: { kind: 'header', name: 'x-a', value: SECRET } }];
  const leaking = { ...files, workflows: [{ ...files.workflows[0], triggers: { webhooks } }] };
  const leaked = await call<ProjectPlan>('POST', '/api/projects/plan', { token: owner.token, body: leaking });
  expect(leaked.body.issues[0]?.details[0]).toMatchObject({ field: 'verification.value' });
  expect(JSON.stringify(leaked.body)).not.toContain(SECRET);
});

test('tables get new columns, and variables new values', async () => {
  const user = await buildUser();
  const { token } = user;
  const push = (columns: object[], value: string) =>
    call<ProjectPlan>('POST', '/api/projects/apply', {
      token,
      body: { project: 'orders', tables: [{ name: 'T', columns }], variables: [{ name: 'V', value }] },
    });
  const email = { name: 'email', type: 'text' };
  expect((await push([email], 'a')).status).toBe(200);
  const next = await push([email, { name: 'amount', type: 'number' }], 'b');
  expect(summaryOf(next.body)).toEqual(['update table T', 'update variable V']);
  expect((await push([{ ...email, type: 'number' }], 'b')).status).toBe(409);
  const tables = await call<{ data: { columns: { name: string }[] }[] }>('GET', '/api/tables', { token });
  expect(tables.body.data[0]?.columns.map(({ name }) => name)).toEqual(['email', 'amount']);
});

test('a selection has what the selected workflows call and use', async () => {
  const user = await buildUser();
  await buildProject(user);
  await workflow(user, 'Other', flow({ start }, []));
  await make(user, '/api/variables', { name: 'UNUSED', value: 1 });
  for (const query of ['&tag=orders', '&folder=Sales', '&folder=Sales/Orders']) {
    const { workflows, variables, credentials } = await pull(user, query);
    expect(workflows.map(({ name }) => name)).toEqual(['Handle order', 'Store order']);
    expect(variables.map(({ name }) => name)).toEqual(['SUPPORT_ADDRESS']);
    expect(credentials).toHaveLength(1);
  }
  expect((await pull(user, '&folder=Nothing')).workflows).toEqual([]);
});
