import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ScopedPermission } from '@/contract/access/security';
import type { WorkflowDefinition, WorkflowResponse } from '@/contract/workflows/workflow';
import type { ActivationIssues } from '@/contract/workflows/activation-issues';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import { routeWebRequest } from '@/server/api/http/routes';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { prismaClient } from '@/server/platform/db/client';
import { createDataTable } from '@/server/data/tables/schema';
import { createPrismaSql } from '@/server/data/tables/sql';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  call,
  ONE_START,
  type Answer,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { buildPermitted } from '@/server/testing/permitted';
import { pickShard } from '@/server/testing/shards';

useDatabase();

let owner: TestUser;
let credentialId: string;
let otherCredentialId: string;
let childId: string;
beforeAll(async () => {
  owner = await buildUser();
  const store = async (user: TestUser) => {
    const body = { name: 'Key', type: 'api_key', config: { apiKey: 'key-1234567890' } };
    return (await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body })).body.id;
  };
  credentialId = await store(owner);
  otherCredentialId = await store(owner);
  childId = await buildWorkflow({ workspaceId: owner.workspaceId });
});

type Kind = 'credential' | 'workflow' | 'connector';
const KINDS: Kind[] = ['credential', 'workflow', 'connector'];

const SKETCHES: Record<Kind, () => Sketch> = {
  credential: () => ({ type: 'http_request', config: { url: 'https://api.example.com' }, credentialId }),
  workflow: () => ({ type: 'sub_workflow', config: { workflowId: childId } }),
  connector: () => ({ type: 'connector', config: { connectorId: 'slack' } }),
};
const naming = (kind: Kind): Sketch => SKETCHES[kind]();
const fieldOf = { credential: 'credentialId', workflow: 'config.workflowId', connector: 'config.connectorId' };
const actionOn = { credential: 'use', workflow: 'execute', connector: 'use' } as const;

/** The definition in a loop's body. */
const looped = (body: WorkflowDefinition): WorkflowDefinition =>
  flow({ s: { type: 'start' }, l: { type: 'for_each', config: { items: '[1]', body } } }, ['s>l']);

const repeated = (body: WorkflowDefinition): WorkflowDefinition =>
  flow({ s: { type: 'start' }, l: { type: 'repeat', config: { until: 'true', maxRounds: 1, body } } }, ['s>l']);

/** The places where a node can stand, with the path to it. */
const PLACES: Record<string, { path: string; place(node: Sketch): WorkflowDefinition }> = {
  'at the top': { path: 'nodes[1].', place: (node) => flow({ s: { type: 'start' }, n: node }, ['s>n']) },
  disabled: {
    path: 'nodes[1].',
    place: (node) => flow({ s: { type: 'start' }, n: { ...node, disabled: true } }, ['s>n']),
  },
  'in a loop': {
    path: 'nodes[1].config.body.nodes[1].',
    place: (node) => looped(flow({ s: { type: 'start' }, n: node }, ['s>n'])),
  },
  'in a loop of a loop': {
    path: 'nodes[1].config.body.nodes[1].config.body.nodes[1].',
    place: (node) => looped(repeated(flow({ s: { type: 'start' }, n: node }, ['s>n']))),
  },
};

type Outcome = Answer<WorkflowResponse & Refused>;
const as = (user: TestUser, method: string, path: string, body?: object) =>
  call<WorkflowResponse & Refused>(method, path, { token: user.token, body });

/** An own workflow whose current version has only a start node. */
const blank = () => buildWorkflow({ workspaceId: owner.workspaceId });

/** Every operation that stores a definition. */
const DOORS: Record<string, (user: TestUser, definition: WorkflowDefinition) => Promise<Outcome>> = {
  create: (user, definition) => as(user, 'POST', '/api/workflows', { name: 'New', definition }),
  update: async (user, definition) => as(user, 'PUT', `/api/workflows/${await blank()}`, { definition }),
  'save a draft': async (user, definition) => as(user, 'PUT', `/api/workflows/${await blank()}/draft`, { definition }),
  'publish another person’s draft': async (user, definition) => {
    const id = await blank();
    await as(owner, 'PUT', `/api/workflows/${id}/draft`, { definition });
    return as(user, 'POST', `/api/workflows/${id}/draft/publish`, {});
  },
  'restore another person’s version': async (user, definition) => {
    const id = await blank();
    await as(owner, 'PUT', `/api/workflows/${id}`, { definition });
    await as(owner, 'PUT', `/api/workflows/${id}`, { definition: ONE_START });
    return as(user, 'POST', `/api/workflows/${id}/versions/2/restore`, {});
  },
};

