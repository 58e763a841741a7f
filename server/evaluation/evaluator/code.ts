import { quoteLargeIntegers } from '@/contract/exact-json';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten';
import type { Failure, Limits, LogLine } from '../jobs';
import { MAX_LOG_LINE, MAX_LOG_LINES, MAX_OUTPUT } from './code-limits';
import { Meter, Spent } from './meter';
import type * as SandboxGlobals from './sandbox-globals';

// Without an explicit limit a deep recursion overflows the host's stack and leaks the runtime.
const STACK_BYTES = 256 * 1024;
/** The smallest memory that the WebAssembly build of QuickJS starts with. */
const SANDBOX_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 64 * 1024;
/** Values take about so many times the space of their JSON. */
const SPACE_OF_VALUES = 8;

/** What a program must name to get the globals: defining them takes longer than many programs run. */
const NAMES_GLOBALS = /\b(?:helpers|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa|structuredClone)\b/;
type Globals = typeof SandboxGlobals;

/** The data of a code node, as JSON. */
export interface Program {
  source: string;
  input: string;
  nodes: string;
  execution: string;
  vars: string;
  /** The default zone of functions for dates. */
  timeZone: string;
}

export type Outcome = { logs: LogLine[] } & ({ ok: true; json: string } | { ok: false; failure: Failure });

/** Values enter and leave as JSON: the code never gets a handle of this process. A call of the function runs a program. */
const PROGRAM = `(() => {
  const show = (value) => typeof value === 'string' ? value : JSON.stringify(value) ?? String(value);
  const write = __log;
  const log = (level) => (...values) => write(level, values.map(show).join(' '));
  globalThis.console = { log: log('info'), info: log('info'), debug: log('info'), warn: log('warn'), error: log('error') };
  globalThis.__log = undefined;
  const { parse } = JSON;
  const quote = __quote;
  globalThis.__quote = undefined;
  Object.assign(JSON, {
    parse(text, reviver) {
      const json = String(text);
      if (!/\\d{16}/.test(json)) return parse(json, reviver);
      const quoted = quote(json);
      try { return parse(quoted, reviver); } catch (error) { throw quoted === json ? error : (parse(json), error); }
    },
  });
  const AsyncFunction = (async () => {}).constructor;
  return (source, ...texts) => {
    const [input, nodes, execution, vars] = texts.map((text) => parse(text));
    // A global: a parameter could not be declared again by the source.
    globalThis.vars = vars;
    const outcome = { state: 'pending' };
    new AsyncFunction('input', 'nodes', 'execution', source)(input, nodes, execution).then(
      (value) => { outcome.json = JSON.stringify(value) ?? 'null'; outcome.state = 'done'; },
    ).then(undefined, (error) => { outcome.state = 'failed'; outcome.error = error; });
    return outcome;
  };
})()`;

/** Name, message and line of an error. */
function describe(
  context: QuickJSContext,
  handle: QuickJSHandle,
): { name: string; message: string; line: number | null } {
  const error = context.dump(handle) as { name?: unknown; message?: unknown; stack?: unknown } | null;
  if (error === null || typeof error !== 'object') return { name: 'Error', message: String(error ?? ''), line: null };
  const line = /<anonymous>:(\d+)|<input>:(\d+)/.exec(String(error.stack ?? ''));
  return {
    name: String(error.name ?? 'Error'),
    message: String(error.message ?? ''),
    // The wrapper function adds two lines before the code.
    line: line ? Math.max(1, Number(line[1] ?? line[2]) - 2) : null,
  };
}

const timeout = ({ cpuMs }: Limits): Failure => ({
  code: 'CODE_TIMEOUT',
  message: `The code ran for more than ${cpuMs} ms of CPU time.`,
});
const memory = ({ memoryBytes }: Limits): Failure => ({
  code: 'CODE_MEMORY',
  message: `The code needed more than ${Math.round(memoryBytes / 1024 / 1024)} MiB.`,
});

