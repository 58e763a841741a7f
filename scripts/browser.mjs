import { existsSync } from 'node:fs';
import { aptInstall, hasApt } from './apt.mjs';
import { CommandFailed, bin, run, step } from './step.mjs';

// The first one is made for tests: a tab takes a quarter of the CPU time of a full Chromium.
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A Chromium that is installed on the machine, besides the one of Playwright. */
export const systemBrowser = () => [process.env.CHROMIUM_PATH, ...PLACES].find((place) => place && existsSync(place));

/** Ensures that a browser for the e2e tests is available: Playwright's, the machine's, or a new installation. */
export async function ensureBrowser() {
  const { chromium } = await import('@playwright/test');
  if (existsSync(chromium.executablePath()) || systemBrowser()) return;
  await step('Installing a browser', async () => {
    // The first package is missing in some distributions.
    if (hasApt()) return aptInstall('chromium-headless-shell').catch(() => aptInstall('chromium'));
    await run(process.execPath, [bin('@playwright/test/cli.js'), 'install', 'chromium']).catch((error) => {
      throw new CommandFailed(
        'The end-to-end tests need a browser: install Chromium, or set CHROMIUM_PATH',
        String(error.message),
      );
    });
  });
}
