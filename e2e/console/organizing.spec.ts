import { expect } from '@playwright/test';
import { expectAccessible, expectDialogAccessible } from '../axe';
import { enter, enterAt, picture } from '../person';
import { test } from '../test';

test('a folder opens like a page, workflows are created in it, moved by menu and dropped on it', async ({
  page,
}, info) => {
  await enter(page);
  const name = `Sales ${info.retry}`;
  const workflow = `Offers ${info.retry}`;
  await page.getByRole('button', { name: 'New folder' }).click();
  const form = page.getByRole('dialog', { name: 'New folder' });
  await form.getByLabel('Name').fill(name);
  await expectDialogAccessible(page, info, 'folder');
  await form.getByRole('button', { name: 'Create folder' }).click();
  const card = page.getByRole('link', { name, exact: true });
  await card.click();
  await expect(page).toHaveURL(/\/workflows\?folder=fld_/);
  const place = page.url();
  await expect(page.getByText('No workflows in this folder')).toBeVisible();
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  const creation = page.getByRole('dialog', { name: 'New workflow' });
  await creation.getByLabel('Name').fill(workflow);
  await creation.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue(workflow);
  await page.goto(place);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/&sort=name$/);
  await expectAccessible(page, info, 'folder');

  await page.getByRole('button', { name: `More for ${workflow}` }).click();
  await page.getByRole('menuitem', { name: 'Move to …' }).click();
  const move = page.getByRole('dialog', { name: `Move ${workflow}` });
  await move.getByRole('combobox', { name: 'To the folder' }).fill('Top');
  await page.getByRole('option', { name: 'Top level, in no folder' }).click();
  await move.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('No workflows in this folder')).toBeVisible();
  await page.getByRole('navigation', { name: 'Folders above' }).getByRole('link', { name: 'Workflows' }).click();

  await page.getByRole('checkbox', { name: `Select ${workflow}`, exact: true }).check();
  const bulk = page.getByRole('region', { name: 'Selected workflows' });
  await expect(bulk.getByRole('button', { name: 'Tag …' })).toBeVisible();
  await page.getByRole('link', { name: workflow, exact: true }).dragTo(card);
  await expect(page.getByText(`1 workflow moved to ${name}.`)).toBeVisible();
  await expect(page.getByRole('link', { name: workflow, exact: true })).toHaveCount(0);
});

test('the command palette finds a page of the documentation, and leads to pages', async ({ page }, info) => {
  await enter(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('loops and');
  await expect(palette.getByRole('option', { name: /Loops and pages/ }).first()).toBeVisible();
  await palette.getByRole('combobox').fill('azure ad login');
  const answer = palette.getByRole('option', { name: /Single sign-on/ }).first();
  await expect(answer.locator('mark').first()).toBeVisible();
  await expectDialogAccessible(page, info, 'palette');
  await palette.getByRole('combobox').fill('variables');
  await expect(palette.getByRole('option').first()).toHaveText(/Variables/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/settings/variables');
});

test('an alert shows its secret once', async ({ page }, info) => {
  await enterAt(page, '/settings/alerts');
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByText('Webhook', { exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://alerts.example.com/weft');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/);
  await expectDialogAccessible(page, info, 'secret');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('cell', { name: 'https://alerts.example.com/weft', exact: true })).toBeVisible();
  await expectAccessible(page, info, 'alerts');
  await page.getByRole('button', { name: 'Delete A run failed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No alerts')).toBeVisible();
});

test('the dashboard shows figures, also on a phone', async ({ page }, info) => {
  await enterAt(page, '/dashboard');
  await expect(page.getByRole('img', { name: 'Runs by time' })).toBeVisible();
  await page.getByText('30 days', { exact: true }).click();
  await expectAccessible(page, info, 'dashboard');
  await page.setViewportSize({ width: 375, height: 800 });
  for (const path of ['/dashboard', '/workflows', '/settings/alerts']) {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await picture(page, info, `phone${path.replaceAll('/', '-')}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});
