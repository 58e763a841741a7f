import { expect } from '@playwright/test';
import { MAIN_PAGES } from '../../components/client/navigation-pages';
import { SETTINGS_PAGES } from '../../components/client/settings-pages';
import { SERVICE_DIRECTORY } from '../../server/connectors/directory/directory';
import { expectAccessible } from '../axe';
import { enter, findWelcome, openWelcome, picture } from '../person';
import { test } from '../test';
import { expectReadable } from '../words';

test('pages are accessible', async ({ page }, info) => {
  test.slow();
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await expectAccessible(page, info, 'login');

  await enter(page);
  await findWelcome(page);
  await expectAccessible(page, info, 'workflows');

  await openWelcome(page);
  await page.getByRole('group', { name: 'Call a service' }).click();
  await expect(page.getByRole('complementary', { name: 'Node' })).toBeVisible();
  await expectAccessible(page, info, 'editor');

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: /Approval/ })).toBeVisible();
  await expectAccessible(page, info, 'run');

  for (const path of ['/executions', '/outbox', '/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectAccessible(page, info, path.slice(1));
  }
});

test('no page shows names of a program', { tag: '@long' }, async ({ page }) => {
  await enter(page);
  const services = ['monday.com', ...SERVICE_DIRECTORY.map(({ name }) => name)];
  const pages = [...MAIN_PAGES, ...SETTINGS_PAGES].map(({ path }) => path);
  for (const path of [...pages, '/start', '/outbox', '/workflows/import']) {
    // What is loaded later is read, too.
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectReadable(page, 'main', services);
  }
});

test('the documentation is searched and read without signing in', async ({ page }, info) => {
  await page.goto('/docs');
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await page.keyboard.type('retry a failed st');
  await expect(found.first()).toContainText('Errors and retries');
  await expect(found.first().locator('mark').first()).toBeVisible();
  await expectAccessible(page, info, 'documentation-search');
  await page.keyboard.press('ArrowDown');
  await expect(field).toHaveAttribute('aria-activedescendant', /0$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/errors/);
  await expect(found).toHaveCount(0);

  await field.fill('zzzzqqqq');
  await expect(page.getByText('No page has words like these.')).toBeVisible();
  await field.fill('for_each concurrency');
  await page.keyboard.press('Enter');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^For each/ })
    .click();
  await expect(page.getByRole('heading', { name: 'For each', level: 1 })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current=page]')).toHaveText(
    'For each',
  );
  await expectAccessible(page, info, 'documentation');
  await page.getByRole('link', { name: 'Loops and pages' }).last().click();
  await expect(page.getByRole('heading', { name: 'Loops and pages', level: 1 })).toBeVisible();
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('lists and a run fit the screen of a phone', async ({ page }, info) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await enter(page);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  await picture(page, info, 'workflows');
  await findWelcome(page);
  await page.getByRole('button', { name: 'Run Welcome' }).click();
  await expect(page.getByRole('region', { name: /Approval/ })).toBeVisible();
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  await picture(page, info, 'run');
});
