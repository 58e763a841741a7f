import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './step.mjs';

/** Apart from `dist`, which a build removes, and inside the project, where Node.js finds the packages. */
const FOLDER = 'dist-tests';

/**
 * Bundles test files with the modules that they import. Node.js loads their few files by itself. Without them Vitest
 * transforms each module, and loads it for each worker: a tenth of the CPU time of the tests.
 *
 * The bundles are removed when this process ends. Each process has its own, so that several can run at a time.
 *
 * @param {string[]} files paths from the root
 * @returns {Promise<(file: string) => string>} the bundle of a test file
 */
export async function bundleTests(files) {
  mkdirSync(path.join(root, FOLDER), { recursive: true });
  const output = mkdtempSync(path.join(root, FOLDER, 'run-'));
  process.once('exit', () => rmSync(output, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    tsconfig: 'tsconfig.json',
    // With the whole name of its source, as Vitest takes it to choose a file.
    entryPoints: files.map((file) => ({ in: file, out: file })),
    outdir: output,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A module that several tests import is loaded once for each worker.
    splitting: true,
    packages: 'external',
    plugins: [placesOfSources],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    sourcemap: true,
    logLevel: 'error',
  });
  return (file) => path.posix.join(FOLDER, path.basename(output), `${file}.mjs`);
}

/**
 * `import.meta` tells the place of the source file, not that of the bundle.
 *
 * @type {import('esbuild').Plugin}
 */
const placesOfSources = {
  name: 'places-of-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.(?:tsx?|mjs)$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      if (!/\bimport\.meta\b/.test(source)) return undefined;
      const { href } = pathToFileURL(file);
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.filename', JSON.stringify(file))
        .replaceAll('import.meta.url', JSON.stringify(href));
      return { contents, loader: file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};
