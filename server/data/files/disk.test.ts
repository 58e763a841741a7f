import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { requireWritableFolders } from '@/server/operate/boot/folders';
import { freeSpaceFinding, checkFolders } from '@/server/operate/commands/checkup-installation';
import { handleReadyz } from '@/server/api/http/health';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused } from '@/server/testing/factories';
import { findFolderFault, readFreeSpace } from './disk';

useDatabase();

const failure = (code: string) => Object.assign(new Error(`${code}: write`), { code });

/** The next writes into open files fail as on a disk with this fault. */
async function failWrites(code: string): Promise<void> {
  const handle = await open(import.meta.filename, 'r');
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const spy = vi.spyOn(prototype, 'write').mockRejectedValue(failure(code));
  onTestFinished(() => spy.mockRestore());
}

/** A path below a file: nobody can write there, not even root. */
async function unwritable(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weft-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  return path.join(file, 'data');
}

const upload = async (token: string) =>
  call<Refused>('POST', '/api/files', { token, raw: 'content', headers: { 'content-type': 'text/plain' } });

it.each(['ENOSPC', 'EDQUOT', 'EROFS'])(
  'an upload to a folder that fails with %s is 503 with the reason',
  async (code) => {
    const { token } = await buildUser();
    await failWrites(code);
    const { status, headers, body } = await upload(token);
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect(body.error.message).toContain('The folder of files takes no files now: it');
  },
);

it('a folder that cannot be written is not ready, fails the doctor, and ends a start', async () => {
  const dataDir = await unwritable();
  const { env } = getRuntime();
  expect(await findFolderFault(dataDir)).toEqual({ reason: 'a part of its path is a file', isFull: false });
  await expect(requireWritableFolders({ ...env, dataDir })).rejects.toThrow(`DATA_DIR: ${dataDir} cannot be written`);
  const findings = await checkFolders({ ...env, dataDir });
  expect(findings.map(({ about, verdict }) => [about, verdict])).toEqual([
    ['data folder', 'bad'],
    ['folder of files', 'bad'],
  ]);
  setRuntime({ ...getRuntime(), env: { ...env, dataDir, logLevel: 'silent' as 'error' } });
  onTestFinished(() => setRuntime({ ...getRuntime(), env }));
  await expect.poll(async () => (await handleReadyz()).status, { timeout: 5000 }).toBe(503);
  expect(await (await handleReadyz()).json()).toEqual({
    status: 'failed',
    checks: { database: 'ok', queue: 'ok', files: 'failed' },
    reasons: { files: 'the folder of files takes none: a part of its path is a file' },
  });
});

it('the doctor reports how much room there is', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'weft-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const findings = await checkFolders({ ...getRuntime().env, dataDir: folder });
  expect(findings.map(({ text }) => text)).toEqual([
    expect.stringMatching(/can be written, .+ are free$/),
    expect.stringMatching(/can be written, .+ are free$/),
  ]);
  const mib = 1024 ** 2;
  expect((await readFreeSpace(folder))?.freeBytes).toBeGreaterThan(0);
  expect(freeSpaceFinding('x', '/data', 10 * mib)).toMatchObject({
    verdict: 'bad',
    text: '/data is full: 10 MiB are free',
  });
  expect(freeSpaceFinding('x', '/data', 500 * mib).verdict).toBe('warning');
  expect(freeSpaceFinding('x', '/data', 5000 * mib).verdict).toBe('good');
});
