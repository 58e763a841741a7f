import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { bundleTests } from './scripts/test-bundles.mjs';

const FOLDERS = ['contract', 'app', 'server', 'components', 'scripts', 'prisma', 'clients'];

/** Imports of a test file that starts, kills or freezes processes. */
const STARTS_PROCESSES =
  /from '(?:node:child_process|@\/server\/testing\/(?:cluster|processes\/[\w-]+|parties\/(?:redis|mariadb|dovecot|sshd|proftpd|pgbouncer))|\.\/(?:chaos|embedded))'/;
/** Imports of a test file that needs a database or the evaluator's processes. */
const NEEDS_SERVICES = /from '(?:@\/server\/testing\/(?:database|evaluation)|@\/scripts\/build\.mjs|\.\/database)'/;

/** What a unit test does that others in its worker would see: it replaces modules, or has a browser's globals. */
const NEEDS_ISOLATION = /^\/\/ @vitest-environment happy-dom|\bvi\.mock\(/;

type Tier = 'unit' | 'isolated' | 'service' | 'process' | 'growth';

/** Tests that measure processor time: other work on the machine would be measured with them. */
const MEASURES = /^server\/testing\/growth\//;

/** The tier of a test file follows from what it imports. */
function tierOf(file: string): Tier {
  const text = readFileSync(file, 'utf8');
  if (MEASURES.test(file)) return 'growth';
  if (STARTS_PROCESSES.test(text)) return 'process';
  if (NEEDS_SERVICES.test(text)) return 'service';
  return NEEDS_ISOLATION.test(text) ? 'isolated' : 'unit';
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name)),
).map((file) => ({ file, tier: tierOf(file) }));

const filesOf = (...tiers: Tier[]) => files.filter(({ tier }) => tiers.includes(tier)).map(({ file }) => file);

/** Isolated tests need the module runner of Vitest; Node.js loads all others, as bundles. */
const bundleOf = await bundleTests(filesOf('unit', 'process', 'service', 'growth'));

/** Browsers' storage of Node.js hides that of the DOM in tests. Earlier versions do not have it. */
const WITHOUT_STORAGE = ['--no-experimental-webstorage'].filter((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

const resolve = { alias: { '@': path.resolve(import.meta.dirname) } };

/**
 * `order`: when the tier runs. Tiers run one after another, because Vitest ends a worker as soon as the next file is one
 * of another project, and all its modules with it.
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
    include: filesOf(name).map(bundleOf),
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { groupOrder: order },
    // Modules are loaded once for each worker: loading the service takes longer than most of these files take. A file
    // meets what the one before it left behind in a module, so each cleans up.
    isolate: false,
    maxWorkers: 2,
    // For what hangs. A machine that is busy may take long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
    ...test,
  },
});

export default defineConfig({
  resolve,
  test: {
    globalSetup: 'server/testing/postgres.setup.ts',
    // Bundles have other names in each run.
    cache: false,
    projects: [
      project('unit', 1),
      project('isolated', 2, {
        include: filesOf('isolated'),
        isolate: true,
        execArgv: WITHOUT_STORAGE,
        experimental: { viteModuleRunner: true },
      }),
      project('process', 3, { retry: 1 }),
      // They wait for the database much of the time.
      project('service', 4, { maxWorkers: 3, retry: 1 }),
      project('growth', 5, { maxWorkers: 1 }),
    ],
  },
});
