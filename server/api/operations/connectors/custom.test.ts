import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { ListConnectorsResponse } from '@/contract/connectors/connector';
import type { ConnectorComparison, ConnectorDetails, ConnectorPreview } from '@/contract/connectors/custom-connector';
import type { ExecutionResponse } from '@/contract/execution';
import type { z } from 'zod';
import { prismaClient } from '@/server/platform/db/client';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { findCustomSummary } from '@/server/connectors/custom/store';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { connectorNodeType as connectorNode } from '@/server/workflow/nodes/connector';
import { largeDocument, petStore } from '@/server/evaluation/openapi/testing/documents';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn, textOf } from '@/server/testing/listen';
import { until } from '@/server/testing/runs';

useDatabase();

interface Received {
  method: string;
  path: string;
  key: string | undefined;
  body: string;
}

let worker: EngineWorker;
let user: TestUser;
let api: Awaited<ReturnType<typeof listenOn>>;
let elsewhere: Awaited<ReturnType<typeof listenOn>>;
let received: Received[] = [];
/** What `/openapi.json` answers with. */
let document: object = {};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = request;
  if (path === '/openapi.json') return void response.end(JSON.stringify(document));
  const key = headers['x-api-key'];
  received.push({ method, path, key: typeof key === 'string' ? key : undefined, body: await textOf(request) });
  response.setHeader('content-type', 'application/json');
  const [, page] = /[?&]page=(\d+)/.exec(path) ?? [];
  if (path.startsWith('/v1/pets?') || path === '/v1/pets') {
    const pets = Number(page ?? 1) < 3 ? [{ id: `${page ?? 1}a` }, { id: `${page ?? 1}b` }] : [];
    return void response.end(JSON.stringify(method === 'GET' ? pets : { id: 7 }));
  }
  if (path.startsWith('/v1/pets/404')) return void response.writeHead(404).end('{"message": "no such pet"}');
  response.end(JSON.stringify({ path }));
}

beforeAll(async () => {
  getRuntime().env.egressAllowPrivate = true;
  const kinds = new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind]));
  worker = await startWorker({ concurrency: 20, kinds, graceMs: 200 });
  api = await listenOn((request, response) => void answer(request, response));
  elsewhere = await listenOn((request, response) => void answer(request, response));
});
beforeEach(async () => {
  user = await buildUser();
  received = [];
  document = petStore(`${api.url}/v1`);
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([api.close(), elsewhere.close()]);
});

const pets = (server = `${api.url}/v1`) => JSON.stringify(petStore(server));

