import { expect, test } from '@playwright/test';
import { enter } from './person';

test('the API reference shows the operations, and sends a call as the signed-in user', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await enter(page);
  await page.goto('/docs/api');
  await page.locator('#operations-tag-Workflows').click();
  await page.getByText('/api/workflows', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Execute' }).first().click();
  const answer = page.locator('.live-responses-table .response').first();
  await expect(answer.locator('.response-col_status')).toContainText('200');
  await expect(answer).toContainText('Welcome');
  expect(complaints).toEqual([]);
});
