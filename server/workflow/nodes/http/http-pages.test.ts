import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { useWorker } from '@/server/testing/worker';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn, textOf } from '@/server/testing/listen';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker({ concurrency: 20, graceMs: 200 });

interface Request {
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Respond = (request: Request, response: ServerResponse) => void;

/** A server that records its requests. */
async function startServer() {
  const requests: Request[] = [];
  const server = {
    requests,
    respond: ((_, response) => void response.end()) as Respond,
    urls: () => requests.map(({ url }) => url),
  };
  const { url, close } = await listenOn((message, response) => {
    void textOf(message).then((body) => {
      const request = { url: message.url ?? '', headers: message.headers, body };
      requests.push(request);
      server.respond(request, response);
    });
  });
  return Object.assign(server, { url, close });
}
type Server = Awaited<ReturnType<typeof startServer>>;

let api: Server;
let other: Server;
let user: TestUser;

beforeAll(async () => {
  [api, other] = await Promise.all([startServer(), startServer()]);
});
beforeEach(async () => {
  user = await buildUser();
  for (const server of [api, other]) {
    server.requests.length = 0;
    server.respond = (_, response) => void response.end();
  }
});
afterAll(async () => {
  await closeOutboundConnections();
  await Promise.all([api.close(), other.close()]);
});

const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const queryOf = (url: string) => new URL(url, 'http://x').searchParams;

/** Answers with pages of two numbers: 1 and 2, 3 and 4, … */
function numbersUpTo(last: number, more: (page: number, response: ServerResponse) => object): Respond {
  return ({ url }, response) => {
    const page = Number(queryOf(url).get('page') ?? 1);
    const items = [page * 2 - 1, page * 2].filter((item) => item <= last);
    json(response, { items, ...(page * 2 < last ? more(page, response) : {}) });
  };
}

async function run(pagination: object, config: object = {}, node: object = {}): Promise<ExecutionResponse> {
  const list = {
    type: 'http_request',
    config: { url: `${api.url}/list`, pagination: { items: 'input.body.items', ...pagination }, ...config },
    ...node,
  };
  const body = { name: 'x', definition: flow({ s: { type: 'start' }, list }, ['s>list']) };
  const workflow = await call<{ id: string } & Refused>('POST', '/api/workflows', { token: user.token, body });
  expect(workflow.body.error?.details).toBeUndefined();
  const { token } = user;
  const started = await call<{ executionId: string }>('POST', `/api/workflows/${workflow.body.id}/execute`, { token });
  expect(started.status).toBe(202);
  return until(async () => {
    const { body } = await call<ExecutionResponse>('GET', `/api/executions/${started.body.executionId}`, { token });
    return (body.status === 'completed' || body.status === 'failed') && body;
  }, 'the run to end');
}

const FIVE = { items: [1, 2, 3, 4, 5], pages: 3, status: 200, headers: { 'content-type': 'application/json' } };

test('next_url: follows the address in each answer, also a relative one', async () => {
  api.respond = numbersUpTo(5, (page) => ({ next: page === 1 ? '?page=2' : `${api.url}/list?page=3` }));
  const { output, error } = await run({ kind: 'next_url', next: 'input.body.next' }, { query: { size: 2 } });
  expect(error).toBeNull();
  expect(output).toMatchObject(FIVE);
  expect(api.urls()).toEqual(['/list?size=2', '/list?page=2', '/list?page=3']);
});

test('page: counts a parameter up until a page is empty', async () => {
  api.respond = ({ url }, response) => json(response, { items: [['a'], ['b'], []][Number(queryOf(url).get('p'))] });
  const { output } = await run({ kind: 'page', parameter: 'p', from: 0 }, { query: { p: 7, size: 1 } });
  expect(output).toMatchObject({ items: ['a', 'b'], pages: 3 });
  expect(api.urls()).toEqual(['/list?p=0&size=1', '/list?p=1&size=1', '/list?p=2&size=1']);
});

test('page: begins at 1 in the parameter page, and ends with until', async () => {
  api.respond = numbersUpTo(9, () => ({}));
  const { output } = await run({ kind: 'page', until: 'input.body.items[-1] >= 4' });
  expect(output).toMatchObject({ items: [1, 2, 3, 4], pages: 2 });
  expect(api.urls()).toEqual(['/list?page=1', '/list?page=2']);
});

test('offset: grows by the items of each page, or by a step, until a page is empty', async () => {
  api.respond = ({ url }, response) => {
    const skip = Number(queryOf(url).get('skip'));
    json(response, { items: [1, 2, 3, 4, 5].slice(skip, skip + 2) });
  };
  const { output } = await run({ kind: 'offset', parameter: 'skip' });
  expect(output).toMatchObject({ items: [1, 2, 3, 4, 5], pages: 4 });
  expect(api.urls()).toEqual(['/list?skip=0', '/list?skip=2', '/list?skip=4', '/list?skip=5']);
  api.requests.length = 0;
  const stepped = await run({ kind: 'offset', parameter: 'skip', from: 1, step: 2, until: 'input.body.items[-1] = 5' });
  expect(stepped.output).toMatchObject({ items: [2, 3, 4, 5], pages: 2 });
  expect(api.urls()).toEqual(['/list?skip=1', '/list?skip=3']);
});

test('until reads the number of the page, its status, and all items so far', async () => {
  api.respond = numbersUpTo(99, () => ({ total: 6 }));
  const byCount = await run({ kind: 'page', until: '$count(items) >= input.body.total' });
  expect(byCount).toMatchObject({ error: null, output: { items: [1, 2, 3, 4, 5, 6], pages: 3 } });
  const byPage = await run({ kind: 'page', until: 'page = 2 and status = 200' });
  expect(byPage).toMatchObject({ error: null, output: { items: [1, 2, 3, 4], pages: 2 } });
});

test('a status that ends the list keeps what was read; other failures fail', async () => {
  api.respond = ({ url }, response) => {
    const page = Number(queryOf(url).get('page'));
    if (page > 2) return void json(response, { error: 'no such page' }, {}, 404);
    json(response, { items: [page] });
  };
  const ended = await run({ kind: 'page', endStatuses: [400, 404] });
  expect(ended).toMatchObject({ error: null, output: { items: [1, 2], pages: 2, status: 200 } });
  expect((await run({ kind: 'page', endStatuses: [400] })).error).toMatchObject({ code: 'HTTP_STATUS' });
  expect((await run({ kind: 'page', from: 7, endStatuses: [404] })).output).toMatchObject({ items: [], pages: 0 });
});

test('cursor: passes the value of each answer to the next page', async () => {
  api.respond = ({ url }, response) => {
    const after = Number(queryOf(url).get('after') ?? 0);
    json(response, { items: [after + 1], cursor: after < 2 ? after + 1 : null });
  };
  const { output } = await run({ kind: 'cursor', next: 'input.body.cursor', parameter: 'after' });
  expect(output).toMatchObject({ items: [1, 2, 3], pages: 3 });
  expect(api.urls()).toEqual(['/list', '/list?after=1', '/list?after=2']);
});

test('link: follows rel="next" of the Link header', async () => {
  api.respond = numbersUpTo(5, (page, response) => {
    response.setHeader(
      'link',
      `</list?page=1>; rel="first", <${api.url}/list?page=${page + 1}>; title="a, b"; rel="next"`,
    );
    return {};
  });
  expect((await run({ kind: 'link' })).output).toMatchObject(FIVE);
});

test('link: a header that cannot be read fails', async () => {
  api.respond = (_, response) => json(response, { items: [1] }, { link: '<https://x.example; rel=next' });
  expect((await run({ kind: 'link' })).error).toMatchObject({ code: 'BAD_RESPONSE', nodeId: 'list' });
});

test('the expressions see status, headers and body of the page', async () => {
  api.respond = ({ url }, response) => json(response, [url], { 'x-next': url === '/list' ? '/more' : '' });
  const next = '$exists(input.headers."x-next") and input.status = 200 ? input.headers."x-next"';
  const { output } = await run({ kind: 'next_url', items: '{{ input.body }}', next });
  expect(output).toMatchObject({ items: ['/list', '/more'], pages: 2 });
});

test('more pages than maxPages are not requested, which the log says', async () => {
  api.respond = numbersUpTo(100, (page) => ({ next: `?page=${page + 1}` }));
  const { id, output } = await run({ kind: 'next_url', next: 'input.body.next', maxPages: 2 });
  expect(output).toMatchObject({ items: [1, 2, 3, 4], pages: 2 });
  const { body } = await call<{ logs: { message: string }[] }>('GET', `/api/executions/${id}/logs`, {
    token: user.token,
  });
  expect(body.logs.map(({ message }) => message)).toContain('There are more pages: only the first 2 were requested');
});

test('an address that comes a second time ends the list with a failure', async () => {
  api.respond = numbersUpTo(100, (page) => ({ next: page === 3 ? '/list?page=2' : `?page=${page + 1}` }));
  const { error } = await run({ kind: 'next_url', next: 'input.body.next' });
  expect(error).toMatchObject({ code: 'PAGINATION_LOOP', nodeId: 'list' });
  expect(api.requests).toHaveLength(3);
});

test.each([
  [{ kind: 'next_url', next: 'input.body' }, 'PAGINATION', 'next must give a text'],
  [{ kind: 'next_url', next: '"http://"' }, 'INVALID_URL', 'is not the URL of a page'],
  [{ kind: 'next_url', next: '"file:///etc/passwd"' }, 'INVALID_URL', 'Only http and https'],
  [{ kind: 'page', until: '"yes"' }, 'PAGINATION', 'until must be true or false'],
  [{ kind: 'page', items: '$uppercase(1)' }, 'EXPRESSION', 'config.pagination.items'],
])('%j fails with %s', async (pagination, code, message) => {
  api.respond = (_, response) => json(response, { items: [1] });
  const { error } = await run(pagination);
  expect(error).toMatchObject({ code, nodeId: 'list' });
  expect(error?.message).toContain(message);
});

test('items are limited to 10 MiB together', async () => {
  const item = 'x'.repeat(1_000_000);
  api.respond = (_, response) => json(response, { items: [item] });
  const { error } = await run({ kind: 'page' });
  expect(error).toMatchObject({ code: 'OUTPUT_TOO_LARGE', nodeId: 'list' });
  expect(api.requests.length).toBeLessThan(15);
});

test('large pages are joined', async () => {
  const item = 'x'.repeat(100_000);
  api.respond = ({ url }, response) => json(response, { items: url.endsWith('page=3') ? [] : [item, url] });
  const { output } = await run({ kind: 'page' });
  expect((output as { items: string[] }).items).toEqual([item, '/list?page=1', item, '/list?page=2']);
});

const retry = { maxAttempts: 3, backoffMs: 1 };

test('a page after the first is tried again in place, as often as the node', async () => {
  const failures = new Map([
    ['/list?page=1', [500]],
    ['/list?page=2', [429, 503]],
  ]);
  const answer = numbersUpTo(5, () => ({}));
  api.respond = (request, response) => {
    const status = failures.get(request.url)?.shift();
    if (status) json(response, {}, {}, status);
    else answer(request, response);
  };
  const { output, nodeResults } = await run({ kind: 'page', until: 'input.body.items[-1] = 5' }, {}, { retry });
  expect(output).toMatchObject(FIVE);
  expect(api.urls()).toEqual([1, 1, 2, 2, 2, 3].map((page) => `/list?page=${page}`));
  expect(nodeResults.find(({ nodeId }) => nodeId === 'list')?.attempts).toBe(2);
});

test('a page that keeps failing fails the node', async () => {
  const answer = numbersUpTo(5, () => ({}));
  api.respond = (request, response) =>
    request.url.endsWith('page=2') ? void json(response, {}, {}, 503) : answer(request, response);
  const { error, nodeResults } = await run({ kind: 'page' }, {}, { retry });
  expect(error).toMatchObject({ code: 'HTTP_STATUS', nodeId: 'list' });
  expect(error?.message).toMatch(/^Page 2: GET .* answered 503/);
  expect(api.urls()).toEqual([1, 2, 2, 2].map((page) => `/list?page=${page}`));
  expect(nodeResults.find(({ nodeId }) => nodeId === 'list')?.attempts).toBe(1);
});

test('the timeout of the node is that of all pages together', async () => {
  const answer = numbersUpTo(5, () => ({}));
  api.respond = (request, response) => void (request.url.endsWith('page=2') || answer(request, response));
  const { error } = await run({ kind: 'page' }, {}, { timeoutMs: 300 });
  expect(error).toMatchObject({ code: 'TIMEOUT', nodeId: 'list' });
});

test('each page of a POST has a key of its own, and the same body', async () => {
  api.respond = numbersUpTo(4, (page) => ({ next: `?page=${page + 1}` }));
  const { output, error } = await run(
    { kind: 'next_url', next: 'input.body.next' },
    { method: 'POST', body: { filter: 'all' } },
  );
  expect(error).toBeNull();
  expect(output).toMatchObject({ items: [1, 2, 3, 4] });
  const [first, second] = api.requests;
  expect(second?.headers['idempotency-key']).toBe(`${String(first?.headers['idempotency-key'])}:2`);
  expect([first?.body, second?.body]).toEqual(['{"filter":"all"}', '{"filter":"all"}']);
});

const SECRET = 'key-1234567890';
const CREDENTIALS: [string, object][] = [
  ['api_key', { apiKey: SECRET }],
  ['api_key', { apiKey: SECRET, queryParameter: 'key' }],
  ['basic_auth', { username: 'ada', password: SECRET }],
  ['custom', { headers: { 'X-Own': SECRET }, query: { token: SECRET } }],
];

test.each(CREDENTIALS)('%s %j goes to the pages of its host, and to no other', async (type, config) => {
  const { token } = user;
  const made = await call<{ id: string }>('POST', '/api/credentials', { token, body: { name: 'Key', type, config } });
  api.respond = ({ url }, response) => json(response, { items: [1], next: url.includes('b') ? other.url : '/b' });
  other.respond = ({ url }, response) =>
    json(response, { items: [2], next: url === '/' ? `${api.url}/end` : undefined });
  const headers = { 'X-Token': 'author-secret', Authorization: 'Bearer author-secret', Accept: 'application/json' };
  await run({ kind: 'next_url', next: 'input.body.next', maxPages: 4 }, { headers }, { credentialId: made.body.id });
  const carries = ({ url, headers: sent }: Request) =>
    [SECRET, Buffer.from(`ada:${SECRET}`).toString('base64')].some((text) =>
      `${url} ${JSON.stringify(sent)}`.includes(text),
    );
  expect(api.requests.map(carries)).toEqual([true, true, false]);
  expect(other.requests).toHaveLength(1);
  const [request] = other.requests;
  expect(request && carries(request)).toBe(false);
  expect(JSON.stringify(request)).not.toContain('author-secret');
  expect(request?.headers.accept).toBe('application/json');
});

test('a page that redirects to another host takes no credential along', async () => {
  const body = { name: 'Key', type: 'api_key', config: { apiKey: SECRET } };
  const { body: made } = await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body });
  api.respond = ({ url }, response) =>
    url.endsWith('page=2')
      ? response.writeHead(302, { location: `${other.url}/moved` }).end()
      : json(response, { items: [1] });
  other.respond = (_, response) => json(response, { items: [] });
  const { output } = await run({ kind: 'page' }, {}, { credentialId: made.id });
  expect(output).toMatchObject({ items: [1], pages: 2 });
  expect(JSON.stringify(other.requests)).not.toContain(SECRET);
});

