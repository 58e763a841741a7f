import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { bundleTests } from './scripts/test-bundles.mjs';
import { readSeed } from './scripts/test-seed.mjs';
import { findTestFiles, type Tier } from './scripts/test-tiers.mjs';

const FEW_RUNS = 60;
/** How many random values a property test tries. A release tries many more. */
process.env.PROPERTY_RUNS ??= String(FEW_RUNS);
/** For what hangs. A machine that is busy may take long. */
const LIMIT_MS = 60_000 * Math.max(1, Number(process.env.PROPERTY_RUNS) / FEW_RUNS);
process.env.TEST_SEED = readSeed();

/** The projects that the command line names, all without one: others are not bundled. */
const chosen = process.argv.flatMap((word) => /^--project=(\w+)$/.exec(word)?.[1] ?? []);
/** The only test files that shall run, one a line. */
const only = process.env.TEST_FILES?.split('\n');
const files = findTestFiles().filter(
  ({ file, tier }) => (chosen.length === 0 || chosen.includes(tier)) && (only?.includes(file) ?? true),
);

const filesInTiers = (...tiers: Tier[]) => files.filter(({ tier }) => tiers.includes(tier)).map(({ file }) => file);

/** Isolated tests need the module runner of Vitest; Node.js loads all others, as bundles. */
const bundlePath = await bundleTests(filesInTiers('unit', 'dom', 'process', 'service', 'growth'));

/** Once for each worker: a set-up file would be loaded for each test file. */
const EXEC_ARGV = ['--import', path.resolve(import.meta.dirname, 'scripts/test-properties.mjs')];

/** Browsers' storage of Node.js hides that of the DOM in tests. Earlier versions do not have it. */
const WITHOUT_STORAGE = ['--no-experimental-webstorage'].filter((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

const resolve = { alias: { '@': path.resolve(import.meta.dirname) } };

/** `test('…', { tags: 'long' }, …)` runs before a release, by `npm run test:long`, or when its file is named. */
const tags = [
  { name: 'long', description: 'takes long, and seldom finds what no shorter test finds', timeout: 300_000 },
];

/**
 * `order`: when the tier runs. Tiers run one after another, because Vitest ends a worker as soon as the next file is
 * one of another project, and all its modules with it.
 */
const project = (
  name: Tier,
  order: number,
  test: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({
  resolve,
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    name,
    include: filesInTiers(name).map(bundlePath),
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { groupOrder: order },
    // Modules are loaded once for each worker: loading the service takes longer than most of these files take. A file
    // meets what the one before it left behind in a module, so each cleans up.
    isolate: false,
    maxWorkers: 2,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    execArgv: EXEC_ARGV,
    restoreMocks: true,
    unstubGlobals: true,
    tags,
    ...test,
  },
});

const projects = [
  project('unit', 1, { maxWorkers: 1 }),
  project('dom', 2, {
    environment: 'happy-dom',
    maxWorkers: 1,
    execArgv: [...EXEC_ARGV, ...WITHOUT_STORAGE],
  }),
  project('isolated', 3, {
    include: filesInTiers('isolated'),
    isolate: true,
    experimental: { viteModuleRunner: true },
  }),
  // They wait for processes and leases most of the time.
  project('process', 4, { maxWorkers: 3, retry: 1 }),
  // They wait for the database much of the time.
  project('service', 5, { maxWorkers: 3, retry: 1 }),
  project('growth', 6, { maxWorkers: 1 }),
];

export default defineConfig({
  resolve,
  test: {
    globalSetup: filesInTiers('service', 'process', 'growth').length > 0 ? 'server/testing/postgres.setup.ts' : [],
    // Bundles have other names in each run.
    cache: false,
    tags,
    projects: projects.filter((one) => one.test?.include?.length !== 0),
  },
});
