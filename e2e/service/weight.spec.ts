import { expect, type BrowserContext } from '@playwright/test';
import { enter } from '../person';
import { test } from '../test';

/** Compressed transfer size in kilobytes of 1,000 bytes. */
const MOST = { list: 320, editor: 350 };

/** Scripts that were fetched before `usable` was visible; later scripts are not counted. */
async function scriptsUntil(context: BrowserContext, address: string, usable: string): Promise<number> {
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      performance.mark('usable');
    }).observe(document, { childList: true, subtree: true });
  }, usable);
  await page.goto(address);
  await page.locator(usable).first().waitFor();
  return page.evaluate(() => {
    const until = performance.getEntriesByName('usable')[0]?.startTime ?? 0;
    const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ name, responseEnd }) => new URL(name).pathname.endsWith('.js') && responseEnd <= until,
    );
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
  });
}

test('the list and the editor stay within their size budgets', async ({ page, browser }, info) => {
  // Three cold starts.
  test.setTimeout(120_000);
  await enter(page);
  const editor = (await page.locator('tbody a').first().getAttribute('href')) ?? '';
  const storageState = await page.context().storageState();
  const places = [
    { name: 'list', address: '/workflows', usable: 'tbody a' },
    { name: 'editor', address: editor, usable: '.react-flow__node' },
  ] as const;
  for (const { name, address, usable } of places) {
    // A new browser context: nothing is cached.
    const context = await browser.newContext({ storageState, baseURL: info.project.use.baseURL });
    const weight = await scriptsUntil(context, address, usable);
    await context.close();
    info.annotations.push({ type: 'weight', description: `${name}: ${weight.toFixed(1)} kB of scripts` });
    expect(weight, `kB of scripts until the ${name} is usable`).toBeGreaterThan(100);
    expect(weight, `kB of scripts until the ${name} is usable`).toBeLessThan(MOST[name]);
  }
});
