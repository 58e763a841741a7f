import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, defineConfig } from '@playwright/test';
import { systemBrowser } from './scripts/browser.mjs';
import { CLIENT } from './server/testing/client';

// Chosen once; Playwright's own processes read this file again and find the choice in their environment.
process.env.E2E_PORT ??= String(20_000 + (process.pid % 10_000));
/** Where a journey has a provider of accounts: below the ports that outgoing connections get. */
process.env.E2E_PROVIDER_PORT ??= String(10_000 + (process.pid % 10_000));
if (!process.env.E2E_DATA_DIR) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weft-e2e-'));
  process.env.E2E_DATA_DIR = dataDir;
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
}

const url = `http://localhost:${process.env.E2E_PORT}`;
const provider = `http://127.0.0.1:${process.env.E2E_PROVIDER_PORT}`;

/**
 * The popups of the address bar, which nobody sees here: a full Chromium starts a process for each page to have them ready,
 * half a second of CPU time. The last list of features counts, so Playwright's own is repeated.
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
  // Each in a workspace of its own. Any test may run beside any other.
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // `npm test` lists the tests that needed it.
  retries: 1,
  outputDir: 'test-results',
  use: {
    baseURL: url,
    // Nothing glides: what is aimed at stands where it is going to be.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording costs time in every test. `npx playwright test --trace=on` does it for the one that failed.
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
    // For work on one journey: a service already running on E2E_PORT, such as that of `npm run dev`.
    reuseExistingServer: process.env.E2E_REUSE === 'true',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      // As the journeys sign in.
      ADMIN_EMAIL: 'owner@example.com',
      ADMIN_PASSWORD: 'Owner-Password-1234',
      BCRYPT_COST: '4',
      RATE_LIMIT_TIER: 'unlimited',
      // As e2e/connecting.spec.ts plays the provider.
      CONNECTOR_SPOTIFY_CLIENT_ID: CLIENT.clientId,
      CONNECTOR_SPOTIFY_CLIENT_SECRET: CLIENT.clientSecret,
      CONNECTOR_SPOTIFY_AUTHORIZE_URL: `${provider}/auth`,
      CONNECTOR_SPOTIFY_TOKEN_URL: `${provider}/token`,
      CONNECTOR_SPOTIFY_API_URL: `${provider}/api`,
    },
  },
});
