import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { searchPath } from '../env';

const root = path.resolve(import.meta.dirname, '../..');

/** The service in a process group of its own, for tests that kill it. */
export interface ServiceProcess {
  pid: number;
  /** Sends the signal to the whole group and waits for its end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Everything it has written so far, to standard output and error. */
  output(): string;
  /** Stops it where it stands (SIGSTOP), or lets it go on (SIGCONT). */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts `server/main.ts` as a worker on the database, with more environment if given; resolves once it takes runs. */
export async function startWorkerProcess(databaseUrl: string, more: Record<string, string> = {}): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weft-worker-'));
  const child = spawn('node', ['--import', 'tsx', 'server/main.ts'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'test',
      PATH: searchPath(),
      ROLE: 'worker',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      EGRESS_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'error',
      ...more,
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
    exit.then(() => Promise.reject(new Error(`The worker ended before it was ready: ${said}`))),
  ]);
  const pid = child.pid ?? 0;
  return {
    pid,
    async end(signal) {
      process.kill(-pid, signal);
      await exit;
    },
    output: () => said,
    signal: (signal) => void process.kill(-pid, signal),
  };
}