const AUTHOR: ScopedPermission[] = ['read', 'create', 'update'].map((action) => ({
  resource: 'workflow',
  action: action as 'read',
}));
const author = (...more: ScopedPermission[]) => buildPermitted(owner.workspaceId, [...AUTHOR, ...more]);

const tries = Object.keys(DOORS).flatMap((door) =>
  KINDS.flatMap((kind) => Object.keys(PLACES).map((place) => [door, kind, place] as const)),
);

describe('a reference needs the permission to use its object', () => {
  test.each(pickShard(tries))('%s: a %s %s', async (door, kind, place) => {
    const at = PLACES[place];
    const definition = at?.place(naming(kind)) ?? ONE_START;
    const put = (user: TestUser) => DOORS[door]?.(user, definition) as Promise<Outcome>;
    const refused = await put(await author());
    expect(refused.status).toBe(403);
    const id = { credential: credentialId, workflow: childId, connector: 'slack' }[kind];
    const permission = `${kind}:${actionOn[kind]}`;
    expect(refused.body.error).toMatchObject({
      code: 'FORBIDDEN',
      details: [{ field: `${at?.path}${fieldOf[kind]}`, message: `needs the permission ${permission} on ${id}` }],
    });
    const grant = { resource: kind, action: actionOn[kind] };
    const ofConnector = { attribute: 'resource.connectorId', operator: 'eq', value: id } as const;
    const limits = kind === 'connector' ? { conditions: [ofConnector] } : { on: { type: kind, id } };
    const allowed = await put(await author({ ...grant, ...limits }));
    expect(allowed.status).toBeLessThan(300);
    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    expect((await put(editor)).status).toBeLessThan(300);
  });
});

const both = () => flow({ s: { type: 'start' }, c: naming('credential'), w: naming('workflow') }, ['s>c', 'c>w']);

test('all refused references are reported together', async () => {
  const { status, body } = await as(await author(), 'POST', '/api/workflows', { name: 'x', definition: both() });
  expect([status, body.error.details.map(({ field }) => field)]).toEqual([
    403,
    ['nodes[1].credentialId', 'nodes[2].config.workflowId'],
  ]);
});

test('a role with all permissions on workflows has none on credentials', async () => {
  const person = await buildPermitted(owner.workspaceId, [
    { resource: 'workflow', action: '*' },
    { resource: 'execution', action: 'read' },
  ]);
  const { status, body } = await as(person, 'POST', '/api/workflows', { name: 'x', definition: both() });
  expect([status, body.error.details.map(({ field }) => field)]).toEqual([403, ['nodes[1].credentialId']]);
});

test('an editor of a single workflow uses no credential and starts no other workflow', async () => {
  const person = await buildPermitted(owner.workspaceId, []);
  const id = await blank();
  await as(owner, 'POST', '/auth/rbac', { userId: person.id, roleId: 'editor', resource: { type: 'workflow', id } });
  const put = (definition: WorkflowDefinition) => as(person, 'PUT', `/api/workflows/${id}`, { definition });
  const { status, body } = await put(both());
  expect([status, body.error.details.length]).toEqual([403, 2]);
  const itself = flow({ s: { type: 'start' }, w: { type: 'sub_workflow', config: { workflowId: id } } }, ['s>w']);
  expect((await put(itself)).status).toBe(200);
});

