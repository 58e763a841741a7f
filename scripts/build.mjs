import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bin, root, run, step } from './step.mjs';

/** Generates the database client, unless the schema is the one it was generated from. */
export async function generate() {
  await unlessUnchanged('generated/.sources', ['prisma/schema.prisma', 'package-lock.json'], () =>
    step('Generating the database client', () => node('prisma/build/index.js', ['generate'])),
  );
}

/** Builds the production build, unless the sources have not changed since the last build. */
export async function build() {
  await unlessUnchanged('.next/.sources', [...SHARED, 'app', 'components', 'next.config.mjs', 'proxy.ts'], () =>
    step('Building the web app', () => {
      // Types from development may refer to deleted pages.
      rmSync(path.join(root, '.next/dev/types'), { recursive: true, force: true });
      return node('next/dist/bin/next', ['build'], {
        IS_REBUILD: String(existsSync(path.join(root, '.next/BUILD_ID'))),
      });
    }),
  );
  await unlessUnchanged('dist/.sources', [...SHARED, 'app'], () =>
    step('Building the server', async () => {
      const esbuild = await import('esbuild');
      // Chunks of earlier builds.
      rmSync(path.join(root, 'dist'), { recursive: true, force: true });
      await esbuild.build({
        absWorkingDir: root,
        entryPoints: {
          server: 'server/main.ts',
          supervisor: 'server/supervisor.ts',
          // Operators' commands, which the image runs without the sources.
          ...Object.fromEntries(COMMANDS.map((name) => [name, `server/operate/commands/${name}.ts`])),
        },
        outdir: 'dist',
        outExtension: { '.js': '.mjs' },
        bundle: true,
        // Dynamic imports become separate files. Libraries stay in node_modules: with them in the bundle a run takes
        // about a tenth more processor time (docs/performance.md), and a process at rest as much memory.
        splitting: true,
        packages: 'external',
        minifySyntax: true,
        minifyWhitespace: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        sourcemap: true,
        // Node.js keeps source maps in memory.
        sourcesContent: false,
        logLevel: 'error',
      });
      // Ends its helper process, which would otherwise stay alive with the service.
      await esbuild.stop();
    }),
  );
  await buildEvaluator();
}

/**
 * Builds the program of the evaluator processes. Development and tests run it as well: a child process can not load
 * TypeScript by itself.
 */
export async function buildEvaluator() {
  await unlessUnchanged('dist/.evaluator-sources', ['package-lock.json', ...EVALUATOR_SOURCES], async () => {
    const esbuild = await import('esbuild');
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: { evaluator: 'server/evaluation/evaluator/program/main.ts' },
      outdir: 'dist',
      outExtension: { '.js': '.mjs' },
      chunkNames: 'evaluator-[name]-[hash]',
      bundle: true,
      // One file starts sooner than hundreds; what few jobs need is a file of its own.
      splitting: true,
      external: ['quickjs-emscripten', 'iconv-lite', 'yauzl', 'bcrypt-pbkdf', '@node-saml/node-saml'],
      plugins: [evaluatorLibraries, realmPrograms],
      // The interpreter of Python.
      loader: { '.wasm': 'file' },
      assetNames: 'evaluator-[name]-[hash]',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: true,
      metafile: true,
      logLevel: 'error',
    });
    recordPackages('dist/evaluator-packages.json', metafile);
    await esbuild.stop();
  });
}

/**
 * Writes the folders of the packages that are part of a bundle, for the bill of materials of the image.
 *
 * @param {string} file
 * @param {import('esbuild').Metafile} metafile
 */
function recordPackages(file, { inputs }) {
  const packages = Object.keys(inputs).flatMap(
    (input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [],
  );
  writeFileSync(path.join(root, file), `${JSON.stringify([...new Set(packages)].sort(), null, 2)}\n`);
}

/**
 * Libraries as evaluator processes can use them: the browsers' build of cheerio comes without an HTTP client.
 *
 * @type {import('esbuild').Plugin}
 */
const evaluatorLibraries = {
  name: 'evaluator-libraries',
  setup(build) {
    build.onResolve({ filter: /^cheerio$/ }, () => ({
      path: path.join(root, 'node_modules/cheerio/dist/browser/index.js'),
    }));
  },
};

/**
 * Programs for the sandboxes of JavaScript: each is one script, as a text that evaluator processes import.
 *
 * @type {import('esbuild').Plugin}
 */
const realmPrograms = {
  name: 'realm-programs',
  setup(build) {
    build.onResolve({ filter: /^realm:/ }, ({ path: name }) => ({ path: name.slice(6), namespace: 'realm' }));
    build.onLoad({ filter: /.*/, namespace: 'realm' }, async ({ path: name }) => {
      const { outputFiles } = await build.esbuild.build({
        absWorkingDir: root,
        entryPoints: [`server/evaluation/evaluator/program/prelude/${name}/main.ts`],
        bundle: true,
        format: 'iife',
        globalName: 'prelude',
        // QuickJS has the language of this year.
        target: 'es2022',
        write: false,
        logLevel: 'error',
      });
      return { contents: outputFiles[0]?.text ?? '', loader: 'text' };
    });
  },
};

const COMMANDS = [
  'audit-verify',
  'backup',
  'doctor',
  'keys-rotate',
  'maintenance',
  'migrate',
  'move',
  'partition',
  'recover',
  'restore',
  'tier',
  'workspace-export',
  'workspace-import',
];

/** The source files of the evaluator's program. */
const EVALUATOR_SOURCES = [
  'contract',
  ...['evaluation', 'expressions', 'lists', 'openapi', 'redaction', 'saml', 'errors', 'model-libraries'].map(
    (name) => `server/${name}`,
  ),
  ...['text-encoding.ts', 'form-encoding.ts', 'request-body.ts', 'json-in-pieces.ts', 'cooperative.ts'].map(
    (name) => `server/${name}`,
  ),
];

const SHARED = ['package-lock.json', 'tsconfig.json', 'contract', 'server', 'generated'];

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
const node = (program, args, env = {}) =>
  run(process.execPath, [bin(program), ...args], { NODE_ENV: 'production', ...env });

/**
 * Does the work unless `mark` records that it was done for the same sources. The mark is written last, so interrupted
 * work is repeated.
 *
 * @param {string} mark
 * @param {string[]} sources files and folders; missing ones count as empty
 * @param {() => Promise<unknown>} work
 */
export async function unlessUnchanged(mark, sources, work) {
  const file = path.join(root, mark);
  const current = fingerprint(sources);
  if (existsSync(file) && readFileSync(file, 'utf8') === current) return;
  rmSync(file, { force: true });
  await work();
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, fingerprint(sources));
}

/** @param {string[]} sources */
function fingerprint(sources) {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    for (const file of filesIn(path.join(root, source))) {
      hash.update(`\0${path.relative(root, file)}\0`).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function filesIn(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { withFileTypes: true })
    .filter(({ name }) => !/\.test\.tsx?$|^testing$|^\.sources$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name }) => filesIn(path.join(place, name)));
}