test('the next address obeys the egress rules', async () => {
  api.respond = (_, response) => {
    // The first page was public, as far as this test can say.
    getRuntime().env.egressAllowPrivate = false;
    json(response, { items: [1], next: 'http://169.254.169.254/latest/meta-data' });
  };
  try {
    const { error } = await run({ kind: 'next_url', next: 'input.body.next' });
    expect(error).toMatchObject({ code: 'EGRESS_DENIED', nodeId: 'list' });
  } finally {
    getRuntime().env.egressAllowPrivate = true;
  }
});

test.each([
  [{ kind: 'pages', items: 'x' }, 'pagination.kind'],
  [{ kind: 'page', items: 'x', size: 3 }, 'pagination.size'],
  [{ kind: 'page', items: 'input.(' }, 'pagination.items'],
  [{ kind: 'page', items: 'x', maxPages: 0 }, 'pagination.maxPages'],
  [{ kind: 'page', items: 'x', from: '{{ input.page }}' }, 'pagination.from'],
])('%j is refused', async (pagination, field) => {
  const config = { url: api.url, pagination };
  const definition = flow({ s: { type: 'start' }, list: { type: 'http_request', config } }, ['s>list']);
  const { token } = user;
  const { status, body } = await call<Refused>('POST', '/api/workflows', { token, body: { name: 'x', definition } });
  expect(status).toBe(400);
  expect(body.error.details.map((detail) => detail.field)).toContain(`nodes[1].config.${field}`);
});

test.each([
  [{ kind: 'page' }, 'pagination.items'],
  [{ kind: 'cursor', items: 'x' }, 'pagination.next'],
  [{ kind: 'next_url', items: 'x', next: '' }, 'pagination.next'],
])('%j cannot be run yet', async (pagination, field) => {
  const config = { url: api.url, pagination };
  const definition = flow({ s: { type: 'start' }, list: { type: 'http_request', config } }, ['s>list']);
  const { token } = user;
  const made = await call<{ id: string }>('POST', '/api/workflows', { token, body: { name: 'x', definition } });
  const { status, body } = await call<Refused>('POST', `/api/workflows/${made.body.id}/execute`, { token });
  expect(status).toBe(400);
  expect(body.error.details.map((detail) => detail.field)).toContain(`nodes[1].config.${field}`);
});