test('a condition is evaluated for the referenced object', async () => {
  const own = { attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' } as const;
  const person = await author(
    { resource: 'credential', action: 'create' },
    { resource: 'credential', action: 'use', conditions: [own] },
  );
  const config = { name: 'Mine', type: 'api_key', config: { apiKey: 'key-0987654321' } };
  const { body: mine } = await as(person, 'POST', '/api/credentials', config);
  const put = (id: string) =>
    as(person, 'POST', '/api/workflows', {
      name: 'x',
      definition: flow({ s: { type: 'start' }, n: { ...naming('credential'), credentialId: id } }, ['s>n']),
    });
  expect((await put(mine.id)).status).toBe(201);
  expect((await put(credentialId)).status).toBe(403);
});

test('a key acts within its scopes', async () => {
  const key = async (...scopes: string[]) => {
    const body = { name: 'k', scopes };
    return (await call<{ key: string }>('POST', '/auth/api_keys', { token: owner.token, body })).body.key;
  };
  const body = { name: 'x', definition: both() };
  const put = async (...scopes: string[]) => call('POST', '/api/workflows', { token: await key(...scopes), body });
  expect([(await put('write')).status, (await put('read')).status]).toEqual([201, 403]);
});

describe('an unknown id', () => {
  const missing = () =>
    flow({
      s: { type: 'start' },
      c: { ...naming('credential'), credentialId: 'cred_gone' },
      w: { type: 'sub_workflow', config: { workflowId: 'wf_gone' } },
    });
  const put = (user: TestUser, definition = missing()) => as(user, 'POST', '/api/workflows', { name: 'x', definition });

  test('is saved in a draft by people who may read everything', async () => {
    expect((await put(await buildUser({ workspaceId: owner.workspaceId, role: 'editor' }))).status).toBe(201);
    const reader = await author({ resource: 'credential', action: 'read' });
    expect((await put(reader)).status).toBe(201);
  });

  test('is refused like an existing object to all others', async () => {
    const person = await buildPermitted(owner.workspaceId, [{ resource: 'workflow', action: 'create' }]);
    const unknown = await put(person);
    const known = await put(person, both());
    const plain = (answer: Outcome) => JSON.stringify(answer.body.error).replaceAll(/(cred|wf)_[\w-]+/g, 'id');
    expect([unknown.status, plain(unknown)]).toEqual([403, plain(known)]);
  });

  test('is handled like an id of another workspace', async () => {
    const stranger = await buildUser();
    expect((await put(stranger, both())).status).toBe(201);
    expect((await put(stranger)).status).toBe(201);
  });
});

describe('an unchanged node', () => {
  const url = { url: 'https://api.example.com' };
  const before = () =>
    flow(
      {
        s: { type: 'start' },
        t: { type: 'transform', config: { expression: 'input' } },
        c: { type: 'http_request', config: { ...url, headers: { a: '1', b: '2' } }, credentialId },
        w: naming('workflow'),
      },
      ['s>t', 't>c', 'c>w'],
    );
  type Change = (nodes: Record<string, WorkflowDefinition['nodes'][number]>) => void;
  const changed = (change: Change): WorkflowDefinition => {
    const definition = structuredClone(before());
    change(Object.fromEntries(definition.nodes.map((node) => [node.id, node])));
    return definition;
  };
  const put = async (user: TestUser, definition: WorkflowDefinition) => {
    const id = await blank();
    await as(owner, 'PUT', `/api/workflows/${id}`, { definition: before() });
    return as(user, 'PUT', `/api/workflows/${id}`, { definition });
  };
  const c = (change: (node: WorkflowDefinition['nodes'][number]) => void) =>
    changed(({ c: node }) => node && change(node));

  test.each<[string, () => WorkflowDefinition]>([
    ['another node changes', () => changed(({ t }) => t && (t.config = { expression: '{"a": 1}' }))],
    ['it is drawn elsewhere', () => c((node) => (node.position = { x: 9, y: 9 }))],
    ['it is named and noted', () => c((node) => Object.assign(node, { name: 'Call', notes: 'x' }))],
    [
      'its config is written in another order',
      () => c((node) => (node.config = { headers: { b: '2', a: '1' }, ...url })),
    ],
    [
      'another node goes',
      () => ({ ...before(), nodes: before().nodes.filter(({ id }) => id !== 't'), connections: [] }),
    ],
    ['it goes', () => ({ nodes: before().nodes.slice(0, 2), connections: [] })],
  ])('needs no permission: %s', async (_, definition) => {
    expect((await put(await author(), definition())).status).toBe(200);
  });

  test.each<[string, () => WorkflowDefinition]>([
    ['another address', () => c((node) => (node.config = { ...node.config, url: 'https://evil.example' }))],
    ['another method', () => c((node) => (node.config = { ...node.config, method: 'POST' }))],
    ['another type', () => c((node) => Object.assign(node, { type: 'send_email', config: {} }))],
    ['another credential', () => c((node) => (node.credentialId = otherCredentialId))],
    ['switched off', () => c((node) => (node.disabled = true))],
    ['more tries', () => c((node) => (node.retry = { maxAttempts: 3, backoffMs: 0 }))],
    ['more time', () => c((node) => (node.timeoutMs = 86_400_000))],
    [
      'another id',
      () => ({
        ...before(),
        nodes: before().nodes.map((node) => (node.id === 'c' ? { ...node, id: 'd' } : node)),
        connections: [],
      }),
    ],
    ['a copy', () => ({ ...before(), nodes: [...before().nodes, ...c((node) => (node.id = 'd')).nodes.slice(2, 3)] })],
    ['moved into a loop', () => looped(before())],
  ])('is new with %s', async (_, definition) => {
    const person = await author({ resource: 'workflow', action: 'execute' });
    const { status, body } = await put(person, definition());
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.details.map(({ field }) => field)).toEqual([expect.stringMatching(/credentialId$/)]);
    expect((await put(owner, definition())).status).toBe(200);
  });
});

