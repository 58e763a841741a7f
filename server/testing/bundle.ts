import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** Programs for test processes, put together beforehand: they start in half the time. */
export interface Programs {
  service: string;
  web: string;
}

const PROGRAMS: Programs = { service: 'dist/testing-service.mjs', web: 'dist/testing-web.mjs' };

/** When they were begun to be put together, and what of. */
const RECORD = path.join(root, 'dist/testing-inputs.json');
interface Inputs {
  at: number;
  inputs: string[];
}

/** True when nothing has changed since another test file put them together. */
function isFresh(): boolean {
  if (![RECORD, PROGRAMS.service, PROGRAMS.web].every((file) => existsSync(path.resolve(root, file)))) return false;
  const { at, inputs } = JSON.parse(readFileSync(RECORD, 'utf8')) as Inputs;
  return inputs.every((file) => (statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < at);
}

export async function bundle(): Promise<Programs> {
  if (isFresh()) return PROGRAMS;
  const at = Date.now();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { 'testing-service': 'server/main.ts', 'testing-web': 'server/testing/web-process.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    metafile: true,
    logLevel: 'error',
    write: false,
  });
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  // Whole at any moment: tests beside this one start them, too.
  const record: Inputs = { at, inputs: Object.keys(metafile.inputs) };
  const put = (file: string, contents: string | Uint8Array) => {
    writeFileSync(`${file}.${process.pid}`, contents);
    renameSync(`${file}.${process.pid}`, file);
  };
  for (const { path: file, contents } of outputFiles) put(file, contents);
  put(RECORD, JSON.stringify(record));
  return PROGRAMS;
}