async function create(body: object = { openapi: pets() }, by = user): Promise<ConnectorDetails> {
  const made = await call<ConnectorDetails>('POST', '/api/connectors', { token: by.token, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

const update = (id: string, body: object, by = user) =>
  call<ConnectorDetails & Refused>('PUT', `/api/connectors/${id}`, { token: by.token, body });

async function connect(connectorId: string, by = user): Promise<string> {
  const body = { name: 'Account', type: 'token', connectorId, config: { key: 'canary-key-4711' } };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token: by.token, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

/** A workflow with one call of a connector. */
const calling = (connectorId: string, operation: string, parameters: object, credentialId?: string) =>
  flow(
    {
      in: { type: 'start' },
      call: { type: 'connector', config: { connectorId, operation, parameters }, credentialId },
    },
    ['in>call'],
  );

const save = (definition: object, status?: string, by = user) =>
  call<{ id: string } & Refused>('POST', '/api/workflows', {
    token: by.token,
    body: { name: 'Pets', definition, ...(status ? { status } : {}) },
  });

/** Runs one call of a connector, and returns its node result. */
async function run(...[connectorId, operation, parameters, credentialId]: Parameters<typeof calling>) {
  const saved = await save(calling(connectorId, operation, parameters, credentialId));
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  return runOf(saved.body.id);
}

async function runOf(workflowId: string) {
  const at = `/api/workflows/${workflowId}/execute`;
  const started = await call<{ executionId: string } & Refused>('POST', at, { token: user.token, body: {} });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const execution = await until(async () => {
    const { body } = await call<ExecutionResponse>('GET', `/api/executions/${started.body.executionId}`, {
      token: user.token,
    });
    return ['completed', 'failed'].includes(body.status) && body;
  }, 'the run');
  return {
    output: execution.nodeResults.find(({ nodeId }) => nodeId === 'call')?.output as { status: number; body: unknown },
    error: execution.error,
    execution,
  };
}

const issuesOf = ({ error }: Refused) => error.details.map(({ field, message }) => `${field} ${message}`);

describe('a connector from a document', () => {
  it('is looked at first, created, listed beside the others, read and deleted', async () => {
    const { token } = user;
    const preview = await call<ConnectorPreview>('POST', '/api/connectors/preview', {
      token,
      body: { openapi: pets() },
    });
    expect(preview.body).toMatchObject({
      title: 'Pet store',
      server: `${api.url}/v1`,
      authentication: { isRequired: true, token: 'API key', oauth: null },
      operations: expect.arrayContaining([
        expect.objectContaining({ id: 'listPets', group: 'pets', method: 'GET', path: '/pets' }),
      ]),
    });
    const made = await create({ openapi: pets(), operations: ['listPets', 'createPet', 'status'], name: 'Pets' });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^conn_/),
      name: 'Pets',
      isCustom: true,
      flow: 'token',
      icon: '/connectors/openapi.svg',
      needsCredential: true,
      selection: ['listPets', 'createPet', 'status'],
      source: { url: null, server: `${api.url}/v1`, version: 1, documentVersion: '1.2.0', createdBy: user.id },
      usedBy: [],
    });
    expect(made.operations.map(({ id }) => id)).toEqual(['listPets', 'createPet', 'status', 'request']);
    expect(made.operations[1]?.parameters).toMatchObject({
      properties: { name: { type: 'string', title: 'Name' }, kind: { enum: ['cat', 'dog'] } },
      required: ['name'],
    });
    expect((await call('GET', `/api/connectors/${made.id}`, { token })).body).toEqual(made);
    const { body: list } = await call<z.infer<typeof ListConnectorsResponse>>('GET', '/api/connectors?limit=100', {
      token,
    });
    expect(list.data).toHaveLength(list.total);
    const listed = list.data.at(-1);
    expect(listed).toMatchObject({ id: made.id, isCustom: true, source: made.source });
    expect(listed?.operations.map(({ id, parameters }) => [id, parameters !== undefined])).toEqual([
      ['listPets', false],
      ['createPet', false],
      ['status', false],
      ['request', true],
    ]);
    expect(list.data[0]).toMatchObject({ isCustom: false, source: null });
    const last = await call<z.infer<typeof ListConnectorsResponse>>(
      'GET',
      `/api/connectors?limit=2&offset=${list.total - 1}`,
      {
        token,
      },
    );
    expect(last.body.data.map(({ id }) => id)).toEqual([made.id]);
    expect((await call('DELETE', `/api/connectors/${made.id}`, { token })).status).toBe(204);
    expect((await call('GET', `/api/connectors/${made.id}`, { token })).status).toBe(404);
  });

  it('is read from its address, under the rules for outgoing calls', async () => {
    const made = await create({ openapi: `${api.url}/openapi.json` });
    expect(made.source).toMatchObject({ url: `${api.url}/openapi.json` });
    getRuntime().env.egressAllowPrivate = false;
    try {
      const body = { openapi: `${api.url}/openapi.json` };
      const refused = await call<Refused>('POST', '/api/connectors', { token: user.token, body });
      expect([refused.status, issuesOf(refused.body)]).toEqual([
        400,
        [expect.stringMatching(/^openapi cannot be read: 127.0.0.1 is not a public address/)],
      ]);
    } finally {
      getRuntime().env.egressAllowPrivate = true;
    }
  });

  it.each<[string, () => object, string]>([
    ['no document', () => ({ openapi: 'hello' }), 'openapi is not an OpenAPI document: it is not an object'],
    [
      'an unknown operation',
      () => ({ openapi: pets(), operations: ['nothing'] }),
      'operations are not in the document: nothing',
    ],
    [
      'a bad server',
      () => ({ openapi: pets(), server: 'ftp://a.example' }),
      'server "ftp://a.example" is not an http or https URL',
    ],
    ['more than 5 MiB', () => ({ openapi: 'x'.repeat(5 * 1024 * 1024 + 1) }), 'openapi is larger than 5 MiB'],
    ['an unreachable address', () => ({ openapi: `${api.url.replace(/\d+$/, '1')}/x` }), 'openapi cannot be read'],
  ])('%s is refused', async (_, body, issue) => {
    const { status, body: refused } = await call<Refused>('POST', '/api/connectors', {
      token: user.token,
      body: body(),
    });
    expect([status, issuesOf(refused)]).toEqual([400, [expect.stringContaining(issue)]]);
  });

  it('may have a thousand operations', { tags: 'long' }, async () => {
    const made = await create({ openapi: JSON.stringify(largeDocument(1000)) });
    expect(made.operations).toHaveLength(1001);
  });

  it('counts in a quota', async () => {
    await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { tier: 'free' } });
    const rest = { workspaceId: user.workspaceId, name: 'x', frame: {}, sourceHash: '' };
    await prismaClient().connector.createMany({
      data: Array.from({ length: 10 }, (_, index) => ({ id: `conn_${user.id}${index}`, ...rest })),
    });
    const refused = await call<Refused>('POST', '/api/connectors', { token: user.token, body: { openapi: pets() } });
    expect([refused.status, refused.body.error.details[0]?.field]).toEqual([403, 'quotas.connectors']);
  });

  it('is changed by those who administer connectors only, and each change is audited', async () => {
    const made = await create();
    const editor = await buildUser({ workspaceId: user.workspaceId, role: 'editor' });
    const { token } = editor;
    expect((await call('GET', `/api/connectors/${made.id}`, { token })).status).toBe(200);
    expect((await call('POST', '/api/connectors', { token, body: { openapi: pets() } })).status).toBe(403);
    expect((await update(made.id, { name: 'Mine' }, editor)).status).toBe(403);
    expect((await call('DELETE', `/api/connectors/${made.id}`, { token })).status).toBe(403);
    await update(made.id, { name: 'Animals' });
    await call('DELETE', `/api/connectors/${made.id}`, { token: user.token });
    const { body: log } = await call<{ data: { action: string; result: string; resource: { id: string } }[] }>(
      'GET',
      '/auth/audit?limit=100&result=success',
      { token: user.token },
    );
    const actions = log.data.filter(({ resource }) => resource.id === made.id).map(({ action }) => action);
    expect(actions).toEqual(['connectors.delete', 'connectors.update', 'connectors.create']);
  });
});

