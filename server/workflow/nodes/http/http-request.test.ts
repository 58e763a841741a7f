import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useWorker } from '@/server/testing/worker';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type TestUser } from '@/server/testing/factories';
import { listenOn, textOf } from '@/server/testing/listen';
import { runNode, saveNode, startNode } from '@/server/testing/one-node';

useDatabase();
useWorker({ concurrency: 5, graceMs: 200 });

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Respond = (request: Seen, response: ServerResponse) => void;

async function startServer() {
  const server = { seen: [] as Seen[], respond: ((_, response) => void response.end('ok')) as Respond };
  const { url, close } = await listenOn((message, response) => {
    void textOf(message).then((body) => {
      const request = { method: message.method ?? '', url: message.url ?? '', headers: message.headers, body };
      server.seen.push(request);
      server.respond(request, response);
    });
  });
  return Object.assign(server, { url, close });
}

let api: Awaited<ReturnType<typeof startServer>>;
let other: Awaited<ReturnType<typeof startServer>>;
let user: TestUser;

beforeAll(async () => {
  [api, other] = await Promise.all([startServer(), startServer()]);
  user = await buildUser();
});
beforeEach(() => {
  for (const server of [api, other]) {
    server.seen.length = 0;
    server.respond = (_, response) => void response.end('ok');
  }
});
afterAll(async () => {
  await closeOutboundConnections();
  await Promise.all([api.close(), other.close()]);
});

const run = (config: object, credentialId?: string) =>
  runNode(user, { type: 'http_request', config: { ...config }, ...(credentialId && { credentialId }) });
const answering =
  (status: number, headers: Record<string, string | string[]>): Respond =>
  ({ url }, response) =>
    url.startsWith('/end') ? void response.end('ok') : void response.writeHead(status, headers).end();

describe('redirects', () => {
  const COOKIE = 'a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/';

  test('manual: the redirect is the output, with its cookies as a list', async () => {
    api.respond = answering(302, { location: '/end', 'set-cookie': COOKIE, 'X-Two': ['1', '2'] });
    const { output } = await run({ url: `${api.url}/login`, method: 'POST', redirect: 'manual', body: 'x' });
    expect(output).toMatchObject({
      status: 302,
      headers: { location: '/end', 'set-cookie': [COOKIE], 'x-two': '1, 2' },
    });
    expect(api.seen).toHaveLength(1);
  });

  test('several cookies are a list, also in the answer of a failure', async () => {
    const lines = [COOKIE, 'b=2; Path=/'];
    api.respond = answering(200, { 'set-cookie': lines });
    expect((await run({ url: api.url })).output).toMatchObject({ headers: { 'set-cookie': lines } });
    api.respond = answering(400, { 'set-cookie': lines });
    expect((await run({ url: api.url })).text).toContain(JSON.stringify(lines));
  });

  test('follow: a login sets a cookie, and the next page gets it; the next request does not', async () => {
    api.respond = ({ url, headers }, response) =>
      url === '/login'
        ? void response.writeHead(302, { location: '/home', 'set-cookie': ['sid=abc; Path=/', 'x=1; Path=/in'] }).end()
        : void response.end(headers.cookie ?? 'no cookie');
    const login = { url: `${api.url}/login`, method: 'POST', body: { user: 'ada' } };
    expect((await run(login)).output).toMatchObject({ status: 200, body: 'sid=abc' });
    expect((await run({ ...login, headers: { Cookie: 'own=1; sid=old' } })).output).toMatchObject({
      body: 'own=1; sid=abc',
    });
    expect((await run({ url: `${api.url}/home` })).output).toMatchObject({ body: 'no cookie' });
  });

  test('neither cookies nor headers that may be secrets go to another origin, also not back', async () => {
    other.respond = (_, response) => void response.writeHead(302, { location: `${api.url}/end` }).end();
    api.respond = answering(307, { location: `${other.url}/x`, 'set-cookie': 'sid=a; Domain=127.0.0.1; Path=/way' });
    const headers = { Cookie: 'own=1', Authorization: 'Bearer s', 'X-Key': 'k', Host: 'app.example.com' };
    await run({ url: `${api.url}/way`, headers, method: 'PUT', body: 'content' });
    const [, foreign] = [api.seen[0], other.seen[0]];
    expect(foreign).toMatchObject({ method: 'PUT', body: 'content' });
    expect(foreign?.headers).toMatchObject({ host: new URL(other.url).host });
    for (const { headers: received } of [...other.seen, ...api.seen.slice(1)]) {
      expect(Object.keys(received)).not.toContain('cookie');
      expect(received).not.toHaveProperty('authorization');
      expect(received).not.toHaveProperty('x-key');
    }
  });

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [302, 'PUT', 'PUT', 'content'],
    [307, 'POST', 'POST', 'content'],
    [308, 'PATCH', 'PATCH', 'content'],
    [301, 'PROPFIND', 'PROPFIND', 'content'],
  ])('%i: %s becomes %s', async (status, method, becomes, body) => {
    api.respond = answering(status, { location: "/end?a='%20" });
    const config = { url: api.url, method, ...(method === 'HEAD' ? {} : { body: 'content' }) };
    expect((await run(config)).output).toMatchObject({ status: 200 });
    expect(api.seen[1]).toMatchObject({ method: becomes, body, url: "/end?a='%20" });
  });

  test('are counted', async () => {
    api.respond = ({ url }, response) =>
      void response.writeHead(302, { location: `/${Number(url.slice(1)) + 1}` }).end();
    expect(await run({ url: `${api.url}/1` })).toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
    expect(api.seen).toHaveLength(21);
  });
});

