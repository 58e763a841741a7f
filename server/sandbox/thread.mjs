// @ts-check
// The inside of a sandbox thread: takes one job at a time and runs it in a fresh QuickJS runtime, which knows no
// network, no files, no clock that can be waited on, and nothing of this process. Plain JavaScript, so that a thread starts
// the same way from the bundle, from tests and in development.
import { parentPort } from 'node:worker_threads';
import { getQuickJS } from 'quickjs-emscripten';
import { PATIENCE, processorTime } from './processor-time.mjs';

/** @import { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten' */
/** @typedef {{ id: number, source: string, input: string, nodes: string, execution: string, cpuMs: number, memoryBytes: number }} Job */

// Without a limit of its own a deep recursion overflows the host's stack and leaks the runtime.
const STACK_BYTES = 256 * 1024;
const MAX_OUTPUT = 10 * 1024 * 1024;
const MAX_LOG_LINES = 200;

/** Values go in and come out as JSON text: no handle of this thread ever reaches the code. */
const PROGRAM = `(() => {
  const show = (value) => typeof value === 'string' ? value : JSON.stringify(value) ?? String(value);
  const write = __log;
  const log = (level) => (...values) => write(level, values.map(show).join(' '));
  globalThis.console = { log: log('info'), info: log('info'), debug: log('info'), warn: log('warn'), error: log('error') };
  const AsyncFunction = (async () => {}).constructor;
  const [input, nodes, execution] = __arguments.map((text) => JSON.parse(text));
  globalThis.__arguments = globalThis.__log = undefined;
  const outcome = { state: 'pending' };
  new AsyncFunction('input', 'nodes', 'execution', __source)(input, nodes, execution).then(
    (value) => { outcome.json = JSON.stringify(value) ?? 'null'; outcome.state = 'done'; },
  ).then(undefined, (error) => { outcome.state = 'failed'; outcome.error = error; });
  return outcome;
})()`;

/** @param {QuickJSContext} context @param {QuickJSHandle} handle */
function describe(context, handle) {
  const error = context.dump(handle);
  if (error === null || typeof error !== 'object') return { name: 'Error', message: String(error), line: null };
  const line = /<anonymous>:(\d+)|<input>:(\d+)/.exec(String(error.stack ?? ''));
  return {
    name: String(error.name ?? 'Error'),
    message: String(error.message ?? 'unknown'),
    // The function's own head takes two lines.
    line: line ? Math.max(1, Number(line[1] ?? line[2]) - 2) : null,
  };
}

/**
 * Whether `cpuMs` are used up; once they are, they stay so. The clock is asked first: it costs less.
 *
 * @param {number} cpuMs
 */
function lateness(cpuMs) {
  const begun = performance.now();
  const begunOnProcessor = processorTime();
  let next = begun + cpuMs;
  let isLate = false;
  return () => {
    const now = performance.now();
    if (isLate || now < next) return isLate;
    const left = cpuMs - (processorTime() - begunOnProcessor);
    isLate = left <= 0 || now - begun >= cpuMs * PATIENCE;
    next = now + left;
    return isLate;
  };
}

/** @param {Job} job */
const neededMore = ({ memoryBytes }) => `The code needed more than ${Math.round(memoryBytes / 1024 / 1024)} MiB.`;

/** @param {QuickJSWASMModule} quickjs @param {Job} job */
function run(quickjs, job) {
  const runtime = quickjs.newRuntime();
  const isLate = lateness(job.cpuMs);
  runtime.setMemoryLimit(job.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(isLate);
  const context = runtime.newContext();
  /** @type {{ level: string, message: string }[]} */
  const logs = [];
  const failed = (/** @type {string} */ code, /** @type {string} */ message) => ({ ok: false, code, message, logs });
  const timeout = () => failed('CODE_TIMEOUT', `The code ran for more than ${job.cpuMs} ms.`);
  /** @param {QuickJSHandle} handle */
  const failure = (handle) => {
    // Past its time the runtime interrupts everything, so even the error can't be read reliably.
    const { name, message, line } = isLate() ? { name: '', message: '', line: null } : describe(context, handle);
    handle.dispose();
    if (isLate()) return timeout();
    if (name === 'InternalError' && message.includes('out of memory')) {
      return failed('CODE_MEMORY', neededMore(job));
    }
    return failed('CODE_ERROR', `${name}: ${message}${line ? ` (line ${line})` : ''}`);
  };
  try {
    const put = (/** @type {string} */ name, /** @type {QuickJSHandle} */ handle) => {
      context.setProp(context.global, name, handle);
      handle.dispose();
    };
    put('__source', context.newString(job.source));
    const list = context.newArray();
    [job.input, job.nodes, job.execution].forEach((text, index) => {
      const value = context.newString(text);
      context.setProp(list, index, value);
      value.dispose();
    });
    put('__arguments', list);
    put(
      '__log',
      context.newFunction('__log', (level, message) => {
        if (logs.length < MAX_LOG_LINES) {
          logs.push({ level: context.getString(level), message: context.getString(message).slice(0, 10_000) });
        }
      }),
    );
    const started = context.evalCode(PROGRAM, 'code.js');
    if (started.error) return failure(started.error);
    const outcome = started.value;
    try {
      const jobs = runtime.executePendingJobs();
      if (jobs.error) return failure(jobs.error);
      const read = (/** @type {string} */ name) => context.getProp(outcome, name);
      const stateHandle = read('state');
      const state = context.getString(stateHandle);
      stateHandle.dispose();
      if (state === 'failed') return failure(read('error'));
      // An interrupted job of the promise queue is dropped without a word.
      if (state !== 'done' && isLate()) return timeout();
      if (state !== 'done') return failed('CODE_ERROR', 'The code waits for a promise that never settles.');
      const json = read('json');
      const text = context.getString(json);
      json.dispose();
      if (text.length > MAX_OUTPUT) return failed('OUTPUT_TOO_LARGE', 'The output is larger than 10 MiB.');
      return { ok: true, json: text, logs };
    } finally {
      outcome.dispose();
    }
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

const quickjs = await getQuickJS();
parentPort?.on('message', (/** @type {Job} */ job) => {
  try {
    parentPort?.postMessage({ id: job.id, ...run(quickjs, job) });
  } catch (error) {
    // A runtime that ran out of memory may refuse to be disposed of; this module can't be trusted any more.
    parentPort?.postMessage({
      id: job.id,
      ok: false,
      isSpent: true,
      code: 'CODE_MEMORY',
      // What aborts is QuickJS itself, with a text about its own source.
      message:
        error instanceof WebAssembly.RuntimeError
          ? neededMore(job)
          : `The sandbox gave up: ${error instanceof Error ? error.message.split('\n')[0] : 'unknown'}`,
      logs: [],
    });
    process.exit(1);
  }
});
