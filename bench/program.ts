import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

export interface Program {
  pid: number;
  /** CPU seconds used so far, all threads included. */
  cpuSeconds(): number;
  /** Memory of the process and of all that it has started, in MiB: what they share counts once. */
  memory(): number;
  /** Whether the process is still running. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Starts a Node program and waits until it logs that it is ready (`Processes:`). */
export async function startProgram(args: string[], env: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exit = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (output.length < 100_000) output += chunk.toString();
        if (output.includes('Processes:')) resolve();
      });
    }
  });
  await Promise.race([ready, exit.then(() => Promise.reject(new Error(`${args.join(' ')} ended: ${output}`)))]);
  const pid = child.pid ?? 0;
  return {
    pid,
    cpuSeconds: () => cpuSeconds(pid),
    memory: () => memory(pid),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

const TICKS_PER_SECOND = 100;

/** User and system time of a process and its threads, from /proc. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** What `read` returns for a process; 0 if it has ended since it was listed. */
function ofRunning(pid: number, read: (pid: number) => number): number {
  try {
    return read(pid);
  } catch {
    return 0;
  }
}

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  const isChild = (name: string) => {
    const parent = (id: number) =>
      Number(
        readFileSync(`/proc/${id}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[1],
      );
    return ofRunning(Number(name), parent) === pid;
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number);
}

/** The sum of PSS of a process and of all below it in MiB, from /proc: supervisor, service, evaluator processes. */
function memory(pid: number): number {
  const own = ofRunning(pid, (id) => {
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  });
  return childrenOf(pid).reduce((sum, child) => sum + memory(child), own);
}

/** CPU seconds of a PostgreSQL server and all its child processes. */
export const cpuOfDatabase = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ofRunning(each, cpuSeconds), 0);

/** A port that no process listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