describe('a connector of another workspace', () => {
  it('does not exist: for its operations, in definitions, in credentials, and at the run', async () => {
    const other = await buildUser();
    const theirs = await create(undefined, other);
    const credentialId = await connect(theirs.id, other);
    const at = `/api/connectors/${theirs.id}`;
    for (const [method, path, body] of [
      ['GET', at, undefined],
      ['PUT', at, { name: 'Mine' }],
      ['DELETE', at, undefined],
      ['POST', `${at}/compare`, { openapi: pets() }],
      ['PUT', `${at}/registration`, { clientId: 'a', clientSecret: 'b' }],
    ] as const) {
      const answered = await call<Refused>(method, path, { token: user.token, body });
      expect([method, path, answered.status]).toEqual([method, path, 404]);
    }
    const refused = await save(calling(theirs.id, 'listPets', {}));
    expect([refused.status, issuesOf(refused.body)]).toEqual([
      400,
      ['nodes[1].config.connectorId this connector does not exist in the workspace'],
    ]);
    const credential = { name: 'a', type: 'token', connectorId: theirs.id, config: { key: 'x' } };
    const notMade = await call<Refused>('POST', '/api/credentials', { token: user.token, body: credential });
    expect([notMade.status, issuesOf(notMade.body)]).toEqual([
      400,
      ['connectorId is not a connector of the workspace'],
    ]);
    // A definition that came past the check: by an import, or from before a change of the check.
    for (const id of [undefined, credentialId]) {
      const definition = calling(theirs.id, 'status', {}, id);
      const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
      const started = await call<Refused>('POST', `/api/workflows/${workflowId}/execute`, {
        token: user.token,
        body: {},
      });
      expect(started.status).toBe(400);
      expect(issuesOf(started.body)).toContain(
        'nodes[1].config.connectorId this connector does not exist in the workspace',
      );
    }
    expect(received).toEqual([]);
  });
});