test('a draft is compared with the latest saved version, its publication with the published one', async () => {
  const person = await author();
  const id = await blank();
  const draft = `/api/workflows/${id}/draft`;
  await as(owner, 'PUT', draft, { definition: both() });
  expect((await as(person, 'PUT', draft, { name: 'Renamed' })).status).toBe(200);
  const { status, body } = await as(person, 'POST', `${draft}/publish`, {});
  expect([status, body.error.details.length]).toEqual([403, 2]);
  const { body: live } = await as(owner, 'GET', `/api/workflows/${id}`);
  expect(live).toMatchObject({ version: 1, draftVersion: 3 });
});

test('a refusal is audited, and changes nothing', async () => {
  const id = await blank();
  await as(await author(), 'PUT', `/api/workflows/${id}`, { definition: both() });
  expect((await as(owner, 'GET', `/api/workflows/${id}`)).body).toMatchObject({ version: 1, definition: ONE_START });
  const entry = await prismaClient().auditEntry.findFirst({ where: { action: 'workflows.update', result: 'denied' } });
  expect(entry).not.toBeNull();
});

test('tRPC returns the same answer', async () => {
  const { token } = await author();
  const trpc = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: 'http://weft.test/api/trpc',
        headers: { authorization: `Bearer ${token}` },
        fetch: (url, init) => routeWebRequest(new Request(String(url), init as RequestInit)),
      }),
    ],
  });
  const refusal = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    return error instanceof TRPCClientError ? (error.data as { problem: Refused['error'] }).problem : undefined;
  };
  const details = [{ field: 'nodes[1].credentialId' }, { field: 'nodes[2].config.workflowId' }];
  const body = { name: 'x', definition: both() };
  expect(await refusal(trpc.workflows.create.mutate({ body }))).toMatchObject({ code: 'FORBIDDEN', details });
  const params = { id: await blank() };
  expect(await refusal(trpc.drafts.save.mutate({ params, body }))).toMatchObject({ code: 'FORBIDDEN', details });
});

describe('the authority of a version', () => {
  const latest = async (id: string) => {
    const { body } = await call<{ data: WorkflowVersion[] }>('GET', `/api/workflows/${id}/versions`, {
      token: owner.token,
    });
    return body.data[0]?.authorizedBy;
  };

  test('is its publisher', async () => {
    const editor = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
    const id = (await as(owner, 'POST', '/api/workflows', { name: 'x', definition: both() })).body.id;
    expect(await latest(id)).toBe(owner.id);
    await as(editor, 'PUT', `/api/workflows/${id}/draft`, { definition: { ...both(), connections: [] } });
    expect(await latest(id)).toBe(editor.id);
    await as(owner, 'POST', `/api/workflows/${id}/draft/publish`, {});
    expect(await latest(id)).toBe(owner.id);
    await as(editor, 'POST', `/api/workflows/${id}/versions/1/restore`, {});
    expect(await latest(id)).toBe(editor.id);
    await as(owner, 'PUT', `/api/workflows/${id}`, { status: 'active' });
    expect(await latest(id)).toBe(owner.id);
    await as(editor, 'PUT', `/api/workflows/${id}`, { status: 'paused' });
    expect(await latest(id)).toBe(owner.id);
  });

  test('stays the same when a person without the permission renames or resumes the workflow', async () => {
    const person = await author();
    const id = (await as(owner, 'POST', '/api/workflows', { name: 'x', definition: both() })).body.id;
    for (const change of [{ name: 'y' }, { status: 'active' }, { status: 'paused' }, { status: 'active' }]) {
      expect((await as(person, 'PUT', `/api/workflows/${id}`, change)).status).toBe(200);
      expect(await latest(id)).toBe(owner.id);
    }
    await as(person, 'PUT', `/api/workflows/${id}`, { definition: { ...both(), connections: [] } });
    expect(await latest(id)).toBe(person.id);
  });
});

