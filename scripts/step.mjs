import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** A command that came out wrong, with what it said. */
export class CommandFailed extends Error {
  /**
   * @param {string} message
   * @param {string} output
   */
  constructor(message, output = '') {
    super(output ? `${message}:\n${output}` : message);
    this.output = output;
  }
}

/**
 * One line of progress: the title when it begins, the time when it is done.
 *
 * @template T
 * @param {string} title
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  process.stdout.write(`${title} … `);
  const begin = performance.now();
  try {
    const result = await work();
    process.stdout.write(`${((performance.now() - begin) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

/**
 * Runs a command to its end and answers what it printed; throws `CommandFailed` with that when it fails. It dies with us.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env changes to the environment; undefined takes a variable away
 * @returns {Promise<string>}
 */
export async function run(command, args, env = {}) {
  // Into a file rather than a pipe: a pipe stays open for as long as any stray grandchild has it.
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-step-'));
  const file = path.join(folder, 'output');
  const output = openSync(file, 'w');
  try {
    const code = await exitOf(
      spawn(command, args, { cwd: root, env: environment(env), stdio: ['ignore', output, output] }),
    );
    const text = readFileSync(file, 'utf8');
    if (code !== 0) throw new CommandFailed(`${[command, ...args].join(' ')} ended with ${code}`, text.trim());
    return text;
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a command in the foreground and answers its exit code. Signals to us are passed on to it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env as for `run`
 * @returns {Promise<number>}
 */
export function show(command, args, env = {}) {
  return exitOf(spawn(command, args, { cwd: root, env: environment(env), stdio: 'inherit' }));
}

/** A program from node_modules, as arguments for `node`. */
export const bin = (/** @type {string} */ name) => path.join(root, 'node_modules', name);

/** @param {import('node:child_process').ChildProcess} child */
function exitOf(child) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forwards = signals.map((signal) => /** @type {const} */ ([signal, () => child.kill(signal)]));
  for (const [signal, forward] of forwards) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1)));
  }).finally(() => {
    for (const [signal, forward] of forwards) process.off(signal, forward);
  });
}

/** @param {Record<string, string | undefined>} changes */
function environment(changes) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CHECKPOINT_DISABLE: '1', ...changes };
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
