import { expect } from '@playwright/test';
import { expectAccessible, expectDialogAccessible } from '../axe';
import { enterAt } from '../person';
import { test } from '../test';

test('a variable is created, changed and deleted', async ({ page }, info) => {
  await enterAt(page, '/settings/variables');
  await page.getByRole('button', { name: 'New variable' }).click();
  const dialog = page.getByRole('dialog', { name: 'New variable' });
  await dialog.getByLabel('Name').fill('support address');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('help@example.com');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /SUPPORT_ADDRESS/ });
  await expect(row).toContainText('help@example.com');
  await expectAccessible(page, info, 'variables');

  await row.getByRole('button', { name: 'Change SUPPORT_ADDRESS' }).click();
  const change = page.getByRole('dialog', { name: 'Change SUPPORT_ADDRESS' });
  await change.getByText('JSON', { exact: true }).click();
  await change.getByRole('textbox', { name: 'Value' }).fill('{"to": ');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change.getByText(/This is not valid JSON/)).toBeVisible();
  await expectDialogAccessible(page, info, 'variable');
  await change.getByRole('textbox', { name: 'Value' }).fill('{"to": "ops"}');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('{"to":"ops"}');

  await row.getByRole('button', { name: 'Delete SUPPORT_ADDRESS' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No variables')).toBeVisible();
});
