import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
// oxlint-disable-next-line no-restricted-imports -- what people import is proven by what runs it
import { importN8n } from '@/import/n8n/convert';
import type { ExecutionResponse } from '@/contract/execution';
import { findBuiltInConnector } from '@/server/connectors';
import { useWorker } from '@/server/testing/worker';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { outsideWorld, storeCredential, type OutsideWorld } from '@/server/testing/outside-world';
import { until } from '@/server/testing/runs';
import type { ExampleCall } from '@/server/workflow/templates/template-file';

useDatabase();
useWorker({ concurrency: 5 });

const FOLDER = path.join(import.meta.dirname, '../../../../import/n8n/fixtures');

let user: TestUser;
let world: OutsideWorld;

beforeAll(async () => {
  world = await outsideWorld();
  user = await buildUser();
});
afterAll(async () => {
  await world.close();
});

interface Run {
  file: string;
  input?: object;
  calls?: Partial<ExampleCall>[];
  decision?: { nodeId: string; decision: 'approved' | 'rejected' };
}

/** Imports a fixture as the console does, with its triggers, and runs it to its end. */
async function run({
  file,
  input = {},
  calls = [],
  decision,
}: Run): Promise<ExecutionResponse & { triggers: string[] }> {
  const { token } = user;
  const text = readFileSync(path.join(FOLDER, `${file}.json`), 'utf8');
  const { name, definition, triggers, settings } = importN8n(JSON.parse(text) as unknown);
  for (const node of definition.nodes) {
    const connector = node.type === 'connector' ? findBuiltInConnector(String(node.config['connectorId'])) : undefined;
    if (!connector) continue;
    const types = [connector.token ? ('token' as const) : ('oauth2' as const)];
    const need = { id: 'account', label: '', help: '', types, connectorId: connector.id, nodes: [] };
    node.credentialId = await storeCredential(user, need, world);
  }
  // Somebody has looked at what the report names.
  const looked = JSON.stringify(definition, (key, value: unknown) => (key === 'unreviewed' ? undefined : value));
  const quick = looked.replaceAll(/"(durationMs|backoffMs)":\d+/g, '"$1":10');
  const body = { name, definition: world.redirect(JSON.parse(quick)), settings };
  const made = await call<{ id: string } & Refused>('POST', '/api/workflows', { token, body });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  for (const { kind, settings: given } of triggers) {
    const created = await call<Refused>('POST', `/api/workflows/${made.body.id}/${kind}s`, { token, body: given });
    expect([kind, created.status, created.body.error]).toEqual([kind, 201, undefined]);
  }
  world.expect(calls.map((one) => ({ method: 'GET', url: '', status: 200, headers: {}, body: {}, calls: 1, ...one })));
  const started = await call<{ executionId: string }>('POST', `/api/workflows/${made.body.id}/execute`, {
    token,
    // A run begins at the start of one trigger.
    body: { input, startNodeId: definition.nodes.find(({ type }) => type === 'start')?.id },
  });
  expect([started.status, started.body]).toMatchObject([202, {}]);
  const address = `/api/executions/${started.body.executionId}`;
  const ended = await until(async () => {
    const { body: execution } = await call<ExecutionResponse>('GET', address, { token });
    const isWaiting = execution.nodeResults.some(
      ({ nodeId, status }) => status === 'paused' && nodeId === decision?.nodeId,
    );
    if (isWaiting) await call('POST', `${address}/resume`, { token, body: decision });
    return (execution.status === 'completed' || execution.status === 'failed') && execution;
  }, `“${file}” to end`);
  expect(ended.nodeResults.filter(({ error }) => error).map(({ nodeId, error }) => [nodeId, error?.message])).toEqual(
    [],
  );
  expect([ended.status, world.unanswered()]).toEqual(['completed', []]);
  return { ...ended, triggers: triggers.map(({ kind }) => kind) };
}

const outputOf = ({ nodeResults }: ExecutionResponse, id: string): unknown =>
  nodeResults.find(({ nodeId }) => nodeId === id)?.output;
const mails = async (count: number) => {
  const { body } = await call<{ data: object[] }>('GET', `/api/outbox?limit=${count}`, { token: user.token });
  return body.data;
};

it('an order is told to a chat, and answered', async () => {
  const order = {
    id: 'A-7',
    customer: { name: ' Ada ' },
    total: 510,
    items: [
      { price: 200, count: 2 },
      { price: 110, count: 1 },
    ],
  };
  const ended = await run({
    file: 'order-to-slack',
    input: { method: 'POST', headers: {}, query: {}, body: order },
    calls: [
      {
        method: 'POST',
        url: 'connector:slack/chat.postMessage',
        request: { channel: '#orders', text: 'Order A-7 of  Ada  (510 EUR)' },
        body: { ok: true },
      },
    ],
  });
  expect(ended.triggers).toEqual(['webhook']);
  expect(outputOf(ended, 'prepare')).toEqual([
    { customer: 'Ada', total: 510, title: 'Order A-7 of  Ada ', isLarge: true },
  ]);
});

