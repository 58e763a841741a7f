import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { OutboxMailResponse } from '@/contract/outbox';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { removeUnneededFiles } from '@/server/data/files/keeper';
import { storeUpload } from '@/server/data/files/store';
import { closeMailTransports } from '@/server/network/mail/smtp';
import { closeOutboundConnections } from '@/server/network/outbound/connections';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { listenOn } from '@/server/testing/listen';
import { startMailSink, type MailSink } from '@/server/testing/servers/smtp';
import { startRun } from '@/server/testing/runs';

useDatabase();
useWorker({ concurrency: 20, graceMs: 200 });

interface OutboxPage {
  data: OutboxMailResponse[];
}

/** What the target received. */
interface Received {
  headers: IncomingMessage['headers'];
  body: Buffer;
}

let target: Awaited<ReturnType<typeof listenOn>>;
let respond: (response: ServerResponse, path: string) => void = (response) => void response.end();
const received: Received[] = [];
let sink: MailSink;
let user: TestUser;

beforeAll(async () => {
  target = await listenOn((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      respond(response, request.url ?? '');
    });
  });
  sink = await startMailSink();
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, smtpUrl: sink.url } });
});
beforeEach(async () => {
  user = await buildUser();
  received.length = 0;
  sink.received.length = 0;
  respond = (response) => void response.end();
});
afterAll(async () => {
  closeMailTransports();
  await closeOutboundConnections();
  await Promise.all([target.close(), sink.close()]);
});

const fileOf = (content: string, name = 'a "b".txt', { workspaceId } = user) =>
  storeUpload(
    (async function* () {
      yield Buffer.from(content);
    })(),
    { workspaceId, name, contentType: 'text/plain' },
  );

async function run(type: string, config: Record<string, unknown>, input: object = {}) {
  const definition = flow({ s: { type: 'start' }, node: { type, config } }, ['s>node']);
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const started = await startRun({ workspaceId: user.workspaceId, workflowId }, input);
  const { status, error, output } = await started.finish();
  return { id: started.executionId, status, error, output: output as { status: number; body: FileValue } };
}

const post = (config: Record<string, unknown>, input: object = {}) =>
  run('http_request', { url: `${target.url}/in`, method: 'POST', ...config }, input);

const download = async ({ $file }: FileValue) =>
  (await call<string>('GET', `/api/files/${$file}`, { token: user.token })).body;

test('http_request stores the answer as a file, which the execution owns', async () => {
  respond = (response) =>
    response
      .writeHead(200, { 'content-type': 'application/pdf', 'content-encoding': 'gzip' })
      .end(gzipSync('%PDF-content'));
  const { id, output } = await run('http_request', {
    url: `${target.url}/files/bill%20.pdf?x=1`,
    responseType: 'file',
  });
  expect(output).toMatchObject({
    status: 200,
    body: { name: 'bill%20.pdf', contentType: 'application/pdf', size: 12 },
  });
  expect(await download(output.body)).toBe('%PDF-content');
  expect(await prismaClient().fileUse.count({ where: { executionId: id, fileId: output.body.$file } })).toBe(1);
  await prismaClient().execution.delete({ where: { id } });
  await removeUnneededFiles();
  expect(await prismaClient().file.count({ where: { id: output.body.$file } })).toBe(0);
});

test.each([
  ['as usual', '"$file":', '$1'],
  ['with spaces', '"$file" :  ', '$1'],
  ['with other white space', '"$file"\t:\r\n', '$1'],
  ['with an escaped key', '"\\u0024file":', '$1'],
  ['with escaped letters', '"$\\u0066\\u0069\\u006Ce" :', '$1'],
  ['with an escaped id', '"$file": ', '\\u0066ile\\u005F$1'],
])('a file that a value names %s is kept with its run', async (_, key, id) => {
  const file = await fileOf('named');
  const { $file } = file;
  const written = id === '$1' ? $file : id.replace('$1', $file.slice('file_'.length));
  const json = `{"deep": [1, {${key}"${written}"}], "text": "\\"$file\\":\\"file_other\\""}`;
  expect(JSON.parse(json)).toMatchObject({ deep: [1, { $file }] });
  const definition = flow({ s: { type: 'start' } }, []);
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const { executionId } = await startRun({ workspaceId: user.workspaceId, workflowId });
  await databasePool().query('UPDATE execution SET input = $2::json WHERE id = $1', [executionId, json]);
  expect(await prismaClient().fileUse.findMany({ where: { executionId }, select: { fileId: true } })).toEqual([
    { fileId: $file },
  ]);
  await removeUnneededFiles();
  expect(await prismaClient().file.count({ where: { id: $file } })).toBe(1);
});

test('the name of a downloaded file is that of Content-Disposition; an error status fails without a file', async () => {
  respond = (response) =>
    response.writeHead(200, { 'content-disposition': `attachment; filename*=UTF-8''%C3%A4.bin` }).end('x');
  const { output } = await run('http_request', { url: target.url, responseType: 'file' });
  expect(output.body).toMatchObject({ name: 'ä.bin', contentType: 'application/octet-stream' });
  respond = (response) => response.writeHead(404).end('no such thing');
  const failed = await run('http_request', { url: target.url, responseType: 'file' });
  expect(failed.error).toMatchObject({ code: 'HTTP_STATUS', message: expect.stringContaining('no such thing') });
  expect(await prismaClient().file.count({ where: { workspaceId: user.workspaceId } })).toBe(1);
});