test('the query of the URL stays as it is written', async () => {
  const query = "q=a%20b%2Fc&sig=a~b!'()*&e=&flag&a=1&a=2&p=x+y";
  await run({ url: `${api.url}/echo?${query}#part`, query: { z: 'a b', list: [1, '2'], none: null } });
  const custom = await buildCredential(user, 'custom', { query: { token: 'secret-token' }, headers: {} });
  await run({ url: `${api.url}/echo?${query}` }, custom);
  expect(api.seen.map(({ url }) => url)).toEqual([
    `/echo?${query}&z=a+b&list=1&list=2`,
    `/echo?${query}&token=secret-token`,
  ]);
});

test('each method of HTTP and WebDAV is sent; two are refused in words', async () => {
  api.respond = ({ method }, response) => void response.writeHead(207).end(method);
  for (const method of ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'SEARCH'])
    expect((await run({ url: api.url, method })).output).toMatchObject({ status: 207, body: method });
  for (const method of ['CONNECT', 'TRACE']) {
    const { body } = await saveNode(user, { type: 'http_request', config: { url: api.url, method } });
    expect(body.error?.details).toEqual([
      { field: expect.stringMatching(/method$/), message: expect.stringContaining(`${method} is not possible`) },
    ]);
  }
});

describe('headers', () => {
  test('Host is sent; the address of the URL is connected to', async () => {
    await run({ url: api.url, headers: { Host: 'app.example.com:81', Connection: 'close', TE: 'trailers' } });
    expect(api.seen[0]?.headers).toMatchObject({ host: 'app.example.com:81', connection: 'close', te: 'trailers' });
    expect(await run({ url: api.url, headers: { Host: 'a b' } })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(api.seen).toHaveLength(1);
  });

  test('a Host that a credential is not for gets none', async () => {
    const config = { username: 'ada', password: 'secret-password', allowedHosts: ['127.0.0.1'] };
    const credentialId = await buildCredential(user, 'basic_auth', config);
    const headers = { Host: 'evil.example' };
    expect(await run({ url: api.url, headers }, credentialId)).toMatchObject({ code: 'CREDENTIAL_HOST' });
    expect(await run({ url: api.url, headers: { Host: '127.0.0.1@evil.example' } }, credentialId)).toMatchObject({
      code: 'INVALID_REQUEST',
    });
    const aws = await buildCredential(user, 'aws', { accessKeyId: 'a', secretAccessKey: 'secret-key', service: 's3' });
    expect(await run({ url: api.url, headers }, aws)).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(api.seen).toEqual([]);
  });

  test('that concern the connection are refused when saved; stored ones are left out with a warning', async () => {
    const headers = { 'Content-Length': '3', Upgrade: 'h2c', 'X-Own': '1', Connection: 'keep-alive' };
    const node = { type: 'http_request', config: { url: api.url, headers, method: 'POST', body: 'content' } };
    const { body } = await saveNode(user, node);
    expect(body.error?.details).toEqual([
      { field: expect.stringMatching(/headers\.Content-Length$/), message: expect.stringContaining('cannot be sent') },
      { field: expect.stringMatching(/headers\.Upgrade$/), message: expect.stringContaining('cannot be sent') },
    ]);
    const run = await (await startNode(user, node)).finish();
    expect(run.output).toMatchObject({ status: 200 });
    expect(api.seen[0]).toMatchObject({ body: 'content', headers: { 'content-length': '7', 'x-own': '1' } });
    const logs = await call('GET', `/api/executions/${run.id}/logs`, { token: user.token });
    expect(JSON.stringify(logs.body)).toContain('The header upgrade is left out');
  });
});