it('each of the large invoices of a list is mailed', async () => {
  const ended = await run({
    file: 'overdue-invoices',
    calls: [
      {
        url: 'https://billing.example.com/invoices?status=open',
        body: {
          invoices: [
            { number: 1, name: 'Ada', email: 'ada@example.com', amount: 120.456 },
            { number: 2, name: 'Bob', email: 'bob@example.com', amount: 80 },
            { number: 3, name: 'Cy', email: 'cy@example.com', amount: 300 },
          ],
        },
      },
    ],
  });
  expect(ended.triggers).toEqual(['schedule']);
  expect(outputOf(ended, 'small_ones')).toMatchObject([{ invoices: [{ number: 2 }] }]);
  expect(await mails(2)).toMatchObject([
    { to: ['cy@example.com'], subject: 'Invoice 3 is due' },
    { to: ['ada@example.com'], subject: 'Invoice 1 is due', text: 'Dear Ada, please pay 120.46 EUR.' },
  ]);
});

it.each([
  ['approved', 'say_yes', 'say_no'],
  ['rejected', 'say_no', 'say_yes'],
] as const)('a form whose request is %s is answered by Gmail', async (decision, sent, other) => {
  const ended = await run({
    file: 'holiday-request',
    input: { your_name: 'Ada', e_mail: 'ada@example.com', first_day: '2026-01-31', kind: 'Paid' },
    calls: [
      { method: 'POST', url: 'connector:google/users/me/messages/send*', body: { id: 'm1', labelIds: ['SENT'] } },
    ],
    decision: { nodeId: 'ask_the_manager_call', decision },
  });
  expect(ended.triggers).toEqual(['form']);
  expect(outputOf(ended, sent)).toMatchObject([{ id: 'm1' }]);
  expect(outputOf(ended, 'ask_the_manager')).toEqual([{ data: { approved: decision === 'approved' } }]);
  expect(ended.nodeResults.find(({ nodeId }) => nodeId === other)?.status ?? 'skipped').toBe('skipped');
});

it('a loop saves each contact, and the code behind it sees them all', async () => {
  const put = (id: number, name: string) => ({
    method: 'PUT' as const,
    url: `https://list.example.com/members/${id}`,
    request: { email: `${id}@example.com`, name },
    body: { id, isSaved: true },
  });
  const ended = await run({
    file: 'sync-contacts',
    calls: [
      {
        url: 'https://crm.example.com/contacts',
        body: {
          source: 'crm',
          data: [
            { id: 1, first: 'Ada', last: 'L', email: '1@example.com' },
            { id: 2, first: 'Bob', last: 'M', email: '2@example.com' },
          ],
        },
      },
      put(1, 'Ada L'),
      put(2, 'Bob M'),
    ],
  });
  expect(ended.output).toEqual([{ saved: 2, source: 'crm' }]);
});

it('two lists are joined, sorted, cut and rewritten', async () => {
  const { output } = await run({ file: 'join-orders' });
  expect(output).toEqual([
    { line: 'Ada: 6', order: 3 },
    { line: 'Ada: 21', order: 1 },
  ]);
});

it('a page is scraped, and compared with a variable', async () => {
  const { token } = user;
  await call('POST', '/api/variables', { token, body: { name: 'PRICE_LIMIT', value: 10 } });
  const ended = await run({
    file: 'scrape-prices',
    calls: [
      {
        url: 'https://shop.example.com/list',
        headers: { 'content-type': 'text/html' },
        body: '<b class=price>EUR 12.50</b><a class=item href=/1>One</a><b class=price>9</b>',
      },
    ],
  });
  expect(outputOf(ended, 'numbers')).toEqual([{ prices: [12.5, 9], cheapest: 9 }]);
  expect(ended.nodeResults.find(({ nodeId }) => nodeId === 'stop')?.status ?? 'skipped').toBe('skipped');
});

it('a feed is told item by item, and its triggers wait for an account and a secret', async () => {
  const post = (text: string, link: string, id: number) => ({
    method: 'POST' as const,
    url: 'https://chat.example.com/posts',
    request: { text, link },
    body: { id },
  });
  const ended = await run({
    file: 'news-digest',
    calls: [
      {
        url: 'https://news.example.com/feed',
        headers: { 'content-type': 'application/rss+xml' },
        body: `<rss><channel><title>News</title>
          <item><title>[IT] Ship it</title><link>https://a.example</link><pubDate>Mon, 02 Mar 2026 08:00:00 +0000</pubDate></item>
          <item><title>Rain</title><link>https://b.example</link><pubDate>Tue, 07 Apr 2026 08:00:00 +0000</pubDate></item>
        </channel></rss>`,
      },
      post('IT: Ship it', 'https://a.example', 1),
      post('Rain', 'https://b.example', 2),
    ],
  });
  expect(ended.triggers).toEqual(['poll', 'webhook']);
  expect(outputOf(ended, 'told')).toEqual([{ told: 'IT: Ship it (MAR): 1' }, { told: 'Rain (APR): 2' }]);
});

it('a loop until a condition holds runs as often as in n8n', async () => {
  const ended = await run({ file: 'count-to-three', input: { n: 0 } });
  expect(outputOf(ended, 'tell')).toEqual([{ told: 3, same: 3 }]);
  expect(ended.nodeResults.filter(({ nodeId }) => nodeId.endsWith('.one_more'))).toHaveLength(3);
});
