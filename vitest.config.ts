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
    restoreMocks: true,
    unstubGlobals: true,
  },
});
