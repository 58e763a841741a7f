import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LaunchCommand } from './postgres-binaries';

/** Receives lines of the database's log and events of its process. */
export type DatabaseLogger = (line: string) => void;

/** A running PostgreSQL server that is restarted after a crash. */
export interface PostgresServer {
  /** The current process id: it changes with a restart. */
  readonly pid: number;
  stop(): Promise<void>;
}

const MAX_START_ATTEMPTS = 40;
const START_RETRY_MS = 250;

/** Resolves when it accepts connections. */
export async function keepPostgresRunning(launch: LaunchCommand, log: DatabaseLogger): Promise<PostgresServer> {
  let isStopping = false;
  let child = await startWithRetries(launch, log);
  let replacement: Promise<void> | undefined;
  // If the kernel does not end it with this process, at least an orderly exit does.
  const stopAtExit = () => child.kill('SIGINT');
  process.once('exit', stopAtExit);

  const watch = () => {
    child.once('exit', (code, signal) => {
      if (isStopping) return;
      log(`PostgreSQL (${child.pid}) ended unexpectedly (${signal ?? code}); restarting it`);
      replacement = replace();
    });
  };
  const replace = async () => {
    while (!isStopping) {
      try {
        child = await startWithRetries(launch, log);
        if (isStopping) return;
        log(`PostgreSQL runs again (${child.pid})`);
        return watch();
      } catch (error) {
        log(`PostgreSQL could not be restarted: ${String(error)}`);
        await pause(1000);
      }
    }
  };
  watch();
  return {
    get pid() {
      return child.pid ?? 0;
    },
    async stop() {
      isStopping = true;
      await replacement;
      process.off('exit', stopAtExit);
      await shutDownPostgres(child);
    },
  };
}

/** Right after a crash the old processes may still hold the shared memory: the start is retried. */
async function startWithRetries(launch: LaunchCommand, log: DatabaseLogger): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPostgresOnce(launch, log);
    } catch (error) {
      const isPassing = error instanceof Error && /shared memory block|lock file/.test(error.message);
      if (!isPassing || attempt === MAX_START_ATTEMPTS) throw error;
      await pause(START_RETRY_MS);
    }
  }
}

function startPostgresOnce({ command, args, options }: LaunchCommand, log: DatabaseLogger): Promise<ChildProcess> {
  // detached: a terminal's Ctrl-C must reach this process only, which stops the database last.
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) if (line) log(line);
      // While it recovers, it refuses each connection with a log line.
      output = (output + text).slice(-10_000);
      if (output.includes('ready to accept connections')) resolve(child);
    });
    child.once('error', reject);
    // `exit` may come before the last of its output, which tells whether another attempt can succeed.
    child.once('close', (code, signal) =>
      reject(new Error(`PostgreSQL did not start (${signal ?? code}): ${output.trim()}`)),
    );
  });
}

/** A fast shutdown; after a timeout an immediate one, from which the next start recovers. */
async function shutDownPostgres(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  const timeout = setTimeout(() => child.kill('SIGQUIT'), 10_000);
  await exit;
  clearTimeout(timeout);
}

/** Stops a server that a killed process left on `cluster`, and removes the files that would block the next start. */
export async function stopLeftoverServer(cluster: string, log: DatabaseLogger): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (pid > 0 && isProcessAlive(pid) && readProcessCommand(pid).includes(cluster)) {
    log(`stopping the PostgreSQL that a killed process left behind (${pid})`);
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      sendSignalIfAlive(pid, signal);
      for (let waited = 0; waited < 8000 && isProcessAlive(pid); waited += 50) await pause(50);
    }
    if (isProcessAlive(pid)) throw new Error(`PostgreSQL ${pid} still runs on ${cluster} and can't be stopped.`);
  }
  rmSync(pidFile, { force: true });
}

function sendSignalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A killed process that its parent has not collected stays as a zombie, which still answers signal 0. */
function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function readProcessCommand(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
