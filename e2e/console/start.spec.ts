import { expect } from '@playwright/test';
import { expectAccessible } from '../axe';
import { enterAt, picture } from '../person';
import { test } from '../test';

test('a workflow begins with a description, a template, a file or nothing', async ({ page }, info) => {
  await enterAt(page, '/start');
  await expect(page.getByRole('heading', { name: 'What should happen?' })).toBeVisible();
  const templates = page.getByRole('region', { name: 'Or begin with one of these' });
  await expect(templates.getByRole('button', { name: /\w/ })).toHaveCount(7);
  await picture(page, info, 'start');
  await expectAccessible(page, info, 'start');

  // Without a model the page says what to connect. The rest works.
  await page.getByRole('button', { name: /^Every morning/ }).click();
  await expect(page.getByRole('textbox', { name: 'Describe what should happen' })).toHaveValue(/^Every morning/);
  const hasModel = await page.getByRole('button', { name: 'Build it' }).isEnabled();
  if (!hasModel) await expect(page.getByRole('button', { name: 'Connect a model' })).toBeVisible();

  await page.getByRole('button', { name: 'Start empty' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue('New workflow');
  await expect(page.getByRole('textbox', { name: 'Describe what should happen' })).toBeVisible();
  await picture(page, info, 'empty-canvas');
});