describe('a call', () => {
  it('sends parameters to their places, with the credential', async () => {
    const { id } = await create();
    const credentialId = await connect(id);
    const list = await run(
      id,
      'listPets',
      { limit: '5', tags: ['a', 'b c'], ids: [1, 2], filter: { kind: 'dog' }, X_Trace: 't1' },
      credentialId,
    );
    expect(list.output).toMatchObject({ status: 200, body: [{ id: '1a' }, { id: '1b' }] });
    expect(received[0]).toMatchObject({
      path: '/v1/pets?limit=5&tags=a&tags=b+c&ids=1%2C2&filter%5Bkind%5D=dog',
      key: 'canary-key-4711',
    });
    await run(id, 'createPet', { name: 'Rex', owner: { name: 'Ada' } }, credentialId);
    expect(received[1]).toMatchObject({
      method: 'POST',
      path: '/v1/pets',
      body: '{"name":"Rex","owner":{"name":"Ada"}}',
    });
    await run(id, 'request', { method: 'POST', path: '/other', body: { a: 1 } }, credentialId);
    expect(received[2]).toMatchObject({ method: 'POST', path: '/v1/other', key: 'canary-key-4711', body: '{"a":1}' });
  });

  it('fetches all pages', async () => {
    const { id } = await create();
    const { output } = await run(id, 'listPets', { limit: 2, allPages: true }, await connect(id));
    expect(output.body).toEqual([{ id: '1a' }, { id: '1b' }, { id: '2a' }, { id: '2b' }]);
  });

  it('of a public operation needs no credential', async () => {
    const { id } = await create();
    expect((await run(id, 'status', {})).output.body).toEqual({ path: '/v1/status' });
    expect(received[0]?.key).toBeUndefined();
  });

  it('that fails says what the API answered', async () => {
    const { id } = await create();
    const { error } = await run(id, 'getPet', { petId: 404 }, await connect(id));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', message: 'Pet store answered 404: no such pet' });
  });

  it('needs its parameters and a credential before it runs', async () => {
    const { id } = await create();
    const { body, status } = await save(calling(id, 'createPet', { kind: 'cat', other: 1 }), 'active');
    expect([status, issuesOf(body)]).toEqual([
      400,
      [
        'nodes[1].credentialId is required',
        'nodes[1].config.parameters.name is required',
        'nodes[1].config.parameters.other is not a parameter of createPet',
      ],
    ]);
    const unknown = await save(calling(id, 'nothing', {}), 'active');
    expect(issuesOf(unknown.body)).toContain('nodes[1].config.operation is not an operation of Pet store');
    const wrong = await run(id, 'getPet', { petId: '1/../../secret' }, await connect(id));
    expect(wrong.error).toMatchObject({ code: 'CONFIG', message: expect.stringContaining('parameters.petId') });
    expect(received).toEqual([]);
  });

  it('sends its credential to its own server only', async () => {
    const { id } = await create();
    const credentialId = await connect(id);
    const http = { type: 'http_request', config: { url: `${elsewhere.url}/steal` }, credentialId };
    const saved = await save(flow({ in: { type: 'start' }, call: http }, ['in>call']));
    const { error } = await runOf(saved.body.id);
    expect(error).toMatchObject({ code: 'CREDENTIAL_HOST' });
    expect(received).toEqual([]);
  });
});

