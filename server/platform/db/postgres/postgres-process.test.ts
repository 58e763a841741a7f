import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { LaunchCommand } from './postgres-binaries';
import { keepPostgresRunning } from './postgres-process';

/** A server that prints this and keeps running. */
const saying = (program: string): LaunchCommand => ({
  command: process.execPath,
  args: ['-e', `${program}; process.once('SIGINT', () => process.exit(0)); setInterval(() => {}, 1000)`],
  options: { cwd: '.', env: { NODE_ENV: 'test' } },
});

it('detects that a server is ready after any other output', async () => {
  const refusal = 'FATAL:  the database system is starting up';
  const program = `for (let n = 0; n < 2000; n += 1) console.error(${JSON.stringify(refusal)}); console.error('LOG:  database system is ready to accept connections')`;
  const lines: string[] = [];
  const server = await keepPostgresRunning(saying(program), (line) => lines.push(line));
  expect(server.pid).toBeGreaterThan(0);
  expect(lines.join('')).toContain('ready to accept connections');
  await server.stop();
});

it('reports why a server did not start by its last output', async () => {
  const program = `console.error('x'.repeat(20000)); console.error('FATAL:  wrong'); process.exit(3)`;
  await expect(keepPostgresRunning(saying(program), () => undefined)).rejects.toThrow(/\(3\): [\s\S]*FATAL: {2}wrong/);
});

it('tries again after a reason that is printed late', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-postgres-'));
  const late = `setTimeout(() => console.error('FATAL:  lock file exists'), 200)`;
  const program = `
    try {
      require('node:fs').mkdirSync(${JSON.stringify(path.join(folder, 'tried'))});
      const stdio = ['ignore', 'ignore', 'inherit'];
      require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(late)}], { stdio, detached: true });
      process.exit(1);
    } catch {
      console.error('ready to accept connections');
    }`;
  const server = await keepPostgresRunning(saying(program), () => undefined);
  expect(server.pid).toBeGreaterThan(0);
  await server.stop();
  rmSync(folder, { recursive: true });
});
