import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, startChannel } from '@/server/api/channel/testing/rig';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, call, type TestUser } from '@/server/testing/factories';
import { TEST_KEYS, useOwnDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { listenOn, textOf } from '@/server/testing/listen';
import { CLIENT } from '@/server/testing/client';
import { until } from '@/server/testing/runs';
import { startWorkerProcess } from '@/server/testing/processes/service';

// Plants secrets wherever they can be stored and causes every failure that involves them, with a receiver that echoes
// them in every encoding. Then searches everything that was stored, logged, answered or sent.

useOwnDatabase();

const secrets: string[] = [];
/** A secret that every encoding has to escape differently. */
function canary(name: string): string {
  const secret = `canary ${name}&"<${randomBytes(9).toString('hex')}>'/+=?`;
  secrets.push(secret);
  return secret;
}

const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const inner64 = (text: string, shift: number) =>
  Buffer.from('x'.repeat(shift) + text)
    .toString('base64')
    .slice(4, -4);

/** The encodings of a secret that are searched for. */
const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  encodeURIComponent(secret),
  new URLSearchParams({ a: secret }).toString().slice(2),
  html(secret),
  ...[0, 1, 2].map((shift) => inner64(secret, shift)),
  // The part that is equal in most encodings.
  /[0-9a-f]{18}/.exec(secret)?.[0] ?? secret,
];

/** Echoes all that it received, in every encoding. */
function reflect(request: IncomingMessage, body: string) {
  const sent = [...request.rawHeaders, decodeURIComponent(request.url?.replaceAll('+', ' ') ?? ''), body];
  const basic = sent.flatMap((text) =>
    text.startsWith('Basic ') ? Buffer.from(text.slice(6), 'base64').toString() : [],
  );
  const all = [...sent, ...basic];
  return {
    all,
    json: JSON.stringify(all),
    twice: JSON.stringify(JSON.stringify(all)),
    url: all.map(encodeURIComponent),
    form: new URLSearchParams(all.map((text, index) => [String(index), text])).toString(),
    html: all.map(html),
    base64: all.map((text) => Buffer.from(text).toString('base64')),
    whole: [0, 1, 2].map((shift) => Buffer.from('x'.repeat(shift) + all.join('|')).toString('base64')),
    keyed: Object.fromEntries(all.map((text) => [text, 1])),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const mirror = reflect(request, await textOf(request));
  const way = new URL(request.url ?? '', 'http://x').pathname.split('/').at(-1);
  const json = { 'Content-Type': 'application/json' };
  if (way === 'reset') return void request.socket.destroy();
  if (way === 'slow') return;
  if (way === 'html') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(mirror.all.join('<br>'));
  if (way === 'bytes') return void response.writeHead(200, { 'Content-Type': 'image/png' }).end(mirror.all.join('|'));
  if (way === 'headers') return void response.writeHead(200, { 'X-Mirror': mirror.url.join(' '), ...json }).end('{}');
  if (way === 'refused')
    return void response.writeHead(403, json).end(JSON.stringify({ error: { message: mirror.all.join(' ') } }));
  if (way === 'token')
    return void response
      .writeHead(400, json)
      .end(JSON.stringify({ error: mirror.all.join(' '), error_description: mirror.json }));
  response.writeHead(200, json).end(JSON.stringify(mirror));
}

let url: string;
let smtpPort: number;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const mirror = await listenOn((request, response) => void answer(request, response));
  url = mirror.url;
  const smtp = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => callback(new Error(`no ${username} with ${password}`)),
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  smtpPort = (smtp.server.address() as { port: number }).port;
  closing.push(mirror.close, () => new Promise<void>((resolve) => smtp.close(resolve)));
});
afterAll(() => Promise.all(closing.map((close) => close())));

async function plant(user: TestUser): Promise<Record<string, string>> {
  const given = {
    key: { type: 'api_key', config: { apiKey: canary('key'), header: 'X-Key', prefix: 'Token ' } },
    query: { type: 'api_key', config: { apiKey: canary('query'), queryParameter: 'key' } },
    basic: { type: 'basic_auth', config: { username: 'ada', password: canary('basic') } },
    custom: { type: 'custom', config: { headers: { 'X-A': canary('header') }, query: { b: canary('custom') } } },
    aws: {
      type: 'aws',
      config: {
        accessKeyId: 'AKIDEXAMPLE',
        service: 's3',
        secretAccessKey: canary('aws'),
        sessionToken: canary('session'),
      },
    },
    bound: { type: 'api_key', config: { apiKey: canary('bound'), allowedHosts: ['api.example.com'] } },
    smtp: {
      type: 'basic_auth',
      connectorId: 'smtp',
      config: { host: '127.0.0.1', port: smtpPort, username: 'ada', password: canary('smtp') },
    },
    oauth: {
      type: 'oauth2',
      connectorId: 'hubspot',
      config: { accessToken: canary('access'), refreshToken: canary('refresh') },
    },
    dead: {
      type: 'oauth2',
      config: {
        tokenUrl: `${url}/token`,
        clientId: 'x',
        clientSecret: canary('client'),
        refreshToken: canary('dead'),
        tokenParameters: { hint: canary('hint') },
      },
    },
  };
  const ids: Record<string, string> = {};
  for (const [name, body] of Object.entries(given)) {
    const { status, body: made } = await call<{ id: string }>('POST', '/api/credentials', {
      token: user.token,
      body: { name, ...body },
    });
    expect([name, status]).toEqual([name, 201]);
    ids[name] = made.id;
  }
  return ids;
}

