import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkflowImportResponse } from '@/contract/workflows/n8n-import';
import type { WorkflowTestResult } from '@/contract/workflows/workflow-test';
// oxlint-disable-next-line no-restricted-imports -- what people import is proven by what runs it
import { planN8nImport } from '@/import/n8n/plan';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { listenOn } from '@/server/testing/listen';
import { ordersInN8n, startN8nApi } from '@/server/testing/servers/n8n';
import { useWorker } from '@/server/testing/worker';

useDatabase();
useWorker({ concurrency: 5 });

const workflows = Array.from({ length: 12 }, (_, index) => ({
  id: `w${index}`,
  name: `Workflow ${index}`,
  nodes: [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', position: [0, 0], parameters: {} }],
  connections: {},
  pinData: { Start: [{ json: { pinned: index } }] },
}));
const executions = [
  { id: '3', workflowId: 'w1', status: 'success', data: { resultData: { runData: { large: 'x'.repeat(5_000_000) } } } },
  { id: '2', workflowId: 'w1', status: 'running', data: {} },
  { id: '1', workflowId: 'w1', status: 'error', data: { resultData: { runData: {} } } },
];

let user: TestUser;
let n8n: Awaited<ReturnType<typeof startN8nApi>>;
beforeAll(async () => {
  user = await buildUser();
  n8n = await startN8nApi({ workflows, executions });
});
afterAll(() => n8n.close());

const post = <Body>(at: string, body: object, { token } = user) =>
  call<Body & Refused>('POST', `/api/import/n8n/${at}`, { token, body });
const server = () => ({ url: `${n8n.url}/home/workflows`, key: n8n.key });

describe('a running n8n', () => {
  test('gives its workflows by pages, and one with its pinned data and last runs', async () => {
    type Page = { data: { id: string; pinData?: object }[]; nextCursor: string | null };
    const first = await post<Page>('workflows', server());
    expect([first.status, first.body.data.length, first.body.data[0]?.pinData]).toEqual([200, 10, undefined]);
    const second = await post<Page>('workflows', { ...server(), cursor: first.body.nextCursor });
    expect([second.body.data.map(({ id }) => id), second.body.nextCursor]).toEqual([['w10', 'w11'], null]);

    const one = await post<{ workflow: object; runs: { id: string }[]; runsLeftOut: number }>('workflow', {
      ...server(),
      workflowId: 'w1',
    });
    expect(one.body.workflow).toMatchObject({ id: 'w1', pinData: { Start: [{ json: { pinned: 1 } }] } });
    expect([one.body.runs.map(({ id }) => id), one.body.runsLeftOut]).toEqual([['1'], 1]);
    expect(n8n.paths.filter((each) => each.includes('executions/2'))).toEqual([]);
  });

  test('says which of its workflows were imported before, by this workspace from this address', async () => {
    type Page = { imported: { sourceId: string; workflowId: string }[] };
    const id = await buildWorkflow(user);
    const record = { source: 'n8n', url: server().url, sourceId: 'w2', nodes: [], report: [] };
    const kept = await call('PUT', `/api/workflows/${id}/import`, { token: user.token, body: record });
    expect(kept.status).toBe(200);
    const list = async (url: string, caller?: TestUser) =>
      (await post<Page>('workflows', { ...server(), url }, caller)).body.imported;
    expect(await list(`${server().url}/`)).toEqual([{ sourceId: 'w2', workflowId: id }]);
    expect(await list(n8n.url)).toEqual([]);
    expect(await list(server().url, await buildUser())).toEqual([]);
  });

  test('is refused at the field that is wrong', async () => {
    const fault = async (body: object, at = 'workflows') => {
      const { status, body: refused } = await post(at, { ...server(), ...body });
      return [status, refused.error.details[0]?.field];
    };
    expect(await fault({ key: 'wrong' })).toEqual([400, 'key']);
    expect(await fault({ url: 'not an address' })).toEqual([400, 'url']);
    expect(await fault({ url: `${n8n.url}/elsewhere` })).toEqual([400, 'url']);
    expect(await fault({ workflowId: '../users' }, 'workflow')).toEqual([400, 'workflowId']);
    getRuntime().env.egressAllowPrivate = false;
    expect(await fault({})).toEqual([400, 'url']);
    getRuntime().env.egressAllowPrivate = true;
    const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    expect((await post('workflows', server(), viewer)).status).toBe(403);
  });

  test('that is hostile gets no key elsewhere, and no more than its limits', async () => {
    const keys: unknown[] = [];
    const elsewhere = await listenOn((request, response) => {
      keys.push(request.headers['x-n8n-api-key']);
      response.end('{}');
    });
    let body = '{}';
    const hostile = await listenOn((request, response) => {
      if (request.url?.startsWith('/redirect')) response.writeHead(302, { location: elsewhere.url }).end();
      else response.end(body);
    });
    const refusal = async (url: string) => (await post('workflows', { url, key: 'secret' })).body.error.details[0];
    expect((await refusal(`${hostile.url}/redirect`))?.field).toBe('url');
    expect(keys).toEqual([]);
    for (const text of ['<html>', '[]', '{"data": 1}', `{"data": ${'['.repeat(300)}${']'.repeat(300)}}`]) {
      body = text;
      expect(await refusal(hostile.url), text.slice(0, 20)).toMatchObject({ field: 'url' });
    }
    body = 'x'.repeat(21 * 1024 * 1024);
    expect((await refusal(hostile.url))?.message).toContain('too large');
    await Promise.all([hostile.close(), elsewhere.close()]);
  });
});

test('runs of n8n are repeated with what acts outside answered from the record, and differ at a field', async () => {
  const orders = ordersInN8n();
  const shop = await startN8nApi(orders);
  const { token } = user;
  const read = await post<{ workflow: object; runs: object[] }>('workflow', {
    url: shop.url,
    key: shop.key,
    workflowId: 'orders',
  });
  const { name, definition, settings, tests } = planN8nImport(read.body.workflow, { runs: read.body.runs });
  const workflow = await call<{ id: string }>('POST', '/api/workflows', {
    token,
    body: { name, definition, settings },
  });
  const address = `/api/workflows/${workflow.body.id}`;
  for (const body of tests) expect((await call('POST', `${address}/tests`, { token, body })).status).toBe(201);
  const prove = async () => {
    const listed = await call<{ data: { id: string }[] }>('GET', `${address}/tests`, { token });
    const results: WorkflowTestResult[] = [];
    for (const { id } of listed.body.data)
      results.push((await call<WorkflowTestResult>('POST', `${address}/tests/${id}/run`, { token, body: {} })).body);
    return results.map(({ status, failures }) => [status, ...failures.map(({ field }) => field)]);
  };
  expect(await prove()).toEqual([['passed'], ['passed'], ['passed']]);
  const changed = JSON.parse(JSON.stringify(definition).replaceAll(' of ', ' from ')) as object;
  expect((await call('PUT', `${address}/draft`, { token, body: { definition: changed } })).status).toBe(200);
  // The pinned data of the file expect nothing of the node that differs.
  expect(await prove()).toEqual([['passed'], ['failed', '[0].label'], ['failed', '[0].label']]);
  await shop.close();
});

describe('the record of an import', () => {
  const record = {
    source: 'n8n',
    url: 'https://n8n.example.com',
    sourceId: 'w1',
    wasActive: true,
    nodes: [
      {
        name: 'Call',
        type: 'httpRequest',
        version: 4.2,
        nodeId: 'call',
        parameters: {
          url: 'https://me:hunter2@api.example.com/v1?api_key=abc123&page=2',
          headerParameters: { parameters: [{ name: 'Authorization', value: 'Bearer abcdef123456' }] },
          password: 'hunter2',
          apiKey: '={{ $json.key }}',
          jsonBody: '{"token": "t-0815", "text": "plain"}',
          documentId: { __rl: true, value: '1aBcD2eFgH3iJkL4mNoP5qRsT6uVwX7yZ8', mode: 'id' },
        },
      },
    ],
    report: [{ kind: 'account', node: 'Call', field: null, message: 'Connect an account of Example.' }],
  };

  test('is for those who may change the workflow, without its secrets, and in no export', async () => {
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
    const address = `/api/workflows/${workflowId}/import`;
    const { token } = user;
    expect((await call('GET', address, { token })).status).toBe(404);
    expect((await call('PUT', address, { token, body: record })).status).toBe(200);
    const { body } = await call<WorkflowImportResponse>('GET', address, { token });
    expect(body).toMatchObject({ url: record.url, wasActive: true, report: record.report, importedBy: user.id });
    const text = JSON.stringify(body);
    for (const secret of ['hunter2', 'abc123', 'abcdef123456', 't-0815']) expect(text).not.toContain(secret);
    for (const kept of ['page=2', '={{ $json.key }}', 'plain', '1aBcD2eFgH3iJkL4mNoP5qRsT6uVwX7yZ8'])
      expect(text).toContain(JSON.stringify(kept).slice(1, -1));

    const viewer = await buildUser({ workspaceId: user.workspaceId, role: 'viewer' });
    const stranger = await buildUser();
    expect((await call('GET', address, { token: viewer.token })).status).toBe(403);
    expect((await call('GET', address, { token: stranger.token })).status).toBe(404);
    expect((await call('PUT', address, { token: stranger.token, body: record })).status).toBe(404);
    const workflow = await call('GET', `/api/workflows/${workflowId}`, { token: viewer.token });
    expect(JSON.stringify(workflow.body)).not.toContain('api.example.com');
  });
});
