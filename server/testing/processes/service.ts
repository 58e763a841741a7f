import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { freePort } from '../listen';
import { noteUndescribedIn } from '../undescribed';
import { bundle, type Programs } from './bundle';

const root = path.resolve(import.meta.dirname, '../../..');

/** The service in a separate process group, for tests that kill it. */
export interface ServiceProcess {
  pid: number;
  /** Sends the signal to the process group and waits for its end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resolves when the process has exited for any reason. */
  gone: Promise<void>;
  /** Its standard output and error so far. */
  output(): string;
  /** Freezes (SIGSTOP) or resumes (SIGCONT) the process group. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts the service as a worker on the database, with more environment if given; resolves once it claims runs. */
export const startWorkerProcess = (databaseUrl: string, more: Record<string, string> = {}): Promise<ServiceProcess> =>
  startProcess('service', { ROLE: 'worker', DATABASE_URL: databaseUrl, ...more });

/** Starts a worker that also has the node type `crash`, which kills its process. */
export const startCrashingProcess = (databaseUrl: string, more: Record<string, string>): Promise<ServiceProcess> =>
  startProcess('crashing', { DATABASE_URL: databaseUrl, ...more });

export interface WebProcess extends ServiceProcess {
  /** The URL of the service. */
  url: string;
}

/** Starts HTTP server and live channel without pages, with the keys in `more`; resolves once they listen. */
export async function startWebProcess(databaseUrl: string, more: Record<string, string>): Promise<WebProcess> {
  const port = await freePort();
  const env = { ROLE: 'web', DATABASE_URL: databaseUrl, PORT: String(port), ...more };
  return { ...(await startProcess('web', env)), url: `http://127.0.0.1:${port}` };
}

/**
 * Without V8's helper threads: in a process that ends after seconds, what they compile and optimise costs more CPU time
 * than it saves, a quarter of a start.
 */
const BRIEF = '--single-threaded';

async function startProcess(program: keyof Programs, env: Record<string, string>): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weft-process-'));
  const child = spawn('node', [BRIEF, (await bundle())[program]], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'test',
      PATH: commandSearchPath(),
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
      const text = chunk.toString();
      said += text;
      if (said.includes('Processes:')) resolve();
      noteUndescribedIn(text);
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