function everyFailure(ids: Record<string, string>) {
  const ways = ['echo', 'html', 'bytes', 'headers', 'refused', 'reset', 'slow'];
  const nodes: Record<string, Sketch> = { start: { type: 'start' } };
  const links: string[] = [];
  const add = (name: string, node: Sketch) => {
    nodes[name] = node;
    // The error port's value also continues as data.
    nodes[`${name}-after`] = { type: 'transform', config: { expression: `{ "was": input, "code": "x" }` } };
    links.push(`start>${name}`, `${name}>${name}-after`, `${name}:error>${name}-after`);
  };
  for (const kind of ['key', 'query', 'basic', 'custom', 'aws', 'bound', 'dead', 'oauth']) {
    for (const way of ways) {
      add(`${kind}-${way}`, {
        type: 'http_request',
        credentialId: ids[kind],
        timeoutMs: 2000,
        config: {
          url: `${url}/${way}`,
          method: 'POST',
          body: { a: 1 },
          responseType: way === 'bytes' ? 'base64' : 'auto',
        },
      });
    }
  }
  for (const way of ways) {
    const parameters = { method: 'POST', path: `/${way}`, body: { a: 1 } };
    add(`hubspot-${way}`, {
      type: 'connector',
      credentialId: ids['oauth'],
      timeoutMs: 2000,
      config: { connectorId: 'hubspot', operation: 'request', parameters },
    });
  }
  add('mail', {
    type: 'send_email',
    credentialId: ids['smtp'],
    config: { subject: 'x', template: 'y', to: 'a@example.com' },
  });
  return { definition: flow(nodes, links), names: Object.keys(nodes) };
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await prismaClient().$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      prismaClient().$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM "${name}" t`),
    ),
  );
  return rows.flatMap((each) => each.map(({ row }) => row)).join('\n');
}

it('no secret is stored, logged, returned or sent when an operation fails', async () => {
  const user = await buildUser();
  const { token } = user;
  const answers: unknown[] = [];
  const keep = async (...given: Parameters<typeof call>) => {
    const { status, body } = await call<{ id: string; executionId: string; status: string; logs: unknown[] }>(...given);
    answers.push(body);
    return { status, body };
  };
  const ids = await plant(user);
  const clientSecret = canary('registration');
  await keep('PUT', '/api/connectors/hubspot/registration', { token, body: { clientId: 'x', clientSecret } });
  getRuntime().env.connectors = { hubspot: { ...CLIENT, apiUrl: url, tokenUrl: `${url}/token`, authorizeUrl: url } };

  const worker = await startWorkerProcess(String(getRuntime().env.databaseUrl), {
    ...TEST_KEYS,
    LOG_LEVEL: 'debug',
    CONNECTOR_HUBSPOT_API_URL: url,
    CONNECTOR_HUBSPOT_TOKEN_URL: `${url}/token`,
  });
  closing.push(() => worker.end('SIGKILL'));
  const channel = await startChannel();
  closing.push(() => channel.stop());
  const client = await Client.connect(channel.port, token);

  const { definition, names } = everyFailure(ids);
  const workflow = await keep('POST', '/api/workflows', { token, body: { name: 'x', definition } });
  const path = `/api/workflows/${workflow.body.id}`;
  const started = await keep('POST', `${path}/execute`, {
    token,
    body: { input: {} },
    headers: { 'Idempotency-Key': 'one' },
  });
  expect(started.status).toBe(202);
  client.subscribe(started.body.executionId);
  const execution = `/api/executions/${started.body.executionId}`;
  const ended = await until(
    async () => {
      const { body } = await call<{ status: string; nodeResults: { nodeId: string; status: string }[] }>(
        'GET',
        execution,
        { token },
      );
      return (body.status === 'completed' || body.status === 'failed') && body;
    },
    'the run to end',
    60_000,
  );
  answers.push(ended);
  expect(ended.nodeResults.map(({ nodeId }) => nodeId).sort()).toEqual([...names].sort());
  await client.until(() => client.heard.some(({ type }) => type === 'execution_completed')).toBe(true);
  await keep('GET', `${execution}/logs`, { token });
  for (const id of Object.values(ids)) {
    await keep('GET', `/api/credentials/${id}`, { token });
    await keep('POST', '/api/oauth/refresh', { token, body: { credential_id: id } });
    await keep('PUT', `/api/credentials/${id}`, { token, body: { name: 'renamed', config: { surprise: 1 } } });
  }
  for (const list of ['/api/credentials', '/api/connectors', '/api/executions', '/auth/audit'])
    await keep('GET', list, { token });

  const places = {
    database: await dump(),
    answers: JSON.stringify(answers),
    frames: JSON.stringify(client.heard),
    logs: worker.output(),
  };
  client.socket.terminate();
  expect(places.database).toContain('••••••');
  expect(places.frames).toContain('••••••');
  for (const [place, text] of Object.entries(places)) {
    const found = secrets.flatMap(spellings).filter((spelling) => text.includes(spelling));
    expect([place, found]).toEqual([place, []]);
  }
}, 120_000);
