import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { expectAccessible, expectDialogAccessible, violations } from '../axe';
import { node } from '../drawn';
import { asOwner, enter, findWelcome, makeWorkflow, picture, takeSession } from '../person';
import { test } from '../test';

test('a template is found, set up with a new credential, and opens', async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'Templates' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start from a template' });
  const search = dialog.getByLabel('Search templates');
  await expect(search).toBeFocused();
  await expect(dialog.getByRole('button', { name: /HubSpot/ }).first()).toBeVisible();
  await expectDialogAccessible(page, info, 'templates');
  await dialog.getByText('Monitor and operate').click();
  await search.fill('retry forward');
  await expect(dialog.getByText('1 template', { exact: true })).toBeVisible();
  await search.press('Enter');

  const form = page.getByRole('dialog', { name: 'Set up the template' });
  await form.getByRole('button', { name: 'Create workflow' }).click();
  await expect(form.getByText('Choose or create a credential')).toBeVisible();
  await form.getByLabel('Address of the API').fill('https://api.example.com/events');
  await form.getByRole('button', { name: 'New credential for API key' }).click();
  const credential = page.getByRole('dialog', { name: 'New credential' });
  await expectDialogAccessible(page, info, 'kinds');
  await credential.getByRole('button', { name: /^API key/ }).click();
  const key = page.getByRole('dialog', { name: 'New credential: API key' });
  await key.getByLabel('Name').fill('Events API');
  await key.getByRole('textbox', { name: 'API key' }).fill('canary-secret-4712');
  await key.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('combobox', { name: 'API key' })).toHaveValue('Events API');
  await expectDialogAccessible(page, info, 'set-up');
  await form.getByRole('button', { name: 'Create workflow' }).click();
  await expect(form.getByLabel('Secret', { exact: true })).toHaveValue(/\S{20,}/);
  await form.getByRole('button', { name: 'Open the workflow' }).click();

  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue(
    'Deliver with retries and dead letters',
  );
  await page.getByRole('group', { name: 'Deliver', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Credential' })).toHaveValue('Events API');
  await picture(page, info, 'template');
});

test('a template whose set-up is skipped says what is still to do', { tag: '@long' }, async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'Templates' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Process a list/ })
    .click();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('button', { name: 'Open the workflow' }).click();
  await expect(page.getByText('Enter Address of the API: It takes one item by POST.')).toBeVisible();
  const call = page.getByRole('group', { name: 'Call the API', exact: true });
  await expect(call.getByLabel('Runs for each item')).toBeVisible();
  await picture(page, info, 'each');
  await page.getByRole('link', { name: 'All workflows' }).last().click();
  await picture(page, info, 'list');
  await expect.poll(() => violations(page)).toEqual([]);
});

test('a workflow is copied, and deleted by its name', async ({ page }) => {
  await enter(page);
  await findWelcome(page);
  await page.getByRole('button', { name: 'More for Welcome' }).first().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue('Welcome (copy)');
  await page.getByRole('link', { name: 'All workflows' }).last().click();
  await page.getByRole('button', { name: 'More for Welcome (copy)' }).click();
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await dialog.getByLabel('Name').fill('Welcome (copy)');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: 'Welcome (copy)' })).toHaveCount(0);
});

test('a file with an unknown node type opens, and can be repaired', async ({ page }, info) => {
  await enter(page);
  const odd = { id: 'odd', type: 'from_elsewhere', position: { x: 300, y: 0 }, config: { a: 1 } };
  const start = { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} };
  const wire = { sourceNode: 'start', sourcePort: 'output', targetNode: 'odd', targetPort: 'input' };
  const text = JSON.stringify({ name: 'Foreign', definition: { nodes: [start, odd], connections: [wire] } });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'foreign.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  const node = page.getByRole('group', { name: 'from_elsewhere', exact: true });
  await expect(node).toBeVisible();
  await expect(page.getByRole('status').getByText('Draft with errors')).toBeVisible();
  await picture(page, info, 'unknown');
  await node.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Replace with another type' }).click();
  await page.keyboard.type('transform');
  await page.keyboard.press('Enter');
  await expect(page.locator('.react-flow__edge')).toHaveCount(1);
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
});

test('a file of n8n is shown before it becomes a workflow', async ({ page }, info) => {
  await enter(page);
  const fixture = path.join(import.meta.dirname, '../../import/n8n/fixtures/support-router.json');
  // One of its nodes is of a service that Weft does not have.
  const text = readFileSync(fixture, 'utf8').replace('n8n-nodes-base.github', 'n8n-nodes-base.mattermost');
  const file = { name: 'support-router.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  const choose = () => page.locator('input[type=file]').setInputFiles(file);
  await choose();
  const dialog = page.getByRole('dialog', { name: 'Import from n8n' });
  await expect(dialog.getByText('To replace', { exact: true })).toBeVisible();
  const report = dialog.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('group', { name: 'Accounts to connect' })).toContainText('Telegram');
  await expect(report.getByRole('group', { name: 'Nodes to replace' })).toContainText('Create issue');
  await expectDialogAccessible(page, info, 'n8n');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/workflows');

  await choose();
  await dialog.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue('Support router');
  await expect(page.getByText('Imported from n8n: review these nodes')).toBeVisible();
  await expect(page.getByRole('group', { name: 'To billing', exact: true })).toBeVisible();
  await picture(page, info, 'imported');
});

