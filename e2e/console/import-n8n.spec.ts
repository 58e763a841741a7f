import { expect } from '@playwright/test';
import { ordersInN8n, startN8nApi } from '../../server/testing/servers/n8n';
import { expectAccessible } from '../axe';
import { enter, picture } from '../person';
import { test } from '../test';

test('workflows of a running n8n are listed, imported, and their runs repeated', async ({ page }, info) => {
  const orders = ordersInN8n();
  const [whole = { id: '', name: '', nodes: [], connections: {} }] = orders.workflows;
  const odd = { name: 'Tell', type: 'n8n-nodes-base.mattermost', typeVersion: 1, position: [600, 0], parameters: {} };
  const partly = { ...whole, id: 'odd', name: 'Orders in Mattermost', nodes: [...whole.nodes, odd] };
  const n8n = await startN8nApi({ ...orders, workflows: [whole, partly] });
  await enter(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('menuitem', { name: 'From a running n8n, or many files' }).click();
  await expect(page).toHaveURL('/workflows/import');
  await page.getByRole('textbox', { name: 'Address of n8n' }).fill(n8n.url);
  await page.getByLabel('Key of its API').fill('wrong');
  await page.getByRole('button', { name: 'List workflows' }).click();
  await expect(page.getByText('The key is refused by n8n')).toBeVisible();
  await page.getByLabel('Key of its API').fill(n8n.key);
  await page.getByRole('button', { name: 'List workflows' }).click();

  const list = page.getByRole('list', { name: 'Workflows of n8n' });
  await expect(list.getByText('Whole', { exact: true })).toBeVisible();
  await expect(list.getByText('To replace', { exact: true })).toBeVisible();
  await list.getByRole('button', { name: '1 to replace' }).click();
  await expect(list.getByRole('group', { name: 'Nodes to replace' })).toContainText('Tell');
  await expectAccessible(page, info, 'n8n-list');
  await picture(page, info, 'n8n-list');
  await page.getByRole('checkbox', { name: 'Import Orders in Mattermost' }).uncheck();
  await page.getByRole('button', { name: 'Import 1 workflow' }).click();
  await expect(list.getByText(/^Imported\. \d of 3 runs gave the same\./)).toBeVisible();
  await picture(page, info, 'n8n-imported');
  await page.setViewportSize({ width: 375, height: 800 });
  await picture(page, info, 'n8n-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, info, 'n8n-dark');
  await page.emulateMedia({ colorScheme: 'light' });

  await page.getByRole('link', { name: 'Open the workflow' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue('Orders');
  await n8n.close();
});
