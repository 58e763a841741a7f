import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten';
import { quoteLargeIntegers } from '@/contract/exact-json';
import { callHostFunction, SANDBOX_GLOBALS_SOURCE } from '../sandbox-globals';
import { callIntl, INTL_SOURCE } from '../sandbox-intl';
import { RUNNER_SOURCE } from './realm-source';
import { RepeatedFunction, type CapturedMemory } from './repeated-function';

const WASM_PAGE_BYTES = 64 * 1024;
/** The smallest memory that the WebAssembly build of QuickJS starts with. */
const INITIAL_SANDBOX_BYTES = 16 * 1024 * 1024;
/** A larger memory is given back after the evaluation that needed it. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** Without an explicit limit a deep recursion overflows the host's stack. */
const MAX_STACK_BYTES = 256 * 1024;
const RANDOM_RANGE = 2 ** 47;

/** What the sandbox asks of the evaluation that it is used for. */
export interface SandboxHost {
  timeZone: string;
  isLate(): boolean;
}

/** A JavaScript realm in a WebAssembly memory, of which an image was taken before any expression. */
export interface ExpressionSandbox {
  context: QuickJSContext;
  runner: QuickJSHandle;
  configure: QuickJSHandle;
  /** Whether the memory has its maximum size. */
  isMemoryFull(): boolean;
  /** Provides the functions of expressions, and makes the memory what it was before an evaluation. */
  functions: RepeatedFunction;
  /** Whether the next evaluation may use it. */
  isReusable(): boolean;
}

/** The library behind `DateTime`, whose settings stay out of reach. */
function readLuxonSource(): string {
  const folder = path.dirname(createRequire(import.meta.url).resolve('luxon/package.json'));
  return readFileSync(path.join(folder, 'build/global/luxon.min.js'), 'utf8');
}

interface LuxonLibrary {
  IANAZone: { create(name: string): { offset(time: number): number } };
}
let luxon: LuxonLibrary | undefined;

/** Minutes that a time zone is ahead of UTC at a time; NaN for what is no zone or no time. */
function zoneOffset(name: string, time: number): number {
  // The library is loaded by processes that need it.
  luxon ??= createRequire(import.meta.url)('luxon') as LuxonLibrary;
  return luxon.IANAZone.create(name).offset(time);
}

/** What a sandbox has besides the globals of every one. */
export type SandboxKind = 'plain' | 'dates' | 'prelude';

/** Defines the prelude as a global, which the runner takes away. */
const readPreludeSource = async (): Promise<string> => (await import('../prelude/source')).PRELUDE_SOURCE;

const WITHOUT_LUXON_SOURCE = '(() => () => {})()';
export const withLuxonSource = () => `(() => {
  const { DateTime, Duration, Interval, IANAZone, Settings } = (() => { ${readLuxonSource()}; return luxon; })();
  // The library computes an offset from the parts of a formatted date. That of this process does it with one call.
  const offset = globalThis.__offset;
  if (offset) IANAZone.prototype.offset = function (time) { return offset(this.name, Number(time)); };
  for (const [name, value] of Object.entries({ DateTime, Duration, Interval }))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  // What the library makes at its first use becomes a part of the image.
  DateTime.fromISO('2026-01-01T00:00:00', { zone: 'Europe/Vienna' }).setLocale('en').toFormat('cccc dd LLLL yyyy HH:mm');
  DateTime.utc().plus({ days: 1 }).toISO();
  const zone = __zone;
  return () => { Settings.defaultZone = zone(); };
})()`;

const IMAGE_BLOCK_BYTES = 16 * 1024;

/** A part of the memory, by its place. */
interface MemoryPart {
  start: number;
  bytes: Uint8Array;
}

/** The numbers of the blocks that are not empty. */
function listUsedBlocks(memory: WebAssembly.Memory): number[] {
  const empty = Buffer.alloc(IMAGE_BLOCK_BYTES);
  const used: number[] = [];
  for (let block = 0; block < memory.buffer.byteLength / IMAGE_BLOCK_BYTES; block += 1) {
    if (empty.compare(new Uint8Array(memory.buffer, block * IMAGE_BLOCK_BYTES, IMAGE_BLOCK_BYTES)) !== 0)
      used.push(block);
  }
  return used;
}

/**
 * The contents of the memory. Nothing else changes during an evaluation, so they are all that has to be put back. The
 * largest gap is the part of the stack that no call has reached, and what follows the last block is free: neither is
 * read before it is written.
 */
