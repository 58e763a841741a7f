import { readFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import type { SystemRole } from '@/contract/access/security';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { removeEndedRunData } from '@/server/engine/endings/run-data-removal';
import { removeDeletedWorkspaces } from '@/server/engine/store/workspace-removal';
import { removeUnneededFiles, tidyStorage } from '@/server/data/files/keeper';
import { storeUpload } from '@/server/data/files/store';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { routeWebRequest } from '@/server/api/http/routes';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkflow,
  buildWorkspace,
  call,
  unique,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { buildPermitted } from '@/server/testing/permitted';

useDatabase();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weft-files-'));
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, dataDir: folder }, fileStorage: undefined });
});
afterAll(() => rm(folder, { recursive: true }));

type Uploaded = FileValue & { createdAt: string } & Refused;

const upload = ({ token }: TestUser, raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  call<Uploaded>('POST', '/api/files', { token, raw, headers: { 'content-type': 'text/plain', ...headers } });

const get = ({ token }: TestUser, id: string, headers: Record<string, string> = {}, method = 'GET') =>
  call<string & Refused>(method, `/api/files/${id}`, { token, headers });

/** A multipart form as a client sends it. */
async function form({ token }: TestUser, fields: FormData) {
  const headers = { [PEER_ADDRESS_HEADER]: '192.0.2.1', authorization: `Bearer ${token}` };
  const answer = await routeWebRequest(
    new Request('http://weft.test/api/files', { method: 'POST', headers, body: fields }),
  );
  return { status: answer.status, body: (await answer.json()) as Uploaded };
}

const withFile = (name: string, content: string, field = 'file', type = 'text/plain') => {
  const fields = new FormData();
  fields.append(field, new Blob([content], { type }), name);
  return fields;
};

/** Starts a run with this input; only its row matters. */
async function execute({ token, workspaceId }: TestUser, input: object): Promise<string> {
  const workflowId = await buildWorkflow({ workspaceId });
  const answer = await call<{ executionId: string } & Refused>('POST', `/api/workflows/${workflowId}/execute`, {
    token,
    body: { input },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.executionId;
}

/** The names of all stored bytes. */
async function stored(): Promise<string[]> {
  const all = await readdir(path.join(folder, 'files'), { recursive: true });
  return all.map((name) => path.basename(name)).filter((name) => name.startsWith('file_'));
}

const temporary = () => readdir(path.join(folder, 'files/temporary'));
const usesOf = (fileId: string) => prismaClient().fileUse.count({ where: { fileId } });
const allChecksDue = () => databasePool().query(`UPDATE file_check SET due_at = now() - interval '1 second'`);

test('a file value has the fields that docs/data/files.md shows', async () => {
  const [, shown = ''] = /```json\n([^`]*)```/.exec(readFileSync('docs/data/files.md', 'utf8')) ?? [];
  const { body } = await upload(await buildUser(), 'text');
  expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(JSON.parse(shown) as object)));
});

test('an upload answers with the value that names the file, which comes back as an attachment', async () => {
  const user = await buildUser();
  const content = 'Grüße\n';
  const { status, body } = await upload(user, content, {
    'content-disposition': `attachment; filename="x.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%22.txt`,
  });
  expect(status).toBe(201);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(body).toEqual({
    $file: expect.stringMatching(/^file_[\w-]{20,}$/),
    name: 'Grüße".txt',
    contentType: 'text/plain',
    size: Buffer.byteLength(content),
    sha256,
    createdAt: expect.any(String),
  });
  const got = await get(user, body.$file);
  expect([got.status, got.body]).toEqual([200, content]);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'text/plain',
    'content-disposition': `attachment; filename="Gr__e_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%22.txt`,
    'content-length': String(Buffer.byteLength(content)),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    etag: `"${sha256}"`,
  });
  const head = await get(user, body.$file, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, '8', undefined]);
  expect(await temporary()).toEqual([]);
});

