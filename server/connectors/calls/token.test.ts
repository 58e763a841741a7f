import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { attachCredential } from '../attach';
import { findBuiltInConnector } from '../index';
import type { OpenCredential } from '../open-credential';
import { callConnector } from './call';

useDatabase();

const BOT = '123456:AAAAAAAAAAAAAAAAAAAAAAAA-canary';

interface Seen {
  method: string;
  path: string;
  authorization: string | undefined;
  type: string | undefined;
  length: string | undefined;
  body: Buffer;
}

let seen: Seen[] = [];
let answer: (call: Seen) => { status?: number; body: unknown; type?: string };
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ url, close } = await listenOn(async (request, response) => {
    const { authorization, 'content-type': type, 'content-length': length } = request.headers;
    const call = { method: request.method ?? '', path: request.url ?? '', authorization, type, length };
    seen.push({ ...call, body: await buffer(request) });
    const given = answer(seen.at(-1) as Seen);
    const isText = typeof given.body === 'string';
    response.writeHead(given.status ?? 200, { 'Content-Type': given.type ?? 'application/json' });
    response.end(isText ? given.body : JSON.stringify(given.body));
  }));
});
afterAll(() => close());
beforeEach(() => {
  seen = [];
  answer = () => ({ body: { ok: true } });
  getRuntime().env.connectors = {};
});

const opened = (connectorId: string, config: Record<string, unknown>): OpenCredential => ({
  id: 'cred_1',
  workspaceId: 'ws_1',
  name: 'Ours',
  type: 'token',
  connectorId,
  connector: findBuiltInConnector(connectorId),
  status: 'active',
  config,
  secrets: Object.values(config).map(String),
  expiresAt: null,
  tokenGeneration: 0,
  version: 1,
});

/** Files in memory. */
function memoryFiles(): WorkspaceFileAccess & {
  add(name: string, content: Buffer): FileValue;
  contents: Map<string, Buffer>;
} {
  const contents = new Map<string, Buffer>();
  const values = new Map<string, FileValue>();
  const add = (name: string, content: Buffer, contentType = 'application/octet-stream') => {
    const $file = `file_${contents.size}`;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const value = { $file, name, contentType, size: content.length, sha256 };
    contents.set($file, content);
    values.set($file, value);
    return value;
  };
  return {
    contents,
    add,
    async find(value) {
      const { $file } = value as FileValue;
      const known = values.get($file);
      if (!known) throw new Error(`no file ${$file}`);
      return { ...known, open: async () => Readable.from([contents.get($file) ?? Buffer.alloc(0)]) };
    },
    async store(content, { name = 'file', contentType = '' }) {
      return add(name, await buffer(content), contentType);
    },
  };
}

/** Fields of credentials beside a token of Slack. */
const CONFIGS: Record<string, Record<string, string>> = {
  telegram: { token: BOT },
  twilio: { account: 'AC1', token: 'canary-1' },
};
/** What follows the base address of an API. */
const SUFFIXES: Record<string, string> = { telegram: '/bot{token}', twilio: '/Accounts/{account}' };

function perform(
  connectorId: string,
  operation: string,
  parameters: Record<string, unknown>,
  files?: WorkspaceFileAccess,
) {
  const connector = findBuiltInConnector(connectorId);
  if (!connector) throw new Error(`no connector ${connectorId}`);
  const config = CONFIGS[connectorId] ?? { token: 'xoxb-canary-token-1' };
  const suffix = SUFFIXES[connectorId] ?? '';
  getRuntime().env.connectors = { [connectorId]: { apiUrl: `${url}/api${suffix}` } };
  return callConnector({
    connector,
    workspaceId: 'ws_1',
    operation,
    parameters,
    credential: { credential: opened(connectorId, config), isRenewable: false, renew: async () => undefined },
    files,
    signal: AbortSignal.timeout(10_000),
    secrets: createRedactor(Object.values(config)),
    idempotencyKey: 'exec_1:node',
    log: () => undefined,
  });
}

it('a token is sent in a header, or as a part of the path', async () => {
  await perform('slack', 'users.get', { user: 'U1' });
  await perform('telegram', 'messages.send', { chat: '42', text: 'Hello', format: null });
  expect(seen.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/api/users.info?user=U1', 'Bearer xoxb-canary-token-1'],
    [`/api/bot${BOT}/sendMessage`, undefined],
  ]);
  expect(JSON.parse(String(seen[1]?.body))).toEqual({ chat_id: '42', text: 'Hello' });
});

