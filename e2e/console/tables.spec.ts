import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { expectAccessible, expectDialogAccessible } from '../axe';
import { enterAt, HAS_PICTURES, picture } from '../person';
import { test } from '../test';

const FILE = 'email,amount,paid\nada@example.com,12.5,true\ngrace@example.com,7,false\nalan@example.com,,true\n';

test('a table is made from a CSV file, edited by keyboard, filtered, exported and deleted', async ({ page }, info) => {
  await enterAt(page, '/tables');
  await page.getByRole('button', { name: 'New table' }).first().click();
  const form = page.getByRole('dialog', { name: 'New table' });
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'Customers.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Customers');
  await form.getByRole('group', { name: 'email' }).getByLabel('Unique').check();
  await expectDialogAccessible(page, info, 'new-table');
  await form.getByRole('button', { name: 'Create' }).click();

  await expect(page.getByRole('heading', { name: 'Customers', exact: true })).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Rows of Customers' });
  await expect(grid.getByRole('row')).toHaveCount(4);
  await expectAccessible(page, info, 'table');
  await grid.getByRole('button', { name: 'email' }).click();
  const cell = (row: number, column: number) =>
    grid.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column}"]`);
  await expect(cell(0, 1)).toHaveText('ada@example.com');

  await cell(0, 1).click();
  await page.keyboard.press('ArrowDown');
  await expect(cell(1, 1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(cell(1, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await grid.getByRole('textbox', { name: 'amount' }).fill('x');
  await page.keyboard.press('Enter');
  await expect(grid.getByRole('alert')).toHaveText('must be a number');
  await grid.getByRole('textbox', { name: 'amount' }).fill('99');
  await page.keyboard.press('Enter');
  await expect(cell(1, 2)).toHaveText('99');
  await expect(cell(1, 2)).toBeFocused();

  await cell(1, 1).dblclick();
  await grid.getByRole('textbox', { name: 'email' }).fill('ada@example.com');
  await page.keyboard.press('Enter');
  await expect(grid.getByRole('alert')).toContainText('must be unique');
  await picture(page, info, 'refused');
  await page.keyboard.press('Escape');
  await expect(cell(1, 1)).toHaveText('alan@example.com');

  await page.getByRole('button', { name: 'New row' }).click();
  const row = page.getByRole('dialog', { name: 'New row' });
  await expectDialogAccessible(page, info, 'new-row');
  await row.getByLabel('email').fill('edsger@example.com');
  await row.getByRole('button', { name: 'Add' }).click();
  await expect(grid.getByRole('row')).toHaveCount(5);

  const filter = page.getByRole('group', { name: 'Filter' });
  await filter.getByRole('button', { name: 'Add condition' }).click();
  await filter.getByRole('textbox', { name: 'Value' }).fill('edsger@example.com');
  await expect(grid.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Customers', exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select row 1' }).check();
  await page.getByRole('button', { name: 'Delete 1 row' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No row meets these conditions.')).toBeVisible();
  await filter.getByRole('button', { name: 'Remove the condition' }).click();
  await expect(grid.getByRole('row')).toHaveCount(4);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import CSV' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email,amount\nkatherine@example.com,1\nada@example.com,2\n'),
  });
  await dialog.getByLabel('Skip invalid lines').check();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog.getByRole('status')).toHaveText('1 row imported.');
  await expectDialogAccessible(page, info, 'import');
  await expect(dialog.getByRole('row', { name: /^3 / })).toContainText('another row has this value already');
  await picture(page, info, 'imported');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(grid.getByRole('row')).toHaveCount(5);

  await page.getByRole('button', { name: 'More actions' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export CSV' }).click();
  const exported = readFileSync(await (await downloading).path(), 'utf8');
  expect(exported).toContain(',alan@example.com,99,true,');
  await picture(page, info, 'table');
  if (HAS_PICTURES) {
    await page.setViewportSize({ width: 375, height: 800 });
    await picture(page, info, 'narrow');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await picture(page, info, 'dark');
  }

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete table' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Tables', exact: true })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy]')).toHaveCount(0);
  // Tests of templates make other tables.
  await expect(page.getByRole('main').getByRole('link', { name: 'Customers', exact: true })).toHaveCount(0);
});
