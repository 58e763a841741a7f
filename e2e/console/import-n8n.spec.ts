import { expect } from '@playwright/test';
import { ordersInN8n, startN8nApi } from '../../server/testing/servers/n8n';
import { expectAccessible } from '../axe';
import { enter, picture } from '../person';
import { test } from '../test';

test('workflows of a running n8n are listed, imported, and their runs repeated', async ({ page }, info) => {
  const orders = ordersInN8n();
  const [whole = { id: '', name: '', nodes: [], connections: {} }] = orders.workflows;
  const odd = { name: 'Tell', type: 'n8n-nodes-base.mattermost', typeVersion: 1, position: [600, 0], parameters: {} };
  const partly = {
    ...whole,
    id: 'odd',
    name: 'Orders in Mattermost',
    nodes: [...whole.nodes, odd],
    connections: { ...whole.connections, Label: { main: [[{ node: 'Tell', type: 'main', index: 0 }]] } },
  };
  const tool = (name: string, x: number) => ({
    name,
    type: 'n8n-nodes-base.httpRequestTool',
    typeVersion: 4.2,
    position: [x, 300],
    parameters: { url: 'https://example.com', toolDescription: `${name} at once` },
  });
  const server = { name: 'Server', type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 1, position: [0, 0] };
  const served = {
    id: 'served',
    name: 'Tools for agents',
    nodes: [server, tool('Find a city', 0), tool('Find a street', 300)],
    connections: Object.fromEntries(
      ['Find a city', 'Find a street'].map((name) => [
        name,
        { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] },
      ]),
    ),
  };
  const n8n = await startN8nApi({ ...orders, workflows: [whole, partly, served] });
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
  await expect(list.getByText('Whole', { exact: true })).toHaveCount(2);
  await expect(list.getByText('becomes 2 workflows')).toBeVisible();
  await expect(list.getByText('To replace', { exact: true })).toBeVisible();
  await list.getByRole('button', { name: '1 to replace' }).click();
  await expect(list.getByRole('group', { name: 'Nodes to replace' })).toContainText('Tell');
  await expectAccessible(page, info, 'n8n-list');
  await picture(page, info, 'n8n-list');
  await page.getByRole('checkbox', { name: 'Import Orders in Mattermost' }).uncheck();
  await page.getByRole('button', { name: 'Import 2 workflows' }).click();
  await expect(list.getByText(/^Imported\. \d of 3 runs gave the same\./)).toBeVisible();
  await expect(list.getByRole('link', { name: 'Open the workflow' })).toHaveCount(2);
  await picture(page, info, 'n8n-imported');
  await page.setViewportSize({ width: 375, height: 800 });
  await picture(page, info, 'n8n-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, info, 'n8n-dark');
  await page.emulateMedia({ colorScheme: 'light' });

  await page.getByRole('link', { name: 'Open the workflow' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Name of the workflow' })).toHaveValue('Orders');
  await page.goto('/workflows');
  for (const name of ['Find a city', 'Find a street'])
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  await n8n.close();
});
