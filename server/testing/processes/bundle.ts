import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Bundled programs for test processes, with all that they import: most of the CPU time of a start is spent on finding
 * and reading the files of libraries, and some tests start a dozen processes.
 */
export interface Programs {
  service: string;
  web: string;
  crashing: string;
  supervisor: string;
}

const PROGRAMS: Programs = {
  service: 'dist/testing-service.mjs',
  web: 'dist/testing-web.mjs',
  crashing: 'dist/testing-crashing.mjs',
  supervisor: 'dist/testing-supervisor.mjs',
};

/** The names that CommonJS libraries expect. */
const COMMON_JS = `
import { createRequire as createRequireOf } from 'node:module';
const require = createRequireOf(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

/** When the bundle was started, with its input and output files. */
const RECORD = path.join(root, 'dist/testing-record.json');
interface BundleRecord {
  at: number;
  inputs: string[];
  outputs: string[];
}

/** True if the input files have not changed since another test file bundled them. */
function isFresh(): boolean {
  if (!existsSync(RECORD)) return false;
  const { at, inputs, outputs } = JSON.parse(readFileSync(RECORD, 'utf8')) as BundleRecord;
  if (!outputs.every((file) => existsSync(file))) return false;
  return inputs.every((file) => (statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < at);
}

let bundled: Promise<Programs> | undefined;
export const bundle = (): Promise<Programs> => (bundled ??= putTogether());

async function putTogether(): Promise<Programs> {
  if (isFresh()) return PROGRAMS;
  const at = Date.now();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      'testing-service': 'server/main.ts',
      'testing-web': 'server/testing/processes/web.ts',
      'testing-crashing': 'server/testing/processes/crashing.ts',
      'testing-supervisor': 'server/testing/processes/supervising.ts',
    },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported on demand is a file of its own, as in production.
    splitting: true,
    chunkNames: 'testing-[name]-[hash]',
    // They find files of their own beside them.
    external: ['next', '@node-rs/bcrypt', 'ssh2'],
    banner: { js: COMMON_JS },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    metafile: true,
    logLevel: 'error',
    write: false,
  });
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  // Written atomically: concurrent tests start the same bundles.
  const record: BundleRecord = {
    at,
    inputs: [path.relative(root, import.meta.filename), ...Object.keys(metafile.inputs)],
    outputs: outputFiles.map((output) => output.path),
  };
  const put = (file: string, contents: string | Uint8Array) => {
    writeFileSync(`${file}.${process.pid}`, contents);
    renameSync(`${file}.${process.pid}`, file);
  };
  for (const { path: file, contents } of outputFiles) put(file, contents);
  put(RECORD, JSON.stringify(record));
  return PROGRAMS;
}