describe('an update', () => {
  const changed = () => {
    const next = petStore(`${api.url}/v1`);
    const { '/pets/{petId}': _one, '/status': status, ...paths } = next.paths;
    const { get } = paths['/pets'];
    const listPets = {
      ...get,
      parameters: [...get.parameters, { name: 'sort', in: 'query', schema: { type: 'string' } }],
    };
    const createOwner = { operationId: 'createOwner', responses: { 201: { description: 'ok' } } };
    return {
      ...next,
      paths: {
        ...paths,
        '/pets': { ...paths['/pets'], get: listPets },
        '/owners': { post: createOwner },
        '/status': status,
      },
    };
  };

  it('keeps what workflows use, and says before what it changes', async () => {
    const { id } = await create({ openapi: `${api.url}/openapi.json` });
    const credentialId = await connect(id);
    const saved = await save(calling(id, 'getPet', { petId: 1 }, credentialId), 'active');
    document = changed();
    const compared = await call<ConnectorComparison>('POST', `/api/connectors/${id}/compare`, {
      token: user.token,
      body: {},
    });
    const use = { usedBy: [{ id: saved.body.id, name: 'Pets' }], otherUses: 0 };
    expect(compared.body.added.map((one) => one.id)).toEqual(['createOwner']);
    expect(compared.body.changed.map((one) => one.id)).toEqual(['listPets']);
    expect(compared.body.removed).toMatchObject([
      { id: 'getPet', ...use },
      { id: 'deletePet', usedBy: [] },
    ]);
    expect(compared.body.losesSecrets).toBe(false);
    const { status, body } = await update(id, { refresh: true, version: 1 });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.usedBy).toEqual(use.usedBy);
    expect(body.source?.version).toBe(2);
    expect(body.operations.map((one) => one.id)).not.toContain('deletePet');
    expect(body.operations.find((one) => one.id === 'getPet')).toMatchObject({ isRemoved: true });
    expect((await runOf(saved.body.id)).output.body).toEqual({ path: '/v1/pets/1' });
    expect(received[0]?.key).toBe('canary-key-4711');
    document = petStore(`${api.url}/v1`);
    const again = await update(id, { refresh: true });
    expect(again.body.operations.find((one) => one.id === 'getPet')?.isRemoved).toBeUndefined();
    const stale = await update(id, { refresh: true, version: 1 });
    expect(stale.status).toBe(409);
  });

  it('keeps the choice of operations until another is made', async () => {
    const { id } = await create({ openapi: pets(), operations: ['listPets', 'getPet'] });
    const idsOf = ({ body }: Awaited<ReturnType<typeof update>>) => body.operations.map((one) => one.id);
    expect(idsOf(await update(id, { openapi: JSON.stringify(changed()) }))).toEqual(['listPets', 'request']);
    expect(idsOf(await update(id, { openapi: pets(), operations: ['status'] }))).toEqual(['status', 'request']);
    expect(idsOf(await update(id, { openapi: pets(), operations: null }))).toHaveLength(8);
    const unsent = await update(id, { refresh: true });
    expect(issuesOf(unsent.body)).toEqual([expect.stringContaining('openapi is required')]);
  });

  it('to another server removes the secrets: they are not sent to it', async () => {
    const { id } = await create();
    const credentialId = await connect(id);
    const other = await buildUser();
    const theirs = await connect((await create(undefined, other)).id, other);
    const saved = await save(calling(id, 'getPet', { petId: 1 }, credentialId));
    expect((await update(id, { openapi: pets(`${elsewhere.url}/v1`) })).status).toBe(200);
    const { error } = await runOf(saved.body.id);
    expect(error).toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    expect(received).toEqual([]);
    const read = await call<{ status: string; secretFields: string[] }>('GET', `/api/credentials/${credentialId}`, {
      token: user.token,
    });
    expect(read.body).toMatchObject({ status: 'expired', secretFields: [] });
    const untouched = await call<{ status: string }>('GET', `/api/credentials/${theirs}`, { token: other.token });
    expect(untouched.body).toMatchObject({ status: 'active', secretFields: ['key'] });
    const config = { key: 'another-key-0815' };
    const again = await call('PUT', `/api/credentials/${credentialId}`, { token: user.token, body: { config } });
    expect(again.body).toMatchObject({ status: 'active', secretFields: ['key'] });
    expect((await runOf(saved.body.id)).error).toBeNull();
    expect(received).toMatchObject([{ key: 'another-key-0815' }]);
  });
});

