import { expect, it } from 'vitest';
import type { Launch } from './postgres-binaries';
import { keepRunning } from './postgres-process';

/** A server that prints this and keeps running. */
const saying = (program: string): Launch => ({
  command: process.execPath,
  args: ['-e', `${program}; process.once('SIGINT', () => process.exit(0)); setInterval(() => {}, 1000)`],
  options: { cwd: '.', env: { NODE_ENV: 'test' } },
});

it('detects that a server is ready after any other output', async () => {
  const refusal = 'FATAL:  the database system is starting up';
  const program = `for (let n = 0; n < 2000; n += 1) console.error(${JSON.stringify(refusal)}); console.error('LOG:  database system is ready to accept connections')`;
  const lines: string[] = [];
  const server = await keepRunning(saying(program), (line) => lines.push(line));
  expect(server.pid).toBeGreaterThan(0);
  expect(lines.join('')).toContain('ready to accept connections');
  await server.stop();
});

it('reports why a server did not start by its last output', async () => {
  const program = `console.error('x'.repeat(20000)); console.error('FATAL:  wrong'); process.exit(3)`;
  await expect(keepRunning(saying(program), () => undefined)).rejects.toThrow(/\(3\): [\s\S]*FATAL: {2}wrong/);
});
