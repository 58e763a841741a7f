import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { enter } from './person';

const MOST_BYTES = 350_000;

test('the editor opens with little code', async ({ page }, info) => {
  await enter(page);
  const address = await page.getByRole('link', { name: 'Welcome', exact: true }).getAttribute('href');
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (/\.js(\?|$)/.test(response.url())) sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  const cold = await page.context().newCDPSession(page);
  await cold.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address ?? '');
  await expect(page.getByRole('group', { name: 'Ask a person' })).toBeVisible();
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  info.annotations.push({
    type: 'gzipped JavaScript',
    description: `${Math.round(total / 1000)} kB in ${sizes.length} files`,
  });
  expect(total).toBeLessThan(MOST_BYTES);
});