test('a connector that is deleted takes its credentials along, and workflows fail at its nodes', async () => {
  const { id } = await create();
  const credentialId = await connect(id);
  const saved = await save(calling(id, 'getPet', { petId: 1 }, credentialId));
  const details = await call<ConnectorDetails>('GET', `/api/connectors/${id}`, { token: user.token });
  expect(details.body.usedBy).toEqual([{ id: saved.body.id, name: 'Pets' }]);
  expect((await call('DELETE', `/api/connectors/${id}`, { token: user.token })).status).toBe(204);
  expect((await call('GET', `/api/credentials/${credentialId}`, { token: user.token })).status).toBe(404);
  const at = `/api/workflows/${saved.body.id}`;
  const refused = await call<Refused>('POST', `${at}/execute`, { token: user.token, body: {} });
  expect(issuesOf(refused.body)).toContain(
    'nodes[1].config.connectorId this connector does not exist in the workspace',
  );
  const renamed = await call('PUT', at, {
    token: user.token,
    body: { name: 'Still editable', definition: calling(id, 'getPet', {}) },
  });
  expect(renamed.status).toBe(200);
});

test('an account is connected by OAuth with the app registration of the workspace', async () => {
  const oauth = {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: `${api.url}/token`, scopes: { read: '' } } },
  };
  const doc = { ...petStore(`${api.url}/v1`), security: [{ oauth: ['read'] }] };
  const openapi = JSON.stringify({ ...doc, components: { ...doc.components, securitySchemes: { oauth } } });
  const { id, flow: way } = await create({ openapi });
  expect(way).toBe('client_credentials');
  const body = { clientId: 'client', clientSecret: 'client-secret' };
  const { token } = user;
  expect((await call('PUT', `/api/connectors/${id}/registration`, { token, body })).status).toBe(200);
  const moved = JSON.stringify({
    ...doc,
    components: {
      ...doc.components,
      securitySchemes: {
        oauth: { ...oauth, flows: { clientCredentials: { tokenUrl: `${elsewhere.url}/token`, scopes: {} } } },
      },
    },
  });
  expect((await update(id, { openapi: moved })).status).toBe(200);
  // The secret of the client was for the old address.
  expect((await call('GET', `/api/connectors/${id}/registration`, { token })).status).toBe(404);
});

test('a model gets the parameters that an author leaves open, in its own workspace only', async () => {
  const { id } = await create();
  const { arguments: open } = connectorNode.tool ?? {};
  const config = { connectorId: id, operation: 'createPet', parameters: { kind: 'cat' } };
  const about = open?.about?.(config);
  expect(about).toEqual({ resource: 'connector', id, operation: 'createPet' });
  const facts = await findCustomSummary(user.workspaceId, id, 'createPet');
  const schema = open?.schema(config, { name: '', description: '', inputSchema: facts?.parameters ?? {} });
  expect(Object.keys(schema?.['properties'] as object)).toEqual(['name', 'owner', 'parents', 'X_Trace']);
  expect(schema?.['required']).toEqual(['name']);
  const chosen = { name: 'Rex', kind: 'dog', other: 1 };
  expect(await open?.merge(config, chosen, config, user)).toEqual({
    ...config,
    parameters: { name: 'Rex', kind: 'cat' },
  });
  const stranger = await buildUser();
  expect(await open?.merge(config, chosen, config, stranger)).toEqual(config);
  expect(await findCustomSummary(stranger.workspaceId, id, 'createPet')).toBeUndefined();
});
