import { expect, type Page } from '@playwright/test';
import { listenOn } from '../../server/testing/listen';
import { dropData, fillCode } from '../drawn';
import { expectDialogAccessible } from '../axe';
import { makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

const at = (x: number) => ({ x, y: 0 });
const wire = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});
const lines = '[{"sku": "A-1", "price": 3}, {"sku": "B-2", "price": 5}]';
const shop = {
  nodes: [
    { id: 'start', type: 'start', position: at(0), config: {} },
    {
      id: 'order',
      type: 'transform',
      name: 'Order',
      position: at(300),
      config: { expression: `{"customer": "Ada", "lines": ${lines}}` },
    },
    { id: 'call', type: 'http_request', name: 'Call', position: at(600), config: { url: '' } },
    {
      id: 'sum',
      type: 'transform',
      name: 'Sum',
      position: at(900),
      config: { expression: '$sum(nodes.order.lines.price)' },
    },
  ],
  connections: [wire('start', 'order'), wire('order', 'call'), wire('call', 'sum')],
};

const openNode = async (page: Page, name: string) => {
  const dialog = page.getByRole('dialog');
  // The canvas may still move: retry.
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole('group', { name, exact: true }).dblclick({ timeout: 2000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();
  return dialog;
};

test('a node is configured with upstream data: expressions, drag and drop, views, pins, partial runs', async ({
  page,
}, info) => {
  await takeSession(page);
  const id = await makeWorkflow(page, 'Shop', shop);
  const dialog = await openNode(page, 'Order');
  const output = dialog.getByRole('region', { name: 'Output', exact: true });

  await dialog.getByRole('button', { name: 'Run this node' }).click();
  await expect(output.getByText('Done')).toBeVisible();
  await expect(output).toContainText('Ada');

  await page.keyboard.press('Alt+Period');
  const input = dialog.getByRole('region', { name: 'Input', exact: true });
  const url = dialog.getByRole('textbox', { name: 'URL' });
  await url.fill('=');
  await expect(dialog.locator('[data-code="template"] .cm-content')).toBeFocused();
  await page.keyboard.type('input.cu');
  await expect(page.getByRole('option', { name: /customer/ })).toBeVisible();
  await picture(page, info, 'autocomplete');
  // By the mouse: the suggestions ignore keys for a moment after they change.
  await page.getByRole('option', { name: /customer/ }).click();
  await expect(url).toHaveText('{{ input.customer }}');
  await expect(dialog.getByText('= "Ada"')).toBeVisible();
  await page.keyboard.type(' & )');
  await expect(dialog.locator('.cm-lintRange-error')).toHaveText(')');
  await picture(page, info, 'error-at-the-character');

  await fillCode(page, url, new URL('/healthz', page.url()).href);
  const method = dialog.getByRole('combobox', { name: 'Method' });
  await dropData(page, input.getByText('customer', { exact: true }), method, {}, dialog.locator('[data-over]'));
  await expect(dialog.getByRole('textbox', { name: 'Method' }).getByRole('img')).toHaveAccessibleName(
    'Order › customer, "Ada"',
  );
  await dialog.getByRole('button', { name: 'Method: use a fixed value' }).click();
  await input.getByRole('button', { name: 'Order', exact: true }).click();
  await input.getByText('JSON', { exact: true }).last().click();
  await expect(input).toContainText('"sku": "B-2"');

  await dialog.getByRole('button', { name: 'Run this node' }).click();
  await expect(output.getByText('Done')).toBeVisible();
  await dialog.getByRole('button', { name: 'Pin the output' }).click();
  await expect(output.getByText('Pinned.')).toBeVisible();
  await picture(page, info, 'pinned');
  await dialog.getByRole('button', { name: 'Edit the pinned output' }).click();
  await fillCode(page, dialog.getByRole('textbox', { name: 'Pinned output' }), '[{"id": 7, "name": "own"}]');
  await dialog.getByRole('button', { name: 'Pin output' }).click();
  await output.getByText('Table', { exact: true }).click();
  await expect(output.getByRole('cell', { name: 'own' })).toBeVisible();
  await picture(page, info, 'pinned-table');

  await dialog.getByRole('button', { name: 'Partial runs' }).click();
  // The menu moves the focus to its first item once it is at its place.
  await expect(page.getByRole('menuitem', { name: 'Run to here' })).toBeFocused();
  await page.getByRole('menuitem', { name: 'Run from here', exact: true }).click();
  await expect(page.getByRole('menu')).toBeHidden();
  await page.keyboard.press('Alt+Period');
  await expect(dialog.getByText('= 8')).toBeVisible();
  await expect(output.getByText('Done')).toBeVisible();
  await fillCode(page, dialog.getByRole('textbox', { name: 'Expression' }), '1');
  await expect(output.getByText('Outdated')).toBeVisible();
  await picture(page, info, 'outdated');
  // Escape would close the suggestions of the field, if there are any.
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('complementary', { name: 'Node' }).getByText('Outdated')).toBeVisible();

  // A whole run takes the pinned output in place of calling.
  await expect(page.getByRole('group', { name: 'Call', exact: true }).getByLabel('Its output is pinned')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const log = page.getByRole('complementary', { name: 'Run', exact: true });
  await log.getByRole('tab', { name: 'Logs' }).click();
  await expect(log.getByText('did not run: its output is pinned')).toBeVisible();

  const order = page.getByRole('group', { name: 'Order', exact: true });
  await page.keyboard.press('1');
  await order.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run to here' }).click();
  await expect(order).toContainText('Done');
  await expect(page.getByRole('group', { name: 'Sum', exact: true })).not.toContainText('Done');

  // Another editor sees the pins. One that an earlier version stored in the browser is taken over.
  await page.evaluate(([key]) => localStorage.setItem(`weft.pins.${key}`, '{"order": 7, "gone": 8}'), [id]);
  const other = await page.context().newPage();
  await other.goto(`/workflows/${id}`);
  await expect(other.getByLabel('Its output is pinned')).toHaveCount(2);
  await expect(order.getByLabel('Its output is pinned')).toBeVisible();
  await other.getByRole('group', { name: 'Order', exact: true }).click();
  await other.keyboard.press('p');
  await expect(other.getByLabel('Its output is pinned')).toHaveCount(1);
  await expect(order.getByLabel('Its output is pinned')).toHaveCount(0);
});

test(
  'a credential is created and tested inside the node, and the draft stays',
  { tag: '@long' },
  async ({ page }, info) => {
    await takeSession(page);
    await makeWorkflow(page, 'Keys', shop);
    const dialog = await openNode(page, 'Call');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('https://api.example.com/me');
    await dialog.getByRole('button', { name: 'New credential' }).click();
    await page.getByRole('button', { name: /^API key/ }).click();
    const made = page.getByRole('dialog', { name: /New credential/ });
    await made.getByLabel('Name').fill('Shop key');
    await made.getByRole('textbox', { name: 'API key' }).fill('canary-secret-4712');
    await made.getByRole('button', { name: 'Save' }).click();
    await expect(made).toBeHidden();
    await dialog.getByRole('button', { name: 'Test or edit' }).click();
    const known = page.getByRole('dialog', { name: 'Credential', exact: true });
    await known.getByLabel('Test URL').fill(new URL('/healthz', page.url()).href);
    await known.getByRole('button', { name: 'Test' }).click();
    await expect(known.getByText('It works')).toBeVisible();
    await expectDialogAccessible(page, info, 'tried');
    await page.keyboard.press('Escape');
    await expect(known).toBeHidden();
    await expect(dialog.getByLabel('Credential').first()).toHaveValue('Shop key');
    await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue('https://api.example.com/me');
  },
);

test(
  'a value that is omitted from a run because of its size is fetched on demand',
  { tag: '@long' },
  async ({ page }, info) => {
    let calls = 0;
    const { url, close } = await listenOn((_, response) => {
      calls += 1;
      // The second answer is larger, whatever the headers are: the largest value is omitted.
      const text = JSON.stringify({ text: 'x'.repeat(9_000_000 + 1000 * calls) });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
    });
    await takeSession(page);
    const call = (id: string, x: number) => ({ id, type: 'http_request', position: at(x), config: { url } });
    const id = await makeWorkflow(page, 'Large', {
      nodes: [
        { id: 'start', type: 'start', position: at(0), config: {} },
        call('one', 300),
        call('two', 600),
        { id: 'ok', type: 'transform', name: 'Ok', position: at(900), config: { expression: 'input.status' } },
      ],
      connections: [wire('start', 'one'), wire('one', 'two'), wire('two', 'ok')],
    });
    const run = await runWorkflow(page, id);
    await close();
    await page.goto(`/workflows/${id}?run=${run}`);
    const dialog = await openNode(page, 'Ok');
    const input = dialog.getByRole('group', { name: 'input', exact: true });
    await expect(input).toContainText('8.6 MiB, not loaded');
    await expect(dialog.getByText('some data is not loaded')).toBeVisible();
    await picture(page, info, 'not-loaded');
    await input.getByRole('button', { name: 'Load', exact: true }).click();
    await expect(input).toContainText('200');
    await expect(dialog.getByText('= 200', { exact: true })).toBeVisible();
    await picture(page, info, 'loaded');
  },
);
