import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { createHttpServer } from '@/server/api/http/server';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { register } from '@/server/testing/hooks';
import { listenOn } from '@/server/testing/listen';
import { startCollector, type Collector } from '@/server/testing/servers/otlp';
import { gate, startRunOf, testKinds, until } from '@/server/testing/runs';
import { openTraceExport } from './opentelemetry';
import type { TraceRecorder } from './tracing';

useDatabase();

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

let collector: Collector;
let service: Awaited<ReturnType<typeof listenOn>>;
let target: Awaited<ReturnType<typeof listenOn>>;
/** The headers `traceparent` that the target has received. */
const received: (string | undefined)[] = [];

beforeAll(async () => {
  collector = await startCollector();
  target = await listenOn((request, response) => {
    received.push(request.headers['traceparent'] as string | undefined);
    response.end('{}');
  });
  const http = createHttpServer((_request, response) => response.end());
  service = await listenOn((request, response) => void http.emit('request', request, response));
});
afterAll(() => Promise.all([collector.close(), service.close(), target.close()]));

const open: TraceRecorder[] = [];
const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await Promise.all(open.splice(0).map((tracing) => tracing.close()));
  setRuntime({ ...getRuntime(), tracing: undefined });
  vi.unstubAllEnvs();
  collector.spans.splice(0);
  received.splice(0);
});

/** From here on this process exports traces as one that has just started. */
function trace(): TraceRecorder {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  const warn = (message: string) => {
    throw new Error(message);
  };
  const tracing = openTraceExport(warn, { closeMs: 60_000 });
  open.push(tracing);
  setRuntime({ ...getRuntime(), tracing });
  return tracing;
}

const work = async (kinds = testKinds(async () => null).kinds) => {
  const worker = await startWorker({ concurrency: 10, kinds, graceMs: 100 });
  workers.push(worker);
  return worker;
};

/** A workflow whose webhook anybody may call, and a call of it. */
async function deliver(definition: WorkflowDefinition, headers: Record<string, string>): Promise<string> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active', definition });
  const { body: hook } = await register(user, workflowId, 'traced', { verification: { kind: 'none' } });
  const answer = await fetch(`${service.url}${new URL(hook.url).pathname}`, { method: 'POST', body: '{}', headers });
  const { executionId } = (await answer.json()) as { executionId: string };
  expect(executionId).toMatch(/^exec_/);
  return executionId;
}

const ended = (id: string) =>
  until(async () => {
    const { rows } = await databasePool().query<{ status: string }>('SELECT status FROM execution WHERE id = $1', [id]);
    return ['completed', 'failed'].includes(rows[0]?.status ?? '');
  }, 'the end of the run');

const call = () => flow({ s: { type: 'start' }, a: { type: 'http_request', config: { url: target.url } } }, ['s>a']);
const spanNamed = (name: RegExp) => collector.spans.filter((span) => name.test(span.name));

test('a request, its run in another process and the calls of its nodes are one trace', async () => {
  const web = trace();
  const id = await deliver(call(), { 'content-type': 'application/json', traceparent: `00-${TRACE}-${SPAN}-01` });
  await web.close();
  const worker = trace();
  await work();
  await ended(id);
  await Promise.all(workers.splice(0).map((one) => one.stop()));
  await worker.close();

  const [request, ...otherRequests] = spanNamed(/^POST \/webhooks/);
  expect(otherRequests).toEqual([]);
  expect(request).toMatchObject({
    name: 'POST /webhooks/{workflowId}/{path...}',
    traceId: TRACE,
    parentId: SPAN,
    service: 'weft',
    attributes: { 'weft.operation': 'webhooks.deliver' },
  });
  const [run, ...otherRuns] = spanNamed(/^run$/);
  expect(otherRuns).toEqual([]);
  expect(run).toMatchObject({ traceId: TRACE, parentId: request?.spanId });
  expect(run?.attributes).toMatchObject({ 'weft.execution.id': id, 'weft.result': 'completed' });
  const nodes = spanNamed(/^node /);
  expect(nodes.map(({ name, parentId, traceId }) => [name, parentId, traceId])).toEqual([
    ['node start', run?.spanId, TRACE],
    ['node http_request', run?.spanId, TRACE],
  ]);
  expect(received).toEqual([`00-${TRACE}-${nodes[1]?.spanId}-01`]);
});

test('a run that two workers have had is one span, and the root of its trace', async () => {
  const first = trace();
  const begun = gate();
  const { opened, open: release } = gate();
  let attempts = 0;
  const { kinds } = testKinds(async () => {
    attempts += 1;
    if (attempts > 1) return null;
    begun.open();
    await opened;
    return null;
  });
  const interrupted = await work(kinds);
  const run = await startRunOf(flow({ s: { type: 'start' }, a: { type: 'call' } }, ['s>a']));
  await begun.opened;
  // It does not wait for the node: another worker runs it again.
  await interrupted.stop();
  workers.splice(0);
  release();
  await first.close();
  const second = trace();
  await work(kinds);
  await run.finish();
  await Promise.all(workers.splice(0).map((one) => one.stop()));
  await second.close();
  const own = collector.spans.filter(({ attributes }) => attributes['weft.execution.id'] === run.executionId);
  expect(own.map(({ name, parentId }) => [name, parentId])).toEqual([['run', '']]);
  const nodes = spanNamed(/^node /);
  expect(nodes.length).toBeGreaterThanOrEqual(2);
  expect(new Set(nodes.map(({ parentId, traceId }) => `${traceId} ${parentId}`))).toEqual(
    new Set([`${own[0]?.traceId} ${own[0]?.spanId}`]),
  );
});

test('a header that is not well formed begins a new trace, and calls carry none if they must not', async () => {
  getRuntime().env.isTraceSent = false;
  try {
    const tracing = trace();
    const id = await deliver(call(), { 'content-type': 'application/json', traceparent: `00-${'0'.repeat(32)}-x-01` });
    await work();
    await ended(id);
    await Promise.all(workers.splice(0).map((one) => one.stop()));
    await tracing.close();
    const [request] = spanNamed(/^POST \/webhooks/);
    expect(request?.parentId).toBe('');
    expect(request?.traceId).toMatch(/^(?!0{32})[\da-f]{32}$/);
    expect(received).toEqual([undefined]);
  } finally {
    getRuntime().env.isTraceSent = true;
  }
});

test('nothing is stored or sent when traces are not exported', async () => {
  const id = await deliver(call(), { 'content-type': 'application/json', traceparent: `00-${TRACE}-${SPAN}-01` });
  await work();
  await ended(id);
  const { rows } = await databasePool().query('SELECT trace_parent FROM execution WHERE id = $1', [id]);
  expect(rows).toEqual([{ trace_parent: null }]);
  expect(received).toEqual([undefined]);
});
