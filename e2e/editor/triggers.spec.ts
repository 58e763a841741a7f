import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { enter, picture } from '../person';
import { test } from '../test';

/** Runs the copied curl command. */
const run = (curl: string): string =>
  execFileSync('sh', ['-c', curl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const copied = (page: Page) => page.getByRole('region', { name: 'cURL' }).locator('pre').innerText();

test('a workflow is started by a webhook and by a schedule', { tag: '@long' }, async ({ page }, info) => {
  test.slow();
  await enter(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Called by others');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('group', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Webhooks and schedules' }).click();
  await page.getByLabel('Path').fill('orders/new');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const first = await copied(page);
  await picture(page, info, 'secret');
  expect(JSON.parse(run(first))).toMatchObject({
    executionId: expect.stringMatching(/^exec_/),
    status: 'accepted',
  });
  await page.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Deliveries' }).click();
  await expect(page.getByRole('link', { name: 'Accepted' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('(replayed)')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Accepted' })).toHaveCount(2);
  await picture(page, info, 'inbox');

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect(page.getByText('Copy the secret now')).toBeVisible();
  const second = await copied(page);
  expect(second).not.toBe(first);
  // The old secret stays valid for a day.
  for (const curl of [first, second]) expect(JSON.parse(run(curl))).toMatchObject({ status: 'accepted' });
  await page.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Add schedule' }).click();
  await page.getByRole('combobox', { name: 'Repeat' }).click();
  await page.getByRole('option', { name: 'Daily' }).click();
  await expect(page.getByLabel('Cron expression')).toHaveValue('0 8 * * *');
  await expect(page.getByText('At 08:00', { exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('new y');
  await page.getByRole('option', { name: /^America\/New York/ }).click();
  const next = page.getByRole('list', { name: 'Next times' }).getByRole('listitem');
  await expect(next).toHaveCount(5);
  await expect(next.first()).toContainText('08:00');
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const schedule = page.getByRole('article', { name: 'Schedule 0 8 * * *' });
  await expect(schedule).toContainText('The workflow is a draft. The schedule starts once it is live.');
  await picture(page, info, 'schedule');
  await schedule.getByRole('switch').press('Space');
  await expect(schedule).not.toContainText('starts once');
  await schedule.getByRole('button', { name: 'Delete schedule' }).click();
  await expect(schedule).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);

  await page.getByLabel('Path').fill('orders/answered');
  await page.getByRole('combobox', { name: 'Answer' }).click();
  await page.getByRole('option', { name: 'With the output of the run' }).click();
  await page.getByLabel('Within').fill('20 s');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText('Answers with the output of the run, within 20 s.')).toBeVisible();
  await picture(page, info, 'answer');
  expect(JSON.parse(run(await copied(page)))).toEqual({ hello: 'world' });
});

test('a workflow is activated, exported, and imported by drop', async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'Templates' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delayed reminder/ })
    .click();
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByRole('button', { name: 'Open the workflow' }).click();
  await expect(page.getByRole('group', { name: 'Remind', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'All workflows' }).last().click();
  const row = page.getByRole('row', { name: /Delayed reminder/ }).first();
  await row.getByRole('switch').press('Space');
  await expect(row.getByText('Live', { exact: true }).filter({ visible: true })).toBeVisible();
  await expect(row.getByText('Never')).toBeVisible();
  await picture(page, info, 'active');

  await row.getByRole('button', { name: 'More for Delayed reminder' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Delayed-reminder.json');
  const text = await readFile(await file.path(), 'utf8');
  const changed = text.replace('"Delayed reminder"', '"Dropped in"');
  const transfer = await page.evaluateHandle((json) => {
    const data = new DataTransfer();
    data.items.add(new File([json], 'reminder.json', { type: 'application/json' }));
    return data;
  }, changed);
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue('Dropped in');
  await expect(page.getByRole('group', { name: 'Remind', exact: true })).toBeVisible();
});
