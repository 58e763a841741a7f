import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** Programs for test processes, put together beforehand: they start in half the time. */
export interface Programs {
  service: string;
  web: string;
}

export async function bundle(): Promise<Programs> {
  const { outputFiles } = await build({
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
    logLevel: 'error',
    write: false,
  });
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  // Whole at any moment: tests beside this one start them, too.
  for (const { path: file, contents } of outputFiles) {
    writeFileSync(`${file}.${process.pid}`, contents);
    renameSync(`${file}.${process.pid}`, file);
  }
  return { service: 'dist/testing-service.mjs', web: 'dist/testing-web.mjs' };
}
