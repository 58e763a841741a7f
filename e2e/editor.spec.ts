import { expect, test } from '@playwright/test';
import { enter, openWelcome, picture } from './person';

test('a workflow is made, filled, saved and run', async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Greet');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('group', { name: 'Start' })).toBeVisible();

  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('transf');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Node' });
  await panel.getByLabel('Expression').fill('"Hello " & input.name');

  const from = page.getByRole('group', { name: 'Start' }).getByLabel('output port');
  const to = page.getByRole('group', { name: 'Transform' }).getByLabel('input port');
  // The canvas may still glide to the new node, away under the pointer: then one tries again.
  await expect(async () => {
    await from.dragTo(to);
    await expect(page.locator('.react-flow__edge')).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
  await picture(page, info, 'built');

  await page.getByRole('button', { name: 'More ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Run with input …' }).click();
  await page.getByRole('textbox', { name: 'Input' }).fill('{"name": "Ada"}');
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  const run = page.getByRole('complementary', { name: 'Run' });
  await expect(run.getByText('Done').first()).toBeVisible();
  await run.getByRole('tab', { name: 'Data' }).click();
  await expect(run.getByRole('region', { name: 'Output' })).toContainText('Hello Ada');
  await picture(page, info, 'ran');
});

test('a change can be taken back and done again', async ({ page }) => {
  await enter(page);
  await openWelcome(page);
  const refusal = page.getByRole('group', { name: 'Send the refusal' });
  await refusal.click();
  await page.keyboard.press('Delete');
  await expect(refusal).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(refusal).toBeVisible();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(refusal).toHaveCount(0);
});

test('what is missing is shown at its node and field', async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Half drawn');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('option', { name: /HTTP request/ }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Not started')).toBeVisible();
  const node = page.getByRole('group', { name: 'HTTP request' });
  await expect(node.getByLabel('Has problems')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Node' }).getByText('is required')).toBeVisible();
  await picture(page, info, 'missing');
});

test('two people who save the same workflow: the second one is asked', async ({ page, context }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Contested');
  await page.getByRole('button', { name: 'Create' }).click();
  const name = page.getByLabel('Name of the workflow');
  await expect(name).toHaveValue('Contested');

  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByLabel('Name of the workflow').fill('Theirs');
  await expect(second.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  await name.fill('Mine');
  await expect(page.getByRole('dialog', { name: /Somebody else saved/ })).toBeVisible();
  await picture(page, info, 'conflict');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await expect(name).toHaveValue('Theirs');
});
