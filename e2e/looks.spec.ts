import { expect, test } from '@playwright/test';
import { violations } from './axe';
import { enter, openWelcome, picture } from './person';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} pages`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('can be read and used by everybody', async ({ page }, info) => {
      await page.goto('/login');
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
      await picture(page, info, 'login');
      expect(await violations(page)).toEqual([]);

      await enter(page);
      await expect(page.getByRole('link', { name: 'Welcome' })).toBeVisible();
      await picture(page, info, 'workflows');
      expect(await violations(page)).toEqual([]);

      await openWelcome(page);
      await page.getByRole('group', { name: 'Call a service' }).click();
      await expect(page.getByRole('complementary', { name: 'Node' })).toBeVisible();
      await picture(page, info, 'editor');
      expect(await violations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByRole('region', { name: /Decision/ })).toBeVisible();
      await picture(page, info, 'run');
      expect(await violations(page)).toEqual([]);

      for (const path of ['/executions', '/outbox', '/nowhere']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await picture(page, info, path.slice(1));
        expect(await violations(page)).toEqual([]);
      }
    });
  });
}

test('lists and a run fit a phone', async ({ page }, info) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await enter(page);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await picture(page, info, 'workflows');
  await page.getByRole('button', { name: 'Run Welcome' }).click();
  await expect(page.getByRole('region', { name: /Decision/ })).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await picture(page, info, 'run');
});