test('the gaps of a workflow list references that its runs may not use', async () => {
  const gaps = async (user: TestUser, id: string) =>
    (await call<ActivationIssues>('GET', `/api/workflows/${id}/gaps`, { token: user.token })).body.gaps;
  const fields = ['nodes[1].credentialId', 'nodes[2].config.workflowId'].map((field) =>
    expect.objectContaining({ field }),
  );
  const publisher = await buildUser({ workspaceId: owner.workspaceId, role: 'editor' });
  const person = await author();
  const { id } = (await as(publisher, 'POST', '/api/workflows', { name: 'x', definition: both() })).body;
  await as(publisher, 'PUT', `/api/workflows/${id}`, { status: 'active' });
  expect(await gaps(person, id)).toEqual([]);
  await prismaClient().roleAssignment.deleteMany({ where: { userId: publisher.id } });
  expect(await gaps(owner, id)).toEqual(fields);
  // Activated by a person with the permission, it runs again.
  await as(owner, 'PUT', `/api/workflows/${id}`, { status: 'paused' });
  expect(await gaps(owner, id)).toEqual([]);
  expect(await gaps(person, id)).toEqual(fields);
  await as(owner, 'PUT', `/api/workflows/${id}`, { status: 'active' });
  expect(await gaps(person, id)).toEqual([]);
  // A version that waits for publication is checked for the caller.
  await as(owner, 'PUT', `/api/workflows/${id}/draft`, { definition: { ...both(), connections: [] } });
  expect([await gaps(owner, id), await gaps(person, id)]).toEqual([[], fields]);
});

describe('a table', () => {
  const COLUMNS = [{ name: 'n', type: 'number' }] as const;
  const create = (workspaceId: string) =>
    prismaClient().$transaction((db) =>
      createDataTable(createPrismaSql(db), { workspaceId, name: 'Numbers', columns: [...COLUMNS], createdBy: null }),
    );
  const using = (tableId: string, config: object): WorkflowDefinition =>
    flow({ s: { type: 'start' }, t: { type: 'table', config: { tableId, ...config } } }, ['s>t']);
  const save = (user: TestUser, definition: WorkflowDefinition) =>
    as(user, 'POST', '/api/workflows', { name: 'Table', definition });

  test('needs table:read to be read, and table:write to be changed', async () => {
    const own = await buildUser();
    const { id } = await create(own.workspaceId);
    const reading = using(id, { operation: 'count' });
    const changing = using(id, { operation: 'insert', row: { n: 1 } });
    const table = (action: 'read' | 'write'): ScopedPermission => ({
      resource: 'table',
      action,
      on: { type: 'table', id },
    });
    const person = (...more: ScopedPermission[]) => buildPermitted(own.workspaceId, [...AUTHOR, ...more]);
    const refused = await save(await person(), reading);
    expect(refused.body.error).toMatchObject({
      code: 'FORBIDDEN',
      details: [{ field: 'nodes[1].config.tableId', message: `needs the permission table:read on ${id}` }],
    });
    const reader = await person(table('read'));
    expect((await save(reader, reading)).status).toBe(201);
    expect((await save(reader, changing)).body.error.details[0]?.message).toContain('table:write');
    expect((await save(await person(table('write')), changing)).status).toBe(201);
  });

  test('of another workspace is refused at its node like an unknown one', async () => {
    const [own, other] = [await buildUser(), await buildUser()];
    const { id } = await create(other.workspaceId);
    for (const tableId of [id, 'tbl_unknown']) {
      const { status, body } = await save(own, looped(using(tableId, { operation: 'count' })));
      expect([status, body.error.details]).toEqual([
        400,
        [
          {
            field: 'nodes[1].config.body.nodes[1].config.tableId',
            message: 'this table does not exist in the workspace',
          },
        ],
      ]);
    }
  });
});
