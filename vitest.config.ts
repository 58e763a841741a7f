import path from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** They kill and freeze real processes, and race real clocks. */
const DEADLY = [
  'server/auth/two-processes.test.ts',
  'server/channel/outage.test.ts',
  'server/connectors/{canary,renewal}.test.ts',
  'server/db/embedded.test.ts',
  'server/dispatch/*.test.ts',
  'server/engine/{deaths,durability,fencing,fleet,memory}.test.ts',
  'server/testing/chaos/chaos.test.ts',
];

/** They call operations, one file as the next. */
const DOORS = ['server/{auth,operations}/**/*.test.ts'];

const resolve = { alias: { '@': path.resolve(import.meta.dirname) } };

const project = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  resolve,
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    name,
    // Files run side by side, each on a database of its own.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    unstubGlobals: true,
    ...test,
  },
});

export default defineConfig({
  resolve,
  test: {
    globalSetup: 'server/testing/postgres.setup.ts',
    projects: [
      project('plain', {
        include: ['{contract,app,server,components,scripts,prisma}/**/*.test.{ts,tsx}'],
        exclude: [...configDefaults.exclude, ...DEADLY, ...DOORS],
      }),
      // Loading the service takes longer than most of these take: it is loaded once for many. What a file leaves behind
      // in a module, or on the clock, the next one meets.
      project('doors', { include: DOORS, exclude: [...configDefaults.exclude, ...DEADLY], isolate: false }),
      // On a machine that does other things: what fails is tried once more, and reported as retried. A test that needs
      // that is a fault to be found.
      project('deadly', { include: DEADLY, retry: 1 }),
    ],
  },
});
