import { existsSync } from 'node:fs';
import { aptInstall, hasApt } from './apt.mjs';
import { CommandFailed, bin, run, step } from './step.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium that the machine has, beside the one that Playwright may have brought. */
export const systemBrowser = () => [process.env.CHROMIUM_PATH, ...PLACES].find((place) => place && existsSync(place));

/** Sees to it that there is a browser for the journeys: Playwright's own, the machine's, or one installed now. */
export async function ensureBrowser() {
  const { chromium } = await import('@playwright/test');
  if (existsSync(chromium.executablePath()) || systemBrowser()) return;
  await step('Installing a browser', async () => {
    if (hasApt()) return aptInstall('chromium');
    await run(process.execPath, [bin('@playwright/test/cli.js'), 'install', 'chromium']).catch((error) => {
      throw new CommandFailed(
        'The journeys need a browser: install Chromium, or set CHROMIUM_PATH',
        String(error.message),
      );
    });
  });
}
