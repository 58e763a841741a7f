import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, defineConfig } from '@playwright/test';
import { systemBrowser } from './scripts/browser.mjs';
import { readSeed } from './scripts/test-seed.mjs';
import { CLIENT } from './server/testing/client';

// Chosen once. Playwright's worker processes read this file again, and find the values in their environment.
process.env.E2E_PORT ??= String(20_000 + (process.pid % 10_000));
/** The port of the test's sign-in provider: below the range of ephemeral ports. */
process.env.E2E_PROVIDER_PORT ??= String(10_000 + (process.pid % 10_000));
process.env.TEST_SEED = readSeed();
if (!process.env.E2E_DATA_DIR) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weft-e2e-'));
  process.env.E2E_DATA_DIR = dataDir;
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
}

const url = `http://localhost:${process.env.E2E_PORT}`;
const provider = `http://127.0.0.1:${process.env.E2E_PROVIDER_PORT}`;

/**
 * Playwright's own list of disabled features, and the popups of the address bar: a full Chromium prepares them in a
 * process for each page, which takes half a second of CPU time. Chromium uses the last list only, so Playwright's is
 * repeated.
 */
const DISABLED = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'LensOverlay',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'AimEnabled',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  // Each worker has its own workspace. Any test may run in parallel with any other.
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // For the diagnosis: `npm test` reports a test that passes only on its retry as unstable, and fails.
  retries: 1,
  outputDir: 'test-results',
  use: {
    baseURL: url,
    // Without animations an element is at its final position at once.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs time in every test. `npx playwright test --trace=on` records one for a failed test.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: existsSync(chromium.executablePath()) ? undefined : systemBrowser(),
      args: [
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
        `--disable-features=${DISABLED}`,
      ],
    },
  },
  webServer: {
    // Builds first if anything changed.
    command: 'node scripts/start.mjs',
    url: `${url}/readyz`,
    timeout: 300_000,
    // For work on one test: uses a service that already runs on E2E_PORT, such as that of `npm run dev`.
    reuseExistingServer: process.env.E2E_REUSE === 'true',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      // The account that the tests sign in with.
      ADMIN_EMAIL: 'owner@example.com',
      ADMIN_PASSWORD: 'Owner-Password-1234',
      BCRYPT_COST: '4',
      RATE_LIMIT_TIER: 'unlimited',
      // The provider that e2e/console/connecting.spec.ts starts.
      CONNECTOR_SPOTIFY_CLIENT_ID: CLIENT.clientId,
      CONNECTOR_SPOTIFY_CLIENT_SECRET: CLIENT.clientSecret,
      CONNECTOR_SPOTIFY_AUTHORIZE_URL: `${provider}/auth`,
      CONNECTOR_SPOTIFY_TOKEN_URL: `${provider}/token`,
      CONNECTOR_SPOTIFY_API_URL: `${provider}/api`,
      CONNECTOR_SLACK_CLIENT_ID: CLIENT.clientId,
      CONNECTOR_SLACK_CLIENT_SECRET: CLIENT.clientSecret,
      CONNECTOR_SLACK_API_URL: `${provider}/slack`,
      CONNECTOR_GITHUB_API_URL: `${provider}/github`,
    },
  },
});
