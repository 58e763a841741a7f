import type { RequestListener } from 'node:http';

/** Slack as far as a message needs it: the channels of the account, and what was posted. */
export function createSlack(posted: unknown[]): RequestListener {
  const channels = [
    { id: 'C024BE91L', name: 'general', purpose: { value: 'Everybody' } },
    { id: 'C061EG9SL', name: 'random', purpose: { value: 'Anything' } },
  ];
  return (request, response) => {
    const send = (body: object) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    if (request.url?.startsWith('/slack/conversations.list')) {
      send({ ok: true, channels, response_metadata: { next_cursor: '' } });
      return;
    }
    if (request.url?.startsWith('/slack/conversations.history')) {
      send({ ok: true, messages: [{ user: 'U1', text: 'The door is stuck', ts: '1512085950.000216' }] });
      return;
    }
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      if (request.url?.startsWith('/slack/chat.postMessage')) posted.push(JSON.parse(text));
      send({ ok: true, channel: 'C061EG9SL', ts: '1355517523.000005', message: { text: 'Hello' } });
    });
  };
}

/** GitHub as far as a webhook of a repository needs it. */
export function createGithub(hooks: unknown[]): RequestListener {
  const answers: Record<string, unknown> = {
    '/github/user': { login: 'ada', type: 'User' },
    '/github/user/orgs': [{ login: 'acme' }],
    '/github/user/repos': [{ owner: { login: 'ada' } }],
    '/github/search/repositories': { items: [{ name: 'door' }, { name: 'window' }] },
    '/github/repos/ada/window/hooks': [],
  };
  return (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    const answer = answers[request.url?.split('?')[0] ?? ''];
    if (request.method === 'GET') {
      response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
      return;
    }
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      if (request.method === 'POST') hooks.push({ ...JSON.parse(text), url: request.url });
      response.writeHead(request.method === 'POST' ? 201 : 204).end(JSON.stringify({ id: 1 }));
    });
  };
}