function copyMemoryParts(memory: WebAssembly.Memory): MemoryPart[] {
  const used = listUsedBlocks(memory);
  const gapBefore = (index: number) => (used[index] ?? 0) - (used[index - 1] ?? 0);
  const afterGap = used.reduce(
    (widest, _, index) => (index > 0 && gapBefore(index) > gapBefore(widest) ? index : widest),
    1,
  );
  return [used.slice(0, afterGap), used.slice(afterGap)].flatMap((blocks) => {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [start, end] = [first * IMAGE_BLOCK_BYTES, (last + 1) * IMAGE_BLOCK_BYTES];
    return [{ start, bytes: new Uint8Array(memory.buffer).slice(start, end) }];
  });
}

/** Free blocks behind the last one that a compiled function uses, because blocks in use can be empty. */
const SPARE_BLOCKS = 2;
/** The largest part of the memory that a compiled function may add. */
const MAX_ADDED_BYTES = 64 * IMAGE_BLOCK_BYTES;

/** The memory as it was before any expression. */
class MemoryImage implements CapturedMemory {
  constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly parts: readonly MemoryPart[],
  ) {}

  restore(): void {
    const all = new Uint8Array(this.memory.buffer);
    for (const { start, bytes } of this.parts) all.set(bytes, start);
  }

  capture(compile: () => QuickJSHandle): ReturnType<CapturedMemory['capture']> {
    const { memory, parts } = this;
    const last = parts.at(-1);
    if (!last) return { compiled: compile(), state: undefined };
    const end = last.start + last.bytes.length;
    const added = () => new Uint8Array(memory.buffer, end, Math.min(MAX_ADDED_BYTES, memory.buffer.byteLength - end));
    // What earlier evaluations left behind the image is free.
    added().fill(0);
    const compiled = compile();
    const used = added().findLastIndex((byte) => byte !== 0) + 1;
    const length = (Math.ceil(used / IMAGE_BLOCK_BYTES) + SPARE_BLOCKS) * IMAGE_BLOCK_BYTES;
    if (length > added().length) return { compiled, state: undefined };
    const own = parts.map(({ start, bytes }) => ({
      start,
      bytes: new Uint8Array(memory.buffer).slice(start, start + bytes.length + (start === last.start ? length : 0)),
    }));
    return { compiled, state: new MemoryImage(memory, own) };
  }
}

/** Makes a realm. `host.current` is the evaluation that uses it. */
export async function createExpressionSandbox(
  maxBytes: number,
  kind: SandboxKind,
  host: { current: SandboxHost | undefined },
): Promise<ExpressionSandbox> {
  const maximum = Math.ceil(maxBytes / WASM_PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: INITIAL_SANDBOX_BYTES / WASM_PAGE_BYTES, maximum });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory: memory }));
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(MAX_STACK_BYTES);
  const context = runtime.newContext();
  const zone = () => host.current?.timeZone ?? 'UTC';
  // The handles are never disposed of: with the last reference to a function QuickJS would give up that of this
  // process, too.
  const define = (name: string, call: (...handles: QuickJSHandle[]) => QuickJSHandle) =>
    context.setProp(context.global, name, context.newFunction(name, call));
  define('__call', (name, values) =>
    context.newString(
      callHostFunction(context.getString(name as QuickJSHandle), context.getString(values as QuickJSHandle), zone()),
    ),
  );
  define('__intl', (call) => context.newString(callIntl(context.getString(call as QuickJSHandle), zone())));
  define('__quote', (json) => context.newString(quoteLargeIntegers(context.getString(json as QuickJSHandle))));
  define('__random', () => context.newNumber(randomInt(RANDOM_RANGE) / RANDOM_RANGE));
  define('__zone', () => context.newString(zone()));
  define('__offset', (name, time) =>
    context.newNumber(zoneOffset(context.getString(name as QuickJSHandle), context.getNumber(time as QuickJSHandle))),
  );
  const evaluate = (source: string, file: string) => context.unwrapResult(context.evalCode(source, file));
  for (const source of [SANDBOX_GLOBALS_SOURCE, INTL_SOURCE]) evaluate(source, 'globals.js').dispose();
  const configure = evaluate(kind === 'plain' ? WITHOUT_LUXON_SOURCE : withLuxonSource(), 'globals.js');
  for (const name of ['__zone', '__offset']) evaluate(`delete globalThis.${name}`, 'globals.js').dispose();
  if (kind === 'prelude') evaluate(await readPreludeSource(), 'prelude.js').dispose();
  const runner = evaluate(RUNNER_SOURCE, 'runner.js');
  // Handles of constants are made at their first use.
  void context.undefined;
  runtime.setInterruptHandler(() => host.current?.isLate() ?? false);
  const image = new MemoryImage(memory, copyMemoryParts(memory));
  return {
    context,
    runner,
    configure,
    isMemoryFull: () => memory.buffer.byteLength + INITIAL_SANDBOX_BYTES / 4 >= maximum * WASM_PAGE_BYTES,
    functions: new RepeatedFunction(image),
    isReusable: () => memory.buffer.byteLength <= MAX_KEPT_BYTES,
  };
}