/** QuickJS in a WebAssembly memory of limited size. */
interface Sandbox {
  quickjs: QuickJSWASMModule;
  memory: WebAssembly.Memory;
  maxBytes: number;
  /** A runtime that no program has used yet: creating it takes longer than many programs run, so it is created between two jobs. */
  next?: Prepared;
}

let latest: Promise<Sandbox> | undefined;
let latestPages = 0;

/**
 * The sandbox of a program. The limit is the maximum size of the WebAssembly memory: QuickJS's own limit counts only the blocks it
 * allocates, not their sizes, in a build without malloc_usable_size. The program's data is not counted.
 */
function sandboxFor(program: Program, { memoryBytes }: Limits): Promise<Sandbox> {
  const dataBytes = program.source.length + program.input.length + program.nodes.length + program.execution.length;
  // In steps, so that programs with small data share one sandbox.
  const dataSpace = Math.floor((dataBytes * SPACE_OF_VALUES) / SANDBOX_BYTES) * SANDBOX_BYTES;
  const pages = Math.ceil((SANDBOX_BYTES + memoryBytes + dataSpace) / PAGE_BYTES);
  if (!latest || pages !== latestPages) {
    latestPages = pages;
    latest = createSandbox(pages);
  }
  return latest;
}

async function createSandbox(maxPages: number): Promise<Sandbox> {
  const memory = new WebAssembly.Memory({ initial: SANDBOX_BYTES / PAGE_BYTES, maximum: maxPages });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory: memory }));
  return { quickjs, memory, maxBytes: maxPages * PAGE_BYTES };
}

/** A fresh QuickJS runtime for one program: no network, no files, no timers. */
class Prepared {
  readonly logs: LogLine[] = [];
  readonly context: QuickJSContext;
  readonly program: QuickJSHandle;

  constructor(readonly runtime: QuickJSRuntime) {
    runtime.setMaxStackSize(STACK_BYTES);
    const context = (this.context = runtime.newContext());
    const log = context.newFunction('__log', (level, message) => {
      if (this.logs.length >= MAX_LOG_LINES) return;
      const text = context.getString(message).slice(0, MAX_LOG_LINE);
      this.logs.push({ level: context.getString(level) as LogLine['level'], message: text });
    });
    context.setProp(context.global, '__log', log);
    log.dispose();
    const quote = context.newFunction('__quote', (json) =>
      context.newString(quoteLargeIntegers(context.getString(json))),
    );
    context.setProp(context.global, '__quote', quote);
    quote.dispose();
    this.program = context.unwrapResult(context.evalCode(PROGRAM, 'code.js'));
  }

  dispose(): void {
    this.program.dispose();
    this.context.dispose();
    this.runtime.dispose();
  }
}

