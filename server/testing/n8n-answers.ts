import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOn, textOf } from './listen';

/** What the addresses of cases begin with: a server on this machine answers in its place. */
const ANSWERS_ORIGIN = 'http://answers.test';
const JSON_TYPE = { 'content-type': 'application/json' };
const PAGES = [[{ id: 1 }, { id: 2 }], [{ id: 3 }], []];
const IMAGE = Buffer.from('iVBORw0KGgo=', 'base64');

/** What a request was, without what depends on the client. */
async function describeRequest(request: IncomingMessage, { pathname, searchParams }: URL) {
  const body = await textOf(request);
  const type = request.headers['content-type'] ?? null;
  // Clients write spaces in forms in two ways.
  const isForm = type?.startsWith('application/x-www-form-urlencoded') === true;
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('x-'));
  return {
    method: request.method,
    path: pathname,
    query: [...searchParams],
    type,
    body: isForm ? [...new URLSearchParams(body)] : body,
    headers: Object.fromEntries(headers),
  };
}

async function answerCase(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const origin = `http://${request.headers.host ?? ''}`;
  const url = new URL(request.url ?? '/', origin);
  const answer = (value: unknown, status = 200) =>
    response.writeHead(status, JSON_TYPE).end(value === undefined ? '' : JSON.stringify(value));
  const [, first = '', second = ''] = url.pathname.split('/');
  const n = Number(url.searchParams.get('n'));
  const page = Number(url.searchParams.get('page') ?? 1);
  switch (first) {
    case 'list':
      return void answer([{ id: n * 10 }, { id: n * 10 + 1 }]);
    case 'object':
      return void answer({ n, inner: { list: [n] } });
    case 'empty':
      return void answer(undefined);
    case 'nocontent':
      return void response.writeHead(204).end();
    case 'missing':
      return void answer({ message: 'It is missing' }, 404);
    case 'broken':
      return void response.writeHead(500, { 'content-type': 'text/plain' }).end('It broke');
    case 'unreachable':
      return void response.writeHead(502).end();
    case 'throttled':
      return void answer({ error: { message: 'Too fast', code: 7 } }, 429);
    case 'invalid':
      return void answer({ error: { message: 'It is invalid', code: 7 } }, 422);
    case 'maybe':
      return void (second === '1' ? answer({ message: 'It is refused' }, 400) : answer({ ok: 'yes' }));
    case 'pages':
      return void answer(PAGES[page - 1] ?? []);
    case 'linked':
      return void answer({ rows: PAGES[page - 1], ...(page < 2 ? { next: `${origin}/linked?page=${page + 1}` } : {}) });
    case 'text':
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('Hello');
    case 'textjson':
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('[{"a":1},{"a":2}]');
    case 'image.png':
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(IMAGE);
    default:
      return void answer(await describeRequest(request, url));
  }
}

/** A server that answers the requests of cases. `place`: writes its address into a workflow. */
export async function startAnswerServer() {
  const { url, close } = await listenOn((request, response) => void answerCase(request, response));
  return {
    place: <Value>(workflow: Value): Value =>
      JSON.parse(JSON.stringify(workflow).replaceAll(ANSWERS_ORIGIN, url)) as Value,
    close,
  };
}
