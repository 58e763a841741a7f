// `npm run clients`: builds the packages in clients/ and packs them into clients/dist; `--check` checks their types
// alone. They are developed with the service and have its version.
import './node-version.mjs';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate, unlessUnchanged } from './build.mjs';
import { install } from './install.mjs';
import { bin, root, run, say, step } from './step.mjs';

/** Packages in the order of their dependencies. */
const PACKAGES = ['typescript', 'cli'];
const TYPES = 'clients/typescript/src/generated/openapi.ts';

/**
 * Builds and packs; returns the names of the packed files.
 *
 * @returns {Promise<string[]>}
 */
export async function buildClients() {
  requireVersions();
  await generateTypes();
  await bundleImport();
  const sources = ['package-lock.json', ...PACKAGES.flatMap((name) => SOURCES.map((one) => `clients/${name}/${one}`))];
  await unlessUnchanged('clients/dist/.sources', sources, () =>
    step('Building the clients', async () => {
      for (const name of PACKAGES) {
        rmSync(path.join(root, 'clients', name, 'dist'), { recursive: true, force: true });
        await run(process.execPath, [bin('typescript/bin/tsc'), '-p', `clients/${name}/tsconfig.json`]);
      }
      rmSync(path.join(root, 'clients/dist'), { recursive: true, force: true });
      await pack(
        PACKAGES.map((name) => `./clients/${name}`),
        'clients/dist',
      );
    }),
  );
  return PACKAGES.map((name) => path.join(root, 'clients/dist', tarballOf(manifestOf(`clients/${name}`))));
}

const SOURCES = ['package.json', 'tsconfig.json', 'README.md', 'src'];

/** Types of the API, from its description. */
export async function generateTypes() {
  await unlessUnchanged('clients/typescript/src/generated/.sources', ['package-lock.json', 'contract', 'server'], () =>
    step('Generating the types of the API', async () => {
      mkdirSync(path.dirname(path.join(root, TYPES)), { recursive: true });
      const compiler = pathToFileURL(path.join(root, 'server/api/http/openapi/typescript-5.mjs')).href;
      const parameters = ['--import', 'tsx', '--import', compiler, 'scripts/write-client-types.ts', TYPES];
      await run(process.execPath, parameters);
    }),
  );
}

/**
 * The import of files of n8n, and the reader of JSON with large integers, so that the command line has the same as the
 * console.
 */
export async function bundleImport() {
  await unlessUnchanged(
    'clients/cli/src/generated/.sources',
    ['package-lock.json', 'import/n8n', 'contract/exact-json.ts'],
    async () => {
      const esbuild = await import('esbuild');
      await esbuild.build({
        absWorkingDir: root,
        entryPoints: { n8n: 'import/n8n/index.ts', 'exact-json': 'contract/exact-json.ts' },
        outdir: 'clients/cli/src/generated',
        outExtension: { '.js': '.ts' },
        bundle: true,
        format: 'esm',
        platform: 'neutral',
        target: 'es2022',
        legalComments: 'none',
        // Its types were checked where it comes from.
        banner: { js: '// @ts-nocheck' },
        logLevel: 'warning',
      });
      await esbuild.stop();
    },
  );
}

/**
 * The npm that started this process, otherwise the one in the path.
 *
 * @returns {[string, ...string[]]}
 */
export function npm() {
  const file = process.env.npm_execpath;
  return file?.endsWith('npm-cli.js') ? [process.execPath, file] : ['npm'];
}

/**
 * `npm pack` of folders, without their scripts.
 *
 * @param {string[]} folders
 * @param {string} destination
 */
export async function pack(folders, destination) {
  mkdirSync(path.join(root, destination), { recursive: true });
  const [command, ...before] = npm();
  await run(command, [
    ...before,
    'pack',
    ...folders,
    '--ignore-scripts',
    '--offline',
    '--pack-destination',
    destination,
  ]);
}

/**
 * @typedef {{ name: string, version: string, dependencies?: Record<string, string> }} Manifest
 * @param {string} folder
 * @returns {Manifest}
 */
export const manifestOf = (folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));

/** The name that npm gives a packed package. @param {Manifest} manifest */
export const tarballOf = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** The dependencies of the clients have the versions that the service is tested with. */
function requireVersions() {
  for (const manifest of PACKAGES.map((name) => manifestOf(`clients/${name}`))) {
    for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
      if (name.startsWith('@weft/')) continue;
      const own = manifestOf(`node_modules/${name}`).version;
      if (own !== wanted) throw new Error(`${manifest.name} must depend on ${name} ${own}`);
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await install();
  await generate();
  if (process.argv.includes('--check')) {
    await generateTypes();
    await bundleImport();
    await run(process.execPath, [bin('typescript/bin/tsc'), '-p', 'clients/tsconfig.json']);
  } else for (const file of await buildClients()) say(path.relative(root, file));
}