/** The run of a program in its runtime. */
class Run {
  private readonly meter: Meter;
  private readonly logs: LogLine[];
  private readonly context: QuickJSContext;
  private readonly runtime: QuickJSRuntime;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly prepared: Prepared,
    private readonly limits: Limits,
  ) {
    ({ logs: this.logs, context: this.context, runtime: this.runtime } = prepared);
    this.meter = new Meter(limits);
    this.runtime.setInterruptHandler(() => this.meter.isLate());
  }

  execute({ source, input, nodes, execution, vars, timeZone }: Program, globals: Globals | undefined): Outcome {
    if (globals) this.defineGlobals(globals, timeZone);
    const { context } = this;
    const texts = [source, input, nodes, execution, vars].map((text) => context.newString(text));
    const started = context.callFunction(this.prepared.program, context.undefined, texts);
    for (const text of texts) text.dispose();
    if (started.error) return this.failed(started.error);
    try {
      return this.settle(started.value);
    } finally {
      started.value.dispose();
    }
  }

  /** Defines the globals that are made with functions of this process. These take and return texts. */
  private defineGlobals({ GLOBALS_SOURCE, callHost }: Globals, timeZone: string): void {
    const { context } = this;
    const call = context.newFunction('__call', (name, values) =>
      context.newString(callHost(context.getString(name), context.getString(values), timeZone)),
    );
    context.setProp(context.global, '__call', call);
    call.dispose();
    context.unwrapResult(context.evalCode(GLOBALS_SOURCE, 'globals.js')).dispose();
  }

  /** Runs the pending jobs of the program's promise, and reads its result. */
  private settle(outcome: QuickJSHandle): Outcome {
    const { context, logs } = this;
    const jobs = this.runtime.executePendingJobs();
    if (jobs.error) return this.failed(jobs.error);
    const state = context.getProp(outcome, 'state').consume((handle) => context.getString(handle));
    if (state === 'failed') return this.failed(context.getProp(outcome, 'error'));
    // QuickJS drops an interrupted job of the promise queue silently.
    if (state !== 'done' && this.meter.isLate()) return this.fail(timeout(this.limits));
    if (state !== 'done') {
      return this.fail({ code: 'CODE_ERROR', message: 'The code waits for a promise that never settles.' });
    }
    const json = context.getProp(outcome, 'json').consume((handle) => context.getString(handle));
    if (json.length > MAX_OUTPUT) {
      return this.fail({ code: 'OUTPUT_TOO_LARGE', message: 'The output is larger than 10 MiB.' });
    }
    return { ok: true, json, logs };
  }

  private failed(error: QuickJSHandle): Outcome {
    // After the timeout the runtime interrupts everything, so even the error cannot be read reliably.
    const isLate = this.meter.isLate();
    const { name, message, line } = isLate ? { name: '', message: '', line: null } : describe(this.context, error);
    error.dispose();
    if (this.meter.isLate()) return this.fail(timeout(this.limits));
    if (name === 'InternalError' && message.includes('out of memory')) return this.fail(memory(this.limits));
    if (message === '' && this.isMemoryFull()) return this.fail(memory(this.limits));
    return this.fail({
      code: 'CODE_ERROR',
      message: `${name}: ${message || 'no message'}${line ? ` (line ${line})` : ''}`,
    });
  }

  /** Whether the memory has its maximum size. QuickJS then fails without an error object, for which there is no space. */
  private isMemoryFull(): boolean {
    const { memory, maxBytes } = this.sandbox;
    return memory.buffer.byteLength + SANDBOX_BYTES / 4 >= maxBytes;
  }

  private fail(failure: Failure): Outcome {
    return { ok: false, failure, logs: this.logs };
  }
}

/**
 * Makes room for the next program, while the answer is being sent, so that no caller waits for it. QuickJS may refuse to dispose of a runtime that
 * has made large texts: then its memory goes with the whole sandbox, and the next program gets a new one.
 */
function renew(sandbox: Sandbox, used: Prepared): void {
  try {
    used.dispose();
    sandbox.next = new Prepared(sandbox.quickjs.newRuntime());
  } catch {
    latest = undefined;
  }
}

/** Runs user JavaScript. Throws `Spent` if QuickJS itself gave up. */
export async function runCode(program: Program, limits: Limits): Promise<Outcome> {
  const sandbox = await sandboxFor(program, limits);
  const globals = NAMES_GLOBALS.test(program.source) ? await import('./sandbox-globals') : undefined;
  try {
    const prepared = sandbox.next ?? new Prepared(sandbox.quickjs.newRuntime());
    sandbox.next = undefined;
    const outcome = new Run(sandbox, prepared, limits).execute(program, globals);
    if (outcome.ok) setImmediate(renew, sandbox, prepared);
    else prepared.dispose();
    return outcome;
  } catch (error) {
    // Disposing of a runtime that ran out of memory may throw.
    throw new Spent(
      error instanceof WebAssembly.RuntimeError
        ? memory(limits)
        : { code: 'CODE_MEMORY', message: `The sandbox failed: ${String(error).split('\n')[0]}` },
    );
  }
}
