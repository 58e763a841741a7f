import { afterAll, beforeAll, expect, it } from 'vitest';
// oxlint-disable-next-line no-restricted-imports -- what people begin with is proven by what runs it
import { withTable } from '@/components/workflows/templates/template';
// oxlint-disable-next-line no-restricted-imports -- as above
import { TEMPLATES } from '@/components/workflows/templates/templates';
import type { Execution } from '@/contract/execution';
import { startWorker, type Worker } from '@/server/engine/worker';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { listenOn, textOf } from '@/server/testing/listen';
import { until } from '@/server/testing/runs';

useDatabase();

let user: TestUser;
let worker: Worker;
let url: string;
let close: () => Promise<void>;
const received: string[] = [];

beforeAll(async () => {
  // A stub of every service that the templates call.
  ({ url, close } = await listenOn(async (request, response) => {
    received.push(await textOf(request));
    if (request.url === '/feed.xml') return void response.writeHead(200, { 'Content-Type': 'text/xml' }).end(FEED);
    const orders = [{ id: 1, total: 5, secret: 'left behind' }];
    const body = JSON.stringify({ orders, id: 'e1', status: 'done', url: 'https://files.example.org/e1' });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  }));
  user = await buildUser();
  worker = await startWorker({ concurrency: 5 });
});
afterAll(async () => {
  await worker.stop();
  await close();
});

const FEED = '<rss><channel><item><title>One</title><link>https://blog.example.org/1</link></item></channel></rss>';
const person = { name: 'Ada', email: 'ada@example.com' };
const INPUTS: Record<string, object> = {
  'Approval by email': { ...person, request: 'a day off' },
  'Request with a form': { ...person, day: '2026-02-02' },
  'Orders by value': { ...person, id: 7, total: 2000 },
  'Delayed reminder': person,
  'Process a list': { items: [1, 2, 3] },
  'GitHub → Slack': {
    action: 'opened',
    pull_request: { title: 'Fix it', html_url: 'https://github.example/pr/1' },
    repository: { full_name: 'acme/shop' },
    sender: { login: 'ada' },
  },
  'Stripe payment → mail': {
    type: 'checkout.session.completed',
    created: 1_767_225_600,
    data: {
      object: { payment_status: 'paid', amount_total: 123_450, currency: 'eur', customer_details: person },
    },
  },
};

INPUTS['Stripe payment → table'] = {
  type: 'checkout.session.completed',
  created: 1_767_225_600,
  data: {
    object: { id: 'cs_1', payment_status: 'paid', amount_total: 1250, currency: 'eur', customer_details: person },
  },
};
INPUTS['CSV file → table'] = { file: 'email,name\nada@example.com,Ada\nbo@example.com,Bo\nada@example.com,Ada' };
INPUTS['Wait for an export'] = person;

/** What approvals ask for. */
const DATA: Record<string, object> = { 'Request with a form': { substitute: 'Bo' } };

/** The template, except for parts that would leave this machine or take a day. */
const here = (definition: object): object =>
  JSON.parse(
    JSON.stringify(definition)
      .replaceAll(/https:\/\/(?:[\w.]*example\.com|hooks\.slack\.com)/g, url)
      .replaceAll('86400000', '10')
      .replaceAll('"delayMs":10000', '"delayMs":10'),
  ) as object;

it('there are at least six, and each input belongs to one', () => {
  expect(TEMPLATES.length).toBeGreaterThanOrEqual(6);
  expect(TEMPLATES.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(INPUTS)));
});

it.each(TEMPLATES.map((template) => [template.name, template] as const))(
  '“%s” completes',
  async (name, { form, table, ...template }) => {
    const { token } = user;
    const created = table && (await call<{ id: string }>('POST', '/api/tables', { token, body: table })).body;
    const definition = here(withTable(template.definition, created?.id));
    const body = { ...template, definition, status: 'active' };
    const made = await call<{ id: string } & Refused>('POST', '/api/workflows', { token, body });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    if (form) {
      const { status } = await call('POST', `/api/workflows/${made.body.id}/forms`, { token, body: form });
      expect(status).toBe(201);
    }
    const input = INPUTS[name] ?? {};
    const execute = `/api/workflows/${made.body.id}/execute`;
    const { executionId } = (await call<{ executionId: string }>('POST', execute, { token, body: { input } })).body;
    const path = `/api/executions/${executionId}`;
    const ended = await until(async () => {
      const { body: execution } = await call<Execution>('GET', path, { token });
      const waiting = execution.nodeResults.find(({ status }) => status === 'paused');
      if (execution.status === 'paused' && waiting) {
        const decision = { nodeId: waiting.nodeId, decision: 'approved', data: DATA[name] };
        await call('POST', `${path}/resume`, { token, body: decision });
      }
      return (execution.status === 'completed' || execution.status === 'failed') && execution;
    }, `“${name}” to end`);
    expect(ended).toMatchObject({ status: 'completed', error: null });
    if (name === 'Fetch, transform, post') expect(received.at(-1)).toBe('[{"id":1,"total":5}]');
    if (name === 'GitHub → Slack')
      expect(received.at(-1)).toBe('{"text":"ada opened <https://github.example/pr/1|Fix it> in acme/shop"}');
    if (name === 'Stripe payment → mail') {
      const mail = ended.nodeResults.find(({ nodeId }) => nodeId === 'thank');
      expect(mail).toMatchObject({ status: 'completed', output: { accepted: ['ada@example.com'] } });
    }
    if (name === 'Stripe payment → table') {
      const row = { payment: 'cs_1', email: 'ada@example.com', amount: 12.5, paid: '2026-01-01T00:00:00.000Z' };
      expect(ended.output).toMatchObject(row);
    }
    if (name === 'CSV file → table') {
      const rows = await call('GET', `/api/tables/${created?.id}/rows?sort=email`, { token });
      expect(rows.body).toMatchObject({ data: [{ email: 'ada@example.com' }, { email: 'bo@example.com' }] });
    }
    if (name === 'New posts of a feed → Slack')
      expect(received.at(-1)).toBe('{"text":"<https://blog.example.org/1|One>"}');
    if (name === 'Wait for an export') {
      const mail = ended.nodeResults.find(({ nodeId }) => nodeId === 'mail');
      expect(mail).toMatchObject({ status: 'completed', output: { accepted: ['ada@example.com'] } });
    }
    if (name === 'Process a list')
      expect(ended.nodeResults.filter(({ nodeId }) => nodeId.endsWith('.call'))).toHaveLength(3);
  },
);
