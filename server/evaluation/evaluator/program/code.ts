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
import type { JobFailure, EvaluationLimits, CodeLogLine } from '../jobs';
import { MAX_LOG_LINE_LENGTH, MAX_LOG_LINES, MAX_CODE_OUTPUT_BYTES } from './code-limits';
import { EvaluationMeter, ProcessUnusableError } from './meter';
import { CODE_RUNNER_SOURCE, readCodePrelude } from './code-runner';
import { translateEngineMessage } from './prelude/n8n/engine';
import type * as SandboxGlobals from './sandbox-globals';
import type * as SandboxIntl from './sandbox-intl';

// Without an explicit limit a deep recursion overflows the host's stack and leaks the runtime.
const MAX_STACK_BYTES = 256 * 1024;
/** The smallest memory that the WebAssembly build of QuickJS starts with. */
const INITIAL_SANDBOX_BYTES = 16 * 1024 * 1024;
const WASM_PAGE_BYTES = 64 * 1024;
/** Values take about so many times the space of their JSON. */
const VALUE_SPACE_FACTOR = 8;

/** A program that names one of these gets Intl, and the methods that depend on it. */
const INTL_PATTERN = /\b(?:Intl|toLocale\w+|localeCompare)\b/;
/** A program that names one of these gets the globals. Defining them takes longer than many programs run. */
const GLOBALS_PATTERN = /\b(?:helpers|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa|structuredClone)\b/;
type GlobalsModule = typeof SandboxGlobals;
type IntlModule = typeof SandboxIntl;

/** What is defined for programs that use it. */
interface ProgramGlobals {
  globals: GlobalsModule | undefined;
  intl: IntlModule | undefined;
  /** Defines the prelude and the library for dates. */
  preludeSource: string | undefined;
}

/** The data of a code node, as JSON. */
export interface CodeProgram {
  source: string;
  input: string;
  nodes: string;
  execution: string;
  vars: string;
  /** The default zone of functions for dates. */
  timeZone: string;
  /** The data of the names of n8n; absent: the code has none of them. */
  prelude?: string | undefined;
}

export type CodeResult = { logs: CodeLogLine[] } & ({ ok: true; json: string } | { ok: false; failure: JobFailure });

/** Name, message and line of an error. */
function describeCodeError(
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

const codeTimeout = ({ cpuMs }: EvaluationLimits): JobFailure => ({
  code: 'CODE_TIMEOUT',
  message: `The code ran for more than ${cpuMs} ms of CPU time.`,
});
const codeOutOfMemory = ({ memoryBytes }: EvaluationLimits): JobFailure => ({
  code: 'CODE_MEMORY',
  message: `The code needed more than ${Math.round(memoryBytes / 1024 / 1024)} MiB.`,
});

/** QuickJS in a WebAssembly memory of limited size. */
interface QuickJsSandbox {
  quickjs: QuickJSWASMModule;
  memory: WebAssembly.Memory;
  maxBytes: number;
  /** A runtime that no program has used yet. It is created between two jobs, because that takes long. */
  next?: PreparedRuntime;
}

let latest: Promise<QuickJsSandbox> | undefined;
let latestPages = 0;

/**
 * The sandbox of a program. The limit is the maximum size of the WebAssembly memory: QuickJS's own limit counts only
 * the blocks it allocates, not their sizes, in a build without malloc_usable_size. The program's data is not counted.
 */
function provideSandbox(program: CodeProgram, { memoryBytes }: EvaluationLimits): Promise<QuickJsSandbox> {
  const dataBytes = program.source.length + program.input.length + program.nodes.length + program.execution.length;
  // The space grows in steps, so that programs with small data share one sandbox.
  const dataSpace = Math.floor((dataBytes * VALUE_SPACE_FACTOR) / INITIAL_SANDBOX_BYTES) * INITIAL_SANDBOX_BYTES;
  const pages = Math.ceil((INITIAL_SANDBOX_BYTES + memoryBytes + dataSpace) / WASM_PAGE_BYTES);
  if (!latest || pages !== latestPages) {
    latestPages = pages;
    latest = createQuickJsSandbox(pages);
  }
  return latest;
}

async function createQuickJsSandbox(maxPages: number): Promise<QuickJsSandbox> {
  const memory = new WebAssembly.Memory({ initial: INITIAL_SANDBOX_BYTES / WASM_PAGE_BYTES, maximum: maxPages });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory: memory }));
  return { quickjs, memory, maxBytes: maxPages * WASM_PAGE_BYTES };
}