test('an answer that ends early or bursts its limit leaves no file', async () => {
  respond = (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('begin');
    response.destroy();
  };
  const cut = await run('http_request', { url: target.url, responseType: 'file' });
  expect(cut.error?.code).toMatch(/^(CONNECT|BAD_RESPONSE)$/);
  respond = (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(101 * 1024 * 1024)));
  const bomb = await run('http_request', { url: target.url, responseType: 'file' });
  expect(bomb.error?.code).toBe('TOO_LARGE');
  expect(await prismaClient().file.count({ where: { workspaceId: user.workspaceId } })).toBe(0);
});

test.each([
  ['json', { a: 1 }, 'application/json', '{"a":1}'],
  ['json', 'text', 'application/json', '"text"'],
  ['form', { a: 'x y', b: ['1', '2'] }, 'application/x-www-form-urlencoded', 'a=x+y&b=1&b=2'],
  ['text', { a: 1 }, 'text/plain; charset=utf-8', '{"a":1}'],
  ['text', '{"a":1}', 'text/plain; charset=utf-8', '{"a":1}'],
])('http_request sends a body as %s', async (bodyType, body, type, expected) => {
  await post({ bodyType, body });
  expect(received[0]?.headers['content-type']).toBe(type);
  expect(String(received[0]?.body)).toBe(expected);
});

test('http_request sends a file as its body, and again after a redirect', async () => {
  const file = await fileOf('the content');
  respond = (response, path) =>
    path === '/in' ? response.writeHead(307, { location: '/there' }).end() : response.end('ok');
  const { status } = await post({ bodyType: 'file', body: '{{ input.file }}' }, { file });
  expect(status).toBe('completed');
  expect(received.map(({ body }) => String(body))).toEqual(['the content', 'the content']);
  expect(received[1]?.headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': '11' });
});

test('http_request sends forms with files', async () => {
  const file = await fileOf('the content');
  const { status } = await post(
    {
      bodyType: 'multipart',
      headers: { 'Content-Type': 'multipart/form-data' },
      body: [
        { name: 'no', value: 7 },
        { name: 'doc', file: '{{ input.file }}' },
        { name: 'doc', file: '{{ input.file }}', filename: 'other.txt' },
        { name: 'none', value: null },
      ],
    },
    { file },
  );
  expect(status).toBe('completed');
  const { headers, body } = received[0]!;
  expect(headers['content-length']).toBe(String(body.length));
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type']! },
  }).formData();
  expect([...form.keys()]).toEqual(['no', 'doc', 'doc']);
  const [one, other] = form.getAll('doc') as File[];
  expect([form.get('no'), one?.name, other?.name, one?.type]).toEqual(['7', 'a "b".txt', 'other.txt', 'text/plain']);
  expect(await one!.text()).toBe('the content');
});

test('files of other workspaces, removed ones and values that name none are refused', async () => {
  const foreign = await fileOf('secret', 'x', await buildUser());
  const removed = await fileOf('data');
  await call('DELETE', `/api/files/${removed.$file}`, { token: user.token });
  for (const [file, code] of [
    [foreign, 'FILE_NOT_FOUND'],
    [removed, 'FILE_NOT_FOUND'],
    [{ ...foreign, $file: 'file_1 OR 1=1' }, 'FILE_NOT_FOUND'],
    [{ $file: 7 }, 'CONFIG'],
    ['text', 'CONFIG'],
  ] as const) {
    expect((await post({ bodyType: 'file', body: '{{ input.file }}' }, { file })).error?.code).toBe(code);
    const attached = await run(
      'send_email',
      { to: 'a@b.example', subject: 'x', template: 'x', attachments: ['{{ input.file }}'] },
      { file },
    );
    expect(attached.error?.code).toBe(code);
  }
  expect([received, sink.received]).toEqual([[], []]);
  expect(await prismaClient().fileUse.count({ where: { fileId: foreign.$file } })).toBe(0);
});

test('bodies that do not fit their type are refused', async () => {
  const wrong = async (config: Record<string, unknown>) => (await post(config)).error;
  expect(await wrong({ bodyType: 'multipart', body: { a: 1 } })).toMatchObject({ code: 'CONFIG' });
  expect(await wrong({ bodyType: 'multipart', body: [{ name: 'a', other: 1 }] })).toMatchObject({ code: 'CONFIG' });
  expect(await wrong({ bodyType: 'form', body: [1] })).toMatchObject({ code: 'CONFIG' });
  expect(received).toEqual([]);
});

test('send_email attaches files', async () => {
  const file = await fileOf('the content', 'bill.txt');
  const config = { to: 'a@b.example', subject: 'x', template: 'Hello' };
  const attachments = ['{{ input.file }}', { file: '{{ input.file }}', filename: 'other\r\nname.txt' }];
  const { status } = await run('send_email', { ...config, attachments }, { file });
  expect(status).toBe('completed');
  const [mail] = sink.received;
  expect(
    mail?.attachments.map(({ filename, contentType, content }) => [filename, contentType, String(content)]),
  ).toEqual([
    ['bill.txt', 'text/plain', 'the content'],
    ['other name.txt', 'text/plain', 'the content'],
  ]);
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, smtpUrl: undefined } });
  expect((await run('send_email', { ...config, attachments }, { file })).status).toBe('completed');
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, smtpUrl: sink.url } });
  const outbox = await call<OutboxPage>('GET', '/api/outbox', { token: user.token });
  expect(outbox.body.data[0]?.attachments[0]).toEqual({ filename: 'bill.txt', contentType: 'text/plain', size: 11 });
  await prismaClient().file.update({ where: { id: file.$file }, data: { size: 20 * 1024 * 1024 } });
  expect((await run('send_email', { ...config, attachments }, { file })).error?.code).toBe('TOO_LARGE');
});
