import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['{contract,app,server,components,scripts,prisma}/**/*.test.{ts,tsx}'],
    globalSetup: 'server/testing/postgres.setup.ts',
    // Files run side by side, each on a database of its own.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Many tests kill real processes and race real clocks on a machine that does other things: what fails is tried once
    // more, and reported as retried. A test that needs that is a fault to be found.
    retry: 1,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
