import { expect } from '@playwright/test';
import { expectAccessible } from '../axe';
import { takeSession } from '../person';
import { test } from '../test';

test('the API reference shows the operations, and sends a call as the signed-in user', async ({ page }, info) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await takeSession(page);
  await page.goto('/docs/api');
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('list workflows');
  await page.getByText('/api/workflows', { exact: true }).click();
  await expect(page).toHaveURL('/docs/api#workflows.list');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Status 200' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('Welcome');
  await expectAccessible(page, info, 'api');
  expect(complaints).toEqual([]);
});