it('the author of a workflow cannot put the token elsewhere into the address', async () => {
  await perform('telegram', 'request', { path: '/sendMessage', query: { text: '{token}' } });
  await perform('telegram', 'request', { path: '/x/%7Btoken%7D' });
  const [inQuery = '', inPath = ''] = seen.map(({ path }) => path);
  expect([inQuery.split(BOT).length, inPath.split(BOT).length]).toEqual([2, 2]);
  expect(inPath).toBe(`/api/bot${BOT}/x/%7Btoken%7D`);
});

it.each([
  ['slack', { token: 'xoxb-1' }, 'https://slack.com/api/auth.test', 'Bearer xoxb-1'],
  ['slack', { token: 'xoxb-1' }, 'https://files.slack.com/files-pri/T1-F1/a.pdf', 'Bearer xoxb-1'],
])('%s: a token goes to hosts of its provider', (id, config, address, authorization) => {
  const { headers } = attachCredential(opened(id, config), { url: address, headers: {} });
  expect(headers['Authorization']).toBe(authorization);
});

it.each([
  ['slack', 'https://evil.example/'],
  ['slack', 'http://slack.com/api/auth.test'],
  ['slack', 'https://slack.com.evil.example/'],
  ['slack', 'https://slack.com:8443/'],
  ['telegram', 'https://api.telegram.org.evil.example/botx/getMe'],
])('%s: a token does not go to %s', (id, address) => {
  const send = () => attachCredential(opened(id, { token: BOT }), { url: address, headers: {} });
  expect(send).toThrow(expect.objectContaining({ code: 'CREDENTIAL_HOST' }));
});

it('a refusal with status 200 fails, without the secret that it repeats', async () => {
  answer = () => ({ body: { ok: false, error: 'invalid_auth xoxb-canary-token-1' } });
  await expect(perform('slack', 'users.list', {})).rejects.toMatchObject({
    code: 'API_REFUSED',
    message: 'Slack refused: invalid_auth ••••••',
    retriable: false,
  });
});

it('errors in an answer with status 200 fail', async () => {
  answer = () => ({ body: { errors: [{ message: 'Entity not found: Issue' }], data: null } });
  await expect(perform('linear', 'issues.get', { issue: 'X-1' })).rejects.toMatchObject({
    code: 'API_REFUSED',
    message: 'Linear refused: Entity not found: Issue',
  });
  answer = () => ({ body: { data: { issue: { id: '1' } } } });
  expect((await perform('linear', 'issues.get', { issue: 'X-1' })).body).toEqual({ id: '1' });
});

it('a form has the fields of objects and lists one by one', async () => {
  const items = [{ price: 'p1', quantity: 2 }];
  await perform('stripe', 'checkout.create', {
    items,
    mode: 'payment',
    successUrl: 'https://a.example/?b=c',
    metadata: { a: 'x&y' },
  });
  expect(Object.fromEntries(new URLSearchParams(String(seen[0]?.body)))).toEqual({
    'line_items[0][price]': 'p1',
    'line_items[0][quantity]': '2',
    mode: 'payment',
    success_url: 'https://a.example/?b=c',
    'metadata[a]': 'x&y',
  });
});

it('an account is a part of the path, and a pair is basic authentication', async () => {
  await perform('twilio', 'messages.send', { to: '+1', from: '+2', text: 'Hi' });
  const pair = Buffer.from('AC1:canary-1').toString('base64');
  expect(seen[0]).toMatchObject({ path: '/api/Accounts/AC1/Messages.json', authorization: `Basic ${pair}` });
});

it('all pages are fetched after the last item, by a token in the body, and by number', async () => {
  answer = ({ path }) => ({
    body: { data: [{ id: path.includes('starting_after=b') ? 'c' : 'b' }], has_more: !path.includes('=b') },
  });
  expect((await perform('stripe', 'customers.list', { allPages: true })).body).toEqual([{ id: 'b' }, { id: 'c' }]);
  answer = ({ body }) => ({
    body: String(body).includes('"start_cursor":"n"') ? { results: [2] } : { results: [1], next_cursor: 'n' },
  });
  expect((await perform('notion', 'databases.query', { database: 'd', allPages: true })).body).toEqual([1, 2]);
  const page = (length: number) => ({ tasks: Array.from({ length }, () => 1) });
  answer = ({ path }) => ({ body: page(path.includes('page=1') ? 3 : 100) });
  expect((await perform('clickup', 'tasks.list', { list: 'l', allPages: true })).body).toHaveLength(103);
});