/** A fresh QuickJS runtime for one program: no network, no files, no timers. */
class PreparedRuntime {
  readonly logs: CodeLogLine[] = [];
  readonly context: QuickJSContext;
  readonly program: QuickJSHandle;

  constructor(readonly runtime: QuickJSRuntime) {
    runtime.setMaxStackSize(MAX_STACK_BYTES);
    const context = (this.context = runtime.newContext());
    const log = context.newFunction('__log', (level, message) => {
      if (this.logs.length >= MAX_LOG_LINES) return;
      const text = context.getString(message).slice(0, MAX_LOG_LINE_LENGTH);
      this.logs.push({ level: context.getString(level) as CodeLogLine['level'], message: text });
    });
    context.setProp(context.global, '__log', log);
    log.dispose();
    const quote = context.newFunction('__quote', (json) =>
      context.newString(quoteLargeIntegers(context.getString(json))),
    );
    context.setProp(context.global, '__quote', quote);
    quote.dispose();
    this.program = context.unwrapResult(context.evalCode(CODE_RUNNER_SOURCE, 'code.js'));
  }

  dispose(): void {
    this.program.dispose();
    this.context.dispose();
    this.runtime.dispose();
  }
}

/** The run of a program in its runtime. */
class ProgramRun {
  private readonly meter: EvaluationMeter;
  private readonly logs: CodeLogLine[];
  private readonly context: QuickJSContext;
  private readonly runtime: QuickJSRuntime;
  private hasPrelude = false;

  constructor(
    private readonly sandbox: QuickJsSandbox,
    private readonly prepared: PreparedRuntime,
    private readonly limits: EvaluationLimits,
  ) {
    ({ logs: this.logs, context: this.context, runtime: this.runtime } = prepared);
    this.meter = new EvaluationMeter(limits);
    this.runtime.setInterruptHandler(() => this.meter.isLate());
  }

  execute(
    { source, input, nodes, execution, vars, timeZone, prelude }: CodeProgram,
    { globals, intl, preludeSource }: ProgramGlobals,
  ): CodeResult {
    if (globals)
      this.defineGlobals(globals.SANDBOX_GLOBALS_SOURCE, '__call', (name = '', values = '') =>
        globals.callHostFunction(name, values, timeZone),
      );
    if (intl) this.defineGlobals(intl.INTL_SOURCE, '__intl', (call = '') => intl.callIntl(call, timeZone));
    const { context } = this;
    if (preludeSource) context.unwrapResult(context.evalCode(preludeSource, 'prelude.js')).dispose();
    this.hasPrelude = prelude !== undefined;
    const given = prelude === undefined ? [] : [prelude];
    const texts = [source, input, nodes, execution, vars, ...given].map((text) => context.newString(text));
    const started = context.callFunction(this.prepared.program, context.undefined, texts);
    for (const text of texts) text.dispose();
    if (started.error) return this.failed(started.error);
    try {
      return this.finishPromise(started.value);
    } finally {
      started.value.dispose();
    }
  }

  /** Defines the globals that are made with a function of this process. It takes and returns texts. */
  private defineGlobals(source: string, name: string, answer: (...texts: string[]) => string): void {
    const { context } = this;
    const call = context.newFunction(name, (...handles) =>
      context.newString(answer(...handles.map((handle) => context.getString(handle)))),
    );
    context.setProp(context.global, name, call);
    call.dispose();
    context.unwrapResult(context.evalCode(source, 'globals.js')).dispose();
  }

