import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call } from '@/server/testing/factories';
import { startConnectProxy } from '@/server/testing/servers/proxy';
import { prismaClient } from '@/server/platform/db/client';
import { removeUnneededFiles } from './keeper';
import { S3Storage } from './s3-storage';

useDatabase();

/** The keys that the server of the tests knows. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

let folder: string;
let server: S3rver;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weft-s3-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: path.join(folder, 'buckets'),
    configureBuckets: [{ name: 'weft' }],
  });
  const { port } = await server.run();
  address = `s3://weft/some/prefix?endpoint=http://127.0.0.1:${port}&region=eu-west-1`;
  const { env } = getRuntime();
  setRuntime({
    ...getRuntime(),
    fileStorage: undefined,
    env: {
      ...env,
      dataDir: folder,
      filesUrl: address,
      filesAccessKeyId: KEYS.accessKeyId,
      filesSecretAccessKey: KEYS.secretAccessKey,
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function temporary(content: Buffer) {
  const place = path.join(folder, 'content');
  await writeFile(place, content);
  return { path: place, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

test('is reached through the proxy of the operator, whatever its address', async () => {
  const proxy = await startConnectProxy();
  const { env } = getRuntime();
  setRuntime({ ...getRuntime(), env: { ...env, httpsProxy: proxy.url, egressAllowPrivate: false } });
  onTestFinished(() => setRuntime({ ...getRuntime(), env }));
  const storage = new S3Storage(address, KEYS);
  await storage.put('f/proxied', await temporary(Buffer.from('through')));
  expect((await buffer((await storage.read('f/proxied'))!)).toString()).toBe('through');
  const { host } = new URL(new URL(address).searchParams.get('endpoint') ?? '');
  expect(new Set(proxy.asked)).toEqual(new Set([host]));
});

test('stores, reads, reads ranges and removes', async () => {
  const storage = new S3Storage(address, KEYS);
  const content = randomBytes(3 * 1024 * 1024);
  await storage.put('file_a', await temporary(content));
  expect((await buffer((await storage.read('file_a'))!)).equals(content)).toBe(true);
  const part = await buffer((await storage.read('file_a', { start: 10, end: 19 }))!);
  expect(part.equals(content.subarray(10, 20))).toBe(true);
  await storage.put('file_empty', await temporary(Buffer.alloc(0)));
  expect((await buffer((await storage.read('file_empty'))!)).length).toBe(0);
  await storage.remove('file_a');
  await storage.remove('file_a');
  expect(await storage.read('file_a')).toBeNull();
});

test('a wrong key is a failure, not a missing file', async () => {
  const storage = new S3Storage(address, { ...KEYS, secretAccessKey: 'other' });
  await expect(storage.put('file_b', await temporary(Buffer.from('x')))).rejects.toThrow(/could not store a file: 403/);
  await expect(storage.read('file_b')).rejects.toThrow('403');
});

test('an upload goes to the bucket, comes back, and is removed with its last owner', async () => {
  const user = await buildUser();
  const { token } = user;
  const uploaded = await call<{ $file: string }>('POST', '/api/files', {
    token,
    raw: '0123456789',
    headers: { 'content-type': 'text/plain' },
  });
  expect(uploaded.status).toBe(201);
  const { $file } = uploaded.body;
  const got = await call('GET', `/api/files/${$file}`, { token, headers: { range: 'bytes=2-4' } });
  expect([got.status, got.body]).toEqual([206, '234']);
  const storage = new S3Storage(address, KEYS);
  expect(await storage.read($file)).not.toBeNull();
  await call('DELETE', `/api/files/${$file}`, { token });
  await removeUnneededFiles();
  expect(await storage.read($file)).toBeNull();
  expect(await prismaClient().file.count()).toBe(0);
});

test('an upload that the storage refuses fails, and its row leads the keeper to what may be there', async () => {
  const { token } = await buildUser();
  setRuntime({ ...getRuntime(), fileStorage: new S3Storage(address, { ...KEYS, secretAccessKey: 'other' }) });
  const refused = await call('POST', '/api/files', { token, raw: 'x', headers: { 'content-type': 'text/plain' } });
  expect(refused.status).toBe(500);
  setRuntime({ ...getRuntime(), fileStorage: new S3Storage(address, KEYS) });
  expect(await prismaClient().file.count({ where: { removedAt: { not: null } } })).toBe(1);
  await removeUnneededFiles();
  expect(await prismaClient().file.count()).toBe(0);
});
