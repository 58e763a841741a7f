import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionResponse, RunError } from '@/contract/execution';
import { ResumeExecutionRequest } from '@/contract/approval';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { createForm } from '@/server/testing/forms';
import { listenOn } from '@/server/testing/listen';
import { startRun, startRunOf } from '@/server/testing/runs';

useDatabase();
useWorker();

let owner: TestUser;
beforeAll(async () => {
  owner = await buildUser();
});
afterAll(async () => {
  await closeOutboundConnections();
});

/** The blocks of a page without the ones of another language. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs', page), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, 'g'))].map(([, block = '']) => block);
}
const jsonOf = (page: string) => blocksOf(page, 'json').map((block): unknown => JSON.parse(block));
const create = (where: string, body: unknown) =>
  call<{ id: string } & Refused>('POST', where, { token: owner.token, body });

it('the workflow of docs/start/definitions.md is created and doubles a number', async () => {
  const [body] = jsonOf('start/definitions.md');
  const created = await create('/api/workflows', body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const run = await startRun({ workspaceId: owner.workspaceId, workflowId: created.body.id }, { number: 21 });
  expect((await run.finish()).output).toEqual({ result: 42 });
});

it('the form and the decision of docs/triggers/forms.md are accepted', async () => {
  const [form, decision] = jsonOf('triggers/forms.md') as [object, unknown];
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, status: 'active' });
  const created = await createForm(owner, workflowId, form);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  expect(created.body).toMatchObject(form);
  expect(ResumeExecutionRequest.parse(decision)).toEqual(decision);
});

it('the schedule of docs/triggers/schedules.md is created, and its cron expressions are known', async () => {
  const [command = ''] = blocksOf('triggers/schedules.md', 'sh');
  const body = JSON.parse(/-d '(.*)'/.exec(command)?.[1] ?? '') as object;
  const definition = flow({ start: { type: 'start' } });
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, status: 'active', definition });
  const created = await create(`/api/workflows/${workflowId}/schedules`, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  expect(created.body).toMatchObject({ ...body, enabled: true, overlap: 'skip' });
  expect((created.body as unknown as { nextRuns: unknown[] }).nextRuns).toHaveLength(5);
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/triggers/schedules.md'), 'utf8');
  const crons = [...page.matchAll(/^\| .* \| `([^`]* \*[^`]*|[^`]*\* [^`]*)` \|$/gm)].map(([, cron = '']) => cron);
  expect(crons.length).toBeGreaterThan(4);
  for (const cron of crons)
    expect((await create(`/api/workflows/${workflowId}/schedules`, { cron })).status, cron).toBe(201);
});

it('the test of docs/build/workflow-tests.md passes', async () => {
  const [body] = jsonOf('build/workflow-tests.md');
  const definition = flow(
    {
      start: { type: 'start' },
      fetch: { type: 'http_request', config: { url: 'https://api.example.com/orders/{{ input.id }}' } },
      check: { type: 'condition', config: { expression: 'input.body.total > 100' } },
      ask: { type: 'approval', config: {} },
      refuse: { type: 'transform', config: { expression: '"refused"' } },
    },
    ['start>fetch', 'fetch>check', 'check:true>ask', 'ask:rejected>refuse'],
  );
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  const created = await create(`/api/workflows/${workflowId}/tests`, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const run = await call<{ status: string; failures: object[] }>(
    'POST',
    `/api/workflows/${workflowId}/tests/${created.body.id}/run`,
    {
      token: owner.token,
      body: {},
    },
  );
  expect(run.body).toMatchObject({ status: 'passed', failures: [] });
});

it('a node of whose error docs/build/errors.md tells passes it on in this form', async () => {
  const { url, close } = await listenOn(
    (_request, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('No such order'),
  );
  const [passedOn, reported] = jsonOf('build/errors.md') as [{ code: string }, RunError];
  const definition = flow(
    {
      start: { type: 'start' },
      get_order: { type: 'http_request', config: { url } },
      seen: { type: 'transform', config: { expression: 'input' } },
    },
    ['start>get_order', 'get_order:error>seen'],
  );
  const run = await startRunOf(definition);
  const { output, nodeResults } = (await run.finish()) as Pick<ExecutionResponse, 'output' | 'nodeResults'>;
  await close();
  const server = `GET ${new URL(url).host}`;
  const message = `${server} answered 404: No such order`;
  expect(output).toEqual({ ...passedOn, message });
  const parameters = { ...reported.parameters, server };
  expect(nodeResults.find(({ nodeId }) => nodeId === 'get_order')?.error).toEqual({ ...reported, message, parameters });
});

it('the expression of docs/build/execution.md names what started the run', async () => {
  const [expression = ''] = blocksOf('build/execution.md', '');
  const definition = flow(
    { start: { type: 'start' }, t: { type: 'transform', config: { expression: expression.trim() } } },
    ['start>t'],
  );
  const run = await startRunOf(definition);
  expect(await run.finish()).toMatchObject({ status: 'completed' });
});
