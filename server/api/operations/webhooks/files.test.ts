import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { FileValue } from '@/contract/file-value';
import { prismaClient } from '@/server/platform/db/client';
import { removeUnneededFiles } from '@/server/data/files/keeper';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { call, type Refused } from '@/server/testing/factories';
import { buildHookWith, sendersHook, type Hook, type TestHook } from '@/server/testing/hooks';

useDatabase();

// A folder of its own: requests of other test files may still be in progress.
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weft-files-'));
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, dataDir: folder }, fileStorage: undefined });
});
afterAll(() => rm(folder, { recursive: true }));

const OPEN = { path: 'in', verification: { kind: 'header', name: 'x-token', value: 'open sesame' } };
const TOKEN = { 'x-token': 'open sesame' };
const PDF = 'application/pdf';

type Raw = string | Uint8Array<ArrayBuffer>;

const send = (hook: Hook, raw: Raw, headers: Record<string, string>) =>
  call<{ executionId: string } & Refused>('POST', new URL(hook.url).pathname, {
    raw,
    headers: { 'content-length': String(Buffer.byteLength(raw)), ...headers },
  });

const inputOf = async ({ user }: TestHook, executionId: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${executionId}`, { token: user.token })).body.input as Record<
    string,
    never
  > &
    FileValue;

const download = async ({ user }: TestHook, { $file }: FileValue) =>
  (await call<string>('GET', `/api/files/${$file}`, { token: user.token })).body;

const temporary = () => readdir(path.join(folder, 'files/temporary')).catch(() => []);
const visibleFiles = ({ user }: TestHook) =>
  prismaClient().file.count({ where: { workspaceId: user.workspaceId, removedAt: null } });

const LARGE = 'x'.repeat(200_000);

test.each([
  ['small', '%PDF'],
  ['large', LARGE],
])('a %s body of another type is a file', async (_, raw) => {
  const of = await buildHookWith(OPEN);
  const headers = { 'content-type': PDF, 'content-disposition': 'inline; filename="bill.pdf"', ...TOKEN };
  const { status, body } = await send(of.hook, raw, headers);
  expect(status, JSON.stringify(body)).toBe(202);
  const input = await inputOf(of, body.executionId);
  const sha256 = createHash('sha256').update(raw).digest('hex');
  expect(input).toEqual({ $file: input.$file, name: 'bill.pdf', contentType: PDF, size: raw.length, sha256 });
  expect((await call('GET', `/api/files/${input.$file}`, { token: of.user.token })).status).toBe(200);
  expect(await prismaClient().fileUse.count({ where: { executionId: body.executionId } })).toBe(1);
  expect(await temporary()).toEqual([]);
});

/** A multipart form as its bytes. */
async function form(fields: [string, string | File][]) {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  const request = new Request('http://x', { method: 'POST', body: data });
  const type = request.headers.get('content-type')!;
  return { type, raw: new Uint8Array(await request.arrayBuffer()) };
}

test.each([
  ['small', 'hello'],
  ['large', LARGE],
])('a multipart form with %s files', async (_, content) => {
  const of = await buildHookWith({ ...OPEN, input: 'request' });
  const { type, raw } = await form([
    ['a', '1'],
    ['doc', new File([content], '../évil name.txt', { type: 'text/plain' })],
    ['doc', new File([`${content}!`], 'b.bin')],
    ['empty', new File([], '', { type: 'application/octet-stream' })],
  ]);
  const { body } = await send(of.hook, raw, { 'content-type': type, ...TOKEN });
  const input = (await inputOf(of, body.executionId)) as unknown as {
    body: { a: string; doc: FileValue[]; empty: null };
  };
  const { a, doc, empty } = input.body;
  expect([a, empty, doc.map(({ name }) => name)]).toEqual(['1', null, ['évil name.txt', 'b.bin']]);
  expect(await Promise.all(doc.map((file) => download(of, file)))).toEqual([content, `${content}!`]);
  expect(await prismaClient().fileUse.count({ where: { executionId: body.executionId } })).toBe(2);
  expect(await temporary()).toEqual([]);
});

test('a signature over a large body is checked on the way; a refused body leaves nothing', async () => {
  const of = await buildHookWith({ path: 'in', input: 'request' });
  const secret = of.hook.secret;
  const signed = (raw: Raw, key = secret) => ({
    'content-type': PDF,
    'x-service-signature': `sha256=${createHmac('sha256', key).update(raw).digest('hex')}`,
  });
  expect((await send(of.hook, LARGE, signed(`${LARGE}x`))).status).toBe(401);
  expect((await send(of.hook, LARGE, signed(LARGE, 'other'))).status).toBe(401);
  expect([await visibleFiles(of), await temporary()]).toEqual([0, []]);
  const { status, body } = await send(of.hook, LARGE, signed(LARGE));
  expect(status).toBe(202);
  expect(await inputOf(of, body.executionId)).toMatchObject({ body: { size: LARGE.length } });
  expect(await temporary()).toEqual([]);
});

test('a signature under a secret that another process has just made is checked again', async () => {
  const of = await buildHookWith({ path: 'in', input: 'request' });
  const signed = (key: string) => ({
    'content-type': PDF,
    'x-service-signature': `sha256=${createHmac('sha256', key).update(LARGE).digest('hex')}`,
  });
  expect((await send(of.hook, LARGE, signed(of.hook.secret))).status).toBe(202);
  const address = `/api/workflows/${of.workflowId}/webhooks/${of.hook.id}/rotate-secret`;
  const { secret } = (await call<Hook>('POST', address, { token: of.user.token })).body;
  expect((await send(of.hook, LARGE, signed(secret))).status).toBe(202);
});

test('a delivery that starts no run leaves no file', async () => {
  const of = await buildHookWith(OPEN);
  await prismaClient().workflow.update({ where: { id: of.workflowId }, data: { status: 'paused' } });
  const { status } = await send(of.hook, LARGE, { 'content-type': PDF, ...TOKEN });
  expect(status).toBe(409);
  const { type, raw } = await form([['doc', new File(['hello'], 'a.txt')]]);
  expect((await send(of.hook, raw, { 'content-type': type, ...TOKEN })).status).toBe(409);
  expect(await visibleFiles(of)).toBe(0);
  await removeUnneededFiles();
  expect(await prismaClient().file.count({ where: { workspaceId: of.user.workspaceId } })).toBe(0);
});

test('a repeated delivery gets the first run and stores no second file', async () => {
  const of = await buildHookWith(OPEN);
  const headers = { 'content-type': PDF, 'x-service-delivery': 'one', ...TOKEN };
  const [first, again] = [await send(of.hook, LARGE, headers), await send(of.hook, LARGE, headers)];
  expect(again.body).toEqual(first.body);
  expect(await visibleFiles(of)).toBe(1);
});

test('a body over the limit is refused unread, a form that ends early leaves nothing', async () => {
  const of = await buildHookWith(OPEN);
  const headers = { 'content-type': PDF, ...TOKEN };
  const refused = await send(of.hook, 'x', { ...headers, 'content-length': String(200 * 1024 * 1024) });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const { type, raw } = await form([['doc', new File([LARGE], 'a.txt')]]);
  const cut = raw.slice(0, raw.length - 50_000);
  expect((await send(of.hook, cut, { 'content-type': type, ...TOKEN })).status).toBe(400);
  expect([await visibleFiles(of), await temporary()]).toEqual([0, []]);
});

test('a workspace without room refuses files of deliveries, and takes others', async () => {
  const of = await buildHookWith(OPEN);
  const { workspaceId } = of.user;
  await prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier: 'free' } });
  await prismaClient().fileTally.create({ data: { workspaceId, bytes: 1024 ** 3 } });
  const { status, body } = await send(of.hook, LARGE, { 'content-type': PDF, ...TOKEN });
  expect([status, body.error.details[0]?.field]).toEqual([403, 'quotas.fileBytes']);
  expect((await send(of.hook, '{}', { 'content-type': 'application/json', ...TOKEN })).status).toBe(202);
});

test('values in a body that name files of another workspace give no access', async () => {
  const victim = await buildHookWith(OPEN);
  const { body } = await send(victim.hook, 'secret', { 'content-type': PDF, ...TOKEN });
  const stolen = await inputOf(victim, body.executionId);
  const of = await buildHookWith(OPEN);
  const other = await sendersHook(of, { ...OPEN, path: 'other' });
  const forged = await send(other, JSON.stringify(stolen), { 'content-type': 'application/json', ...TOKEN });
  expect(forged.status).toBe(202);
  expect(await prismaClient().fileUse.count({ where: { executionId: forged.body.executionId } })).toBe(0);
  expect((await call('GET', `/api/files/${stolen.$file}`, { token: of.user.token })).status).toBe(404);
});