test('runs of a webhook are one row, two are compared and deleted, and filters are saved', async ({ page }, info) => {
  await takeSession(page);
  const name = `Deliveries ${Date.now()}`;
  const id = await makeWorkflow(page, name, { nodes: [node('start', 'start', 0)], connections: [] });
  const headers = await asOwner(page);
  const data = { path: 'parcels', verification: { kind: 'none' } };
  const made = await page.request.post(`/api/workflows/${id}/webhooks`, { headers, data });
  expect(made.status()).toBe(201);
  for (let parcel = 0; parcel < 5; parcel += 1)
    expect((await page.request.post(`/webhooks/${id}/parcels`, { data: { parcel } })).status()).toBe(202);
  await page.goto(`/executions?workflow=${id}`);
  const group = page.getByRole('button', { name: '5 runs of the webhook /parcels' });
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await group.click();
  await expect(page.locator('tr[data-nested]')).toHaveCount(5);
  await expectAccessible(page, info, 'group');

  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('textbox', { name: 'Save these filters as' }).fill(name);
  await expectDialogAccessible(page, info, 'saved-filters');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeVisible();
  await page.goto('/executions');
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await expect(page).toHaveURL(`/executions?workflow=${id}`);

  await group.click();
  const runs = page.locator('tr[data-nested]').getByRole('checkbox');
  await runs.nth(0).check();
  await runs.nth(1).check();
  const chosen = page.getByRole('region', { name: 'Selected runs' });
  await chosen.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByRole('dialog', { name: 'Compare with another run' })).toBeVisible();
  await page.goBack();
  await group.click();
  await runs.nth(0).check();
  await runs.nth(1).check();
  await chosen.getByRole('button', { name: 'Delete (2) …' }).click();
  await expectDialogAccessible(page, info, 'delete-runs');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete runs' }).click();
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(3);
  // So few stand each by itself.
  await expect(group).toHaveCount(0);
});

test('runs are filtered, cancelled in bulk, and rerun in bulk', async ({ page }, info) => {
  await enter(page);
  for (let run = 0; run < 2; run += 1) {
    await findWelcome(page);
    await page.getByRole('button', { name: 'Run Welcome' }).click();
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
    await page.goto('/workflows');
  }
  await page.goto('/executions');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Waiting' }).click();
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('welc');
  await expect(page).toHaveURL('/executions?search=welc&status=paused');
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await picture(page, info, 'chosen');
  await page.getByRole('button', { name: /^Cancel \(\d+\)$/ }).click();
  await expect(page.getByText('No results')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search runs' }).fill('nobody’s');
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page
    .getByRole('checkbox', { name: /Select the run/ })
    .first()
    .check();
  await page.getByRole('button', { name: 'Run again (1)' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText(
    /Manual\s+repeated.*(Waiting|Running|Queued)|(Waiting|Running|Queued).*Manual\s+repeated/,
  );
  await page
    .getByRole('checkbox', { name: /Select the run/ })
    .first()
    .check();
  await page.getByRole('button', { name: 'Cancel (1)' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('Failed');

  // It is annotated, and found by that.
  await page.getByRole('row').nth(1).getByRole('link', { name: 'Welcome' }).click();
  const annotation = page.getByRole('group', { name: 'Annotation' });
  await annotation.getByRole('button', { name: 'Thumbs down' }).click();
  await annotation.getByRole('button', { name: 'Keep this run' }).click();
  await annotation.getByRole('button', { name: 'Tags' }).click();
  const tag = `tone ${Date.now()}`;
  await annotation.getByPlaceholder('Add a tag').fill(tag);
  await page.keyboard.press('Enter');
  await annotation.getByRole('button', { name: 'Note' }).click();
  await annotation.getByRole('textbox', { name: 'Note on the run' }).fill('Not polite');
  await picture(page, info, 'annotated');
  const isStored = page.waitForResponse((answer) => answer.url().includes('annotations.set') && answer.ok());
  await page.keyboard.press('Tab');
  await isStored;
  await page.getByRole('link', { name: 'All runs' }).click();
  await page.getByRole('combobox', { name: 'Annotation' }).click();
  await page.getByRole('option', { name: 'Thumbs down' }).click();
  await page.getByRole('combobox', { name: 'Tag', exact: true }).click();
  await page.getByRole('option', { name: tag }).click();
  await expect(page).toHaveURL(`/executions?${new URLSearchParams({ rating: 'down', tag }).toString()}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').nth(1)).toContainText(tag);
  await expect(page.getByRole('img', { name: 'Rated thumbs down' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Not polite' })).toBeVisible();
  await picture(page, info, 'found');
});
