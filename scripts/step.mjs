import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export const root = path.resolve(import.meta.dirname, '..');

/** The failure of a command, with its output. */
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

/** The current step, whose duration is not printed yet. */
let unfinished = '';

function finishLine() {
  if (unfinished) process.stdout.write('\n');
  unfinished = '';
}

/** Prints a separate line during a step. */
export function say(/** @type {string} */ line) {
  finishLine();
  process.stdout.write(`${line}\n`);
}

/**
 * Prints a line of progress: the title at the start, the duration at the end. If another line was printed meanwhile,
 * the duration is printed on a separate line.
 *
 * @template T
 * @param {string} title
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  finishLine();
  process.stdout.write(`${title} … `);
  unfinished = title;
  const begin = performance.now();
  const end = (/** @type {string} */ outcome) => {
    const isOnLine = unfinished === title;
    if (isOnLine) unfinished = '';
    if (isOnLine) process.stdout.write(`${outcome}\n`);
    else say(`${title}: ${outcome}`);
  };
  try {
    const result = await work();
    end(`${((performance.now() - begin) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    end('failed');
    throw error;
  }
}

/**
 * Runs a command and returns its output; throws `CommandFailed` with the output when it fails. Ends with this process.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env changes to the environment; undefined removes a variable
 * @returns {Promise<string>}
 */
export async function run(command, args, env = {}) {
  // Writes to a file: a pipe would stay open as long as any grandchild process has it.
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
 * Runs a command in the foreground and returns its exit code. Forwards signals of this process to it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env as for `run`
 * @returns {Promise<number>}
 */
export function show(command, args, env = {}) {
  finishLine();
  return exitOf(spawn(command, args, { cwd: root, env: environment(env), stdio: 'inherit' }));
}

/**
 * The same for a command that runs beside another one: each line that it prints appears as a whole.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env as for `run`
 * @returns {Promise<number>}
 */
export async function relay(command, args, env = {}) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(command, args, {
    cwd: root,
    env: environment({ ...colours, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outputs = [child.stdout, child.stderr];
  const ends = outputs.map((input) => once(createInterface({ input }).on('line', say), 'close'));
  const code = await exitOf(child);
  // A stray grandchild may keep a pipe open.
  await Promise.race([Promise.all(ends), pause(1000)]);
  for (const output of outputs) output.destroy();
  return code;
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
