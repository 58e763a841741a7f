import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** Programs for test processes, put together beforehand: they start in half the time. */
export interface Programs {
  service: string;
  web: string;
}

export async function bundle(): Promise<Programs> {
  await build({
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
  });
  return { service: 'dist/testing-service.mjs', web: 'dist/testing-web.mjs' };
}
