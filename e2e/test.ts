import { test as base, type CDPSession, type Page } from '@playwright/test';

/** The page of a worker, and a session of the browser's developer tools with it. */
interface Shared {
  page: Page;
  tools: CDPSession;
}

/**
 * Playwright's `test`, with one page for all tests of a worker (a pool of one). The browser process of the page has the
 * scripts compiled and the files cached, so a page loads with two thirds of the CPU time of a new one. After each test
 * everything that a test may have changed in the browser is reset. A failed test ends its worker, and with it the page.
 */
export const test = base.extend<object, { shared: Shared }>({
  shared: [
    async ({ browser }, use, { project }) => {
      const { baseURL, contextOptions } = project.use;
      const context = await browser.newContext({ ...contextOptions, baseURL });
      const page = await context.newPage();
      await use({ page, tools: await context.newCDPSession(page) });
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: ({ shared }, use) => use(shared.page.context()),
  page: async ({ shared: { page, tools }, contextOptions: { reducedMotion }, baseURL, viewport }, use) => {
    await page.emulateMedia({ reducedMotion });
    await use(page);
    const context = page.context();
    for (const popup of context.pages()) if (popup !== page) await popup.close();
    page.removeAllListeners('console');
    await page.unrouteAll();
    await context.unrouteAll();
    await page.goto('about:blank');
    await context.clearCookies();
    await context.clearPermissions();
    await tools.send('Storage.clearDataForOrigin', { origin: baseURL ?? '', storageTypes: 'local_storage' });
    await page.emulateMedia({ colorScheme: null });
    if (viewport) await page.setViewportSize(viewport);
  },
});
