import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListChoicesResponse } from '@/contract/choices';
import type { ConnectorDetails } from '@/contract/connectors/custom-connector';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { listenOn } from '@/server/testing/listen';

useDatabase({ rateLimitTier: 'unlimited' });

const KEY = 'canary-key-of-a-document';

let owner: TestUser;
let stranger: TestUser;
let api: Awaited<ReturnType<typeof listenOn>>;
let seen: { path: string; key: unknown }[] = [];

/** An API with projects, which have tasks. `security`: it needs a key. */
function projectDocument(security: boolean) {
  const text = { type: 'string' };
  const slot = (name: string) => ({ name, in: 'path', required: true, schema: text });
  const items = { type: 'object', properties: { id: text, name: text } };
  const listing = {
    'application/json': { schema: { type: 'object', properties: { data: { type: 'array', items } } } },
  };
  const lists = { responses: { 200: { description: 'ok', content: listing } } };
  const ok = { responses: { 200: { description: 'ok' } } };
  const tasks = '/projects/{projectId}/tasks';
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Projects', version: '1' },
    servers: [{ url: `${api.url}/v1` }],
    paths: {
      '/projects': { get: { operationId: 'listProjects', ...lists } },
      [tasks]: { get: { operationId: 'listTasks', parameters: [slot('projectId')], ...lists } },
      [`${tasks}/{taskId}`]: {
        get: { operationId: 'getTask', parameters: [slot('projectId'), slot('taskId')], ...ok },
      },
    },
    ...(security
      ? {
          security: [{ key: [] }],
          components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
        }
      : {}),
  });
}

async function addConnector(security: boolean): Promise<ConnectorDetails> {
  const body = { openapi: projectDocument(security) };
  const made = await call<ConnectorDetails>('POST', '/api/connectors', { token: owner.token, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

const choose = (id: string, body: object, as = owner) =>
  call<ListChoicesResponse & Refused>('POST', `/api/connectors/${id}/choices`, { token: as.token, body });
const faults = ({ status, body }: { status: number; body: Refused }) => [status, body.error.details[0]?.field];

beforeAll(async () => {
  getRuntime().env.egressAllowPrivate = true;
  owner = await buildUser();
  stranger = await buildUser();
  api = await listenOn((request, response) => {
    seen.push({ path: request.url ?? '', key: request.headers['x-api-key'] });
    const data = [{ id: '1', name: `First of ${request.url}` }, { id: '2' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  });
});
afterAll(() => api.close());

test('choices of a document are listed by its own operations, with the credential of the connector', async () => {
  const { id } = await addConnector(true);
  const shown = await call<ConnectorDetails>('GET', `/api/connectors/${id}`, { token: owner.token });
  expect(JSON.stringify(shown.body)).toContain('"source":"listTasks","dependsOn":["projectId"]');
  const body = { name: 'Projects', type: 'token', connectorId: id, config: { key: KEY } };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token: owner.token, body });
  const credentialId = made.body.id;
  expect((await choose(id, { source: 'listProjects', credentialId })).body).toEqual({
    data: [
      { value: '1', label: 'First of /v1/projects' },
      { value: '2', label: '2' },
    ],
    nextCursor: null,
  });
  seen = [];
  const tasks = { source: 'listTasks', credentialId, values: { projectId: 'a/b' } };
  expect((await choose(id, tasks)).body.data).toHaveLength(2);
  expect(seen).toEqual([{ path: '/v1/projects/a%2Fb/tasks', key: KEY }]);
  expect(faults(await choose(id, { ...tasks, values: {} }))).toEqual([400, 'values.projectId']);
  expect(faults(await choose(id, { source: 'listProjects' }))).toEqual([400, 'credentialId']);
  for (const source of ['getTask', 'nothing', 'constructor', '%'])
    expect(faults(await choose(id, { source, credentialId }))).toEqual([400, 'source']);
  expect((await choose(id, { source: 'listProjects', credentialId }, stranger)).status).toBe(404);
});

test('an API that is open to everybody lists without a credential', async () => {
  const { id } = await addConnector(false);
  expect((await choose(id, { source: 'listProjects' })).body.data).toHaveLength(2);
});
