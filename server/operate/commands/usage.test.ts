import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryRoot } from '@/server/platform/root';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'weft-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (name: string, ...words: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', `server/operate/commands/${name}.ts`, ...words], {
    cwd: repositoryRoot,
    env: { NODE_ENV: 'test', PATH: process.env['PATH'], DATA_DIR: path.join(folder, 'data') },
  });

test('--help prints the usage and makes nothing', async () => {
  for (const name of ['doctor', 'recover', 'backup'])
    expect((await run(name, '--help')).stdout).toMatch(new RegExp(`^Usage: npm run ${name}`));
  expect(readdirSync(folder)).toEqual([]);
});

test('the doctor of an installation that was never started says so and makes nothing', async () => {
  const { stdout } = await run('doctor');
  expect(stdout).toContain('! data folder: nothing is in');
  expect(existsSync(path.join(folder, 'data'))).toBe(false);
});