  /** Runs the pending jobs of the program's promise, and reads its result. */
  private finishPromise(outcome: QuickJSHandle): CodeResult {
    const { context, logs } = this;
    const jobs = this.runtime.executePendingJobs();
    if (jobs.error) return this.failed(jobs.error);
    const state = context.getProp(outcome, 'state').consume((handle) => context.getString(handle));
    if (state === 'failed') return this.failed(context.getProp(outcome, 'error'));
    // QuickJS drops an interrupted job of the promise queue silently.
    if (state !== 'done' && this.meter.isLate()) return this.fail(codeTimeout(this.limits));
    if (state !== 'done') {
      return this.fail({ code: 'CODE_ERROR', message: 'The code waits for a promise that never settles.' });
    }
    const json = context.getProp(outcome, 'json').consume((handle) => context.getString(handle));
    if (json.length > MAX_CODE_OUTPUT_BYTES) {
      return this.fail({ code: 'OUTPUT_TOO_LARGE', message: 'The output is larger than 10 MiB.' });
    }
    return { ok: true, json, logs };
  }

  private failed(error: QuickJSHandle): CodeResult {
    // After the timeout the runtime interrupts everything, so even the error cannot be read reliably.
    const isLate = this.meter.isLate();
    const { name, message, line } = isLate
      ? { name: '', message: '', line: null }
      : describeCodeError(this.context, error);
    error.dispose();
    if (this.meter.isLate()) return this.fail(codeTimeout(this.limits));
    if (name === 'InternalError' && message.includes('out of memory')) return this.fail(codeOutOfMemory(this.limits));
    if (message === '' && this.isMemoryFull()) return this.fail(codeOutOfMemory(this.limits));
    const place = line ? ` [line ${line}]` : '';
    return this.fail({
      code: 'CODE_ERROR',
      // With the prelude of n8n the message is that of n8n, which workflows compare.
      message: this.hasPrelude
        ? `${translateEngineMessage(message)}${place}`
        : `${name}: ${message || 'no message'}${line ? ` (line ${line})` : ''}`,
    });
  }

  /**
   * Whether the memory has its maximum size. QuickJS then fails without an error object, for which there is no space.
   */
  private isMemoryFull(): boolean {
    const { memory, maxBytes } = this.sandbox;
    return memory.buffer.byteLength + INITIAL_SANDBOX_BYTES / 4 >= maxBytes;
  }

  private fail(failure: JobFailure): CodeResult {
    return { ok: false, failure, logs: this.logs };
  }
}

/**
 * Makes room for the next program, while the answer is being sent, so that no caller waits for it. QuickJS may refuse
 * to dispose of a runtime that has made large texts: then its memory goes with the whole sandbox, and the next program
 * gets a new one.
 */
function prepareNextRuntime(sandbox: QuickJsSandbox, used: PreparedRuntime): void {
  try {
    used.dispose();
    sandbox.next = new PreparedRuntime(sandbox.quickjs.newRuntime());
  } catch {
    latest = undefined;
  }
}

/** Runs user JavaScript. Throws `ProcessUnusableError` if QuickJS itself gave up. */
export async function runJavaScript(program: CodeProgram, limits: EvaluationLimits): Promise<CodeResult> {
  const sandbox = await provideSandbox(program, limits);
  const hasPrelude = program.prelude !== undefined;
  const [globals, intl, preludeSource] = await Promise.all([
    hasPrelude || GLOBALS_PATTERN.test(program.source) ? import('./sandbox-globals') : undefined,
    hasPrelude || INTL_PATTERN.test(program.source) ? import('./sandbox-intl') : undefined,
    hasPrelude ? readCodePrelude(program.timeZone) : undefined,
  ]);
  try {
    const prepared = sandbox.next ?? new PreparedRuntime(sandbox.quickjs.newRuntime());
    sandbox.next = undefined;
    const outcome = new ProgramRun(sandbox, prepared, limits).execute(program, { globals, intl, preludeSource });
    if (outcome.ok) setImmediate(prepareNextRuntime, sandbox, prepared);
    else prepared.dispose();
    return outcome;
  } catch (error) {
    // Disposing of a runtime that ran out of memory may throw.
    throw new ProcessUnusableError(
      error instanceof WebAssembly.RuntimeError
        ? codeOutOfMemory(limits)
        : { code: 'CODE_MEMORY', message: `The sandbox failed: ${String(error).split('\n')[0]}` },
    );
  }
}
