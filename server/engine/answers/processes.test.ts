import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { register, type Hook } from '@/server/testing/hooks';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { startTarget, type Target } from '@/server/testing/servers/target';
import {
  startWebProcess,
  startWorkerProcess,
  type ServiceProcess,
  type WebProcess,
} from '@/server/testing/processes/service';
import { until } from '@/server/testing/runs';
import { documentedSignature } from '@/server/triggers/webhooks/verification';

useOwnDatabase();

const LIMIT_MS = 60_000;

let redis: RedisServer;
let target: Target;
beforeAll(async () => {
  redis = await startRedis();
  target = await startTarget();
});
afterAll(async () => {
  await target.close();
  await redis.remove();
});
beforeEach(() => target.reset());

const processes: ServiceProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map((one) => one.end('SIGKILL'))));

async function keep<Each extends ServiceProcess>(starting: Promise<Each>): Promise<Each> {
  const one = await starting;
  processes.push(one);
  return one;
}
const database = () => getRuntime().env.databaseUrl ?? '';
const startWeb = (more = {}) => keep(startWebProcess(database(), { ...TEST_KEYS, ...more }));
const startWorker = (more = {}) => keep(startWorkerProcess(database(), { ...TEST_KEYS, ...more }));

async function kill(victim: ServiceProcess): Promise<void> {
  processes.splice(processes.indexOf(victim), 1);
  await victim.end('SIGKILL');
}

const MODE = { mode: 'respond_node', timeoutMs: 60_000 };

async function hookOf(definition: WorkflowDefinition, response: object = MODE): Promise<Hook> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
  return (await register(user, workflowId, 'in', { response })).body;
}

async function deliver({ url }: WebProcess, hook: Hook, input: unknown, headers: Record<string, string> = {}) {
  const body = JSON.stringify(input);
  const signature = documentedSignature(hook.secret, Buffer.from(body));
  const all = { 'content-type': 'application/json', 'x-service-signature': signature, ...headers };
  const { pathname } = new URL(hook.url);
  const response = await fetch(url + pathname, { method: 'POST', body, headers: all });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const answering = flow(
  {
    s: { type: 'start' },
    r: { type: 'respond', config: { status: 201, headers: { 'x-no': '{{ input.no }}' }, body: '{{ input }}' } },
    t: { type: 'transform', config: { expression: 'input.no * 2' } },
  },
  ['s>r', 'r>t'],
);

/** Answers after a call of the target. */
const slow = () =>
  flow(
    {
      s: { type: 'start' },
      h: { type: 'http_request', config: { url: `${target.url}/held` } },
      r: { type: 'respond', config: { body: 'after {{ input.status }}' } },
    },
    ['s>h', 'h>r'],
  );

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ REDIS_URL: redis.url })],
])('a web process and a worker over %s', (dispatcher, more) => {
  it(
    'answer together, also what is too large for a notification',
    { timeout: LIMIT_MS, tags: dispatcher === 'Redis' ? ['long'] : [] },
    async () => {
      const [web] = await Promise.all([startWeb(more()), startWorker(more())]);
      const [responding, ending] = [await hookOf(answering), await hookOf(answering, { ...MODE, mode: 'last_node' })];
      const large = 'x'.repeat(100_000);
      for (const input of [{ no: 1 }, { no: 2 }, { no: 3, large }]) {
        const answer = await deliver(web, responding, input);
        expect([answer.status, answer.headers.get('x-no')]).toEqual([201, String(input.no)]);
        expect(JSON.parse(answer.text)).toEqual(input);
        const last = await deliver(web, ending, input);
        expect([last.status, last.text]).toEqual([200, String(input.no * 2)]);
      }
      const failing = await hookOf(
        flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression: '$error("no")' } } }, ['s>t']),
      );
      expect((await deliver(web, failing, {})).status).toBe(500);
      const many = await Promise.all(Array.from({ length: 40 }, (__, no) => deliver(web, responding, { no })));
      expect(many.map(({ text }) => JSON.parse(text).no)).toEqual(many.map((__, no) => no));
    },
  );
});

it(
  'a killed worker costs the caller time, not the answer',
  async () => {
    const [web, worker] = await Promise.all([startWeb(), startWorker()]);
    const hook = await hookOf(slow());
    target.hold('/held');
    const answer = deliver(web, hook, {});
    await until(async () => target.countOf('/held') === 1, 'the call');
    await kill(worker);
    target.letGo('/held');
    await startWorker();
    expect(await answer).toMatchObject({ status: 200, text: 'after 200' });
  },
  LIMIT_MS,
);

it(
  'a killed web process costs the connection; the same delivery gets the answer elsewhere',
  async () => {
    const [web, other] = await Promise.all([startWeb(), startWeb(), startWorker()]);
    const hook = await hookOf(slow());
    target.hold('/held');
    const same = { 'x-service-delivery': 'delivery-1' };
    const broken = deliver(web, hook, {}, same).catch(() => 'broken');
    await until(async () => target.countOf('/held') === 1, 'the call');
    await kill(web);
    expect(await broken).toBe('broken');
    const waiting = deliver(other, hook, {}, same);
    target.letGo('/held');
    expect(await waiting).toMatchObject({ status: 200, text: 'after 200' });
    expect(await deliver(other, hook, {}, same)).toMatchObject({ status: 200, text: 'after 200' });
    expect(target.countOf('/held')).toBe(1);
    const { rows } = await databasePool().query('SELECT id FROM execution WHERE workflow_id = $1', [hook.workflowId]);
    expect(rows).toHaveLength(1);
  },
  LIMIT_MS,
);
