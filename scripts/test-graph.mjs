import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { context } from 'esbuild';
import { root } from './step.mjs';
import { findTestFiles } from './test-tiers.mjs';

/** @typedef {import('./test-tiers.mjs').TestFile} TestFile */

/** What all tests are run with. */
const USED_BY_ALL = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'scripts/test-bundles.mjs',
];

/** What tests with a database, or with processes, are run with. */
const SET_UP = 'server/testing/postgres.setup.ts';
/** The program of the evaluator processes, which the set-up builds. */
const EVALUATOR = 'server/evaluation/evaluator/program/main.ts';
const SET_UP_TIERS = ['service', 'process', 'growth'];

/**
 * A module reaches what it imports, and programs whose path it names in quotes. Other files are reached from modules
 * that name them or their folder, and from what imports these: pages are read by almost everything, at some distance.
 */
export async function openTestGraph() {
  const tests = findTestFiles();
  const bundler = await context({
    absWorkingDir: root,
    tsconfig: 'tsconfig.json',
    entryPoints: [...tests.map(({ file }) => file), SET_UP, ...readPrograms()],
    outdir: 'dist-tests',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    loader: { '.wasm': 'empty' },
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return {
    /** @param {string[]} changed paths from the root @returns {Promise<TestFile[]>} */
    async findReachedTests(changed) {
      if (changed.some((file) => USED_BY_ALL.includes(file))) return tests;
      const { metafile } = await bundler.rebuild();
      const reached = findReaching(changed, metafile.inputs);
      const isSetUpReached = reached.has(SET_UP) || reached.has(EVALUATOR);
      return tests.filter(({ file, tier }) => reached.has(file) || (isSetUpReached && SET_UP_TIERS.includes(tier)));
    },
    close: () => bundler.dispose(),
  };
}

/** The programs that are started by their paths. @returns {string[]} */
function readPrograms() {
  const { entry } = /** @type {{ entry: string[] }} */ (JSON.parse(readFileSync(path.join(root, 'knip.json'), 'utf8')));
  return entry.filter((file) => file.startsWith('server/') && existsSync(path.join(root, file)));
}

/**
 * The files from which one of the changed ones is reached, and these themselves.
 *
 * @param {string[]} changed
 * @param {import('esbuild').Metafile['inputs']} inputs
 */
function findReaching(changed, inputs) {
  const own = Object.keys(inputs).filter(
    (file) => !file.startsWith('node_modules/') && existsSync(path.join(root, file)),
  );
  const names = new Map(own.map((file) => [file, readNames(file)]));
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  const addUse = (/** @type {string} */ user, /** @type {string} */ used) =>
    users.set(used, (users.get(used) ?? new Set()).add(user));
  for (const file of own) {
    for (const one of inputs[file]?.imports ?? [])
      if (!one.external && !isCheckOfAll(file, one)) addUse(file, one.path);
    if (TESTS.test(file))
      for (const name of names.get(file) ?? []) if (name !== file && inputs[name]) addUse(file, name);
  }
  const reached = new Set(changed.filter((file) => inputs[file]));
  for (const file of reached) for (const user of users.get(file) ?? []) reached.add(user);
  for (const other of changed.filter((file) => !inputs[file])) {
    for (const file of own.filter((one) => names.get(one)?.some((name) => isPathOrFolder(name, other))))
      for (const user of [file, ...(users.get(file) ?? [])]) reached.add(user);
  }
  return reached;
}

/** Only these start programs. */
const TESTS = /^server\/testing\/|\.test\.tsx?$/;

/**
 * What helpers of tests load on demand compares every answer with its description: it would lead from each test to the
 * whole service.
 *
 * @param {string} file
 * @param {{ kind: string }} imported
 */
const isCheckOfAll = (file, { kind }) => kind === 'dynamic-import' && file.startsWith('server/testing/');

/**
 * The texts in quotes that may be paths, without what leads to the root.
 *
 * @param {string} file
 */
function readNames(file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/['"`](?:\.{1,2}\/)*([\w@][\w@./-]*)['"`]/g)].map(([, name = '']) => name);
}

/**
 * @param {string} name
 * @param {string} file
 */
const isPathOrFolder = (name, file) =>
  file === name ||
  path.basename(file) === name ||
  // A source that no test imports is part of pages alone, although many name its folder.
  (!/\.(?:tsx?|mjs|css)$/.test(file) && file.startsWith(`${name.replace(/\/$/, '')}/`));