it('a file is sent in a form, streamed with its length', async () => {
  const files = memoryFiles();
  const content = Buffer.from('x'.repeat(200_000));
  const photo = { ...files.add('upload.bin', content), name: 'cat.png', contentType: 'image/png' };
  await perform('telegram', 'messages.send_photo', { chat: '42', file: photo, caption: 'A cat' }, files);
  const [{ type = '', length, body } = expect.unreachable('no call')] = seen;
  expect(Number(length)).toBe(body.length);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  expect([form.get('chat_id'), form.get('caption')]).toEqual(['42', 'A cat']);
  const sent = form.get('photo') as File;
  expect([sent.name, sent.type, sent.size]).toEqual(['cat.png', 'image/png', content.length]);
});

it('a file is uploaded in steps, at the address that the API gives', async () => {
  const files = memoryFiles();
  const file = files.add('report.pdf', Buffer.from('%PDF-'));
  answer = ({ path }) =>
    path.startsWith('/api/files.getUploadURLExternal')
      ? { body: { ok: true, upload_url: `${url}/upload/v1/abc`, file_id: 'F1' } }
      : { body: { ok: true, files: [{ id: 'F1' }] } };
  const { body } = await perform('slack', 'files.upload', { file, channel: 'C1', comment: 'Here' }, files);
  expect(body).toEqual({ ok: true, files: [{ id: 'F1' }] });
  expect(seen.map(({ method, path, body: sent }) => [method, path, String(sent)])).toEqual([
    ['GET', '/api/files.getUploadURLExternal?filename=report.pdf&length=5', ''],
    ['POST', '/upload/v1/abc', '%PDF-'],
    [
      'POST',
      '/api/files.completeUploadExternal',
      '{"files":[{"id":"F1","title":"report.pdf"}],"channel_id":"C1","initial_comment":"Here"}',
    ],
  ]);
});

it('an address of another provider, which an API or an author gives, is refused', async () => {
  const files = memoryFiles();
  answer = () => ({ body: { ok: true, upload_url: 'https://evil.example/steal', file_id: 'F1' } });
  const upload = perform('slack', 'files.upload', { file: files.add('a', Buffer.from('a')) }, files);
  await expect(upload).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  const download = perform('slack', 'files.download', { url: 'https://evil.example/a.pdf' }, files);
  await expect(download).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
});

it('a download becomes a file of the run, and a refusal does not', async () => {
  const files = memoryFiles();
  answer = ({ path }) =>
    path.includes('getFile')
      ? { body: { ok: true, result: { file_path: 'photos/my cat.jpg' } } }
      : { body: 'bytes', type: 'image/jpeg' };
  const { body } = await perform('telegram', 'files.get', { fileId: 'abc' }, files);
  expect(body).toMatchObject({ name: 'my cat.jpg', contentType: 'image/jpeg', size: 5 });
  expect(String(files.contents.get((body as FileValue).$file))).toBe('bytes');
  answer = ({ path }) =>
    path.includes('getFile')
      ? { body: { ok: true, result: { file_path: 'gone' } } }
      : { status: 404, body: { ok: false, description: 'Not Found' } };
  await expect(perform('telegram', 'files.get', { fileId: 'abc' }, files)).rejects.toMatchObject({
    code: 'HTTP_STATUS',
    message: 'Telegram answered 404: Not Found',
  });
  expect(files.contents.size).toBe(1);
});

it('a value that names no file is refused', async () => {
  const call = perform('telegram', 'messages.send_photo', { chat: '1', file: 'cat.png' }, memoryFiles());
  const message = 'parameters.file: must be the value of a file, or an https address or a file_id';
  await expect(call).rejects.toMatchObject({ code: 'CONFIG', message });
  answer = () => ({ body: { ok: true } });
  const address = 'https://example.com/cat.png?a=1';
  await perform('telegram', 'messages.send_photo', { chat: '1', file: address }, memoryFiles());
  expect(String(seen.at(-1)?.body)).toContain(`name="photo"\r\n\r\n${address}\r\n`);
});

it('an answer that the steps of an operation expect is no failure, any other one is', async () => {
  const place = { owner: 'o', repo: 'r', path: 'a.md', text: 'x', message: 'm' };
  answer = ({ method }) =>
    method === 'GET'
      ? { status: 404, body: { message: 'Not Found' } }
      : { status: 201, body: { commit: { sha: 's' } } };
  const { status, body } = await perform('github', 'files.edit', place, memoryFiles());
  expect([status, body, seen.map(({ method }) => method)]).toEqual([201, { commit: { sha: 's' } }, ['GET', 'PUT']]);
  answer = () => ({ status: 403, body: { message: 'Resource not accessible' } });
  const refused = perform('github', 'files.edit', place, memoryFiles());
  await expect(refused).rejects.toMatchObject({ message: 'GitHub answered 403: Resource not accessible' });
});
