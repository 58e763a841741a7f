import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { searchPath } from '../env';
import { bundle, type Programs } from './bundle';

const root = path.resolve(import.meta.dirname, '../..');

/** The service in a process group of its own, for tests that kill it. */
export interface ServiceProcess {
  pid: number;
  /** Sends the signal to the whole group and waits for its end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resolves when it is gone, whatever the reason. */
  gone: Promise<void>;
  /** Everything it has written so far, to standard output and error. */
  output(): string;
  /** Stops it where it stands (SIGSTOP), or lets it go on (SIGCONT). */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts the service as a worker on the database, with more environment if given; resolves once it takes runs. */
export const startWorkerProcess = (databaseUrl: string, more: Record<string, string> = {}): Promise<ServiceProcess> =>
  startProcess('service', { ROLE: 'worker', DATABASE_URL: databaseUrl, ...more });

export interface WebProcess extends ServiceProcess {
  /** Where it listens. */
  url: string;
}

/** Starts the doors and the live channel, without pages, with the keys in `more`; resolves once they listen. */
export async function startWebProcess(databaseUrl: string, more: Record<string, string>): Promise<WebProcess> {
  const port = await freePort();
  const env = { ROLE: 'web', DATABASE_URL: databaseUrl, PORT: String(port), ...more };
  return { ...(await startProcess('web', env)), url: `http://127.0.0.1:${port}` };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function startProcess(program: keyof Programs, env: Record<string, string>): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weft-process-'));
  const child = spawn('node', ['--enable-source-maps', (await bundle())[program]], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'test',
      PATH: searchPath(),
      DATA_DIR: dataDir,
      EGRESS_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  let said = '';
  const exit = once(child, 'exit').then(() => rmSync(dataDir, { recursive: true, force: true }));
  const ready = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Processes:')) resolve();
    });
  });
  await Promise.race([
    ready,
    exit.then(() => Promise.reject(new Error(`The process ended before it was ready: ${said}`))),
  ]);
  const pid = child.pid ?? 0;
  return {
    pid,
    async end(signal) {
      process.kill(-pid, signal);
      await exit;
    },
    gone: exit,
    output: () => said,
    signal: (signal) => void process.kill(-pid, signal),
  };
}
