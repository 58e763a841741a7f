import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { node, openDrawn, paletteOffer } from '../drawn';
import { picture, takeSession } from '../person';
import { test } from '../test';

/** Runs the copied curl command. */
const run = (curl: string): string =>
  execFileSync('sh', ['-c', curl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

test('triggers are on the canvas: a webhook is listened to, a schedule is edited', async ({ page }, info) => {
  test.slow();
  await takeSession(page);
  await openDrawn(page, 'Listens', [node('s', 'start', 0), node('t', 'transform', 320)], 's>t');
  const canvas = page.getByLabel('Workflow canvas');

  // From the palette, not as a node.
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('hook');
  await paletteOffer(page, 'trigger:webhook').click();
  await page.getByLabel('Path').fill('orders/new');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const curl = await page.getByRole('region', { name: 'cURL' }).locator('pre').innerText();
  await page.getByRole('dialog').getByRole('button', { name: 'Listen for a test call' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const bar = page.getByRole('region', { name: 'Test call' });
  await expect(bar.getByRole('timer')).toHaveText(/^[45]:\d\d$/);
  await expect(canvas.getByText('Waiting for a call …')).toBeVisible();
  await picture(page, info, 'listening');

  run(curl);
  await expect(bar).toContainText('A call arrived at /orders/new');
  await expect(bar).toContainText('{"hello":"world"}');
  await expect(page.getByLabel('Run', { exact: true })).toBeVisible();
  await picture(page, info, 'arrived');
  await bar.getByRole('button', { name: 'Show the sample' }).click();
  await expect(page.getByRole('dialog').getByText('Pinned.', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('world');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close the test call' }).click();
  await expect(canvas.getByRole('button', { name: 'Webhook /orders/new: Takes calls' })).toBeVisible();

  // The schedule of a draft promises no time.
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('cron');
  await paletteOffer(page, 'trigger:schedule').click();
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const schedule = canvas.getByRole('button', { name: /^Schedule 0 8 \* \* 1-5/ });
  await expect(schedule).toBeVisible();
  await expect(canvas.getByText('Starts once live')).toBeVisible();
  await schedule.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The schedule starts once it is live.');
  await dialog.getByLabel('Cron expression').fill('30 7 * * *');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await expect(canvas.getByRole('button', { name: /^Schedule 30 7 \* \* \*.*: Draft$/ })).toBeVisible();
  await picture(page, info, 'schedule');
  // Triggers are no part of the definition.
  await expect(page.locator('.react-flow__node-card')).toHaveCount(2);
});