test('a form with the field `file` is an upload, other fields are refused and nothing stays', async () => {
  const user = await buildUser();
  const { status, body } = await form(user, withFile('../a/report.csv', 'a,b', 'file', 'text/csv'));
  expect([status, body.name, body.contentType, body.size]).toEqual([201, 'report.csv', 'text/csv', 3]);
  const before = await prismaClient().file.count({ where: { removedAt: null } });
  const wrong = await form(user, withFile('x', 'x', 'other'));
  expect([wrong.status, wrong.body.error.details[0]?.field]).toEqual([400, 'other']);
  const two = withFile('x', 'x');
  two.append('name', 'x');
  expect((await form(user, two)).body.error.details[0]?.field).toBe('name');
  expect((await form(user, new FormData())).status).toBe(400);
  expect((await upload(user, 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  expect((await upload(user, 'cut', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400);
  expect((await upload(user, '')).status).toBe(400);
  expect(await prismaClient().file.count({ where: { removedAt: null } })).toBe(before);
  expect(await temporary()).toEqual([]);
});

test('ranges', async () => {
  const user = await buildUser();
  const { $file, sha256 } = (await upload(user, '0123456789')).body;
  const range = async (text: string, more: Record<string, string> = {}) => {
    const { status, headers, body } = await get(user, $file, { range: text, ...more });
    return [status, headers.get('content-range'), body];
  };
  expect(await range('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await range('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await range('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await range('bytes=-99')).toEqual([206, 'bytes 0-9/10', '0123456789']);
  expect(await range('bytes=5-99')).toEqual([206, 'bytes 5-9/10', '56789']);
  expect((await range('bytes=10-')).slice(0, 2)).toEqual([416, 'bytes */10']);
  expect((await range('bytes=-0'))[0]).toBe(416);
  // Several ranges, other units and nonsense: the whole file.
  for (const text of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=4-2', 'bytes=-', 'x'])
    expect((await range(text))[0]).toBe(200);
  expect((await range('bytes=2-4', { 'if-range': `"${sha256}"` }))[0]).toBe(206);
  expect((await range('bytes=2-4', { 'if-range': '"other"' }))[0]).toBe(200);
  expect((await get(user, $file, { 'if-none-match': `"x", "${sha256}"` })).status).toBe(304);
});

test('content that a browser could run or render as a page comes as bytes', async () => {
  const user = await buildUser();
  const typeOf = async (type: string) => {
    const { $file } = (await upload(user, '<script>', { 'content-type': type })).body;
    return (await get(user, $file)).headers.get('content-type');
  };
  for (const type of ['text/html', 'image/svg+xml', 'application/javascript', 'text/css', 'application/xhtml+xml', 'x'])
    expect(await typeOf(type), type).toBe('application/octet-stream');
  expect(await typeOf('image/png')).toBe('image/png');
});

test('who may read an execution that names a file may download it; without one, who may run workflows', async () => {
  const workspaceId = await buildWorkspace();
  const as = (role: SystemRole) => buildUser({ workspaceId, role });
  const [viewer, operator, stranger] = [await as('viewer'), await as('operator'), await buildUser()];
  expect((await upload(viewer, 'x')).status).toBe(403);
  const { $file, ...rest } = (await upload(operator, 'secret')).body;
  expect((await get(operator, $file)).status).toBe(200);
  expect([(await get(viewer, $file)).status, (await get(stranger, $file)).status]).toEqual([404, 404]);
  await execute(operator, { file: { $file, ...rest } });
  expect([(await get(viewer, $file)).status, (await get(stranger, $file)).status]).toEqual([200, 404]);
  expect([(await get(viewer, $file, {}, 'DELETE')).status, (await get(stranger, $file, {}, 'DELETE')).status]).toEqual([
    403, 404,
  ]);
  expect((await get(operator, $file, {}, 'DELETE')).status).toBe(204);
  expect((await get(operator, $file)).status).toBe(404);
  await removeUnneededFiles();
  expect(await stored()).not.toContain($file);
});

test('a file that others use is deleted only with the right over what uses it', async () => {
  const workspaceId = await buildWorkspace();
  const as = (role: SystemRole) => buildUser({ workspaceId, role });
  const [operator, other, editor] = [await as('operator'), await as('operator'), await as('editor')];
  const remove = async (user: TestUser, id: string) => (await get(user, id, {}, 'DELETE')).status;

  const unused = (await upload(other, 'unused')).body;
  expect(await remove(operator, unused.$file)).toBe(403);
  await execute(operator, { file: unused });
  expect(await remove(operator, unused.$file)).toBe(403);
  expect(await remove(other, unused.$file)).toBe(403);

  const ran = (await upload(operator, 'ran')).body;
  await execute(other, { file: ran });
  expect(await remove(operator, ran.$file)).toBe(403);

  const kept = (await upload(operator, 'kept')).body;
  const columns = [{ name: 'file', type: 'json' }];
  const { body: table } = await call<{ id: string }>('POST', '/api/tables', {
    token: editor.token,
    body: { name: unique('files'), columns },
  });
  const rows = [{ file: kept }];
  expect((await call('POST', `/api/tables/${table.id}/rows`, { token: editor.token, body: { rows } })).status).toBe(
    201,
  );
  expect(await remove(operator, kept.$file)).toBe(403);
  const writer = await buildPermitted(workspaceId, [
    { resource: 'workflow', action: 'execute' },
    { resource: 'table', action: 'read' },
    { resource: 'table', action: 'write', on: { type: 'table', id: table.id } },
  ]);
  expect(await remove(writer, kept.$file)).toBe(204);
  for (const { $file } of [unused, ran]) expect(await remove(editor, $file)).toBe(204);
});

test('the id of another workspace’s file, or a made-up one, gives nothing and starts a run all the same', async () => {
  const [victim, attacker] = [await buildUser(), await buildUser()];
  const { $file } = (await upload(victim, 'secret')).body;
  const executionId = await execute(attacker, {
    file: { $file, name: 'x', size: 1 },
    made: { $file: `file_${'x'.repeat(24)}` },
    odd: { $file: `'; DROP TABLE file; --` },
  });
  expect(await prismaClient().fileUse.count({ where: { executionId } })).toBe(0);
  expect((await get(attacker, $file)).status).toBe(404);
  expect((await get(victim, $file)).body).toBe('secret');
  // The run of the attacker neither keeps the file nor takes it along.
  await call('DELETE', `/api/files/${$file}`, { token: victim.token });
  await removeUnneededFiles();
  expect(await stored()).not.toContain($file);
});

test('a file goes with the last execution that names it', async () => {
  const user = await buildUser();
  const { createdAt: _, ...file } = (await upload(user, 'data')).body;
  const one = await execute(user, { list: [{ deep: file }] });
  const other = await execute(user, { file });
  expect(await usesOf(file.$file)).toBe(2);
  await prismaClient().execution.delete({ where: { id: one } });
  await removeUnneededFiles();
  expect((await get(user, file.$file)).status).toBe(200);
  await prismaClient().execution.delete({ where: { id: other } });
  await removeUnneededFiles();
  expect((await get(user, file.$file)).status).toBe(404);
  expect(await stored()).not.toContain(file.$file);
  expect(await prismaClient().file.count({ where: { id: file.$file } })).toBe(0);
});

test('a file goes with the data of a run that its workflow does not keep', async () => {
  const user = await buildUser();
  const file = (await upload(user, 'data')).body;
  const executionId = await execute(user, { file });
  await prismaClient().runEnding.create({ data: { executionId, workspaceId: user.workspaceId, kind: 'clean' } });
  expect(await removeEndedRunData()).toBe(1);
  await removeUnneededFiles();
  expect(await stored()).not.toContain(file.$file);
});

test('a file that no execution names is removed after 24 hours, one that is named stays', async () => {
  const user = await buildUser();
  const [unused, used] = [(await upload(user, 'a')).body, (await upload(user, 'b')).body];
  await execute(user, { used });
  await removeUnneededFiles();
  expect((await get(user, unused.$file)).status).toBe(200);
  const [check] = await prismaClient().fileCheck.findMany({ where: { fileId: unused.$file } });
  expect(check!.dueAt.getTime() - Date.parse(unused.createdAt)).toBeGreaterThan(23.9 * 3_600_000);
  await allChecksDue();
  await removeUnneededFiles();
  expect((await get(user, unused.$file)).status).toBe(404);
  expect((await get(user, used.$file)).status).toBe(200);
  expect(await prismaClient().fileCheck.count()).toBe(0);
});

test('a file is not removed while a transaction names it', async () => {
  const user = await buildUser();
  const file = (await upload(user, 'data')).body;
  await allChecksDue();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
  await prismaClient().$transaction(async (db) => {
    await db.execution.create({
      data: {
        id: generateId('exec'),
        workspaceId: user.workspaceId,
        workflowId,
        workflowVersion: 1,
        status: 'pending',
        trigger: 'manual',
        input: { file: { ...file } },
      },
    });
    await removeUnneededFiles();
  });
  await allChecksDue();
  await removeUnneededFiles();
  expect((await get(user, file.$file)).status).toBe(200);
});

test('the files of a deleted workspace are removed', async () => {
  const [user, other] = [await buildUser(), await buildUser()];
  const [file, kept] = [(await upload(user, 'data')).body, (await upload(other, 'data')).body];
  await prismaClient().workspace.update({ where: { id: user.workspaceId }, data: { deletedAt: new Date() } });
  await removeDeletedWorkspaces();
  await removeUnneededFiles();
  const names = await stored();
  expect([names.includes(file.$file), names.includes(kept.$file)]).toEqual([false, true]);
});

test('the quota of the tier counts bytes, exactly, until they are removed', async () => {
  const workspaceId = await buildWorkspace({ tier: 'free' });
  const user = await buildUser({ workspaceId });
  const GIB = 1024 ** 3;
  await prismaClient().fileTally.create({ data: { workspaceId, bytes: GIB - 10 } });
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(user, 'four')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
  const usage = () => call<{ quotas: { fileBytes: object } }>('GET', `/api/workspaces/${workspaceId}/usage`, user);
  expect((await usage()).body.quotas.fileBytes).toEqual({ used: GIB - 2, limit: GIB, remaining: 2 });
  const { body } = answers.find(({ status }) => status === 201)!;
  await call('DELETE', `/api/files/${body.$file}`, { token: user.token });
  await removeUnneededFiles();
  expect((await usage()).body.quotas.fileBytes).toEqual({ used: GIB - 6, limit: GIB, remaining: 6 });
  expect(await temporary()).toEqual([]);
});

test('too large a file is refused, unread if it announces its size', async () => {
  const user = await buildUser();
  const announced = await upload(user, 'x', { 'content-length': String(101 * 1024 * 1024) });
  expect([announced.status, announced.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const content = (async function* () {
    yield randomBytes(64);
    yield randomBytes(64);
  })();
  await expect(storeUpload(content, { workspaceId: user.workspaceId, limit: 100 })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  expect(await temporary()).toEqual([]);
});

test('a repetition with the same key and bytes gets the same file', async () => {
  const user = await buildUser();
  const once = (raw: string) => upload(user, raw, { 'idempotency-key': 'k' });
  const [first, again, other] = [await once('a'), await once('a'), await once('b')];
  expect([first.status, again.status, other.status]).toEqual([201, 201, 409]);
  expect(again.body.$file).toBe(first.body.$file);
});

test('an upload whose process died leaves nothing', async () => {
  const user = await buildUser();
  const { $file } = (await upload(user, 'data')).body;
  // As if the process had died before the last step.
  await databasePool().query('UPDATE file SET stored_at = NULL WHERE id = $1', [$file]);
  expect((await get(user, $file)).status).toBe(404);
  await allChecksDue();
  await removeUnneededFiles();
  expect(await stored()).not.toContain($file);
});

test('bytes without a row and abandoned temporary files are removed a day later', async () => {
  const user = await buildUser();
  const [orphan, kept] = [(await upload(user, 'a')).body.$file, (await upload(user, 'b')).body.$file];
  await databasePool().query('DELETE FROM file WHERE id = $1', [orphan]);
  await tidyStorage();
  expect(await stored()).toEqual(expect.arrayContaining([orphan, kept]));
  await tidyStorage(Date.now() + 25 * 3_600_000);
  const names = await stored();
  expect([names.includes(orphan), names.includes(kept)]).toEqual([false, true]);
  expect(existsSync(path.join(folder, 'files'))).toBe(true);
});

test('an input that names too many files is refused', async () => {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
  const input = { list: Array.from({ length: 1001 }, (_, index) => ({ $file: `file_${index}` })) };
  const path = `/api/workflows/${workflowId}/execute`;
  const { status, body } = await call<Refused>('POST', path, { token: user.token, body: { input } });
  expect([status, body.error.details[0]?.field]).toEqual([400, 'input']);
});
