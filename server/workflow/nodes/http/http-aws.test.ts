import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { startNode } from '@/server/testing/one-node';
import { listenOn } from '@/server/testing/listen';

useDatabase();
useWorker({ concurrency: 5, graceMs: 200 });

let folder: string;
let server: S3rver;
let url: string;
let user: TestUser;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weft-aws-'));
  const configureBuckets = [{ name: 'bucket' }];
  server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  url = `http://127.0.0.1:${(await server.run()).port}/bucket`;
  user = await buildUser();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function credentialOf(config: object = {}): Promise<string> {
  const all = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', service: 's3', region: 'eu-west-1', ...config };
  return buildCredential(user, 'aws', all);
}

async function run(credentialId: string, config: object, input: object = {}) {
  return (await startNode(user, { type: 'http_request', credentialId, config: { ...config } }, input)).finish();
}

test('a file goes to a storage that checks signatures, and comes back', async () => {
  const credentialId = await credentialOf();
  const headers = { 'content-type': 'text/plain' };
  const uploaded = await call<FileValue>('POST', '/api/files', { token: user.token, raw: 'the content', headers });
  const at = `${url}/{{ input.name }}`;
  const input = { file: uploaded.body, name: 'a%20file.txt' };
  const put = { url: at, method: 'PUT', bodyType: 'file', body: '{{ input.file }}' };
  expect((await run(credentialId, put, input)).output).toMatchObject({ status: 200 });
  expect((await run(credentialId, { url: at }, input)).output).toMatchObject({ status: 200, body: 'the content' });
  const { output } = await run(credentialId, { url: at, responseType: 'file' }, input);
  expect(output).toMatchObject({ status: 200, body: { size: 11, contentType: 'text/plain' } });
  const wrong = await run(await credentialOf({ secretAccessKey: 'other-secret-key' }), put, input);
  expect(wrong.error).toMatchObject({ code: 'HTTP_STATUS', message: expect.stringContaining('SignatureDoesNotMatch') });
});

test('secrets stay out of results, also those that an answer repeats', async () => {
  const secrets = { secretAccessKey: 'secret-key-canary', sessionToken: 'session-token-canary' };
  const mirror = await listenOn((request, response) => void response.end(JSON.stringify(request.headers)));
  const credentialId = await credentialOf(secrets);
  const { output } = await run(credentialId, { url: mirror.url }).finally(() => mirror.close());
  expect(output).toMatchObject({ body: expect.stringContaining('AWS4-HMAC-SHA256 Credential=S3RVER/') });
  expect(output).toMatchObject({ body: expect.stringContaining('"x-amz-security-token":"••••••"') });
  expect(JSON.stringify(output)).not.toContain('canary');
  const { body } = await call<object>('GET', `/api/credentials/${credentialId}`, { token: user.token });
  expect(body).toMatchObject({ secretFields: ['secretAccessKey', 'sessionToken'], config: { accessKeyId: 'S3RVER' } });
  expect(JSON.stringify(body)).not.toContain('canary');
});

test.each([
  [{ accessKeyId: 'a b' }, 'config.accessKeyId'],
  [{ secretAccessKey: '' }, 'config.secretAccessKey'],
  [{ region: 'EU West' }, 'config.region'],
  [{ service: 's3/other' }, 'config.service'],
  [{ surprise: 1 }, 'config.surprise'],
])('a credential with %j is refused', async (changes, field) => {
  const config = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', ...changes };
  const body = { name: 'x', type: 'aws', config };
  const answer = await call<Refused>('POST', '/api/credentials', { token: user.token, body });
  expect([answer.status, answer.body.error.details.map((detail) => detail.field)]).toEqual([400, [field]]);
});

test('a credential is tested with the address of a request', async () => {
  const tested = async (id: string) =>
    (await call('POST', `/api/credentials/${id}/test`, { token: user.token, body: { url } })).body;
  expect(await tested(await credentialOf())).toMatchObject({ ok: true });
  expect(await tested(await credentialOf({ secretAccessKey: 'other-secret' }))).toMatchObject({ ok: false });
});
